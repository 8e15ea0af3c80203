/** @module Two runs side by side as text for a terminal. */
import type { Statistic } from './metrics.ts';
import type { RunDiff } from './run-diff.ts';
import { NOTHING } from './words.ts';

/** The comparison as lines: what differs in what the runs are made of, statistics, the first fill that differs. */
export function describeDiff(diff: RunDiff): string {
  const { fills } = diff;
  const lines = [`a: ${diff.runs[0]}`, `b: ${diff.runs[1]}`, ''];
  if (diff.madeOf.length === 0)
    lines.push('made of the same: configuration, code, tapes, seed, time and models');
  for (const { what, a, b } of diff.madeOf)
    lines.push(`${what.padEnd(14)} a: ${a || NOTHING}`, `${''.padEnd(14)} b: ${b || NOTHING}`);
  lines.push('', ...statisticLines(diff));
  for (const [at, reason] of diff.annualReasons.entries())
    if (reason !== null) lines.push(`no annual figures of ${at === 0 ? 'a' : 'b'}: ${reason}`);
  lines.push('');
  if (fills.first === null) lines.push(`fills: all ${fills.a} are the same`);
  else
    lines.push(
      `fills: ${fills.same === 0 ? 'the first one differs' : `the same up to fill ${fills.same}`} (a has ${fills.a}, b has ${fills.b}), then`,
      `  a: ${fills.first.a ?? 'no more fills'}`,
      `  b: ${fills.first.b ?? 'no more fills'}`,
    );
  return lines.join('\n');
}

/** A table of what differs; what is the same is counted. */
function statisticLines({ statistics }: RunDiff): readonly string[] {
  const differing = statistics.filter(({ a, b }) => a !== b);
  const same = statistics.length - differing.length;
  const rows = differing.map(({ statistic, a, b, difference }) => [
    ...[statistic, textOf(a), textOf(b), textOf(difference)],
  ]);
  if (rows.length === 0) return [`statistics: all ${same} are the same`];
  const all = [['statistic', 'a', 'b', 'b - a'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return [
    ...all.map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    ),
    `(${same} other statistics are the same)`,
  ];
}

function textOf(value: string | Statistic): string {
  if (value === null) return NOTHING;
  return typeof value === 'string' ? value : String(Number(value.toPrecision(8)));
}
