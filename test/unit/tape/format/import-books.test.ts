/** @module Recorded books as rows: StandX as changes, locked ones separated or kept, takers inferred; Gemini's best quotes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENT, openTape, type RecordingFormat } from '../../../../src/tape/format/index.ts';
import { importTape } from '../../../../src/tape/importers/index.ts';
import { rowsOf } from '../../../../src/tape/tools/index.ts';
import { aBookRow, aFolder, aStandxFolder, aTradeRow, BASE_MS } from '../importers/recordings.ts';

const NAMES = new Map<number, string>(Object.entries(EVENT).map(([name, kind]) => [kind, name]));

async function imported(format: RecordingFormat, folder: string, locked: 'keep' | 'separate' = 'separate') {
  const out = mkdtempSync(join(tmpdir(), 'tape-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const result = await importTape({ format, paths: [folder], out, locked });
  const rows = [...rowsOf(openTape(out).batches())].map(({ exchangeUs, kind, price, size, flags }) =>
    [exchangeUs / 1_000 - BASE_MS, NAMES.get(kind), price, size, flags === 1 ? '.' : ''].join(' ').trimEnd(),
  );
  return { ...result, rows };
}

describe('standx', () => {
  const first = aBookRow(1_000, [['100', '1']], [['100.2', '2']]);

  test('writes a book once, then its changes, and a book that did not change as one row', async () => {
    const second = aBookRow(
      1_250,
      [
        ['100.1', '3'],
        ['100', '1'],
      ],
      [['100.3', '1']],
    );
    const third = second.replace(`${BASE_MS + 1250}`, `${BASE_MS + 1500}`);
    const { rows, counts, markets } = await imported('standx', aStandxFolder([first, first, second, third]));
    // Books are shown at steps of 0.1, trades at 0.01.
    expect(markets).toEqual([expect.objectContaining({ priceDecimals: 2, tickStep: 1, bookStep: 10 })]);
    expect(rows).toEqual([
      '1000 bookReset 0 0',
      '1000 bidLevel 10000 10000',
      '1000 askLevel 10020 20000 .',
      '1250 bidLevel 10010 30000',
      '1250 askLevel 10020 0',
      '1250 askLevel 10030 10000 .',
      '1500 bidLevel 10010 30000 .',
    ]);
    expect(counts).toEqual({ duplicatesDropped: 1 });
  });

  test('separates a locked book by a tick, the side that stood there keeps its price; keeps it when told to', async () => {
    const locked = aBookRow(1_250, [['100', '1']], [['100', '4']]);
    const folder = aStandxFolder([first, locked]);
    const { rows, counts } = await imported('standx', folder);
    expect(rows.slice(3)).toEqual(['1250 askLevel 10001 40000', '1250 askLevel 10020 0 .']);
    expect(counts).toEqual({ lockedBooks: 1, booksSeparated: 1 });
    const kept = await imported('standx', folder, 'keep');
    expect(kept.rows.slice(3)).toEqual(['1250 askLevel 10000 40000', '1250 askLevel 10020 0 .']);
    expect(kept.counts).toEqual({ lockedBooks: 1 });
  });

  test('infers takers from the printed book, keeps their prices, and begins again behind a hole', async () => {
    const late = aBookRow(9_000, [['100', '1']], [['100.2', '2']]);
    const trades = [aTradeRow(1_100, '100.03'), aTradeRow(1_200, '100.21'), aTradeRow(1_300, '100.15')];
    const { rows, counts } = await imported('standx', aStandxFolder([first, late], trades));
    expect(rows.slice(3)).toEqual([
      '1100 sellTrade 10003 100 .',
      '1200 buyTrade 10021 100 .',
      '1300 sellTrade 10015 100 .',
      '6000 hole 0 0 .',
      '9000 bookReset 0 0',
      '9000 bidLevel 10000 10000',
      '9000 askLevel 10020 20000 .',
    ]);
    expect(counts).toEqual({ gaps: 1, gapsMs: 8_000, aggressorsByQuote: 2, aggressorsByTick: 1 });
  });
});

describe('gemini', () => {
  const second = (since: number) => BASE_MS / 1_000 + since;

  test('gives each quote two rows behind the trades of its moment, and a hole to a silence of a minute', async () => {
    const folder = aFolder({
      'market-depth.csv.gz': [
        'time_seconds,bid_price_bid_size,ask_price_ask_size',
        `${second(1000)},10.5_1,11_2`,
        `${second(1001)},10.75_1,11_2.5`,
        `${second(1100)},10_1,11_1`,
      ],
      'trade.csv.gz': [
        'time_seconds,price,size,is_buyer_maker',
        `${second(1001)}.000,10.5,0.25,1`,
        `${second(1001)}.5,11,1,0`,
      ],
    });
    const { rows, counts, statistics } = await imported('gemini', folder);
    expect(rows).toEqual([
      '1000000 bestBid 1050 100',
      '1000000 bestAsk 1100 200 .',
      '1001000 sellTrade 1050 25 .',
      '1001000 bestBid 1075 100',
      '1001000 bestAsk 1100 250 .',
      '1001500 buyTrade 1100 100 .',
      '1061000 hole 0 0 .',
      '1100000 bestBid 1000 100',
      '1100000 bestAsk 1100 100 .',
    ]);
    expect(counts).toEqual({ gaps: 1, gapsMs: 99_000 });
    expect(statistics).toMatchObject({
      depthRows: 3,
      secondsWithoutRow: 98,
      buyerIsMaker: 1,
      tradeVolume: '1.25',
    });
  });
});
