/**
 * @module
 * An order was decided on with the switch armed, and its record took so long to become durable that the switch had fired
 * when it left (invariant I11).
 */
import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { VirtualClock } from '../../src/core/index.ts';
import { approve, type OrderId, type TradingCommand } from '../../src/domain/index.ts';
import { aSpec, BTC, START_MS } from '../support/trading-builders.ts';
import { aBench, type Bench, type Fate, refusal, TRADER } from '../unit/bot/execution/support.ts';

const PLACE: TradingCommand = { kind: 'place', orders: [aSpec()] };
const CANCEL: TradingCommand = {
  kind: 'replace',
  symbol: BTC,
  cancels: [{ symbol: BTC, orderId: '65536' as OrderId }],
  orders: [],
};

/** The kinds of writes that the trading lane sent, with their nonces. */
const sentBy = ({ gateway, trader }: Bench) =>
  gateway.posts.filter(({ signer }) => signer === trader.address).map(({ kind, nonce }) => [kind, nonce]);

/** Sends a write whose record takes `commitMs` to become durable; the switch fires after 3 s and is not renewed. */
async function sendWithin(commitMs: number, command = PLACE, before: readonly Fate[] = []) {
  const clock = new VirtualClock(START_MS);
  const commit = { clock, delayMs: 1 };
  const memory = createInMemoryJournal({ commit });
  const bench = aBench({ clock, memory, switch: { periodMs: 60_000, timeoutMs: 3_000 } });
  await bench.start();
  for (const fate of before) {
    bench.gateway.fates.push(fate);
    bench.executor.submit(approve({ lane: TRADER, command: { ...PLACE, orders: [aSpec({ sizeLots: 7 })] } }));
    await bench.run(100);
  }
  await bench.run(900);
  commit.delayMs = commitMs;
  bench.executor.submit(approve({ lane: TRADER, command }));
  await bench.run(1);
  commit.delayMs = 1;
  await bench.run(6_000);
  return bench;
}

test('an order whose record is durable too late for the switch is not sent (I11, O78)', async () => {
  const bench = await sendWithin(2_500);
  expect(sentBy(bench)).toEqual([]);
  expect(bench.of('OrderNotExecuted')).toMatchObject([{ proof: { by: 'refusal', id: 'notSent' } }]);
  const ends = bench.journal.rows().filter(({ body }) => body.includes('"notSent"'));
  expect(ends).toHaveLength(1);
  expect(bench.journal.openWrites()).toEqual([]);
});

test('its lane is free with the same nonce once the switch is armed again', async () => {
  const bench = await sendWithin(2_500);
  expect(bench.executor.isReady(TRADER)).toBe(false);
  await bench.run(55_000);
  expect(bench.executor.isReady(TRADER)).toBe(true);
  bench.executor.submit(approve({ lane: TRADER, command: PLACE }));
  await bench.run(100);
  expect(sentBy(bench)).toEqual([['PlaceOrder', 0n]]);
  expect(bench.of('OrderAccepted')).toHaveLength(1);
});

test('bytes that were refused for its nonce before are fenced, as without it', async () => {
  const answer = refusal(400, 'InvalidPrecision');
  const bench = await sendWithin(1_900, PLACE, [{ kind: 'answer', answer }]);
  expect(sentBy(bench)).toEqual([
    ['PlaceOrder', 0n],
    ['ScheduleCancel', 0n],
  ]);
  expect(bench.journal.openWrites()).toEqual([]);
});

test('a cancel whose record is durable too late for the switch is sent all the same', async () => {
  const bench = await sendWithin(2_500, CANCEL);
  expect(sentBy(bench)).toEqual([['BatchReplace', 0n]]);
});

test('an order whose record is durable in time is sent', async () => {
  const bench = await sendWithin(200);
  expect(sentBy(bench)).toEqual([['PlaceOrder', 0n]]);
  expect(bench.of('OrderAccepted')).toHaveLength(1);
});
