/** @module `ballast doctor`: rows of ok, warn, fail and skip, each with its fix; exit 1 when one fails. */
import type { Argv } from 'yargs';
import type { DoctorRow } from '../bot/live/index.ts';
import { labeledText, SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, jsonOption, SAID_OPTIONS, saidBy } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const JSON_OPTIONS = { json: jsonOption } as const;

/** Adds `doctor` to the command line. */
export function doctorCommand(cli: Argv): Argv {
  return cli.command(
    'doctor [config]',
    'Check everything a live run needs; each finding with its fix',
    (one) =>
      one
        .positional('config', {
          type: 'string',
          default: './ballast.yaml',
          describe: 'Configuration file (YAML)',
        })
        .options({ ...SAID_OPTIONS, ...JSON_OPTIONS }),
    (args) => run(() => doctor(args.config, args)),
  );
}

async function doctor(file: string, args: Given<typeof SAID_OPTIONS & typeof JSON_OPTIONS>): Promise<number> {
  const isJson = args.json === true;
  const { loadConfig, requireLive } = await import('../config/index.ts');
  const { readEnvironment } = await import('../core/environment/index.ts');
  const source = loadConfig(file);
  requireLive(source);
  const { createLog } = await import('../core/telemetry/index.ts');
  const { examine } = await import('../bot/live/index.ts');
  const log = createLog({ level: 'error', isPretty: process.stderr.isTTY === true });
  const rows = await examine({
    source,
    clock: new SystemClock(),
    log,
    lockFolder: readEnvironment().stateHome,
    said: saidBy(args),
    onRow: (row) => {
      if (!isJson) writeLine(describeRow(row));
    },
  });
  const failed = rows.filter((row) => row.status === 'fail').length;
  if (isJson) writeDocument({ schema: 1, ok: failed === 0, rows });
  else
    writeLine(
      failed === 0
        ? `nothing keeps this configuration from running with --mode ${source.config.environment.name === 'sim' ? 'sim' : 'live'}`
        : `${failed} of ${rows.length} checks failed`,
    );
  return failed === 0 ? EXIT.ok : EXIT.failure;
}

/** Where the texts of the rows begin. */
const TEXT_AT = 21;

/** A row as lines. */
function describeRow({ check, status, detail, fix }: DoctorRow): string {
  const line = labeledText(`${status.padEnd(5)}${check.padEnd(16)}`, detail, TEXT_AT);
  return fix === '' ? line : `${line}\n${labeledText('', `fix: ${fix}`, TEXT_AT)}`;
}
