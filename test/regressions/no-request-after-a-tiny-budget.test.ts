import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { type RateRequest, RequestBudget } from '../../src/wire/gateway/rest/request-budget.ts';

const READ: RateRequest = { name: 'time', isWrite: false, isUrgent: false, weight: 1 };
const WINDOW_MS = 60_000;

function aBudget() {
  const clock = new VirtualClock(1_767_700_020_000);
  return {
    clock,
    budget: new RequestBudget({
      ...{ clock, random: seededRandom('tiny'), log: silentLog, meter: silentMeter },
      serverNowMs: () => clock.nowMs(),
    }),
  };
}

function told(remaining: number, limit: number) {
  return {
    status: 200,
    headers: { ratelimit: `"ip";r=${remaining};t=60`, 'ratelimit-policy': `"ip";q=${limit};w=60` },
  };
}

describe('a request budget that shrank to nothing', () => {
  test('is asked once in each new window, and found grown again', () => {
    const { clock, budget } = aBudget();
    // The share kept for what takes risk away is all of such a window.
    budget.tryAcquire(READ)?.settle(told(0, 1));
    expect(budget.tryAcquire(READ)).toBeUndefined();
    clock.advance(WINDOW_MS);
    const probe = budget.tryAcquire(READ);
    expect(probe).toBeDefined();
    expect(budget.tryAcquire(READ)).toBeUndefined();
    probe?.settle(told(5_999, 6_000));
    expect(budget.tryAcquire(READ)).toBeDefined();
  });

  test('is believed to have grown in the middle of its window, as the next answer says', () => {
    const { budget } = aBudget();
    budget.tryAcquire(READ)?.settle(told(4, 6_000));
    expect(budget.tryAcquire(READ)).toBeUndefined();
    budget.tryAcquire({ ...READ, isUrgent: true })?.settle(told(5_996, 6_000));
    expect(budget.tryAcquire(READ)).toBeDefined();
  });

  test('lets one who waits go at the next window', async () => {
    const { clock, budget } = aBudget();
    budget.tryAcquire(READ)?.settle(told(0, 1));
    const waited = budget.acquire(READ, 2 * WINDOW_MS);
    clock.advance(WINDOW_MS);
    expect(await waited).toBeDefined();
  });
});

describe('requests that nobody answers', () => {
  test('count until a window has passed, not forever', () => {
    const { clock, budget } = aBudget();
    budget.tryAcquire(READ)?.settle(told(100, 100));
    clock.advance(WINDOW_MS);
    for (let lost = 0; lost < 85; lost++) budget.tryAcquire(READ)?.settle(undefined);
    expect(budget.tryAcquire(READ)).toBeUndefined();
    clock.advance(WINDOW_MS);
    expect(budget.remaining('ip')).toBe(100);
    expect(budget.tryAcquire(READ)).toBeDefined();
  });
});
