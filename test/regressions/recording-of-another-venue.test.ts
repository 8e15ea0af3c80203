/**
 * Binance spot could not be imported, its streams under binance-um ended with "fetch the file again and compare its
 * sha256", and inverse markets (COIN-M) were read as if they were linear or not at all.
 */
import { describe, expect, test } from 'vitest';
import { importText } from '../support/import-text.ts';

const AT = 1_767_657_600_000;
const NAME = 'btcusdt_20260106';

/** A line of a recorder; `atMs` of receipt is 5 ms after the event. */
function line(stream: string, data: Readonly<Record<string, unknown>>, atMs: number): string {
  return `${atMs + 5} ${JSON.stringify({ stream, data })}`;
}

const snapshot = `${AT} ${JSON.stringify({ lastUpdateId: 50, bids: [['100.10000000', '1.00000000']], asks: [['100.20000000', '2.00000000']] })}`;
const ticker = (at: number, bid: string) =>
  line(
    'btcusdt@bookTicker',
    { u: 60, s: 'BTCUSDT', b: bid, B: '1.50000000', a: '100.20000000', A: '2.00000000' },
    AT + at,
  );
const diff = (at: number, [first, last]: readonly [number, number], unit = 1) =>
  line(
    'btcusdt@depth',
    {
      e: 'depthUpdate',
      E: (AT + at) * unit,
      s: 'BTCUSDT',
      U: first,
      u: last,
      b: [['100.10000000', '3.00000000']],
      a: [],
    },
    AT + at,
  );
const trade = (at: number, id: number, unit = 1) =>
  line(
    'btcusdt@trade',
    {
      e: 'trade',
      E: (AT + at) * unit,
      s: 'BTCUSDT',
      t: id,
      p: '100.20000000',
      q: '0.25000000',
      T: (AT + at) * unit,
      m: false,
      M: true,
    },
    AT + at,
  );
const aggregate = (at: number, id: number) =>
  line(
    'btcusdt@aggTrade',
    {
      e: 'aggTrade',
      E: AT + at,
      s: 'BTCUSDT',
      a: id,
      p: '100.20000000',
      q: '0.50000000',
      f: 1,
      l: 2,
      T: AT + at,
      m: true,
      M: true,
    },
    AT + at,
  );

const us = (at: number) => `${(AT + at) * 1_000}`;
const STREAMS = [
  snapshot,
  diff(10, [51, 55]),
  ticker(12, '100.10000000'),
  trade(20, 7),
  trade(21, 8),
  diff(30, [56, 60]),
];

describe('streams of Binance spot', () => {
  const importOf = (lines: readonly string[]) => importText('binance-spot', { [NAME]: lines.join('\n') });

  test('give books, best quotes and trades; what names no time gets the newest one before', async () => {
    const { rows, result, error } = await importOf(STREAMS);
    expect(error).toBe('');
    expect(result?.markets).toMatchObject([
      { symbol: 'BTCUSDT', priceDecimals: 1, sizeDecimals: 2, depth: 'levels' },
    ]);
    expect(rows).toEqual([
      `${us(10)} bookReset 0 0 0`,
      `${us(10)} bidLevel 1001 100 0`,
      `${us(10)} askLevel 1002 200 0`,
      `${us(10)} bidLevel 1001 300 0`,
      `${us(10)} bestBid 1001 150 0`,
      `${us(10)} bestAsk 1002 200 0`,
      `${us(20)} buyTrade 1002 25 7`,
      `${us(21)} buyTrade 1002 25 8`,
      `${us(30)} bidLevel 1001 300 0`,
    ]);
    expect(result?.counts).toEqual({});
  });

  test('in microseconds are the same', async () => {
    const fine = [
      snapshot,
      diff(10, [51, 55], 1_000),
      ticker(12, '100.10000000'),
      trade(20, 7, 1_000),
      trade(21, 8, 1_000),
      diff(30, [56, 60], 1_000),
    ];
    expect((await importOf(fine)).rows).toEqual((await importOf(STREAMS)).rows);
  });

  test('alone, not of a combined stream, are the same', async () => {
    const alone = STREAMS.map((one) => one.replace(/\{"stream":"[^"]*","data":(.*)\}$/, '$1'));
    expect((await importOf(alone)).rows).toEqual((await importOf(STREAMS)).rows);
  });

  test('with a break in the chain of updates have a hole', async () => {
    const { result } = await importOf([...STREAMS, diff(40, [62, 63])]);
    expect(result?.counts).toMatchObject({ sequenceGaps: 1 });
  });

  test('with trades and aggregate trades have each trade once', async () => {
    const { rows, result } = await importOf([
      snapshot,
      diff(1, [51, 52]),
      aggregate(5, 1),
      trade(5, 1),
      trade(5, 2),
      aggregate(9, 2),
      trade(9, 3),
    ]);
    expect(rows.filter((row) => row.includes('Trade'))).toEqual([
      `${us(5)} sellTrade 1002 5 1`,
      `${us(9)} sellTrade 1002 5 2`,
    ]);
    expect(result?.counts).toEqual({ othersSkipped: 3 });
  });

  test('with changes and no book to begin with are refused', async () => {
    const { error } = await importOf([trade(1, 1), diff(10, [51, 55])]);
    expect(error).toMatch(/expected a REST depth snapshot beside changes of the book at .*:2, got none/);
  });

  test('of best quotes only are on the recorder’s clock, and the tape says so', async () => {
    const { rows, result } = await importOf([ticker(1, '100.10000000'), ticker(2, '100.00000000')]);
    expect(rows.map((row) => row.split(' ')[0])).toEqual([us(6), us(6), us(7), us(7)]);
    expect(result?.markets).toMatchObject([{ depth: 'bbo', hasOneTime: true }]);
  });

  test('of whole books replace each other', async () => {
    const whole = (at: number, price: string) =>
      line('btcusdt@depth5', { lastUpdateId: at, bids: [[price, '1.0']], asks: [['100.9', '1.0']] }, AT + at);
    const { rows } = await importOf([trade(1, 1), whole(2, '100.1'), trade(3, 2), whole(4, '100.3')]);
    expect(
      rows.filter((row) => /Level|Reset/.test(row)).map((row) => row.split(' ').slice(1, 3).join(' ')),
    ).toEqual([
      ...['bookReset 0', 'bidLevel 1001', 'askLevel 1009', 'bookReset 0', 'bidLevel 1003', 'askLevel 1009'],
    ]);
  });
});

describe('files of Binance spot', () => {
  const tradesIn = (unit: number) =>
    [
      `7,100.20000000,0.25000000,25.05,${AT * unit},False,True`,
      `8,100.10000000,0.50000000,50.05,${(AT + 9) * unit},True,True`,
    ].join('\n');
  const aggregatesIn = (unit: number) =>
    [
      `7,100.20000000,0.25000000,70,71,${AT * unit},False,True`,
      `8,100.10000000,0.50000000,72,72,${(AT + 9) * unit},true,True`,
    ].join('\n');

  test.each([
    ['trades', tradesIn(1)],
    ['trades', tradesIn(1_000)],
    ['aggTrades', aggregatesIn(1)],
    ['aggTrades', aggregatesIn(1_000)],
  ])('of %s are read in ms and us', async (what, text) => {
    const { rows, result, error } = await importText('binance-spot', {
      [`BTCUSDT-${what}-2026-01-06.csv`]: text,
    });
    expect(error).toBe('');
    expect(rows).toEqual([`${us(0)} buyTrade 1002 25 7`, `${us(9)} sellTrade 1001 50 8`]);
    expect(result?.markets).toMatchObject([{ symbol: 'BTCUSDT', priceDecimals: 1, sizeDecimals: 2 }]);
  });

  test('of several markets are named by their files', async () => {
    const files = {
      'BTCUSDT-trades-2026-01-06.csv': tradesIn(1),
      'ETHUSDT-trades-2026-01-06.csv': `${tradesIn(1)}\n`,
    };
    const { result } = await importText('binance-spot', files);
    expect(result?.markets.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  test('of trades and aggregate trades together are refused', async () => {
    const files = {
      'BTCUSDT-trades-2026-01-06.csv': tradesIn(1),
      'BTCUSDT-aggTrades-2026-01-06.csv': aggregatesIn(1),
    };
    expect((await importText('binance-spot', files)).error).toMatch(/^TAPE_FILES_MIXED: .*the same trades/);
  });

  test('with the columns of USD-M are refused with a remedy', async () => {
    const text = `id,price,qty,quote_qty,time,is_buyer_maker\n7,100.2,0.25,25.05,${AT},false\n`;
    const { error } = await importText('binance-spot', { 'BTCUSDT-trades-2026-01-06.csv': text });
    expect(error).toMatch(
      /expected 7 columns, as files of Binance spot have at .*:1, got 6: .*; .*format csv, with a mapping/,
    );
  });
});

describe('a recording of the other venue names its format and the line that imports it', () => {
  const ofUm = (data: Readonly<Record<string, unknown>>) =>
    line('btcusdt@x', { E: AT, T: AT, s: 'BTCUSDT', ...data }, AT);
  test.each([
    ['binance-um', 'binance-spot', snapshot, 'snapshot of Binance spot (without T)'],
    ['binance-um', 'binance-spot', diff(1, [51, 52]), 'depthUpdate of Binance spot (without pu)'],
    ['binance-um', 'binance-spot', trade(1, 1), 'trade of Binance spot (without X)'],
    ['binance-um', 'binance-spot', ticker(1, '1'), 'bookTicker of Binance spot (without e)'],
    [
      'binance-spot',
      'binance-um',
      `${AT} ${JSON.stringify({ lastUpdateId: 1, E: AT, T: AT, bids: [], asks: [] })}`,
      'snapshot of Binance USD-M (with T)',
    ],
    [
      'binance-spot',
      'binance-um',
      ofUm({ e: 'depthUpdate', U: 1, u: 2, pu: 0, b: [], a: [] }),
      'depthUpdate of Binance USD-M (with pu)',
    ],
    [
      'binance-spot',
      'binance-um',
      ofUm({ e: 'trade', t: 1, p: '1', q: '1', X: 'MARKET', m: true }),
      'trade of Binance USD-M (with X)',
    ],
    [
      'binance-spot',
      'binance-um',
      ofUm({ e: 'markPriceUpdate', p: '1', i: '1', r: '0' }),
      'markPriceUpdate of Binance USD-M',
    ],
  ] as const)('%s gets a file of %s: %s', async (format, other, text, found) => {
    const { error } = await importText(format, { [NAME]: text });
    expect(error).toContain('TAPE_FORMAT_MISTAKEN: ');
    expect(error).toContain(found);
    expect(error).toMatch(
      new RegExp(`Import it in its own format: ballast import ${other} /.*/${NAME} --out tapes/${NAME}$`),
    );
  });
});

describe('an inverse market is refused by name', () => {
  const CANDLES = `ts_ms,open,high,low,close,volume\n1735689600000,1,1,1,1,1\n`;
  test.each([
    ['binance-candles', 'BTCUSD_PERP_1m.csv', CANDLES],
    ['binance-candles', 'ETHUSD_250328_1m.csv.gz', CANDLES],
    ['binance-um', 'btcusd_perp_20260106.gz', ''],
    ['binance-spot', 'BTCUSD_PERP-trades-2026-01-06.csv', ''],
    ['csv', 'BTCUSD_PERP-aggTrades-2026-01-06.csv', ''],
    ['tardis-csv', 'binance-delivery_trades_2020-06-01_BTCUSD_200626.csv', ''],
  ] as const)('%s: %s', async (format, name, text) => {
    const mapping = "files: [{name: '*.csv', rows: trades, time: {column: a}, columns: {price: b, size: c}}]";
    const { error } = await importText(format, { [name]: text }, format === 'csv' ? { mapping } : {});
    expect(error).toMatch(/^TAPE_MARKET_INVERSE: expected linear markets, got .* of Binance COIN-M/);
    const { error: alone } = await importText(
      format,
      { [name]: text },
      { paths: [name], ...(format === 'csv' && { mapping }) },
    );
    expect(alone).toMatch(/^TAPE_MARKET_INVERSE: /);
  });

  test('in a stream and in a column too', async () => {
    const text = line(
      'btcusd_perp@trade',
      { e: 'trade', E: AT, T: AT, s: 'BTCUSD_PERP', t: 1, p: '1', q: '1', X: 'MARKET', m: true },
      AT,
    );
    expect((await importText('binance-um', { [NAME]: text })).error).toMatch(
      /TAPE_MARKET_INVERSE: .*BTCUSD_PERP at .*:1/,
    );
    const mapping =
      "files: [{name: '*.csv', rows: trades, symbol: s, time: {column: t}, columns: {price: p, size: q}}]";
    const column = await importText('csv', { 'a.csv': `s,t,p,q\nBTCUSD_PERP,${AT},1,1\n` }, { mapping });
    expect(column.error).toMatch(/^TAPE_MARKET_INVERSE: /);
  });

  test.each(['BTCUSDT_1m.csv', 'BTCUSD_1m.csv'])('but not a linear one: %s', async (name) => {
    expect((await importText('binance-candles', { [name]: CANDLES })).result?.rows).toBe(4);
  });
});

describe('a file that an import cannot read names the line that imports it', () => {
  const BOOKS = 'exch_ms,recv_us,price,qty,side\n';
  test.each([
    ['standx', NAME, STREAMS.join('\n'), 'Import it, then name the tape: ballast import binance-spot '],
    ['standx', 'BTCUSDT_1m.csv', 'ts_ms,open,high,low,close,volume\n', 'ballast import binance-candles '],
    [
      'gemini',
      'BTCUSDT-trades-2026-01-06.csv',
      '7,1,1,1,1767657600000,False,True\n',
      'ballast import binance-spot ',
    ],
    ['gemini', 'my.csv', BOOKS, 'Give my.csv the name that files of standx have'],
    ['gemini', 'my.csv', `time;price;size\n${AT};1;1\n`, 'Write down which column holds what'],
    ['binance-spot', 'BTCUSDT-trades-2026-01-06.zip', 'PK', 'Unpack it first: unzip '],
  ] as const)('%s gets %s', async (format, name, text, remedy) => {
    const { error } = await importText(format, { [name]: text }, { paths: [name] });
    expect(error).toMatch(/^TAPE_FILE_UNKNOWN: /);
    expect(error).toContain(remedy);
  });

  test('also where only its columns are of another format', async () => {
    const { error } = await importText('hyperliquid', { 'trades_BTC.csv': BOOKS });
    expect(error).toMatch(
      /expected the column timestamp .*; Import it in its own format: ballast import standx .* with a mapping/,
    );
  });
});
