/**
 * @module
 * A module of a plugin, loaded within bounds: it ends loading in time, and it does not end the process. Code that is
 * loaded runs, so that neither is certain.
 */
import { channel } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { type Clock, ConfigError, SystemClock } from '../../core/index.ts';

/** A module that loads for longer is given up, ms. */
const LOAD_MS_MAX = 10_000;
/** A module that does not let go of the thread is ended with the process by who started it, ms: {@link LOADING}. */
const STUCK_MS_MAX = 15_000;

/** What ends a process. */
const ENDS = ['exit', 'reallyExit', 'abort'] as const;

/** Says when a module begins to load, and when it has ended. */
const LOADING = channel('ballast:loading');

/** What the channel `ballast:loading` says. */
export interface Loading {
  /** The error of a module that is still loading after `withinMs`; `undefined`: it has ended. */
  readonly error: ConfigError | undefined;
  /** How long it may take, ms. */
  readonly withinMs: number;
}

/** The load before: one at a time, as each changes the process while it lasts. */
let before: Promise<unknown> = Promise.resolve();

/** What `load` gives. @throws ConfigError `STRATEGY_LOAD_FAILED` for a module in `file` without an end; as the module throws. */
export function loadGuarded(
  file: string,
  load: () => Promise<unknown>,
  clock: Clock = new SystemClock(),
): Promise<unknown> {
  const result = before.then(() => guarded(file, load, clock));
  before = result.catch(() => undefined);
  return result;
}

function guarded(file: string, load: () => Promise<unknown>, clock: Clock): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const process_ = process as unknown as Record<(typeof ENDS)[number], unknown>;
    const ends = ENDS.map((name) => [name, process_[name]] as const);
    let isSettled = false;
    const settle = (end: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      timer.cancel();
      for (const [name, original] of ends) process_[name] = original;
      syncBuiltinESMExports();
      process.off('uncaughtException', fail);
      LOADING.publish({ error: undefined, withinMs: 0 } satisfies Loading);
      end();
    };
    const fail = (thrown: unknown): void => settle(() => reject(thrown));
    const timer = clock.after(LOAD_MS_MAX, () => fail(endless(file, LOAD_MS_MAX)));
    for (const name of ENDS)
      process_[name] = (): never => {
        const ended = endsProcess(file, name);
        // What is thrown out of a timer must find the listener below.
        clock.soon(() => fail(ended));
        throw ended;
      };
    // `import { exit } from 'node:process'` is to find them too.
    syncBuiltinESMExports();
    process.on('uncaughtException', fail);
    LOADING.publish({ error: endless(file, STUCK_MS_MAX), withinMs: STUCK_MS_MAX } satisfies Loading);
    load().then((module) => settle(() => resolve(module)), fail);
  });
}

function endless(file: string, withinMs: number): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_LOAD_FAILED',
    message: `expected ${file} to load, but it is still loading after ${withinMs / 1000} s`,
    remedy:
      'Look for an `await` of what never comes, or a loop without an end, at the top level of the module.',
  });
}

function endsProcess(file: string, name: string): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_LOAD_FAILED',
    message: `expected ${file} to load, but it ends the process (process.${name})`,
    remedy: 'Let the module define its strategy, and nothing more.',
  });
}
