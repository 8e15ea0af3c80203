/**
 * @module
 * Code that may never return, ended from outside: the watchdog of a script of `node:vm` stops an endless loop on this very
 * thread, whatever the code catches. Its `finally` does not run then, so what it had installed is removed by the caller.
 */
import { url } from 'node:inspector';
import { Script } from 'node:vm';

const SLOT = Symbol.for('ballast.examine.run');
const CALL = new Script(`globalThis[Symbol.for('ballast.examine.run')]()`);

/** What `run` returned; `undefined`: it had not returned after `limitMs`, and was ended. @throws what `run` throws. */
export function endedAfter<T>(limitMs: number, run: () => T): { readonly value: T } | undefined {
  // Who stands at a breakpoint is not to be hurried.
  if (url() !== undefined) return { value: run() };
  let value: { readonly value: T } | undefined;
  Reflect.set(globalThis, SLOT, () => {
    value = { value: run() };
  });
  try {
    CALL.runInThisContext({ timeout: limitMs });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
  } finally {
    Reflect.deleteProperty(globalThis, SLOT);
  }
  return value;
}
