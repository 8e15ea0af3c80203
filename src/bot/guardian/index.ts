/** @module The guardian: a process beside a live run that cancels what the run leaves when it does not end itself. */
export { createGuardian } from './guardian.ts';
