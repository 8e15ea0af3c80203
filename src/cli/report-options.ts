/** @module The options for files that a run leaves for people; `report-files.ts` writes them, when there is something. */
import { textOption } from './options.ts';

/** `--html`. */
export const htmlOption = textOption('Write the report as one page to this file; it opens offline');
/** `--html` of a run that goes on for a while; `--report` says the same. */
export const pageOption = { ...htmlOption, alias: 'report' } as const;
/** `--out`. */
export const outOption = textOption('Keep the record of the run in this folder, for ballast report');
