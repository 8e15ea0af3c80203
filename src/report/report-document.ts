/**
 * @module The report of a run as one plain document: every statistic once, amounts, prices and sizes as decimal text,
 * statistics as numbers, `null` where it is unknown. Text, JSON and the page all print this document, so they cannot
 * disagree. docs/guides/read-the-report.md explains each statistic.
 */
import { formatScaled } from '../core/index.ts';
import { type MarketSymbol, type RunMarket, type RunRecord, totalOf } from '../domain/index.ts';
import { type BootstrapDocument, bootstrapOf } from './bootstrap.ts';
import {
  type CourseDocument,
  courseOf,
  type LogDocument,
  logOf,
  type OutcomeDocument,
  outcomesOf,
} from './course-document.ts';
import { type DistributionDocument, distributionsOf } from './distributions.ts';
import {
  type BenchmarkDocument,
  benchmarkOf,
  type DrawdownDocument,
  drawdownsOf,
  type RollingDocument,
  rollingOf,
} from './drawdowns.ts';
import {
  annualizedReturn,
  annualizedVolatility,
  calmar,
  exposure,
  omega,
  type Statistic,
  sharpe,
  sortino,
} from './metrics.ts';
import { type PeriodsDocument, periodsOf, pnlSplitOf } from './pnl-split.ts';
import { type RobustnessDocument, robustnessDocumentOf } from './robustness.ts';
import { type RoundTripsDocument, roundTripsDocument } from './round-trips.ts';
import { ANNUAL_NEED, deepestFallOf, drawdownOf, hasAnnualFigures, returnsOf } from './series.ts';
import { timeText } from './times.ts';
import { bpsOf, fillStatistics, inventoryStatistics, type RoleStatistics } from './trading.ts';
import { counted, lengthText, rounded } from './words.ts';

/** Fills of one role. */
export interface RoleDocument {
  /** Number of fills. */
  readonly fills: number;
  /** Traded notional as decimal text. */
  readonly turnover: string;
  /** Fees paid as decimal text; below 0: rebates. */
  readonly fees: string;
  /** Fees in basis points of turnover. */
  readonly feesBps: Statistic;
  /** Fills whose fee is unknown. */
  readonly fillsWithoutFee: number;
  /** Spread capture as decimal text. */
  readonly spreadCapture: string;
  /** Spread capture in basis points of turnover. */
  readonly spreadCaptureBps: Statistic;
  /** Fills whose mid is unknown. */
  readonly fillsWithoutMid: number;
  /** Markouts by horizon. */
  readonly markouts: readonly {
    readonly horizonMs: number;
    readonly fills: number;
    readonly bps: Statistic;
    readonly midMarkoutBps: Statistic;
  }[];
}

/** Fills of both roles in all markets or in one. */
export interface FillsDocument {
  /** Symbol of the market; `null`: all markets. */
  readonly symbol: string | null;
  /** Fills as maker. */
  readonly maker: RoleDocument;
  /** Fills as taker. */
  readonly taker: RoleDocument;
  /** Queue statistics of maker fills. */
  readonly queue: {
    readonly fills: number;
    readonly queueAheadAtEntryLots: Statistic;
    readonly queueAheadAtFillLots: Statistic;
  } | null;
}

/** The whole report. See the module. */
export interface ReportDocument {
  /** Name of the document. */
  readonly schema: 'ballast-report';
  /** Version of the document. */
  readonly version: 1;
  /** Identity and span of the run. */
  readonly run: {
    readonly mode: RunRecord['mode'];
    readonly runId: string;
    readonly from: string;
    readonly to: string;
    readonly durationMs: number;
    readonly strategies: readonly string[];
    readonly markets: readonly string[];
    readonly seed: number;
    readonly configHash: string;
    readonly codeHash: string;
    /** Each with the data quality that its import found, in lines; empty: it was not imported. */
    readonly tapes: readonly {
      readonly name: string;
      readonly hash: string;
      readonly quality: readonly string[];
    }[];
    readonly assumptions: readonly string[];
    /** The configuration as it ran, value by value. */
    readonly parameters: Readonly<Record<string, string>>;
  };
  /** Profit and loss, as decimal text. */
  readonly pnl: {
    readonly equityStart: string;
    readonly equityEnd: string;
    readonly transfers: string;
    readonly total: string;
    readonly realized: string;
    readonly unrealized: string;
    readonly fees: string;
    readonly funding: string;
    readonly residual: string;
    readonly ledger: Readonly<Record<string, string>>;
    /** The exchange's own numbers of the entries that count. */
    readonly ledgerEntries: { readonly count: number; readonly first: string; readonly last: string } | null;
    readonly turnover: string;
    readonly turnoverRatio: Statistic;
    readonly returnOnTurnoverBps: Statistic;
    /** What prices did for what was held: total without spread capture, fees and funding. */
    readonly inventoryPnl: string;
    readonly band: { readonly low: string; readonly high: string; readonly basis: string } | null;
  };
  /** Statistics of returns. */
  readonly returns: {
    readonly samplePeriodMs: number;
    readonly periodMs: number;
    readonly count: number;
    readonly periodsPerYear: Statistic;
    readonly riskFree: 0;
    readonly total: Statistic;
    /** Why return, volatility, Sharpe, Sortino and Calmar of a year are `null`; `null`: the run is long enough. */
    readonly annualReason: string | null;
    readonly annualizedReturn: Statistic;
    readonly annualizedVolatility: Statistic;
    readonly sharpe: Statistic;
    readonly sortino: Statistic;
    readonly calmar: Statistic;
    readonly omega: Statistic;
    /** Share of the returns that are not 0. */
    readonly exposure: Statistic;
    readonly maxDrawdown: Statistic;
    readonly maxDrawdownAmount: string;
    readonly maxDrawdownAt: string | null;
  };
  /** Profit by hour and by day, with its parts. */
  readonly periods: PeriodsDocument;
  /** The deepest drawdowns. */
  readonly drawdowns: readonly DrawdownDocument[];
  /** Rolling statistics; `null`: too few returns. */
  readonly rolling: RollingDocument | null;
  /** The markets' own returns. */
  readonly benchmark: readonly BenchmarkDocument[];
  /** Bands of the profit; `null`: too few periods. */
  readonly bootstrap: BootstrapDocument | null;
  /** Bands over disturbed runs; `null`: none were asked for. */
  readonly robustness: RobustnessDocument | null;
  /** Round trips. */
  readonly roundTrips: RoundTripsDocument;
  /** Distributions of fills, quotes, inventory and returns. */
  readonly distributions: readonly DistributionDocument[];
  /** How each strategy ended. */
  readonly outcomes: readonly OutcomeDocument[];
  /** What was denied, rejected and held, and times without quotes. */
  readonly course: CourseDocument;
  /** What strategies warned of. */
  readonly log: LogDocument;
  /** Number of orders by outcome. */
  readonly orders: RunRecord['counts'] & {
    /** Orders with a fill of those that were placed. */
    readonly fillRatio: Statistic;
    readonly ordersWithFill: number;
    /** Orders placed / fills, and orders canceled / fills. */
    readonly orderToTradeRatio: Statistic;
    readonly cancelToTradeRatio: Statistic;
  };
  /** Fills of all markets. */
  readonly fills: FillsDocument;
  /** Fills of each market. */
  readonly byMarket: readonly FillsDocument[];
  /** Positions by market. */
  readonly inventory: readonly {
    readonly symbol: string;
    readonly final: string;
    readonly maxLong: string;
    readonly maxShort: string;
    readonly meanAbsolute: Statistic;
    readonly flatFraction: Statistic;
  }[];
  /** Quoting statistics by strategy and market. */
  readonly quoting: readonly {
    readonly strategy: string;
    readonly symbol: string;
    readonly bidUptime: Statistic;
    readonly askUptime: Statistic;
    readonly twoSidedUptime: Statistic;
  }[];
  /** Profit and loss by strategy and market. */
  readonly byStrategy: readonly {
    readonly strategy: string;
    readonly symbol: string;
    readonly total: string;
    readonly realized: string;
    readonly unrealized: string;
    readonly fees: string;
    readonly funding: string;
    readonly turnover: string;
    readonly returnOnTurnoverBps: Statistic;
    readonly finalPosition: string;
  }[];
}

/** The report of a run. */
export function reportOf(record: RunRecord): ReportDocument {
  const durationMs = record.toMs - record.fromMs;
  return {
    schema: 'ballast-report',
    version: 1,
    run: {
      mode: record.mode,
      runId: record.runId,
      from: timeText(record.fromMs),
      to: timeText(record.toMs),
      durationMs,
      strategies: record.strategies,
      markets: record.markets.map(({ symbol }) => symbol),
      seed: record.seed,
      configHash: record.configHash,
      codeHash: record.codeHash,
      tapes: record.tapes.map(({ name, hash, quality = [] }) => ({ name, hash, quality })),
      assumptions: record.assumptions,
      parameters: record.parameters,
    },
    pnl: pnlOf(record),
    returns: returnsDocument(record),
    periods: periodsOf(record, pnlSplitOf(record)),
    drawdowns: drawdownsOf(record),
    rolling: rollingOf(record),
    benchmark: benchmarkOf(record),
    bootstrap: bootstrapOf(record),
    robustness: robustnessDocumentOf(record),
    roundTrips: roundTripsDocument(record),
    distributions: distributionsOf(record),
    outcomes: outcomesOf(record),
    course: courseOf(record),
    log: logOf(record),
    orders: ordersOf(record),
    fills: fillsOf(record),
    byMarket: record.markets.map(({ symbol }) => fillsOf(record, symbol)),
    inventory: inventoryOf(record),
    quoting: record.quoting.map(({ strategyId, symbol, bidMs, askMs, bothMs }) => ({
      strategy: strategyId,
      symbol,
      bidUptime: rounded(bidMs / durationMs),
      askUptime: rounded(askMs / durationMs),
      twoSidedUptime: rounded(bothMs / durationMs),
    })),
    byStrategy: strategiesOf(record),
  };
}

function pnlOf(record: RunRecord): ReportDocument['pnl'] {
  const money = moneyText(record);
  const { maker, taker } = fillStatistics(record);
  const total = totalOf(record.pnl);
  const turnover = maker.turnover + taker.turnover;
  const { realized, unrealized, fees, funding } = record.pnl;
  const { band, ledgerSpan: span } = record;
  return {
    equityStart: money(record.equityStart),
    equityEnd: money(record.equityEnd),
    transfers: money(record.transfers),
    total: money(total),
    realized: money(realized),
    unrealized: money(unrealized),
    fees: money(fees),
    funding: money(funding),
    residual: money(record.residual),
    ledger: Object.fromEntries(record.ledger.map(({ kind, amount }) => [kind, money(amount)])),
    ledgerEntries: span === undefined ? null : { count: span.entries, first: span.first, last: span.last },
    turnover: money(turnover),
    turnoverRatio: rounded(Number(turnover) / Number(record.equityStart)),
    returnOnTurnoverBps: rounded(bpsOf(total, turnover)),
    inventoryPnl: money(realized + unrealized - maker.spreadCapture - taker.spreadCapture),
    band: band === undefined ? null : { low: money(band.low), high: money(band.high), basis: band.basis },
  };
}

function returnsDocument(record: RunRecord): ReportDocument['returns'] {
  const { samples } = record;
  const { periodMs, periodsPerYear, values } = returnsOf(samples);
  const annual = { periodsPerYear };
  const isLong = hasAnnualFigures(samples);
  const yearly = (value: number) => (isLong ? rounded(value) : null);
  const falls = drawdownOf(samples.equity);
  let deepest = 0;
  for (let at = 1; at < falls.length; at++) if ((falls[at] ?? 0) < (falls[deepest] ?? 0)) deepest = at;
  const fall = falls[deepest] ?? 0;
  const profit = Number(totalOf(record.pnl));
  const deepestPart = deepestFallOf(samples.equity);
  return {
    samplePeriodMs: samples.periodMs,
    periodMs,
    count: values.length,
    periodsPerYear: rounded(periodsPerYear),
    riskFree: 0,
    total: rounded(profit / Number(record.equityStart)),
    annualReason: isLong
      ? null
      : `${counted(values.length, 'return')} of ${lengthText(periodMs)}, expected ${ANNUAL_NEED}`,
    annualizedReturn: yearly(annualizedReturn(values, annual)),
    annualizedVolatility: yearly(annualizedVolatility(values, annual)),
    sharpe: yearly(sharpe(values, annual)),
    sortino: yearly(sortino(values, annual)),
    calmar: yearly(calmar(values, annual, deepestPart)),
    omega: rounded(omega(values, annual)),
    exposure: rounded(exposure(values)),
    maxDrawdown: rounded(deepestPart),
    maxDrawdownAmount: moneyText(record)(BigInt(Math.round(-fall))),
    maxDrawdownAt: fall === 0 ? null : timeText(samples.atMs[deepest] ?? record.fromMs),
  };
}

function ordersOf(record: RunRecord): ReportDocument['orders'] {
  const ordersWithFill = new Set(record.fills.map(({ orderId }) => orderId)).size;
  const { ordersPlaced, ordersCanceled } = record.counts;
  const trades = record.fills.length;
  return {
    ...record.counts,
    ordersWithFill,
    fillRatio: rounded(ordersWithFill / ordersPlaced),
    orderToTradeRatio: rounded(ordersPlaced / trades),
    cancelToTradeRatio: rounded(ordersCanceled / trades),
  };
}

function fillsOf(record: RunRecord, symbol?: MarketSymbol): FillsDocument {
  const { maker, taker, queue } = fillStatistics(record, symbol);
  return {
    symbol: symbol ?? null,
    maker: roleOf(record, maker),
    taker: roleOf(record, taker),
    queue:
      queue === undefined
        ? null
        : {
            fills: queue.fills,
            queueAheadAtEntryLots: rounded(queue.queueAheadAtEntryLots),
            queueAheadAtFillLots: rounded(queue.queueAheadAtFillLots),
          },
  };
}

function roleOf(record: RunRecord, role: RoleStatistics): RoleDocument {
  const money = moneyText(record);
  return {
    fills: role.fills,
    turnover: money(role.turnover),
    fees: money(role.fees),
    feesBps: rounded(bpsOf(role.fees, role.turnover)),
    fillsWithoutFee: role.fillsWithoutFee,
    spreadCapture: money(role.spreadCapture),
    spreadCaptureBps: rounded(role.spreadCaptureBps),
    fillsWithoutMid: role.fillsWithoutMid,
    markouts: role.markouts.map(({ horizonMs, fills, bps, midMarkoutBps }) => ({
      horizonMs,
      fills,
      bps: rounded(bps),
      midMarkoutBps: rounded(midMarkoutBps),
    })),
  };
}

function inventoryOf(record: RunRecord): ReportDocument['inventory'] {
  return inventoryStatistics(record).map((one, place) => {
    const decimals = record.markets[place]?.sizeDecimals ?? 0;
    return {
      symbol: one.symbol,
      final: formatScaled(one.finalLots, decimals),
      maxLong: formatScaled(one.maxLongLots, decimals),
      maxShort: formatScaled(one.maxShortLots, decimals),
      meanAbsolute: rounded(one.meanAbsoluteLots / 10 ** decimals),
      flatFraction: rounded(one.flatFraction),
    };
  });
}

function strategiesOf(record: RunRecord): ReportDocument['byStrategy'] {
  const money = moneyText(record);
  return record.byStrategy.map((row) => ({
    strategy: row.strategyId,
    symbol: row.symbol,
    total: money(totalOf(row)),
    realized: money(row.realized),
    unrealized: money(row.unrealized),
    fees: money(row.fees),
    funding: money(row.funding),
    turnover: money(row.turnover),
    returnOnTurnoverBps: rounded(bpsOf(totalOf(row), row.turnover)),
    finalPosition: formatScaled(row.finalLots, marketOf(record, row.symbol)?.sizeDecimals ?? 0),
  }));
}

/** The market `symbol` of a run. */
export function marketOf(record: RunRecord, symbol: MarketSymbol): RunMarket | undefined {
  return record.markets.find((market) => market.symbol === symbol);
}

/** Amounts of a run as decimal text. */
function moneyText(record: RunRecord): (amount: bigint) => string {
  return (amount) => formatScaled(amount, record.collateralDecimals);
}
