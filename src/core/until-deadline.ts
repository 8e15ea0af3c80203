/** @module A wait that ends at a deadline. */
import type { Clock } from './clock.ts';

/** The value of `work`, or `undefined` when `untilMs` (monotonic) comes first. */
export function untilDeadline<T>(clock: Clock, untilMs: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(untilMs - clock.monotonicMs(), () => resolve(undefined));
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        timer.cancel();
        settle(value);
      };
    work.then(end(resolve), end(reject));
  });
}
