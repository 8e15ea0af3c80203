/**
 * Symptom: the stop of a bracket ended with a rest while the market stood beyond it, so that the bracket took with the market. Its
 * price was rounded away from the market, a part of a tick further than risk control P3 allows. It was denied again and again,
 * and the position stayed open without its stop (fleet, seed 60).
 */
import { expect, test } from 'vitest';
import { type Cursor, lots, ticks, type WorkingOrder } from '../../src/domain/index.ts';
import type { Rig } from '../support/bot-rig.ts';
import { anEnteredBracket } from '../support/entered-bracket.ts';
import { aFill, BTC, seq } from '../support/trading-builders.ts';

const PLANS = {
  buy: { entryTicks: ticks(999_000), stopTicks: ticks(997_000), takeProfitTicks: ticks(1_010_000) },
  sell: { entryTicks: ticks(1_001_000), stopTicks: ticks(1_003_000), takeProfitTicks: ticks(990_000) },
} as const;
/** Beyond the stop, and no half percent of it is a whole number of ticks. */
const BEYOND = { buy: [996_123, 996_133], sell: [1_003_867, 1_003_877] } as const;

function fill(rig: Rig, { orderId, side, priceTicks }: WorkingOrder, sizeLots: number, id: string): void {
  rig.feed({ type: 'FillRecorded', fill: aFill({ orderId, side, priceTicks, sizeLots, id: id as Cursor }) });
}

test.each(['buy', 'sell'] as const)('what closes a %s beyond its stop is priced within P3', (side) => {
  const { rig, entry, stop } = anEnteredBracket(side, PLANS[side]);
  fill(rig, entry, 10, '101-0-1');
  const [bid, ask] = BEYOND[side];
  rig.book(bid, ask);
  const { trigger: _fired, ...fired } = stop;
  rig.feed({ type: 'OrderOpened', order: fired, seq: seq(102) });
  fill(rig, stop, 6, '103-0-1');
  rig.feed({
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: stop.orderId }, status: 'canceled' },
    ...{ remainingLots: lots(4), seq: seq(104), proof: { by: 'stream', id: '104' } },
  });
  const sent = rig.venue.submitted.flatMap(({ command }) => (command.kind === 'place' ? command.orders : []));
  const last = sent.at(-1);
  expect(last).toMatchObject({ side: stop.side, sizeLots: 4, timeInForce: 'ioc', reduceOnly: true });
  expect(last?.trigger).toBeUndefined();
});
