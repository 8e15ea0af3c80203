/** @module An exchange as text, and back. */
export { loadSnapshot, takeSnapshot } from './snapshot.ts';
