/** @module Where G20 and its strategy meet: the runtime loads the strategy as a module of its own. */

/** How long the strategy works in each of its timers, ms; 0: not at all. And who hears that it may quote. */
export const busyPort: { workMs: number; onReady: () => void } = { workMs: 0, onReady: () => undefined };
