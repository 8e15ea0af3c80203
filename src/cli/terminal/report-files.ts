/** @module Files that a run leaves for people where a command is asked for them: its folder and its page. */
import { writeFileSync } from 'node:fs';
import type { RunRecord } from '../../domain/index.ts';
import { htmlOfRun, saveRun } from '../../report/index.ts';
import { writing } from './writing.ts';

/** Where to put what. */
export interface ReportFiles {
  /** A folder for the record. */
  readonly out?: string | undefined;
  /** A file for the page. */
  readonly html?: string | undefined;
}

/** Writes what was asked for. @throws BotError `REPORT_FILE_UNWRITABLE`. */
export function writeReportFiles(record: RunRecord, { out, html }: ReportFiles): void {
  if (out !== undefined) writing(out, () => saveRun(out, record));
  if (html === undefined) return;
  writing(html, () => writeFileSync(html, htmlOfRun(record)));
}
