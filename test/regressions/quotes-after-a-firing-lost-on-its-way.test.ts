/**
 * Symptom: the dead man's switch fired early, and the frames of its cancels were lost. An audit found the orders gone, and the
 * run quoted without an armed switch until its next heartbeat: only cancels that are told were looked at (swarm seed 7415).
 */
import { describe, expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId } from '../../src/domain/index.ts';
import { runSimulation } from '../simulation/run.ts';
import { planFor } from '../simulation/seed.ts';
import { cancelsSeen } from '../support/firings-seen.ts';
import {
  accepted,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  proof,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const QUOTE = '8' as OrderId;

/** What is seen as a snapshot comes at 9 in which only `shown` works, after these facts. */
function seenAfter(before: readonly Fact[], shown: readonly OrderId[] = []) {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of before) account.fold(fact);
  const orders = shown.map((orderId) => aWorkingOrder(orderId));
  return cancelsSeen(account, [{ type: 'OrdersReplaced', orders, seq: seq(9), isComplete: true }]);
}

/** The stream has told that it rests. */
const TOLD: Fact = { type: 'OrderOpened', order: aWorkingOrder(QUOTE), seq: seq(5) };
const ENDED: Fact = {
  ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: QUOTE }, status: 'canceled', seq: seq(7) },
  proof: proof('stream'),
};
const CANCEL_LEFT = sent('request-2', [], { cancels: [{ symbol: BTC, orderId: QUOTE }] });

/** Only the answer to its write has told of it, at that position or at none. */
function answeredAt(at?: number): readonly Fact[] {
  const spec = aSpec();
  const place = at === undefined ? {} : { seq: at };
  return [sent('request-1', [spec]), accepted(spec, QUOTE, place), resolved('request-1', 'executed', place)];
}

describe('an order that a snapshot lacks', () => {
  test.each([
    ['the stream told that it rests', [TOLD]],
    ['it was accepted before the snapshot', answeredAt(8)],
    ['a cancel of ours is on its way, which may find nothing', [TOLD, CANCEL_LEFT]],
  ])('puts the switch in doubt where %s', (_what, before) => {
    expect(seenAfter(before)).toEqual([{ at: 9n, isCertain: false }]);
  });

  test.each([
    ['it was accepted after the snapshot', answeredAt(10)],
    ['nobody knows where it was accepted', answeredAt()],
    ['its end was told', [TOLD, ENDED]],
  ])('says nothing of the switch where %s', (_what, before) => {
    expect(seenAfter(before)).toEqual([]);
  });
});

test('a snapshot that shows all orders says nothing of the switch', () => {
  expect(seenAfter([TOLD], [QUOTE])).toEqual([]);
});

test('a firing whose cancels are lost leaves no order without an armed switch', async () => {
  const request = { seed: 7415, faults: ['F33', 'F43', 'F73'], quirks: {} } as const;
  const { violations } = await runSimulation(await planFor(request));
  expect(violations).toEqual([]);
}, 60_000);
