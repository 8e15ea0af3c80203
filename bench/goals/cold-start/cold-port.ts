/** @module Where the framework of G19 and its strategy meet: the runtime loads the strategy as a module of its own. */

/** Who hears that it may quote. */
export const coldPort: { onReady: () => void } = { onReady: () => undefined };
