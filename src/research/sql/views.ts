/**
 * @module
 * The views of `ballast sql` and their columns. Prices, sizes and amounts are exact decimals, times are UTC timestamps.
 */
import { join } from 'node:path';
import { MARKOUT_HORIZONS_MS } from '../../domain/index.ts';
import {
  journalLines,
  ledgerLines,
  type RecordedRun,
  recordedRuns,
  reportLines,
  type SqlSources,
  tapeParquet,
} from './sources.ts';

/** A view. */
export interface View {
  readonly name: string;
  /** The SELECT of its rows; files that it needs are written to `folder`. */
  readonly rowsOf: (sources: SqlSources, folder: string) => string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const named = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Columns of a file with their types, as an argument of a reader. */
const typed = (columns: Readonly<Record<string, string>>): string =>
  `{${Object.entries(columns)
    .map(([name, type]) => `${quoted(name)}: ${quoted(type)}`)
    .join(', ')}}`;

const csv = (file: string, columns: Readonly<Record<string, string>>): string =>
  `read_csv(${quoted(file)}, auto_detect=false, header=true, delim=',', quote='"', escape='"', columns=${typed(columns)})`;

const lines = (file: string, columns: Readonly<Record<string, string>>): string =>
  `read_json(${quoted(file)}, format='newline_delimited', maximum_object_size=268435456, columns=${typed(columns)})`;

const time = (ms: string): string => `make_timestamp(CAST(round(${ms} * 1000) AS BIGINT))`;

/** Ticks, lots or quantums as a decimal of `decimals`; halves of a tick stay exact. */
const scaled = (column: string, decimals: number): string =>
  `CAST(CAST(${column} AS DECIMAL(20, 1)) * CAST(1e-${decimals} AS DECIMAL(18, ${Math.max(decimals, 1)})) AS DECIMAL(38, 12))`;

/** The same by the market of the row. */
function byMarket({ record }: RecordedRun, which: 'priceDecimals' | 'sizeDecimals', column: string): string {
  const cases = record.markets.map(
    (market) => `WHEN ${quoted(market.symbol)} THEN ${scaled(column, market[which])}`,
  );
  return `CASE symbol ${cases.join(' ')} END`;
}

/** The rows of all runs; without one, the columns of `empty`. */
function ofRuns(sources: SqlSources, empty: string, select: (run: RecordedRun) => string): string {
  const selects = recordedRuns(sources).map(select);
  return selects.length === 0 ? `${nothing(empty)}` : selects.join(' UNION ALL ');
}

/** Columns without rows. */
const nothing = (columns: string): string => {
  const selected = columns.split(', ').map((one) => {
    const [name = '', type = 'DECIMAL(38, 12)'] = one.split(' ');
    return `CAST(NULL AS ${type}) AS ${name}`;
  });
  return `SELECT ${selected.join(', ')} WHERE false`;
};

const FILL_FILE = {
  ...{ at_ms: 'DOUBLE', strategy: 'VARCHAR', intent: 'VARCHAR', order: 'VARCHAR', symbol: 'VARCHAR' },
  ...{ side: 'VARCHAR', role: 'VARCHAR', price_ticks: 'DOUBLE', size_lots: 'DOUBLE', fee: 'HUGEINT' },
  mid_ticks: 'DOUBLE',
  ...Object.fromEntries(MARKOUT_HORIZONS_MS.map((ms) => [`mid_${ms}_ms`, 'DOUBLE'])),
  ...{ queue_ahead_lots: 'DOUBLE', queue_at_rest_lots: 'DOUBLE' },
};
const FILL_TEXTS =
  'run VARCHAR, time TIMESTAMP, strategy VARCHAR, intent VARCHAR, order_id VARCHAR, symbol VARCHAR';
const MIDS = ['mid', ...MARKOUT_HORIZONS_MS.map((ms) => `mid_${ms}_ms`)];

function fills(sources: SqlSources): string {
  const empty = `${FILL_TEXTS}, side VARCHAR, role VARCHAR, price, size, fee, ${MIDS.join(', ')}, queue_ahead, queue_at_rest`;
  return ofRuns(sources, empty, (run) => {
    const price = (column: string) => byMarket(run, 'priceDecimals', column);
    const size = (column: string) => byMarket(run, 'sizeDecimals', column);
    return `SELECT ${quoted(run.record.runId)} AS run, ${time('at_ms')} AS time, strategy, intent, "order" AS order_id,
      symbol, side, role, ${price('price_ticks')} AS price, ${size('size_lots')} AS size,
      ${scaled('fee', run.record.collateralDecimals)} AS fee,
      ${MIDS.map((name) => `${price(name === 'mid' ? 'mid_ticks' : name)} AS ${name}`).join(', ')},
      ${size('queue_ahead_lots')} AS queue_ahead, ${size('queue_at_rest_lots')} AS queue_at_rest
      FROM ${csv(join(run.folder, 'fills.csv.gz'), FILL_FILE)}`;
  });
}

const QUOTE_FILE = {
  ...{ at_ms: 'DOUBLE', strategy: 'VARCHAR', order: 'VARCHAR', symbol: 'VARCHAR', side: 'VARCHAR' },
  ...{ price_ticks: 'DOUBLE', size_lots: 'DOUBLE', event: 'VARCHAR' },
};

function orders(sources: SqlSources): string {
  const empty =
    'run VARCHAR, strategy VARCHAR, order_id VARCHAR, symbol VARCHAR, side VARCHAR, price, size, rested_at TIMESTAMP, ended_at TIMESTAMP, ended_by VARCHAR';
  return ofRuns(
    sources,
    empty,
    (run) => `SELECT ${quoted(run.record.runId)} AS run, any_value(strategy) AS strategy, "order" AS order_id,
      symbol, any_value(side) AS side, any_value(${byMarket(run, 'priceDecimals', 'price_ticks')}) AS price,
      max(${byMarket(run, 'sizeDecimals', 'size_lots')}) AS size,
      min(${time('at_ms')}) FILTER (event = 'rested') AS rested_at,
      max(${time('at_ms')}) FILTER (event <> 'rested') AS ended_at,
      any_value(event) FILTER (event <> 'rested') AS ended_by
      FROM ${csv(join(run.folder, 'quotes.csv.gz'), QUOTE_FILE)} GROUP BY "order", symbol`,
  );
}

function sampleFile({ folder, record }: RecordedRun): string {
  const markets = record.markets.flatMap(({ symbol }) => [`mid_ticks ${symbol}`, `lots ${symbol}`]);
  return csv(
    join(folder, 'samples.csv.gz'),
    Object.fromEntries(['at_ms', 'equity', ...markets].map((name) => [name, 'DOUBLE'])),
  );
}

function equity(sources: SqlSources): string {
  return ofRuns(
    sources,
    'run VARCHAR, time TIMESTAMP, equity',
    (run) => `SELECT ${quoted(run.record.runId)} AS run, ${time('at_ms')} AS time,
      ${scaled('equity', run.record.collateralDecimals)} AS equity FROM ${sampleFile(run)}`,
  );
}

function inventory(sources: SqlSources): string {
  return ofRuns(sources, 'run VARCHAR, time TIMESTAMP, symbol VARCHAR, mid, position', (run) =>
    run.record.markets
      .map(
        ({ symbol, priceDecimals, sizeDecimals }) => `SELECT ${quoted(run.record.runId)} AS run,
      ${time('at_ms')} AS time, ${quoted(symbol)} AS symbol, ${scaled(named(`mid_ticks ${symbol}`), priceDecimals)} AS mid,
      ${scaled(named(`lots ${symbol}`), sizeDecimals)} AS position FROM ${sampleFile(run)}`,
      )
      .join(' UNION ALL '),
  );
}

const RUN_FILE = {
  ...{ run: 'VARCHAR', folder: 'VARCHAR', mode: 'VARCHAR', strategies: 'VARCHAR[]', markets: 'VARCHAR[]' },
  ...{ began: 'TIMESTAMP', ended: 'TIMESTAMP', seed: 'BIGINT', config_hash: 'VARCHAR', code_hash: 'VARCHAR' },
  ...Object.fromEntries(
    ['equity_start', 'equity_end', 'pnl', 'realized', 'unrealized', 'fees', 'funding', 'turnover'].map(
      (name) => [name, 'DECIMAL(38, 12)'],
    ),
  ),
  ...{ total_return: 'DOUBLE', sharpe: 'DOUBLE', sortino: 'DOUBLE', max_drawdown: 'DOUBLE' },
  ...{ win_rate: 'DOUBLE', profit_factor: 'DOUBLE', orders: 'BIGINT', fills: 'BIGINT', report: 'JSON' },
};
const JOURNAL_FILE = {
  ...{ journal: 'VARCHAR', at_ms: 'DOUBLE', type: 'VARCHAR', correlation_id: 'VARCHAR' },
  ...{ causation_id: 'VARCHAR', order_id: 'VARCHAR', fill_id: 'VARCHAR', body: 'JSON' },
};
const LEDGER_FILE = {
  ...{ journal: 'VARCHAR', epoch: 'VARCHAR', id: 'VARCHAR', at_ms: 'DOUBLE', kind: 'VARCHAR' },
  ...{ quantums: 'HUGEINT', decimals: 'INTEGER', symbol: 'VARCHAR', order_id: 'VARCHAR' },
};
/** Powers of ten that an amount of collateral can be a part of. */
const DECIMALS = Array.from({ length: 13 }, (_, decimals) => decimals);

/** Rows of the tapes whose kind is one of a view. */
function tape(kinds: readonly string[], columns: string): View['rowsOf'] {
  return ({ tapes }, folder) => {
    const asked = kinds.length === 0 ? 'true' : `kind IN (${kinds.map(quoted).join(', ')})`;
    const selects = tapes.map(
      (place, at) =>
        `SELECT ${quoted(place)} AS tape, make_timestamp(exchangeUs) AS time, make_timestamp(receivedUs) AS received,
        market AS symbol, ${columns} FROM read_parquet(${quoted(tapeParquet(place, folder, at))}) WHERE ${asked}`,
    );
    const times = 'CAST(NULL AS TIMESTAMP) AS time, CAST(NULL AS TIMESTAMP) AS received';
    const none = `SELECT '' AS tape, ${times}, '' AS symbol, ${columns} FROM (SELECT '' AS kind, CAST(NULL AS DECIMAL(38, 12)) AS price,
      CAST(NULL AS DECIMAL(38, 12)) AS size, CAST(0 AS BIGINT) AS id, '' AS value, false AS "isEnd") WHERE false`;
    return selects.length === 0 ? none : selects.join(' UNION ALL BY NAME ');
  };
}

/** All views, in order of their names in the documentation. */
export const VIEWS: readonly View[] = [
  {
    name: 'runs',
    rowsOf: (sources, folder) => `SELECT * FROM ${lines(reportLines(sources, folder), RUN_FILE)}`,
  },
  { name: 'fills', rowsOf: fills },
  { name: 'orders', rowsOf: orders },
  { name: 'equity', rowsOf: equity },
  { name: 'inventory', rowsOf: inventory },
  {
    name: 'ledger',
    rowsOf: (sources, folder) => {
      const cases = DECIMALS.map((decimals) => `WHEN ${decimals} THEN ${scaled('quantums', decimals)}`);
      return `SELECT journal, epoch, id, ${time('at_ms')} AS time, kind, symbol, order_id, quantums,
        CASE decimals ${cases.join(' ')} END AS amount FROM ${lines(ledgerLines(sources, folder), LEDGER_FILE)}`;
    },
  },
  {
    name: 'journal',
    rowsOf: (sources, folder) => `SELECT journal, ${time('at_ms')} AS time, * EXCLUDE (journal, at_ms)
      FROM ${lines(journalLines(sources, folder), JOURNAL_FILE)}`,
  },
  { name: 'tape', rowsOf: tape([], 'kind, price, size, id, value, "isEnd" AS is_end') },
  {
    name: 'trades',
    rowsOf: tape(['buyTrade', 'sellTrade'], "if(kind = 'buyTrade', 'buy', 'sell') AS side, price, size, id"),
  },
  {
    name: 'bbo',
    rowsOf: tape(['bestBid', 'bestAsk'], "if(kind = 'bestBid', 'bid', 'ask') AS side, price, size"),
  },
  {
    name: 'book',
    rowsOf: tape(
      ['bidLevel', 'askLevel', 'bookReset'],
      "CASE kind WHEN 'bidLevel' THEN 'bid' WHEN 'askLevel' THEN 'ask' END AS side, price, size, kind = 'bookReset' AS is_reset",
    ),
  },
  { name: 'prices', rowsOf: tape(['mark', 'index'], 'kind, price') },
  {
    name: 'funding',
    rowsOf: tape(['fundingRate', 'fundingSettled'], 'kind, price, size AS rate_ppb'),
  },
  {
    name: 'candles',
    rowsOf: tape(['candleOpen', 'candleHigh', 'candleLow', 'candleClose'], 'kind, price, size, id'),
  },
];
