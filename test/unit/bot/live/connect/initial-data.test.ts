/** @module What strategies find before they start: history beside what the stream has told already. */
import { expect, test } from 'vitest';
import type { Bot } from '../../../../../src/bot/kernel/index.ts';
import type { Environment } from '../../../../../src/bot/live/connect/environment.ts';
import { showCandleHistory } from '../../../../../src/bot/live/connect/initial-data.ts';
import type { Candle, Fact, MarketSymbol } from '../../../../../src/domain/index.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
const bar = (startAtMs: number, volumeLots: number) =>
  ({ symbol: SYMBOL, interval: '1m', startAtMs, volumeLots }) as unknown as Candle;

test('history from a replica that is behind does not take a live bar back', async () => {
  const read = async () => [bar(60_000, 5), bar(120_000, 1)];
  const environment = { gateway: { reader: { read } }, context: {} } as unknown as Environment;
  const bot = { markets: { candles: () => [bar(120_000, 3)] } } as unknown as Bot;
  const shown: Fact[] = [];
  await showCandleHistory(environment, [SYMBOL], bot, (fact) => shown.push(fact));
  expect(shown).toEqual([{ type: 'CandleUpdated', candle: bar(60_000, 5), isHistory: true }]);
});
