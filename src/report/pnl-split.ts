/**
 * @module
 * Where the profit of a run came from over time: spread captured at fills, fees, funding, and what prices did for the
 * inventory, at each sample and summed by hour and by day. The four parts add up to the change of equity at every
 * sample, because the part of the inventory is what the others do not explain.
 */
import { formatScaled } from '../core/index.ts';
import type { RunRecord } from '../domain/index.ts';
import type { Statistic } from './metrics.ts';
import { DAY_MS, HOUR_MS } from './series.ts';
import { timeText } from './times.ts';
import { rounded } from './words.ts';

/** The parts of the profit since the beginning, in quantums, at each sample. */
export interface PnlSplit {
  /** Spread captured: side x (mid - price) x size of fills. */
  readonly spread: Float64Array;
  /** Fees paid; rebates lower it. */
  readonly fees: Float64Array;
  /** Funding received. */
  readonly funding: Float64Array;
  /** Equity less its beginning and the other parts: what prices did for what was held. */
  readonly inventory: Float64Array;
  /** Number of fills, and traded notional. */
  readonly fills: Float64Array;
  readonly turnover: Float64Array;
}

/** The profit of an hour or of a day. */
export interface PeriodDocument {
  /** Its beginning; the run's where that is later. */
  readonly from: string;
  /** Number of fills. */
  readonly fills: number;
  /** Traded notional, as decimal text as all amounts here. */
  readonly turnover: string;
  /** spread + inventory + funding - fees: the change of equity. */
  readonly total: string;
  readonly spread: string;
  readonly inventory: string;
  readonly funding: string;
  readonly fees: string;
  /** total / equity at its beginning. */
  readonly return: Statistic;
}

/** Profit by period. */
export interface PeriodsDocument {
  /** One row for each hour (UTC) with samples. */
  readonly byHour: readonly PeriodDocument[];
  /** The same for each day. */
  readonly byDay: readonly PeriodDocument[];
}

/** The parts at each sample. A fill counts from the first sample at or after its time. */
export function pnlSplitOf(record: RunRecord): PnlSplit {
  const { samples, markets } = record;
  const { length } = samples.atMs;
  const column = () => new Float64Array(length);
  const split = { spread: column(), fees: column(), funding: column(), inventory: column() };
  const counts = { fills: column(), turnover: column() };
  const scales = new Map(
    markets.map(({ symbol, quantumsPerTickLot }) => [symbol, Number(quantumsPerTickLot)]),
  );
  const fills = inOrder(record.fills);
  const paid = inOrder(record.fundings ?? []);
  const sum = { spread: 0, fees: 0, funding: 0, fills: 0, turnover: 0 };
  let fillAt = 0;
  let paidAt = 0;
  for (let at = 0; at < length; at++) {
    const untilMs = at === length - 1 ? Number.POSITIVE_INFINITY : (samples.atMs[at] ?? 0);
    for (let fill = fills[fillAt]; fill !== undefined && fill.atMs <= untilMs; fill = fills[++fillAt]) {
      const size = fill.sizeLots * (scales.get(fill.symbol) ?? 0);
      const better = Number.isNaN(fill.midTicks) ? 0 : fill.midTicks - fill.priceTicks;
      sum.spread += (fill.side === 'buy' ? better : -better) * size;
      sum.fees += Number(fill.fee ?? 0n);
      sum.fills++;
      sum.turnover += fill.priceTicks * size;
    }
    for (let one = paid[paidAt]; one !== undefined && one.atMs <= untilMs; one = paid[++paidAt])
      sum.funding += Number(one.amount);
    split.spread[at] = sum.spread;
    split.fees[at] = sum.fees;
    split.funding[at] = sum.funding;
    counts.fills[at] = sum.fills;
    counts.turnover[at] = sum.turnover;
    split.inventory[at] =
      (samples.equity[at] ?? 0) - (samples.equity[0] ?? 0) - sum.spread + sum.fees - sum.funding;
  }
  return { ...split, ...counts };
}

function inOrder<T extends { readonly atMs: number }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => a.atMs - b.atMs);
}

/** The profit of each hour and of each day. A sample at a full hour belongs to the hour that ends there. */
export function periodsOf(record: RunRecord, split: PnlSplit): PeriodsDocument {
  // Samples further apart than an hour say nothing of one.
  const hasHours = record.samples.periodMs <= HOUR_MS;
  return { byHour: hasHours ? rowsOf(record, split, HOUR_MS) : [], byDay: rowsOf(record, split, DAY_MS) };
}

function rowsOf(record: RunRecord, split: PnlSplit, periodMs: number): readonly PeriodDocument[] {
  const { atMs, equity } = record.samples;
  const money = (amount: number) => formatScaled(BigInt(amount), record.collateralDecimals);
  const rows: PeriodDocument[] = [];
  const endOf = (at: number) => Math.ceil((atMs[at] ?? Number.NaN) / periodMs);
  for (let before = 0, at = 1; at < atMs.length; at++) {
    if (endOf(at) === endOf(at + 1)) continue;
    // Sums are rounded, not their differences: so the rows add up to the run.
    const grown = (values: Float64Array) => Math.round(values[at] ?? 0) - Math.round(values[before] ?? 0);
    const total = grown(equity);
    rows.push({
      from: timeText(Math.max((endOf(at) - 1) * periodMs, atMs[0] ?? 0)),
      fills: grown(split.fills),
      turnover: money(grown(split.turnover)),
      total: money(total),
      ...{ spread: money(grown(split.spread)), inventory: money(grown(split.inventory)) },
      ...{ funding: money(grown(split.funding)), fees: money(grown(split.fees)) },
      return: rounded(total / (equity[before] ?? 0)),
    });
    before = at;
  }
  return rows;
}
