/**
 * Symptom: a bracket that had to take with the market priced that from the best order of others, while risk control P3 counts
 * from the best of the book: a quote of ours between the two, already canceled and in the book until its next block, had the
 * exit denied as too far through the market, and the position was without its stop (swarm seed 4749).
 */
import { expect, test } from 'vitest';
import { unixMs } from '../../src/core/index.ts';
import { type Cursor, lots, type OrderId, ticks } from '../../src/domain/index.ts';
import type { Rig } from '../support/bot-rig.ts';
import { anEnteredBracket } from '../support/entered-bracket.ts';
import { aBook, aFill, BTC, seq } from '../support/trading-builders.ts';

const PLANS = {
  buy: { entryTicks: ticks(999_000), stopTicks: ticks(997_000), takeProfitTicks: ticks(1_010_000) },
  sell: { entryTicks: ticks(1_001_000), stopTicks: ticks(1_003_000), takeProfitTicks: ticks(990_000) },
} as const;
/** Beyond the stop: a quote of ours, and the best of others. */
const OWN = { buy: ticks(996_400), sell: ticks(1_003_600) } as const;
const OTHERS = { buy: 996_100, sell: 1_003_900 } as const;

function bookWith(side: 'buy' | 'sell', rig: Rig): void {
  const beyond = [
    [OWN[side], 5],
    [OTHERS[side], 500],
  ] as const;
  const levels =
    side === 'buy'
      ? { bids: beyond, asks: [[997_500, 500]] as const }
      : { bids: [[1_002_500, 500]] as const, asks: beyond };
  const receivedAtMs = unixMs(rig.clock.nowMs());
  rig.feed({ type: 'BookUpdated', book: aBook({ ...levels, receivedAtMs }) });
}

test.each(['buy', 'sell'] as const)('what closes a %s is within P3 of a quote of ours', (side) => {
  const { rig, entry, stop } = anEnteredBracket(side, PLANS[side]);
  const { orderId, priceTicks } = entry;
  rig.feed({
    type: 'FillRecorded',
    fill: aFill({ orderId, side, priceTicks, sizeLots: 10, id: '101-0-1' as Cursor }),
  });
  const quote = {
    ...{ symbol: BTC, orderId: '900' as OrderId, side, priceTicks: OWN[side] },
    ...({ sizeLots: lots(5), remainingLots: lots(5), timeInForce: 'postOnly', reduceOnly: false } as const),
    expiresAtMs: 0,
  };
  rig.feed({ type: 'OrderOpened', order: quote, seq: seq(101) });
  bookWith(side, rig);
  rig.feed({
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: stop.orderId }, status: 'canceled' },
    ...{ remainingLots: lots(10), seq: seq(104), proof: { by: 'stream', id: '104' } },
  });
  const denied = rig.audit.typesOf('IntentDenied').map(({ fields }) => fields['code']);
  // Against the quote itself it may not trade, while that rests.
  expect(denied).toEqual(['RISK_SELF_TRADE']);
});
