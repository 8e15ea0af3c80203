/** @module `ballast report`: the figures of a run that is over, as text, document or page, and two runs side by side. */
import { describeDiff, describeRun, diffRuns, jsonOfRun, loadRun } from '../../report/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { writeReportFiles } from '../report-files.ts';

/** Shows the report of one run. A residual that is not 0 is a failure: something in the run is not accounted for. */
export async function report(options: {
  readonly run: string;
  readonly html: string | undefined;
  readonly isJson: boolean;
}): Promise<number> {
  const record = loadRun(options.run);
  writeReportFiles(record, { html: options.html });
  if (options.isJson) writeDocument(jsonOfRun(record));
  else {
    writeLine(describeRun(record));
    if (options.html !== undefined) writeLine(`${'page'.padEnd(12)}${options.html}`);
  }
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}

/** Compares two runs; `isStrict`: a difference in figures or fills is a failure. */
export async function reportDiff(options: {
  readonly a: string;
  readonly b: string;
  readonly isStrict: boolean;
  readonly isJson: boolean;
}): Promise<number> {
  const diff = diffRuns(loadRun(options.a), loadRun(options.b));
  if (options.isJson) writeDocument(diff);
  else writeLine(describeDiff(diff));
  return options.isStrict && !diff.isSame ? EXIT.failure : EXIT.ok;
}
