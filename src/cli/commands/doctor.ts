/** @module `ballast doctor`: rows of ok, warn, fail and skip, each with its fix; exit 1 when one fails. */
import type { DoctorRow } from '../../bot/live/index.ts';
import { loadConfig, readEnvironment } from '../../config/index.ts';
import { SystemClock } from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import { examine } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** Examines what a live run of the configuration needs. */
export async function doctor(options: {
  readonly config: string;
  readonly isJson: boolean;
}): Promise<number> {
  const source = loadConfig(options.config);
  const { log, scrubber } = createLog({ level: 'error', isPretty: process.stderr.isTTY === true });
  const rows = await examine({
    source,
    clock: new SystemClock(),
    log,
    scrubber,
    lockFolder: readEnvironment().stateHome,
    onRow: (row) => {
      if (!options.isJson) writeLine(describeRow(row));
    },
  });
  const failed = rows.filter((row) => row.status === 'fail').length;
  if (options.isJson) writeDocument({ schema: 1, ok: failed === 0, rows });
  else
    writeLine(
      failed === 0
        ? 'nothing keeps this configuration from running'
        : `${failed} of ${rows.length} checks failed`,
    );
  return failed === 0 ? EXIT.ok : EXIT.failure;
}

/** A row as lines. */
export function describeRow({ check, status, detail, fix }: DoctorRow): string {
  const line = `${status.padEnd(5)}${check.padEnd(16)}${detail}`;
  return fix === '' ? line : `${line}\n${' '.repeat(21)}fix: ${fix}`;
}
