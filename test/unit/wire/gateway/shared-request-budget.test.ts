import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../../../src/core/index.ts';
import { type RateRequest, RequestBudget } from '../../../../src/wire/gateway/rest/request-budget.ts';

const LIMIT = 100;
const READ: RateRequest = { name: 'orders', isWrite: false, isUrgent: false, weight: 1 };
const WRITE: RateRequest = { name: 'place', isWrite: true, isUrgent: false, weight: 1 };
const CANCEL: RateRequest = { name: 'cancelAll', isWrite: true, isUrgent: true, weight: 1 };

/** A gateway with budgets of 100 in a window, as several clients of one address and account use them. */
class Gateway {
  readonly #clock: VirtualClock;
  #endsAtMs = 0;
  #used = { ip: 0, account: 0 };
  refused = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  answer({ isWrite, weight }: RateRequest) {
    if (this.#clock.monotonicMs() >= this.#endsAtMs) {
      this.#endsAtMs = this.#clock.monotonicMs() + 60_000;
      this.#used = { ip: 0, account: 0 };
    }
    this.#used.ip += weight;
    if (isWrite) this.#used.account += weight;
    const isOver = this.#used.ip > LIMIT || this.#used.account > LIMIT;
    if (isOver) this.refused++;
    const t = Math.ceil((this.#endsAtMs - this.#clock.monotonicMs()) / 1_000);
    const left = (used: number) => Math.max(0, LIMIT - used);
    const headers = {
      ratelimit: `"ip";r=${left(this.#used.ip)};t=${t}`,
      'ratelimit-policy': `"ip";q=${LIMIT};w=60`,
      ...(isWrite ? { 'x-ratelimit-account': `"account";r=${left(this.#used.account)};t=${t}` } : {}),
    };
    return { status: isOver ? 429 : 200, headers };
  }
}

function sharers(count: number) {
  const clock = new VirtualClock(1_767_700_020_000);
  let now = count;
  const changed: (() => void)[] = [];
  const sharing = { sharers: () => now, onChange: (one: () => void) => void changed.push(one) };
  const budgets = Array.from({ length: count }, (_one, at) => {
    const parts = { clock, log: silentLog, meter: silentMeter, serverNowMs: () => clock.nowMs(), sharing };
    return new RequestBudget({ ...parts, random: seededRandom(`sharer ${at}`) });
  });
  const setSharers = (next: number) => {
    now = next;
    for (const one of changed) one();
  };
  return { clock, budgets, gateway: new Gateway(clock), setSharers };
}

/** Sends as many as may leave at once, with answers that come only afterwards: nobody sees what the others have used. */
function burst(budget: RequestBudget, gateway: Gateway, request: RateRequest, most = 1_000): number {
  const tickets = [];
  while (tickets.length < most) {
    const ticket = budget.tryAcquire(request);
    if (ticket === undefined) break;
    tickets.push({ ticket, answer: gateway.answer(request) });
  }
  for (const { ticket, answer } of tickets) ticket.settle(answer);
  return tickets.length;
}

describe('request budgets of one machine', () => {
  test('three bots that see nothing of each other stay inside the limit together, window after window', () => {
    const { clock, budgets, gateway } = sharers(3);
    // Each has heard of the limit.
    for (const budget of budgets) burst(budget, gateway, READ, 1);
    for (let window = 0; window < 5; window++) {
      const sent = budgets.map((budget) => burst(budget, gateway, READ));
      for (const one of sent) expect(one).toBeLessThanOrEqual(Math.floor(85 / 3));
      clock.advance(60_001);
      for (const budget of budgets) burst(budget, gateway, READ, 1);
    }
    expect(gateway.refused).toBe(0);
  });

  test('a bot whose share is used up may still cancel', () => {
    const { budgets, gateway } = sharers(2);
    const [first, second] = budgets;
    if (first === undefined || second === undefined) throw new Error('expected two bots');
    for (const budget of budgets) burst(budget, gateway, WRITE, 1);
    burst(first, gateway, WRITE);
    expect(first.tryAcquire(WRITE)).toBeUndefined();
    expect(first.hasRoom()).toBe(false);
    expect(burst(first, gateway, CANCEL, 5)).toBe(5);
    expect(burst(second, gateway, WRITE)).toBeGreaterThan(30);
    expect(burst(second, gateway, CANCEL, 5)).toBe(5);
    expect(gateway.refused).toBe(0);
  });

  test('who waits has the share of a bot that is gone, at once', async () => {
    const { budgets, gateway, setSharers } = sharers(2);
    const [first] = budgets;
    if (first === undefined) throw new Error('expected two bots');
    burst(first, gateway, READ, 1);
    burst(first, gateway, READ);
    const waiting = first.acquire(READ, 50_000);
    expect(first.tryAcquire(READ)).toBeUndefined();
    setSharers(1);
    expect(await waiting).toBeDefined();
  });

  test('one alone has the whole budget but for the reserve', () => {
    const { budgets, gateway } = sharers(1);
    const [only] = budgets;
    if (only === undefined) throw new Error('expected a bot');
    expect(burst(only, gateway, READ, 1) + burst(only, gateway, READ)).toBe(85);
  });
});
