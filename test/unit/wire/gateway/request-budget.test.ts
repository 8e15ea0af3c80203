import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../../../src/core/index.ts';
import { type RateRequest, RequestBudget } from '../../../../src/wire/gateway/rest/request-budget.ts';

const READ: RateRequest = { name: 'markets', isWrite: false, isUrgent: false, weight: 1 };
const WRITE: RateRequest = { name: 'placeOrders', isWrite: true, isUrgent: false, weight: 1 };
const SAFETY: RateRequest = { name: 'cancelAll', isWrite: true, isUrgent: true, weight: 1 };

function told(remaining: number, { limit = 100, reset = 60, account }: Record<string, number> = {}) {
  return {
    status: 200,
    headers: {
      ratelimit: `"ip";r=${remaining};t=${reset}`,
      'ratelimit-policy': `"ip";q=${limit};w=60`,
      ...(account === undefined ? {} : { 'x-ratelimit-account': `"account";r=${account};t=${reset}` }),
    },
  };
}

function refused(bucket: string | undefined, headers: Record<string, string> = {}) {
  const details = bucket === undefined ? {} : { bucket };
  return { status: 429, headers, body: { error: { code: 'RateLimited', details } } };
}

function aBudget({ isTimeKnown = true } = {}) {
  const clock = new VirtualClock(1_767_700_020_000);
  return {
    clock,
    budget: new RequestBudget({
      ...{ clock, random: seededRandom('budget'), log: silentLog, meter: silentMeter },
      serverNowMs: () => (isTimeKnown ? clock.nowMs() : undefined),
    }),
  };
}

describe('a request budget', () => {
  test('takes no number as true before the gateway has told one (O114)', () => {
    const { budget } = aBudget();
    for (let i = 0; i < 10_000; i++) expect(budget.tryAcquire(READ)).toBeDefined();
    expect(budget.remaining('ip')).toBeUndefined();
  });

  test('counts what is under way and what was never answered', () => {
    const { budget } = aBudget();
    budget.tryAcquire(READ)?.settle(told(90));
    expect(budget.remaining('ip')).toBe(90);
    const first = budget.tryAcquire(READ);
    const second = budget.tryAcquire(READ);
    expect(budget.remaining('ip')).toBe(88);
    first?.settle(undefined);
    expect(budget.remaining('ip')).toBe(88);
    second?.settle(told(88));
    expect(budget.remaining('ip')).toBe(88);
  });

  test('believes the lowest report of a window, in whatever order answers come', () => {
    const { budget } = aBudget();
    const first = budget.tryAcquire(READ);
    const second = budget.tryAcquire(READ);
    second?.settle(told(80));
    first?.settle(told(81));
    expect(budget.remaining('ip')).toBe(80);
  });

  test('keeps 15 % of the window for what takes risk away (O116)', () => {
    const { budget } = aBudget();
    budget.tryAcquire(WRITE)?.settle(told(16, { account: 90 }));
    expect(budget.tryAcquire(WRITE)).toBeDefined();
    expect(budget.tryAcquire(WRITE)).toBeUndefined();
    expect(budget.tryAcquire(SAFETY)).toBeDefined();
  });

  test('lets waiting requests go in the next window, urgent ones first', async () => {
    const { budget, clock } = aBudget();
    budget.tryAcquire(READ)?.settle(told(15, { reset: 30 }));
    const order: string[] = [];
    void budget.acquire(READ, 60_000).then((ticket) => {
      order.push('read');
      ticket?.settle(told(99));
    });
    budget.tryAcquire(SAFETY)?.settle(refused('account', { 'retry-after': '31' }));
    void budget.acquire(SAFETY, 60_000).then((ticket) => {
      order.push('safety');
      ticket?.settle(told(98));
    });
    await clock.advanceAsync(29_000);
    expect(order).toEqual([]);
    await clock.advanceAsync(3_000);
    expect(order).toEqual(['safety', 'read']);
  });

  test('charges signed writes to the account as well (O113)', () => {
    const { budget } = aBudget();
    budget.tryAcquire(WRITE)?.settle(told(90, { account: 10 }));
    expect(budget.remaining('account')).toBe(10);
    expect(budget.tryAcquire(READ)).toBeDefined();
    for (let i = 0; i < 8; i++) budget.tryAcquire(WRITE);
    expect(budget.tryAcquire(WRITE)).toBeUndefined();
    expect(budget.tryAcquire(READ)).toBeDefined();
  });

  test('learns what a kind of request costs from the reports (O114)', () => {
    const { budget } = aBudget();
    budget.tryAcquire(READ)?.settle(told(90));
    budget.tryAcquire(READ)?.settle(told(87));
    expect(budget.weightOf(READ)).toBe(3);
    budget.tryAcquire(READ);
    expect(budget.remaining('ip')).toBe(84);
  });

  test('after a 429 sends nothing until the wait is over, then one probe, then twice as many (O115, I14)', async () => {
    const { budget, clock } = aBudget();
    const flying = Array.from({ length: 50 }, () => budget.tryAcquire(READ));
    for (const ticket of flying) ticket?.settle(refused('ip', { 'retry-after': '7' }));
    const gone: number[] = [];
    let settled = 0;
    for (let i = 0; i < 20; i++) {
      void budget.acquire(READ, 60_000).then(async (ticket) => {
        gone.push(clock.monotonicMs());
        await new Promise<void>((resolve) => {
          clock.after(100, resolve);
        });
        settled++;
        ticket?.settle(told(90 - settled));
      });
    }
    await clock.advanceAsync(6_900);
    expect(gone).toHaveLength(0);
    await clock.advanceAsync(150);
    expect(gone).toHaveLength(1);
    await clock.advanceAsync(60);
    expect(gone).toHaveLength(3);
    await clock.advanceAsync(2_000);
    expect(gone).toHaveLength(20);
    expect(Math.min(...gone)).toBeGreaterThanOrEqual(7_000);
  });

  test('blocks only the bucket that a 429 names, both when it names none', () => {
    const { budget } = aBudget();
    budget.tryAcquire(WRITE)?.settle(refused('account', { 'retry-after': '5' }));
    expect(budget.tryAcquire(WRITE)).toBeUndefined();
    expect(budget.tryAcquire(READ)).toBeDefined();
    const second = aBudget().budget;
    second.tryAcquire(WRITE)?.settle(refused(undefined, { 'retry-after': '5' }));
    expect(second.tryAcquire(READ)).toBeUndefined();
  });

  test.each([
    ['seconds', { 'retry-after': '3' }, 3_000],
    ['an absurd number of seconds', { 'retry-after': '86400' }, 60_000],
    [
      'a date, held against the answer’s own clock',
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:10 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
      10_000,
    ],
    ['nothing, with the window known', { ratelimit: '"ip";r=0;t=42' }, 42_000],
    ['nothing at all', {}, 60_000],
    ['nonsense', { 'retry-after': 'soon' }, 60_000],
  ])('reads retry-after as %s (O117)', (_form, headers, expectedMs) => {
    const { budget } = aBudget();
    expect(budget.tryAcquire(READ)?.settle(refused('ip', headers))).toBe(expectedMs);
  });

  test('waits its longest for a date while no clock is known but the machine’s (O11, O117)', () => {
    const inFiveSeconds = { 'retry-after': new Date(1_767_700_025_000).toUTCString() };
    const knowing = aBudget().budget;
    expect(knowing.tryAcquire(READ)?.settle(refused('ip', inFiveSeconds))).toBe(5_000);
    const { budget } = aBudget({ isTimeKnown: false });
    expect(budget.tryAcquire(READ)?.settle(refused('ip', inFiveSeconds))).toBe(60_000);
  });

  test('believes a later report that a budget has grown in the middle of its window (O114)', () => {
    const { budget } = aBudget();
    const before = budget.tryAcquire(READ);
    budget.tryAcquire(READ)?.settle(told(4));
    const after = budget.tryAcquire(SAFETY);
    before?.settle(told(80));
    expect(budget.remaining('ip')).toBe(3);
    after?.settle(told(90));
    expect(budget.remaining('ip')).toBe(90);
  });

  test('gives a request back that found no room in its time', async () => {
    const { budget, clock } = aBudget();
    budget.tryAcquire(READ)?.settle(refused('ip', { 'retry-after': '60' }));
    const waiting = budget.acquire(READ, 1_000);
    await clock.advanceAsync(1_001);
    expect(await waiting).toBeUndefined();
  });

  test('turns requests away when too many wait', async () => {
    const { budget } = aBudget();
    budget.tryAcquire(READ)?.settle(refused('ip', { 'retry-after': '60' }));
    for (let i = 0; i < 1_000; i++) void budget.acquire(READ, 60_000);
    expect(await budget.acquire(READ, 60_000)).toBeUndefined();
  });

  test('turns away who waits when it is closed, and keeps no timer', async () => {
    const { budget, clock } = aBudget();
    budget.tryAcquire(READ)?.settle(refused('ip', { 'retry-after': '60' }));
    const waiting = [budget.acquire(READ, 60_000), budget.acquire(SAFETY, 60_000)];
    budget.close();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(clock.nextAtMs()).toBeUndefined();
  });
});

/** What a proxy answers that knows nothing of budgets: no bucket, and no wait that could be read. */
const PAGE = {
  status: 429,
  headers: { 'content-type': 'text/html', 'retry-after': 'later' },
  body: undefined,
};

describe('a 429 that names neither budget nor wait (O73)', () => {
  test('closes what was refused and nothing else, for a second at most', () => {
    const { budget, clock } = aBudget();
    const waitMs = budget.tryAcquire(WRITE)?.settle(PAGE) ?? 0;
    expect(waitMs).toBeGreaterThanOrEqual(500);
    expect(waitMs).toBeLessThanOrEqual(1_000);
    expect(budget.tryAcquire(WRITE)).toBeUndefined();
    expect(budget.tryAcquire(SAFETY)).toBeDefined();
    expect(budget.tryAcquire(READ)).toBeDefined();
    clock.advance(waitMs);
    expect(budget.tryAcquire(WRITE)).toBeDefined();
  });

  test('is held against by a pause that grows to 10 s, and starts over after an answer', () => {
    const { budget, clock } = aBudget();
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      const waitMs = budget.tryAcquire(READ)?.settle(PAGE) ?? 0;
      waits.push(waitMs);
      clock.advance(waitMs);
    }
    for (const [i, wholeMs] of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(wholeMs / 2);
      expect(waits[i]).toBeLessThanOrEqual(wholeMs);
    }
    budget.tryAcquire(READ)?.settle(told(90));
    expect(budget.tryAcquire(READ)?.settle(PAGE)).toBeLessThanOrEqual(1_000);
  });

  test('is counted once for all that was under way, and followed by one probe (O115)', async () => {
    const { budget, clock } = aBudget();
    const flying = Array.from({ length: 20 }, () => budget.tryAcquire(READ));
    for (const ticket of flying) expect(ticket?.settle(PAGE)).toBeLessThanOrEqual(1_000);
    clock.advance(1_000);
    const probe = budget.tryAcquire(READ);
    expect(probe).toBeDefined();
    expect(budget.tryAcquire(READ)).toBeUndefined();
    const waiting = budget.acquire(READ, 5_000);
    probe?.settle(undefined);
    const second = await waiting;
    expect(second).toBeDefined();
    second?.settle(told(90));
    expect([budget.tryAcquire(READ), budget.tryAcquire(READ)]).not.toContain(undefined);
  });

  test('keeps nobody else in the line, and lets the refused one go when its pause is over', async () => {
    const { budget, clock } = aBudget();
    budget.tryAcquire(WRITE)?.settle(PAGE);
    const order: string[] = [];
    void budget.acquire(WRITE, 5_000).then(() => order.push('write'));
    budget.tryAcquire(READ)?.settle(refused('ip', { 'retry-after': '0' }));
    const probe = budget.tryAcquire(READ);
    void budget.acquire(READ, 5_000).then(() => order.push('read'));
    probe?.settle(told(90));
    await clock.advanceAsync(1);
    expect(order).toEqual(['read']);
    await clock.advanceAsync(1_000);
    expect(order).toEqual(['read', 'write']);
  });

  test('with a wait but no budget is obeyed to the letter (O117)', () => {
    const { budget } = aBudget();
    const page = { ...PAGE, headers: { 'retry-after': '7' } };
    expect(budget.tryAcquire(READ)?.settle(page)).toBe(7_000);
    expect(budget.tryAcquire(READ)).toBeUndefined();
  });
});
