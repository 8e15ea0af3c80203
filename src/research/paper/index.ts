/** @module Paper runs: over a tape at a pace, or on the streams of a gateway. */
export { paperOnGateway } from './paper-on-gateway.ts';
export { type PaperRun, paperOnTape } from './paper-on-tape.ts';
export { PaperWorld } from './paper-world.ts';
