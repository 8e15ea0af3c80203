/** @module What strategies find before they start: history of every interval. */
import { expect, test } from 'vitest';
import type { Environment } from '../../../../../src/bot/live/connect/environment.ts';
import { readingOf, showCandleHistory } from '../../../../../src/bot/live/connect/initial-data.ts';
import { silentLog } from '../../../../../src/core/index.ts';
import {
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  type Fact,
  type MarketSymbol,
} from '../../../../../src/domain/index.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
const bar = (startAtMs: number) => ({ symbol: SYMBOL, startAtMs }) as unknown as Candle;

const readerOf = (
  symbols: readonly MarketSymbol[],
  candles: readonly CandleInterval[] = CANDLE_INTERVALS,
) => ({
  symbols,
  definition: { candles },
});

test('the history of each interval is shown as history', async () => {
  const asked: string[] = [];
  const read = async ({ query }: { readonly query: { readonly interval: string } }) => {
    asked.push(query.interval);
    return [bar(60_000), bar(120_000)];
  };
  const environment = { gateway: { reader: { read } }, context: {} } as unknown as Environment;
  const shown: Fact[] = [];
  const { candles } = readingOf([SYMBOL], [readerOf([SYMBOL])], false);
  await showCandleHistory({ environment, log: silentLog }, candles, (fact) => shown.push(fact));
  expect(asked.toSorted()).toEqual(CANDLE_INTERVALS.toSorted());
  expect(shown).toHaveLength(2 * CANDLE_INTERVALS.length);
  expect(shown[1]).toEqual({ type: 'CandleUpdated', candle: bar(120_000), isHistory: true });
});

test('what no strategy trades is read as far as a position needs it, and whole where it is recorded', () => {
  const [btc, eth, ada, sol] = ['BTC-USD', 'ETH-USD', 'ADA-USD', 'SOL-USD'] as MarketSymbol[];
  const symbols = [btc, eth, ada, sol] as MarketSymbol[];
  const readers = [
    readerOf([eth, ada] as MarketSymbol[], []),
    readerOf([eth, btc] as MarketSymbol[], ['1h']),
  ];
  const channelsOf = (symbol: MarketSymbol | undefined, isRecorded: boolean) =>
    readingOf(symbols, readers, isRecorded)
      .market.filter((one) => one.symbol === symbol)
      .map(({ channel }) => channel);
  const whole = ['trades', 'candles', 'funding', 'book', 'bbo'];
  for (const isRecorded of [false, true]) {
    expect(channelsOf(btc, isRecorded)).toEqual(whole);
    expect(channelsOf(eth, isRecorded)).toEqual(whole);
    expect(channelsOf(undefined, isRecorded)).toEqual(['prices']);
  }
  expect(channelsOf(ada, false)).toEqual(whole.filter((channel) => channel !== 'candles'));
  expect(channelsOf(ada, true)).toEqual(whole);
  expect(channelsOf(sol, false)).toEqual(['bbo']);
  expect(channelsOf(sol, true)).toEqual(whole);
  const { traded, unread, candles } = readingOf(symbols, readers, true);
  expect([[...traded], [...unread]]).toEqual([[btc, eth, ada], [sol]]);
  expect([...candles]).toEqual([
    [btc, new Set(['1h'])],
    [eth, new Set(['1h'])],
    [ada, new Set()],
  ]);
});
