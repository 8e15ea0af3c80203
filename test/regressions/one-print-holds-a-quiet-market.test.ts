/**
 * Symptom: one trade far from the mark, then nobody trades: mark, index and middle agreed, but every quote was denied
 * with RISK_REFERENCE_DIVERGED for a whole minute, twice as long as quoting may take to resume (I13).
 */
import { expect, test } from 'vitest';
import { priceSpanOf } from '../../src/bot/risk/reference.ts';
import { must } from '../../src/core/index.ts';
import { type Cursor, lots, MarketState, ticks } from '../../src/domain/index.ts';
import { atMs, BTC } from '../support/trading-builders.ts';

test('a print far from the mark speaks of the price for 20 s, and no longer (P4)', () => {
  const markets = new MarketState();
  markets.fold({
    type: 'TradePrinted',
    trade: {
      symbol: BTC,
      id: '1-0-1' as Cursor,
      aggressor: 'buy',
      priceTicks: ticks(1_020_000),
      sizeLots: lots(1),
      atMs: atMs(0),
    },
  });
  const record = must(markets.get(BTC), 'the market');
  expect(priceSpanOf(record, atMs(20_000))).toMatchObject({ lowName: 'last', highTicks: 1_020_000 });
  expect(priceSpanOf(record, atMs(20_001))).toMatchObject({ lowName: '', highName: '' });
});
