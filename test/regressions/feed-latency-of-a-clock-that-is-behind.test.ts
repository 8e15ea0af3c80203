/** A recorder's clock behind the exchange's made the feed's latency 0 without a word: "feed as recorded". */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { runConfiguredBacktest } from '../../src/research/backtest/index.ts';
import { createTapeWriter, EVENT } from '../../src/tape/format/index.ts';
import { folderOf } from '../support/import-text.ts';
import { ROOT } from '../tidy/source.ts';

const AT_US = 1_767_657_600_000_000;

/** What a backtest assumes of the feed over ten quotes that were received so many us after they happened. */
async function assumedOf(lags: readonly number[], paper = ''): Promise<readonly string[]> {
  const folder = folderOf({});
  const tape = join(folder, 'tape');
  const market = {
    symbol: 'BTC-USD',
    priceDecimals: 1,
    sizeDecimals: 3,
    tickStep: 1,
    lotStep: 1,
    depth: 'bbo',
  } as const;
  const source = { kind: 'import', description: 'rows by hand' } as const;
  const writer = createTapeWriter({ folder: tape, markets: [market], source });
  for (const [at, lag] of lags.entries()) {
    const exchangeUs = AT_US + at * 1_000_000;
    const row = { market: 0, exchangeUs, receivedUs: exchangeUs + lag, size: 5, id: 0 };
    writer.write({ ...row, kind: EVENT.bestBid, flags: 0, price: 1_000 });
    writer.write({ ...row, kind: EVENT.bestAsk, flags: 1, price: 1_001 });
  }
  writer.close();
  const text = `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies:
  - name: trend-following
    module: ${ROOT}/strategies/trend-following/index.ts
    markets: [BTC-USD]
    parameters: { position: 0.05, slice: 0.05, bar: 1m }
risk: { capital: 10000 }
${paper}`;
  const { record } = await runConfiguredBacktest({
    source: parseConfig(text, join(folder, 'see.yaml')),
    tape,
  });
  return record.assumptions.filter((line) => line.startsWith('feed latency'));
}

test.each([
  [Array<number>(10).fill(-1_300_000), '20 of 20 rows (100 %)', '1300 ms', '1300ms'],
  [[-700, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000], '2 of 18 rows (11.1 %)', '700 us', '1ms'],
  [[10_000, -1_240_500, -1_520_001, 10_000], '4 of 8 rows (50 %)', '1520.001 ms', '1521ms'],
])(
  'rows that were received too early are counted, with the offset that puts it right: %#',
  async (lags, rows, by, offset) => {
    expect(await assumedOf(lags)).toEqual([
      `feed latency: not known of ${rows}, shown without delay: the recorder's clock was behind the exchange's by up to ${by}; paper.feedClockOffset: ${offset} puts it right`,
    ]);
    expect(await assumedOf(lags, `paper: { feedClockOffset: ${offset} }\n`)).toEqual([]);
  },
);

test('an offset that is too short names the whole one', async () => {
  const [line] = await assumedOf(Array<number>(4).fill(-1_300_000), 'paper: { feedClockOffset: 300ms }\n');
  expect(line).toContain('by up to 1000 ms; paper.feedClockOffset: 1300ms puts it right');
});

test('nothing is said of a clock that is right, or of a feed that is modeled', async () => {
  expect(await assumedOf([0, 1, 5_000])).toEqual([]);
  expect(await assumedOf([-5_000, -5_000], 'paper: { feedLatency: 5ms }\n')).toEqual([]);
});
