/**
 * @module The result of a run: its statistics as a document, as text, as one page; kept in its folder, compared with
 * another.
 */
import type { RunRecord } from '../domain/index.ts';
import { reportOf } from './report-document.ts';
import { textOf } from './text.ts';
import { timeText } from './times.ts';

export { sumsOf } from './course-document.ts';
export { describeDiff } from './diff-text.ts';
export { htmlOfRun } from './html.ts';
export { reportOf as jsonOfRun } from './report-document.ts';
export { diffRuns } from './run-diff.ts';
export { loadRun, saveRun } from './run-folder.ts';
export { describeRuns, htmlOfRuns, jsonOfRuns } from './runs-document.ts';
export { describeSweep, type SweepDocument, type SweepDocumentRow, sweepCsv } from './sweep-document.ts';
export { heatMapOf } from './sweep-heat-map.ts';
export { htmlOfSweep, paretoFrontOf } from './sweep-page.ts';
export { outcomeWords } from './words.ts';

/** The report of a run as text for a terminal. */
export function describeRun(record: RunRecord): string {
  return textOf(reportOf(record));
}

/** The log lines of a run's strategies, each with the time of the run. */
export function logText({ log, logDropped }: RunRecord): string {
  const lines = log.map(
    ({ atMs, strategyId, level, text }) => `${timeText(atMs)} ${level} ${strategyId}: ${text}`,
  );
  return [
    ...lines,
    ...(logDropped === 0 ? [] : [`and ${logDropped} lines after these, which were not kept`]),
  ].join('\n');
}
export { chartLibrary } from './uplot.ts';
