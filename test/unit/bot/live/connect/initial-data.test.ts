/** @module What strategies find before they start: history of every interval. */
import { expect, test } from 'vitest';
import type { Environment } from '../../../../../src/bot/live/connect/environment.ts';
import { showCandleHistory } from '../../../../../src/bot/live/connect/initial-data.ts';
import {
  CANDLE_INTERVALS,
  type Candle,
  type Fact,
  type MarketSymbol,
} from '../../../../../src/domain/index.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
const bar = (startAtMs: number) => ({ symbol: SYMBOL, startAtMs }) as unknown as Candle;

test('the history of each interval is shown as history', async () => {
  const asked: string[] = [];
  const read = async (_: unknown, { interval }: { interval: string }) => {
    asked.push(interval);
    return [bar(60_000), bar(120_000)];
  };
  const environment = { gateway: { reader: { read } }, context: {} } as unknown as Environment;
  const shown: Fact[] = [];
  await showCandleHistory(environment, [SYMBOL], (fact) => shown.push(fact));
  expect(shown).toHaveLength(2 * CANDLE_INTERVALS.length);
  expect(shown[1]).toEqual({ type: 'CandleUpdated', candle: bar(120_000), isHistory: true });
});
