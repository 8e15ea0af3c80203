/** @module What a sweep leaves for people: a table, a CSV file and a heat map. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, makeFolder } from '../../core/index.ts';
import {
  describeSweep,
  heatMapOf,
  htmlOfSweep,
  paretoFrontOf,
  type SweepDocument,
  sweepCsv,
} from '../../report/index.ts';
import { EXIT } from './exit-codes.ts';
import { writeDocument, writeLine } from './output.ts';
import { writing } from './writing.ts';

/** Writes the files of a sweep into the folder `out` and shows it. @throws ConfigError `SWEEP_ALL_FAILED`. */
export function showSweep(
  document: SweepDocument,
  {
    out,
    isJson,
    html,
  }: { readonly out: string; readonly isJson: boolean; readonly html?: string | undefined },
): number {
  const files = [['sweep.csv', sweepCsv(document)] as const];
  const map = heatMapOf(document);
  if (map !== undefined) files.push(['heat-map.svg', map] as never);
  writing(out, () => {
    makeFolder(out);
    for (const [name, text] of files) writeFileSync(join(out, name), text);
  });
  if (html !== undefined) writing(html, () => writeFileSync(html, htmlOfSweep(document)));
  const written = [...files.map(([name]) => join(out, name)), ...(html === undefined ? [] : [html])];
  if (isJson) writeDocument({ ...document, paretoFront: paretoFrontOf(document).map(({ key }) => key) });
  else {
    writeLine(describeSweep(document));
    writeLine(`written: ${written.join(', ')}`);
  }
  if (document.rows.some(({ statistics, failure }) => statistics !== null && failure === null))
    return EXIT.ok;
  throw new ConfigError({
    code: 'SWEEP_ALL_FAILED',
    message: `expected a backtest that succeeds, got ${document.rows.length} that failed`,
    remedy:
      'The table says why each failed; `ballast backtest` or `ballast bars` with the same configuration says more.',
  });
}
