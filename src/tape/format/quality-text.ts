/** @module The data quality of an imported tape as lines: the same after `import`, in `tape info` and in reports. */
import { isoOfUs } from '../../core/index.ts';
import type { DataQuality } from './data-quality.ts';

/** One line a subject, then what it means for a backtest. */
export function describeQuality(quality: DataQuality): readonly string[] {
  const { records, rows, fromUs, toUs, gaps, longestSilenceMs, duplicates, late, repaired } = quality;
  const kinds = Object.entries(rows).map(([kind, count]) => `${count} ${kind}`);
  const changed = `${repaired.dropped} dropped, ${repaired.moved} moved in time (${percent(repaired.fraction)})`;
  return [
    `rows: ${kinds.join(', ')}; of ${records} records`,
    `span: ${isoOfUs(fromUs)} to ${isoOfUs(toUs)}, longest silence ${seconds(longestSilenceMs)}`,
    `gaps: ${gaps.count === 0 ? 'none' : `${gaps.count} of ${seconds(gaps.totalMs)} in all, the longest ${seconds(gaps.longestMs)}`}`,
    `duplicates: ${duplicates === 0 ? 'none' : `${duplicates} dropped`}`,
    `repairs: ${repaired.fraction === 0 ? 'no record dropped or moved' : changed}`,
    `order: ${late.records === 0 ? 'as recorded' : `${late.records} records came up to ${seconds(late.maxMs)} late and were put in order`}`,
    `clock: ${clockText(quality)}`,
    `steps: ${coarseText(quality)}`,
    ...quality.meaning.map((sentence) => `means: ${sentence}`),
  ];
}

function clockText({ clock }: DataQuality): string {
  if (clock === null) return 'one time for each record';
  const { negativeFraction, medianMs, minMs, feedClockOffset } = clock;
  const repair = feedClockOffset === null ? '' : `, paper.feedClockOffset: ${feedClockOffset} puts it right`;
  return `received ${medianMs} ms after the exchange's time (median), lowest ${minMs} ms, below zero ${percent(negativeFraction)}${repair}`;
}

function coarseText({ coarse }: DataQuality): string {
  const lines = coarse.flatMap(({ market, rows, price, timeMs }) => [
    ...(price === undefined ? [] : [`prices of ${market} ${rows} in steps of ${price}`]),
    ...(timeMs === undefined ? [] : [`times of ${market} ${rows} in steps of ${timeMs} ms`]),
  ]);
  return lines.length === 0 ? 'no coarse ones' : lines.join(', ');
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(3))} s`;
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(2))} %`;
}
