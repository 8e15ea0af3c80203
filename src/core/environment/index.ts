/** @module What the environment of this process says: the one door to it. */
export { readEnvironment } from './environment.ts';
