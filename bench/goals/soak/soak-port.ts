/** @module Where G18 and its strategy meet: the runtime loads the strategy as a module of its own. */

/** Who hears that it may quote. */
export const soakPort: { onReady: () => void } = { onReady: () => undefined };
