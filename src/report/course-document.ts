/**
 * @module The course of a run as plain values of its document: denials by code, rejections by reason, halts by control,
 * times without quotes by reason, each by strategy and market and by hour; how each strategy ended; what was warned of.
 */
import type { RunRecord, RunTally, StrategyOutcome } from '../domain/index.ts';
import { timeText } from './times.ts';

/** What happened in one market for one reason. */
export interface CourseRow {
  /** Code of the denial, reason of the rejection, id of the control, reason for no quotes. */
  readonly code: string;
  /** `null`: no single one. */
  readonly strategy: string | null;
  /** `null`: no single one. */
  readonly symbol: string | null;
  /** The side without an order; `null`: it is of no side. */
  readonly side: 'bid' | 'ask' | null;
  /** How often it happened, or began. */
  readonly count: number;
  /** How long it lasted; 0 for denials and rejections. */
  readonly seconds: number;
  /** The same by hour (UTC). */
  readonly byHour: readonly { readonly hour: string; readonly count: number; readonly seconds: number }[];
}

/** The course of a run in its document. */
export interface CourseDocument {
  /** By risk, before anything was sent. */
  readonly denials: readonly CourseRow[];
  /** By the exchange. */
  readonly rejections: readonly CourseRow[];
  /** Trading held by a control. */
  readonly halts: readonly CourseRow[];
  /** A strategy without an order on a side of a market, by the reasons of quote-gaps.md. */
  readonly noQuotes: readonly CourseRow[];
}

/** How a strategy ended, in the document of a run. */
export interface OutcomeDocument extends Omit<StrategyOutcome, 'strategyId' | 'error' | 'endedAtMs'> {
  readonly strategy: string;
  readonly error: { readonly name: string; readonly message: string; readonly at: string } | null;
  /** `null`: with the run. */
  readonly endedAt: string | null;
}

/** Lines of strategies, in the document of a run. */
export interface LogDocument {
  /** Warnings and errors; all lines are in the record. */
  readonly warnings: readonly {
    readonly at: string;
    readonly strategy: string;
    readonly level: string;
    readonly text: string;
  }[];
  /** How many lines the record keeps, and how many came after those. */
  readonly kept: number;
  readonly dropped: number;
}

/** The course of a run. */
export function courseOf({ tallies }: Pick<RunRecord, 'tallies'>): CourseDocument {
  const of = (kind: RunTally['kind']) => rowsOf(tallies.filter((one) => one.kind === kind));
  return { denials: of('denial'), rejections: of('rejection'), halts: of('halt'), noQuotes: of('noQuotes') };
}

/** How the strategies of a run ended. */
export function outcomesOf({ outcomes }: Pick<RunRecord, 'outcomes'>): readonly OutcomeDocument[] {
  return outcomes.map(({ strategyId, error, endedAtMs, ...rest }) => ({
    strategy: strategyId,
    ...rest,
    error: error === null ? null : { name: error.name, message: error.message, at: timeText(error.atMs) },
    endedAt: endedAtMs === null ? null : timeText(endedAtMs),
  }));
}

/** What the strategies of a run warned of. */
export function logOf({ log, logDropped }: Pick<RunRecord, 'log' | 'logDropped'>): LogDocument {
  const warnings = log.filter(({ level }) => level !== 'info');
  return {
    warnings: warnings.map(({ atMs, strategyId, level, text }) => ({
      at: timeText(atMs),
      strategy: strategyId,
      level,
      text,
    })),
    kept: log.length,
    dropped: logDropped,
  };
}

/** Counts by code over all strategies, markets and sides, for tables. @example sumsOf(course.denials, 'count') */
export function sumsOf(
  rows: readonly CourseRow[],
  what: 'count' | 'seconds',
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[row.code] = inMs((sums[row.code] ?? 0) + row[what]);
  return sums;
}

function rowsOf(tallies: readonly RunTally[]): readonly CourseRow[] {
  const groups = new Map<string, RunTally[]>();
  for (const tally of tallies) {
    const name = JSON.stringify([tally.code, tally.strategyId, tally.symbol, tally.side]);
    groups.set(name, [...(groups.get(name) ?? []), tally]);
  }
  const rows = [...groups.values()].map((group): CourseRow => {
    const [first] = group as [RunTally, ...RunTally[]];
    const sum = (of: (one: RunTally) => number) => group.reduce((total, one) => total + of(one), 0);
    return {
      code: first.code,
      strategy: first.strategyId,
      symbol: first.symbol,
      side: first.side ?? null,
      count: sum(({ count }) => count),
      seconds: inMs(sum(({ ms }) => ms) / 1_000),
      byHour: group
        .toSorted((a, b) => a.hourMs - b.hourMs)
        .map(({ hourMs, count, ms }) => ({ hour: timeText(hourMs), count, seconds: inMs(ms / 1_000) })),
    };
  });
  return rows.sort((a, b) => b.seconds - a.seconds || b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Seconds with three digits. */
function inMs(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
