/**
 * @module
 * `ballast replay`: says whether a run can be made again from its log, and if not, where the two part.
 */

import type { ReplayReport } from '../../bot/replay/index.ts';
import { loadConfig } from '../../config/index.ts';
import { describeDiff, diffRuns, jsonOfRun } from '../../report/index.ts';
import type { Counterfactual } from '../../research/backtest/index.ts';
import { replayOtherwise, replayRun } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** What `replay` takes. */
export interface ReplayCommandOptions {
  readonly folder: string;
  readonly config: string | undefined;
  readonly set: readonly string[];
  /** Go on behind the first difference. */
  readonly isCounterfactual: boolean;
  /** A file of `ballast calibrate`. */
  readonly calibration: string | undefined;
  readonly isJson: boolean;
}

/** Replays; exit code 1 when a decision differs, unless that is what was asked for. */
export async function replay(options: ReplayCommandOptions): Promise<number> {
  const { folder, config, set, isCounterfactual, calibration, isJson } = options;
  const parts = { folder, set, ...(config === undefined ? {} : { config: loadConfig(config) }) };
  const report = await replayRun(parts);
  const other = isCounterfactual ? await replayOtherwise({ ...parts, calibration }) : undefined;
  if (isJson) {
    const records = other && {
      happened: jsonOfRun(other.happened),
      wouldHave: jsonOfRun(other.wouldHave),
    };
    writeDocument({ ...report, ...(records === undefined ? {} : { counterfactual: records }) });
  } else {
    writeLine(describeReplay(report));
    if (other !== undefined) writeLine(describeOther(other));
  }
  const isSame = report.divergence === undefined && report.missing === 0;
  return isSame || other !== undefined ? EXIT.ok : EXIT.failure;
}

function describeOther({ happened, wouldHave }: Counterfactual): string {
  const { band } = jsonOfRun(wouldHave).money;
  const lines = ['', 'as it was, and as it would have been', describeDiff(diffRuns(happened, wouldHave))];
  if (band !== null) lines.push(`band: ${band.low} to ${band.high} around the profit of b: ${band.why}`);
  return lines.join('\n');
}

function describeReplay(report: ReplayReport): string {
  const { runId, mode, changes, turns, decisions, divergence, missing, isWhole, linesCut } = report;
  const lines = [`run        ${runId}, ${mode}, ${turns} turns`];
  for (const change of changes) lines.push(`changed    ${change}`);
  if (divergence === undefined) lines.push(`decisions  ${decisions}, all equal`);
  else {
    const { after, atMs, recorded, decided, inputs } = divergence;
    lines.push(
      `decisions  ${after} equal, then at ${new Date(atMs).toISOString()} the first that differs`,
      `the run    ${recorded.what} ${recorded.text}`,
      `re-run     ${decided.what} ${decided.text}`,
      'before it  (the last led to it)',
      ...inputs.map((line) => `  ${line}`),
    );
  }
  if (missing > 0)
    lines.push(`gap        ${missing} events were not recorded: nothing is said about what follows`);
  if (!isWhole)
    lines.push(
      `torn       the run did not end in order: ${linesCut} lines behind the last seal of its log are left out`,
    );
  return lines.join('\n');
}
