/** @module A small valid recording with what it says, in the words of {@link factsOf}. */
import { parseImportMapping } from '../../../src/config/import-mapping.ts';
import type { Random } from '../../../src/core/index.ts';
import { formatScaled } from '../../../src/core/index.ts';
import type { RecordingFormat } from '../../../src/tape/format/index.ts';
import type { ImportOptions } from '../../../src/tape/importers/import-tape.ts';

/** A file as cells; a file of JSON lines has one cell a row. */
export interface SampleFile {
  readonly name: string;
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  /** Columns of exchange times, of a receive time, and of ids. */
  readonly times: readonly number[];
  readonly received?: number;
  readonly ids?: number;
}

/** See the module. */
export interface Sample {
  readonly format: RecordingFormat;
  readonly mapping?: ImportOptions['mapping'] & object;
  readonly files: readonly SampleFile[];
  readonly facts: readonly string[];
  /** False: the recording does not say who the taker was. */
  readonly hasSides: boolean;
}

/** 2026-01-06T14:30:00Z: within the hours of an American exchange. */
export const BEGIN_MS = Date.UTC(2026, 0, 6, 14, 30);
const MIDNIGHT_MS = Date.UTC(2026, 0, 6, 5);
const STEPS = 90;

interface Step {
  readonly ms: number;
  readonly mid: number;
  readonly at: number;
}

/** Moments with a mid price in ticks of 0.01. */
function walk(random: Random, count = STEPS): readonly Step[] {
  let ms = BEGIN_MS;
  let mid = random.integer(9_000, 11_000);
  return Array.from({ length: count }, (_, at) => {
    ms += random.integer(200, 2_500);
    mid += random.integer(-5, 5);
    return { ms, mid, at };
  });
}

const price = (ticks: number) => formatScaled(ticks, 2);
const size = (lots: number) => formatScaled(lots, 3);
/** A decimal without last zeros, as {@link factsOf} writes them. */
export const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const us = (ms: number) => ms * 1_000;

interface Trade {
  readonly ms: number;
  readonly id: number;
  readonly price: string;
  readonly size: string;
  readonly side: 'buy' | 'sell';
}

function tradesOf(random: Random, steps: readonly Step[]): readonly Trade[] {
  const first = random.integer(1, 100_000);
  return steps.map(({ ms, mid, at }) => ({
    ...{ ms, id: first + at, price: price(mid + random.integer(-2, 2)) },
    ...{ size: size(random.integer(1, 9_999)), side: random.chance(0.5) ? 'buy' : 'sell' },
  }));
}

function tradeFact({ ms, side, ...trade }: Trade, hasSides = true): string {
  return `T ${us(ms)} ${plain(trade.price)} ${plain(trade.size)}${hasSides ? ` ${side}` : ''}`;
}

type Level = readonly [price: string, size: string];

interface Book {
  readonly ms: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

function booksOf(random: Random, steps: readonly Step[], levels: number, step = 1): readonly Book[] {
  return steps.map(({ ms, mid }) => {
    const base = Math.round(mid / step) * step;
    const side = (sign: number): readonly Level[] =>
      Array.from({ length: levels }, (_, at) => [
        price(base + sign * step * (1 + 2 * at + random.integer(0, 1))),
        size(random.integer(1, 9_999)),
      ]);
    return { ms, bids: side(-1), asks: side(1) };
  });
}

/** The state of a book as a fact. */
export function bookFact(atUs: number, bids: readonly Level[], asks: readonly Level[]): string {
  const text = (levels: readonly Level[]) => levels.map(([p, s]) => `${plain(p)}:${plain(s)}`).join(' ');
  return `B ${atUs} ${text(bids)} | ${text(asks)}`;
}

function mapping(rows: string, columns: string, more = ''): Sample['mapping'] & object {
  return parseImportMapping(
    `symbol: BTC-USD\nfiles:\n  - name: "*.csv*"\n    rows: ${rows}\n    time: {column: time, unit: ms}\n${more}    columns: ${columns}\n    sides: {buy: [buy, bid], sell: [sell, ask]}\n`,
    'mapping.yaml',
  );
}

const SEEN = '    received: {column: seen, unit: ms}\n';
/** Later than the exchange's time. */
const seen = (random: Random, ms: number) => ms + random.integer(1, 180);

function csvTrades(random: Random): Sample {
  const trades = tradesOf(random, walk(random));
  const rows = trades.map((t) => [`${t.ms}`, `${seen(random, t.ms)}`, t.price, t.size, t.side, `${t.id}`]);
  const header = ['time', 'seen', 'price', 'qty', 'side', 'id'];
  return {
    ...{ format: 'csv', hasSides: true, facts: trades.map((trade) => tradeFact(trade)) },
    mapping: mapping('trades', '{price: price, size: qty, side: side, id: id}', SEEN),
    files: [{ name: 'trades.csv', header, rows, times: [0], received: 1, ids: 5 }],
  };
}

function csvQuotes(random: Random): Sample {
  const books = booksOf(random, walk(random), 1);
  const rows = books.map(({ ms, bids, asks }) => [
    `${ms}`,
    `${seen(random, ms)}`,
    ...[...bids, ...asks].flat(),
  ]);
  return {
    ...{ format: 'csv', hasSides: true },
    facts: books.map(({ ms, bids, asks }) => quoteFact(us(ms), bids[0], asks[0])),
    mapping: mapping('quotes', '{bidPrice: bp, bidSize: bq, askPrice: ap, askSize: aq}', SEEN),
    files: [
      { name: 'quotes.csv', header: ['time', 'seen', 'bp', 'bq', 'ap', 'aq'], rows, times: [0], received: 1 },
    ],
  };
}

/** Best quotes as a fact. */
export function quoteFact(atUs: number, bid: Level | undefined, ask: Level | undefined): string {
  const text = (level: Level | undefined) =>
    level === undefined ? '-' : `${plain(level[0])}:${plain(level[1])}`;
  return `Q ${atUs} ${text(bid)} ${text(ask)}`;
}

function csvBooks(random: Random): Sample {
  const books = booksOf(random, walk(random), 3);
  const header = [
    'time',
    ...['b', 'a'].flatMap((s) => [0, 1, 2].flatMap((at) => [`${s}p${at}`, `${s}q${at}`])),
  ];
  return {
    ...{
      format: 'csv',
      hasSides: true,
      facts: books.map(({ ms, bids, asks }) => bookFact(us(ms), bids, asks)),
    },
    mapping: mapping(
      'books',
      "{bidPrice: 'bp{level}', bidSize: 'bq{level}', askPrice: 'ap{level}', askSize: 'aq{level}'}",
      '    levels: 3\n',
    ),
    files: [
      {
        ...{ name: 'books.csv', header, times: [0] },
        rows: books.map(({ ms, bids, asks }) => [`${ms}`, ...[...bids, ...asks].flat()]),
      },
    ],
  };
}

interface LevelRow {
  readonly ms: number;
  readonly isSnapshot: boolean;
  readonly side: 'bid' | 'ask';
  readonly price: string;
  readonly size: string;
}

/** Snapshots now and then, and changes between them. */
function levelRows(random: Random): {
  readonly rows: readonly LevelRow[];
  readonly facts: readonly string[];
} {
  const rows: LevelRow[] = [];
  const facts: string[] = [];
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  for (const { ms, mid, at } of walk(random, 60)) {
    const isSnapshot = at % 20 === 0;
    if (isSnapshot) for (const side of [bids, asks]) side.clear();
    const count = isSnapshot ? 6 : random.integer(1, 2);
    for (let level = 0; level < count; level++) {
      const isBid = isSnapshot ? level < 3 : random.chance(0.5);
      const ticks = isBid
        ? mid - 20 - random.integer(0, 4) * 4 - (level % 4)
        : mid + 20 + random.integer(0, 4) * 4 + (level % 4);
      const lots = !isSnapshot && random.chance(0.3) ? 0 : random.integer(1, 9_999);
      if (lots === 0) (isBid ? bids : asks).delete(ticks);
      else (isBid ? bids : asks).set(ticks, lots);
      rows.push({ ms, isSnapshot, side: isBid ? 'bid' : 'ask', price: price(ticks), size: size(lots) });
    }
    facts.push(bookFact(us(ms), sorted(bids, -1), sorted(asks, 1)));
  }
  return { rows, facts };
}

function sorted(side: ReadonlyMap<number, number>, sign: number): readonly Level[] {
  return [...side].sort(([a], [b]) => (a - b) * sign).map(([ticks, lots]) => [price(ticks), size(lots)]);
}

function csvLevels(random: Random): Sample {
  const { rows, facts } = levelRows(random);
  return {
    ...{ format: 'csv', hasSides: true, facts },
    mapping: mapping('levels', '{price: price, size: qty, side: side, snapshot: snap}'),
    files: [
      {
        ...{ name: 'levels.csv', header: ['time', 'price', 'qty', 'side', 'snap'], times: [0] },
        rows: rows.map((row) => [`${row.ms}`, row.price, row.size, row.side, `${row.isSnapshot}`]),
      },
    ],
  };
}

interface Candle {
  readonly ms: number;
  readonly cells: readonly string[];
}

const MINUTE_MS = 60_000;

function candlesOf(random: Random): readonly Candle[] {
  return walk(random, 60).map(({ mid, at }) => {
    const [open, close] = [mid, mid + random.integer(-9, 9)];
    const [high, low] = [
      Math.max(open, close) + random.integer(0, 9),
      Math.min(open, close) - random.integer(0, 9),
    ];
    return {
      ms: BEGIN_MS + at * MINUTE_MS,
      cells: [...[open, high, low, close].map(price), size(random.integer(1, 9_999))],
    };
  });
}

function candleFacts(candles: readonly Candle[]): readonly string[] {
  return candles.map(({ ms, cells }) => `C ${us(ms + MINUTE_MS)} ${cells.map(plain).join(' ')}`);
}

function csvCandles(random: Random): Sample {
  const candles = candlesOf(random);
  return {
    ...{ format: 'csv', hasSides: true, facts: candleFacts(candles) },
    mapping: mapping('candles', '{open: o, high: h, low: l, close: c, volume: v}', '    interval: 1m\n'),
    files: [
      {
        ...{ name: 'c.csv', header: ['time', 'o', 'h', 'l', 'c', 'v'], times: [0] },
        rows: candles.map(({ ms, cells }) => [`${ms}`, ...cells]),
      },
    ],
  };
}

function binanceCandles(random: Random): Sample {
  const candles = candlesOf(random);
  const header = ['ts_ms', 'open', 'high', 'low', 'close', 'volume'];
  const rows = candles.map(({ ms, cells }) => [`${ms}`, ...cells]);
  return {
    ...{ format: 'binance-candles', hasSides: true, facts: candleFacts(candles) },
    files: [{ name: 'BTCUSDT_1m.csv', header, rows, times: [0] }],
  };
}

function tardis(random: Random): Sample {
  const { rows, facts } = levelRows(random);
  const trades = tradesOf(random, walk(random, 40));
  const times = (ms: number) => [`${us(ms)}`, `${us(seen(random, ms))}`];
  const head = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];
  const start = ['binance', 'BTCUSDT'];
  return {
    ...{
      format: 'tardis-csv',
      hasSides: true,
      facts: [...facts, ...trades.map((trade) => tradeFact(trade))],
    },
    files: [
      {
        ...{ name: 'binance_incremental_book_L2_2026-01-06_BTCUSDT.csv', times: [2], received: 3 },
        header: [...head, 'is_snapshot', 'side', 'price', 'amount'],
        rows: rows.map((row) => [
          ...start,
          ...times(row.ms),
          `${row.isSnapshot}`,
          row.side,
          row.price,
          row.size,
        ]),
      },
      {
        ...{ name: 'binance_trades_2026-01-06_BTCUSDT.csv', times: [2], received: 3, ids: 4 },
        header: [...head, 'id', 'side', 'price', 'amount'],
        rows: trades.map((t) => [...start, ...times(t.ms), `${t.id}`, t.side, t.price, t.size]),
      },
    ],
  };
}

function standx(random: Random): Sample {
  const books = booksOf(random, walk(random), 3, 10);
  const trades = tradesOf(random, walk(random, 40));
  const levels = (side: readonly Level[]) =>
    Array.from({ length: 20 }, (_, at) => side[at] ?? ['', '']).flat();
  const names = (side: string) =>
    Array.from({ length: 20 }, (_, at) => [`${side}${at}p`, `${side}${at}q`]).flat();
  return {
    ...{ format: 'standx', hasSides: false },
    facts: [
      ...books.map(({ ms, bids, asks }) => bookFact(us(ms), bids, asks)),
      ...trades.map((trade) => tradeFact(trade, false)),
    ],
    files: [
      {
        ...{ name: 'book_2026-01-06_14.csv', times: [0], received: 1 },
        header: ['exch_ms', 'recv_us', ...names('b'), ...names('a')],
        rows: books.map(({ ms, bids, asks }) => [
          `${ms}`,
          `${us(seen(random, ms))}`,
          ...levels(bids),
          ...levels(asks),
        ]),
      },
      {
        ...{ name: 'trades_2026-01-06_14.csv', times: [0], received: 1 },
        header: ['exch_ms', 'recv_us', 'price', 'qty', 'side'],
        rows: trades.map((t) => [`${t.ms}`, `${us(seen(random, t.ms))}`, t.price, t.size, 'SELL']),
      },
    ],
  };
}

function hyperliquid(random: Random): Sample {
  const books = booksOf(random, walk(random, 40), 3);
  const trades = tradesOf(random, walk(random));
  const quotes = booksOf(random, walk(random, 40), 1);
  const stamp = (ms: number) => `${seen(random, ms) / 1_000}`;
  const level = (book: Book, at: number) => [...(book.bids[at] ?? ['', '']), ...(book.asks[at] ?? ['', ''])];
  const twenty = Array.from({ length: 20 }, (_, at) => at);
  return {
    ...{ format: 'hyperliquid', hasSides: true },
    facts: [
      ...books.map(({ ms, bids, asks }) => bookFact(us(ms), bids, asks)),
      ...trades.map((trade) => tradeFact(trade)),
      ...quotes.map(({ ms, bids, asks }) => quoteFact(us(ms), bids[0], asks[0])),
    ],
    files: [
      {
        ...{ name: 'orderbooks_BTC.csv', times: [2], received: 0 },
        header: [
          'timestamp',
          'sequence',
          'exchange_timestamp',
          ...twenty.flatMap((at) => [
            `bid_price_${at}`,
            `bid_size_${at}`,
            `ask_price_${at}`,
            `ask_size_${at}`,
          ]),
        ],
        rows: books.map((book) => [
          stamp(book.ms),
          `${book.ms}`,
          `${book.ms}`,
          ...twenty.flatMap((at) => level(book, at)),
        ]),
      },
      {
        ...{ name: 'trades_BTC.csv', times: [5], received: 0, ids: 4 },
        header: ['timestamp', 'price', 'size', 'side', 'trade_id', 'exchange_timestamp'],
        rows: trades.map((t) => [stamp(t.ms), t.price, t.size, t.side, `${t.id}`, `${t.ms}`]),
      },
      {
        ...{ name: 'prices_BTC.csv', times: [4], received: 0 },
        header: ['timestamp', 'price', 'size', 'side', 'exchange_timestamp'],
        rows: quotes.flatMap(({ ms, bids, asks }) => {
          const at = stamp(ms);
          return [
            [at, ...(bids[0] ?? []), 'bid', `${ms}`],
            [at, ...(asks[0] ?? []), 'ask', `${ms}`],
          ];
        }),
      },
    ],
  };
}

function gemini(random: Random): Sample {
  const quotes = booksOf(
    random,
    Array.from({ length: STEPS }, (_, at) => ({
      ms: BEGIN_MS + at * 1_000,
      mid: 10_000 + random.integer(-9, 9),
      at,
    })),
    1,
  );
  const trades = tradesOf(random, walk(random, 60));
  return {
    ...{ format: 'gemini', hasSides: true },
    facts: [
      ...quotes.map(({ ms, bids, asks }) => quoteFact(us(ms), bids[0], asks[0])),
      ...trades.map((trade) => tradeFact(trade)),
    ],
    files: [
      {
        ...{
          name: 'market-depth.csv',
          header: ['time_seconds', 'bid_price_bid_size', 'ask_price_ask_size'],
          times: [0],
        },
        rows: quotes.map(({ ms, bids, asks }) => [
          `${ms / 1_000}`,
          (bids[0] ?? []).join('_'),
          (asks[0] ?? []).join('_'),
        ]),
      },
      {
        ...{ name: 'trade.csv', header: ['time_seconds', 'price', 'size', 'is_buyer_maker'], times: [0] },
        rows: trades.map((t) => [`${t.ms / 1_000}`, t.price, t.size, t.side === 'sell' ? '1' : '0']),
      },
    ],
  };
}

function lobster(random: Random): Sample {
  const orders = new Map<number, { isBuy: boolean; ticks: number; size: number }>();
  const rows: string[][] = [];
  const facts: string[] = [];
  for (const { ms, mid, at } of walk(random)) {
    const stamp = `${(ms - MIDNIGHT_MS) / 1_000}`;
    const resting = [...orders];
    const drawn = resting[random.integer(0, Math.max(0, resting.length - 1))];
    const what = drawn === undefined || orders.size < 4 ? 1 : random.integer(1, 4);
    if (what === 1 || drawn === undefined) {
      const isBuy = random.chance(0.5);
      const order = {
        isBuy,
        ticks: (mid + (isBuy ? -9 : 9) * random.integer(1, 5)) * 100,
        size: random.integer(1, 900),
      };
      orders.set(1_000 + at, order);
      rows.push([stamp, '1', `${1_000 + at}`, `${order.size}`, `${order.ticks}`, isBuy ? '1' : '-1']);
    } else {
      const [id, order] = drawn;
      const cut = what === 3 ? order.size : random.integer(1, order.size);
      rows.push([stamp, `${what}`, `${id}`, `${cut}`, `${order.ticks}`, order.isBuy ? '1' : '-1']);
      order.size -= cut;
      if (order.size === 0) orders.delete(id);
      if (what === 4)
        facts.push(
          `T ${us(ms)} ${plain(formatScaled(order.ticks, 4))} ${cut} ${order.isBuy ? 'sell' : 'buy'}`,
        );
    }
    const state = [...orders].map(
      ([id, { isBuy, ticks, size: left }]) =>
        `${id}:${isBuy ? 'b' : 'a'}:${plain(formatScaled(ticks, 4))}:${left}`,
    );
    facts.push(`O ${us(ms)} ${state.join(' ')}`);
  }
  return {
    ...{ format: 'lobster', hasSides: true, facts },
    files: [
      { name: 'AAPL_2026-01-06_34200000_57600000_message_10.csv', header: undefined, rows, times: [0] },
    ],
  };
}

function binanceUm(random: Random): Sample {
  const rows: string[][] = [];
  const facts: string[] = [];
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  let updateId = random.integer(1_000, 9_999);
  let tradeId = random.integer(1_000, 9_999);
  const frame = (ms: number, data: Readonly<Record<string, unknown>>) =>
    rows.push([
      `${us(seen(random, ms))} ${JSON.stringify({ stream: 'btcusdt@x', data: { s: 'BTCUSDT', E: ms, T: ms, ...data } })}`,
    ]);
  for (const { ms, mid, at } of walk(random)) {
    if (at === 0) {
      for (let level = 1; level <= 3; level++) {
        bids.set(mid - 50 - level, 1_000 * level);
        asks.set(mid + 50 + level, 1_000 * level);
      }
      const snapshot = {
        lastUpdateId: updateId,
        E: ms,
        T: ms,
        bids: sorted(bids, -1),
        asks: sorted(asks, 1),
      };
      rows.push([`${us(seen(random, ms))} ${JSON.stringify(snapshot)}`]);
    } else if (random.chance(0.6)) {
      const isBid = random.chance(0.5);
      const ticks = isBid ? mid - 60 - random.integer(0, 9) : mid + 60 + random.integer(0, 9);
      const lots = random.chance(0.2) ? 0 : random.integer(1, 9_999);
      if (lots === 0) (isBid ? bids : asks).delete(ticks);
      else (isBid ? bids : asks).set(ticks, lots);
      const change = [[price(ticks), size(lots)]];
      frame(ms, {
        e: 'depthUpdate',
        U: updateId + 1,
        u: updateId + 1,
        pu: updateId,
        b: isBid ? change : [],
        a: isBid ? [] : change,
      });
      updateId++;
    } else {
      const lots = random.integer(1, 9_999);
      const isBuyerMaker = random.chance(0.5);
      frame(ms, { e: 'trade', t: tradeId++, p: price(mid), q: size(lots), X: 'MARKET', m: isBuyerMaker });
      facts.push(`T ${us(ms)} ${plain(price(mid))} ${plain(size(lots))} ${isBuyerMaker ? 'sell' : 'buy'}`);
      continue;
    }
    facts.push(bookFact(us(ms), sorted(bids, -1), sorted(asks, 1)));
  }
  return {
    format: 'binance-um',
    hasSides: true,
    facts,
    files: [{ name: 'btcusdt_20260106', header: undefined, rows, times: [] }],
  };
}

function binanceSpot(random: Random): Sample {
  const trades = tradesOf(random, walk(random));
  return {
    ...{ format: 'binance-spot', hasSides: true, facts: trades.map((trade) => tradeFact(trade)) },
    files: [
      {
        ...{ name: 'BTCUSDT-trades-2026-01-06.csv', header: undefined, times: [4], ids: 0 },
        rows: trades.map((t) => [
          `${t.id}`,
          t.price,
          t.size,
          '1.5',
          `${t.ms}`,
          `${t.side === 'sell'}`,
          'true',
        ]),
      },
    ],
  };
}

function feed(random: Random): Sample {
  const values = walk(random).map(({ ms, mid }) => ({ ms, json: JSON.stringify({ score: mid }) }));
  return {
    ...{ format: 'feed', hasSides: true, facts: values.map(({ ms, json }) => `F ${us(ms)} ${json}`) },
    files: [
      {
        ...{ name: 'mood.jsonl', header: undefined, times: [] },
        rows: values.map(({ ms, json }) => [`{"atMs":${ms},"value":${json}}`]),
      },
    ],
  };
}

/** A recording of each format and kind of rows. */
export const SAMPLES = {
  'csv trades': csvTrades,
  'csv quotes': csvQuotes,
  'csv levels': csvLevels,
  'csv books': csvBooks,
  'csv candles': csvCandles,
  'tardis-csv': tardis,
  standx,
  hyperliquid,
  gemini,
  lobster,
  'binance-um': binanceUm,
  'binance-spot': binanceSpot,
  'binance-candles': binanceCandles,
  feed,
} as const satisfies Readonly<Record<string, (random: Random) => Sample>>;

/** One of {@link SAMPLES}. */
export type SampleName = keyof typeof SAMPLES;
