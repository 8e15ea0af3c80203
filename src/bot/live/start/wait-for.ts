/**
 * @module
 * Waiting for what facts bring about while a bot starts. A used-up request budget holds everything up until its window ends,
 * up to a minute (obligation O117), and nothing is wrong then: such time is not charged to the wait. A start that gave up
 * in it would use up the next window as well when it is made again.
 */
import type { Clock } from '../../../core/index.ts';
import type { RequestBudget } from '../../../wire/gateway/index.ts';
import { RATE_WINDOW_MS } from '../../../wire/protocol/index.ts';

/** Longest that used-up budgets hold one wait up: the rest of a window, and the next one, which others may use up too. */
const CAPACITY_WAIT_MS_MAX = 2 * RATE_WINDOW_MS;

/** How long each step of a start may take. */
export const READY_MS_MAX = 30_000;

/** What is waited for. Times in ms. */
export interface Wait {
  /** Looked at every `pollMs`; what it throws ends the wait. */
  readonly holds: () => boolean;
  /** Time between two looks, ms. */
  readonly pollMs: number;
}

/**
 * Waits for `holds`, {@link READY_MS_MAX} and not counting time in which a budget has no capacity, {@link CAPACITY_WAIT_MS_MAX}
 * of it at most; false when that is over.
 * @example if (!(await waitFor({ clock, budget }, { holds: () => executor.isReady(lane), pollMs: 5 }))) throw late;
 */
export async function waitFor(
  { clock, budget }: { readonly clock: Clock; readonly budget: Pick<RequestBudget, 'hasRoom'> },
  { holds, pollMs }: Wait,
): Promise<boolean> {
  let leftMs = READY_MS_MAX;
  let capacityWaitLeftMs = CAPACITY_WAIT_MS_MAX;
  let lookedAtMs = clock.monotonicMs();
  while (!holds()) {
    const passedMs = clock.monotonicMs() - lookedAtMs;
    lookedAtMs += passedMs;
    if (capacityWaitLeftMs > 0 && !budget.hasRoom()) capacityWaitLeftMs -= passedMs;
    else leftMs -= passedMs;
    if (leftMs < 0) return false;
    await new Promise<void>((resolve) => void clock.after(pollMs, resolve));
  }
  return true;
}
