/**
 * @module
 * Two runs side by side: what differs in what they were made of, each statistic with its difference, and the first fill
 * that differs. Order ids are an exchange's own choice and no difference.
 */
import { Decimal, formatScaled } from '../core/index.ts';
import type { RecordedFill, RunRecord } from '../domain/index.ts';
import { type CourseRow, sumsOf } from './course-document.ts';
import type { Statistic } from './metrics.ts';
import { marketOf, type ReportDocument, reportOf } from './report-document.ts';
import { timeText } from './times.ts';
import { rounded } from './words.ts';

/** Something that two runs do not have in common. */
export interface Difference {
  /** Name of the compared property. */
  readonly what: string;
  /** Value of run a. */
  readonly a: string;
  /** Value of run b. */
  readonly b: string;
}

/** One statistic of both: decimal text, or a number. */
export interface StatisticDifference {
  /** Name of the statistic. */
  readonly statistic: string;
  /** Value of run a. */
  readonly a: string | Statistic;
  /** Value of run b. */
  readonly b: string | Statistic;
  /** b less a; `null` where one of them is not there. */
  readonly difference: string | Statistic;
}

/** Two runs compared. */
export interface RunDiff {
  /** Name of the document. */
  readonly schema: 'ballast-report-diff';
  /** Version of the document. */
  readonly version: 1;
  /** Nothing that was decided, filled or earned differs. */
  readonly isSame: boolean;
  /** Ids of run a and run b. */
  readonly runs: readonly [string, string];
  /** Differences of configuration, code and tape. */
  readonly madeOf: readonly Difference[];
  /** Why run a, run b have no annual figures; `null`: they have. */
  readonly annualReasons: readonly [string | null, string | null];
  /** All statistics of both. */
  readonly statistics: readonly StatisticDifference[];
  /** Fills of both runs. */
  readonly fills: {
    readonly a: number;
    readonly b: number;
    /** Fills that both have before the first that differs. */
    readonly same: number;
    readonly first: { readonly a: string | null; readonly b: string | null } | null;
  };
}

/** Compares run `b` with run `a`. */
export function diffRuns(a: RunRecord, b: RunRecord): RunDiff {
  const [of, other] = [reportOf(a), reportOf(b)];
  const statistics = statisticsOf(of, other);
  const same = sameFills(a, b);
  const isOver = same === a.fills.length && same === b.fills.length;
  return {
    schema: 'ballast-report-diff',
    version: 1,
    isSame: isOver && statistics.every((one) => one.a === one.b),
    runs: [nameOf(of), nameOf(other)],
    madeOf: madeOf(a, b),
    annualReasons: [of.returns.annualReason, other.returns.annualReason],
    statistics,
    fills: {
      ...{ a: a.fills.length, b: b.fills.length, same },
      first: isOver ? null : { a: fillText(a, same), b: fillText(b, same) },
    },
  };
}

function nameOf({ run }: ReportDocument): string {
  return `${run.mode} ${run.runId}`;
}

function madeOf(a: RunRecord, b: RunRecord): readonly Difference[] {
  const facts: readonly (readonly [what: string, of: (record: RunRecord) => string])[] = [
    ['mode', (run) => run.mode],
    ['configuration', (run) => run.configHash],
    ['code', (run) => run.codeHash],
    ['tapes', (run) => run.tapes.map(({ name, hash }) => `${name} ${hash}`).join(', ')],
    ['seed', (run) => String(run.seed)],
    ['from', (run) => timeText(run.fromMs)],
    ['to', (run) => timeText(run.toMs)],
    ['strategies', (run) => run.strategies.join(', ')],
    ['markets', (run) => run.markets.map(({ symbol }) => symbol).join(', ')],
    ['samples every', (run) => `${run.samples.periodMs} ms`],
  ];
  const plain = facts.map(([what, of]) => ({ what, a: of(a), b: of(b) })).filter((one) => one.a !== one.b);
  const only = (one: RunRecord, other: RunRecord) =>
    one.assumptions.filter((text) => !other.assumptions.includes(text));
  return [
    ...plain,
    ...parameterDifferences(a, b),
    ...only(a, b).map((text) => ({ what: 'assumption', a: text, b: '' })),
    ...only(b, a).map((text) => ({ what: 'assumption', a: '', b: text })),
  ];
}

/** Each value of the configuration that differs, by its path. */
function parameterDifferences(a: RunRecord, b: RunRecord): readonly Difference[] {
  const names = new Set([...Object.keys(a.parameters), ...Object.keys(b.parameters)]);
  return [...names].sort().flatMap((name) => {
    const [one = '', two = ''] = [a.parameters[name], b.parameters[name]];
    return one === two ? [] : [{ what: name, a: one, b: two }];
  });
}

function statisticsOf(a: ReportDocument, b: ReportDocument): readonly StatisticDifference[] {
  const of = new Map(flat(a));
  const other = new Map(flat(b));
  return [...new Set([...of.keys(), ...other.keys()])].map((name) => {
    const [one = null, two = null] = [of.get(name), other.get(name)];
    return { statistic: name, a: one, b: two, difference: lessThan(one, two) };
  });
}

type Named = readonly [name: string, value: string | Statistic];

/** The statistics of a report that are worth a line, each with its own name. */
function flat(report: ReportDocument): readonly Named[] {
  const { pnl, returns, orders, fills } = report;
  const { makerFills: _maker, takerFills: _taker, ...counts } = orders;
  return [
    ...(['total', 'realized', 'unrealized', 'fees', 'funding', 'transfers', 'residual'] as const).map(
      (name): Named => [`pnl ${name}`, pnl[name]],
    ),
    ['equity start', pnl.equityStart],
    ['equity end', pnl.equityEnd],
    ['turnover', pnl.turnover],
    ['return on turnover, bps', pnl.returnOnTurnoverBps],
    ['max drawdown', returns.maxDrawdownAmount],
    ['annualized volatility', returns.annualizedVolatility],
    ['Sharpe', returns.sharpe],
    ...Object.entries(counts).map(([name, value]): Named => [wordsOf(name), value]),
    ...courseStatistics(report),
    ...(['maker', 'taker'] as const).flatMap((role): readonly Named[] => [
      [`${role} fills`, fills[role].fills],
      [`${role} turnover`, fills[role].turnover],
      [`${role} fees`, fills[role].fees],
      [`${role} spread captured`, fills[role].spreadCapture],
      ...fills[role].markouts.map(
        ({ horizonMs, bps }): Named => [`${role} markout ${horizonMs} ms, bps`, bps],
      ),
    ]),
    ['queue ahead at entry, lots', fills.queue?.queueAheadAtEntryLots ?? null],
    ['queue ahead at fill, lots', fills.queue?.queueAheadAtFillLots ?? null],
    ...report.inventory.flatMap((one): readonly Named[] => [
      [`inventory ${one.symbol} final`, one.final],
      [`inventory ${one.symbol} mean absolute`, one.meanAbsolute],
    ]),
    ...report.quoting.map((one): Named => [`two-sided ${one.strategy} ${one.symbol}`, one.twoSidedUptime]),
    ...report.byStrategy.map((one): Named => [`pnl ${one.strategy} ${one.symbol}`, one.total]),
  ];
}

/** Denials, rejections, halts and times without quotes; what one run has and the other has not is 0 there. */
function courseStatistics({ course, outcomes }: ReportDocument): readonly Named[] {
  const named = (prefix: string, rows: readonly CourseRow[], what: 'count' | 'seconds'): readonly Named[] =>
    Object.entries(sumsOf(rows, what)).map(([code, value]) => [`${prefix} ${code}`, value]);
  return [
    ...named('denied', course.denials, 'count'),
    ...named('rejected', course.rejections, 'count'),
    ...named('halts by', course.halts, 'count'),
    ...named('halted, s, by', course.halts, 'seconds'),
    ...named('without quotes, s:', course.noQuotes, 'seconds'),
    ...outcomes.map((one): Named => [`failures of ${one.strategy}`, one.failures]),
  ];
}

/** @example wordsOf('ordersWithFill') // 'orders with fill' */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function lessThan(a: string | Statistic, b: string | Statistic): string | Statistic {
  if (a === null || b === null) return null;
  if (typeof a === 'number' && typeof b === 'number') return rounded(b - a);
  return new Decimal(b).minus(a).toString();
}

/** How many fills from the first are the same in both. */
function sameFills(a: RunRecord, b: RunRecord): number {
  const length = Math.min(a.fills.length, b.fills.length);
  for (let at = 0; at < length; at++) {
    const [one, two] = [a.fills[at], b.fills[at]];
    if (one === undefined || two === undefined || !isSameFill(one, two)) return at;
  }
  return length;
}

function isSameFill(a: RecordedFill, b: RecordedFill): boolean {
  const fields = ['atMs', 'strategyId', 'symbol', 'side', 'role', 'priceTicks', 'sizeLots', 'fee'] as const;
  return fields.every((field) => a[field] === b[field]);
}

function fillText(record: RunRecord, at: number): string | null {
  const fill = record.fills[at];
  if (fill === undefined) return null;
  const market = marketOf(record, fill.symbol);
  const price = formatScaled(fill.priceTicks, market?.priceDecimals ?? 0);
  const size = formatScaled(fill.sizeLots, market?.sizeDecimals ?? 0);
  const fee = fill.fee === null ? 'not known' : formatScaled(fill.fee, record.collateralDecimals);
  return `${timeText(fill.atMs)} ${fill.strategyId ?? '-'} ${fill.side} ${size} ${fill.symbol} at ${price} as ${fill.role}, fee ${fee}`;
}
