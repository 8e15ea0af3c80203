/** @module Files that a run leaves for people where a command is asked for them: its folder and its page. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BotError, makeFolder, messageOf } from '../../core/index.ts';
import type { RunRecord } from '../../domain/index.ts';
import { htmlOfRun, saveRun } from '../../report/index.ts';

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
  writing(html, () => {
    makeFolder(dirname(html));
    writeFileSync(html, htmlOfRun(record));
  });
}

/** Writes `path`; on failure nothing is left where nothing was. @throws BotError `REPORT_FILE_UNWRITABLE`. */
export function writing(path: string, write: () => void): void {
  const wasThere = existsSync(path);
  try {
    write();
  } catch (cause) {
    if (!wasThere) rmSync(path, { recursive: true, force: true });
    throw new BotError({
      code: 'REPORT_FILE_UNWRITABLE',
      message: `expected to write ${path}, got ${messageOf(cause)}`,
      remedy: 'Choose a path that exists, can be written and has free space.',
      cause,
    });
  }
}
