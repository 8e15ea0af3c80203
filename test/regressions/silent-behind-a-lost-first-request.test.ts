/**
 * @module
 * Symptom: a bot that started while the network was bad knew nothing of its account 46 s after all was healed. The budget
 * had been lowered to two requests for a while; the first request of each later window was lost, and none followed it for
 * the 60 s until the next, though only an answer could say that the budget had grown again.
 * Found by: `npm run prove -- swarm --seed 7527` (I13), in short with `--faults F2,F26,F35,F50 --quirks none`.
 */
import { expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import {
  type RateRequest,
  type RateTicket,
  RequestBudget,
} from '../../src/wire/gateway/rest/request-budget.ts';

const READ: RateRequest = { name: 'nonce', isWrite: false, isUrgent: false, weight: 1 };
const WINDOW_MS = 60_000;
const PAUSE_MS = 10_000;

/** A budget that told of two requests in the window before this one. */
function aTinyBudget() {
  const clock = new VirtualClock(1_767_700_020_000);
  const budget = new RequestBudget({
    ...{ clock, random: seededRandom('lost'), log: silentLog, meter: silentMeter },
    serverNowMs: () => clock.nowMs(),
  });
  budget.tryAcquire(READ)?.settle(told(0, 2));
  clock.advance(WINDOW_MS);
  return { clock, budget };
}

function told(remaining: number, limit: number) {
  return {
    status: 200,
    headers: { ratelimit: `"ip";r=${remaining};t=60`, 'ratelimit-policy': `"ip";q=${limit};w=60` },
  };
}

test('one who waits behind a lost first request goes after a pause, and learns that the budget has grown', async () => {
  const { clock, budget } = aTinyBudget();
  budget.tryAcquire(READ)?.settle(undefined);
  let ticket: RateTicket | undefined;
  void budget.acquire(READ, WINDOW_MS).then((granted) => {
    ticket = granted;
  });
  await clock.advanceAsync(PAUSE_MS - 1);
  expect(ticket).toBeUndefined();
  await clock.advanceAsync(1);
  expect(ticket).toBeDefined();
  ticket?.settle(told(5_999, 6_000));
  expect(budget.tryAcquire(READ)).toBeDefined();
});

test('as long as answers are lost one goes after each pause, never two at once', () => {
  const { clock, budget } = aTinyBudget();
  budget.tryAcquire(READ)?.settle(undefined);
  for (let pause = 0; pause < 5; pause++) {
    expect(budget.tryAcquire(READ)).toBeUndefined();
    clock.advance(PAUSE_MS);
    const probe = budget.tryAcquire(READ);
    expect(probe).toBeDefined();
    expect(budget.tryAcquire(READ)).toBeUndefined();
    probe?.settle(undefined);
  }
});

test('what an answer of this window has told holds until its end, whatever is lost after it', () => {
  const { clock, budget } = aTinyBudget();
  budget.tryAcquire(READ)?.settle(told(1, 2));
  budget.tryAcquire({ ...READ, isUrgent: true })?.settle(undefined);
  clock.advance(WINDOW_MS - 1);
  expect(budget.tryAcquire(READ)).toBeUndefined();
  clock.advance(1);
  expect(budget.tryAcquire(READ)).toBeDefined();
});
