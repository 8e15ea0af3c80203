/**
 * @module
 * `ballast conformance`: checks a gateway, by default an embedded exchange that it starts for itself. Keys of an account
 * come from a file of mode 600; what rests is canceled at the end, and a production environment needs a flag.
 */
import { writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import type { CheckReport, CoverageReport, Harness } from '../conformance/index.ts';
import { type Clock, freshSeed, SystemClock, seededRandom } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, type Given, jsonOption, textOption } from './terminal/options.ts';
import { writeDocument, writeLine, writeNote } from './terminal/output.ts';
import { writing } from './terminal/writing.ts';

const OPTIONS = {
  'base-url': textOption('Check the gateway at this address, without /v1'),
  keys: textOption('Use the account and API wallet keys of this file (mode 600)'),
  only: textOption('Run only these checks or sections, such as GW-PAGES'),
  json: jsonOption,
  junit: textOption('Write the report as JUnit XML to this file'),
  production: flagOption('Required to run against production'),
  coverage: flagOption('List OpenAPI names that no check covered'),
  verbose: flagOption('Print each check as it finishes'),
} as const;

/** Adds `conformance` to the command line. */
export function conformanceCommand(cli: Argv): Argv {
  return cli.command(
    'conformance',
    'Check a gateway, or the embedded exchange, rule by rule',
    (one) => one.options(OPTIONS),
    (args) => run(() => conformance(args)),
  );
}

/** Runs the suite; 0 when no check failed. */
async function conformance(args: Given<typeof OPTIONS>): Promise<number> {
  const { readKeyFile } = await import('../config/index.ts');
  const { Coverage, jsonReport, junitReport, loadDocument, runConformance, textReport } = await import(
    '../conformance/index.ts'
  );
  const clock = new SystemClock();
  const { baseUrl, harness } = await gatewayOf(args, clock);
  const coverage = args.coverage ? new Coverage(loadDocument()) : undefined;
  try {
    const report = await runConformance({
      baseUrl,
      clock,
      random: seededRandom(freshSeed()),
      harness,
      keys: args.keys === undefined ? undefined : readKeyFile(args.keys),
      only: args.only,
      isProductionMeant: args.production === true,
      ...(coverage === undefined ? {} : { tap: coverage }),
      onCheck: (check) => {
        if (args.verbose) writeNote(lineOf(check));
      },
    });
    const { junit } = args;
    if (junit !== undefined) writing(junit, () => writeFileSync(junit, junitReport(report)));
    const seen = coverage?.report();
    const document = jsonReport(report);
    if (args.json) writeDocument(seen === undefined ? document : { ...document, coverage: seen });
    else writeLine([textReport(report), ...(seen === undefined ? [] : linesOf(seen))].join('\n'));
    return report.failed === 0 ? EXIT.ok : EXIT.failure;
  } finally {
    await harness?.close();
  }
}

/** An embedded exchange, or the one at the URL with its control where it serves one and no keys are given. */
async function gatewayOf(
  { 'base-url': baseUrl, keys }: Given<typeof OPTIONS>,
  clock: Clock,
): Promise<{ readonly baseUrl: string; readonly harness: Harness | undefined }> {
  const { Harness, openHttpHarness } = await import('../conformance/index.ts');
  if (baseUrl === undefined) {
    const { startConformanceExchange } = await import('./compose/index.ts');
    const started = await startConformanceExchange({ clock });
    return { baseUrl: started.baseUrl, harness: await Harness.open(started.control) };
  }
  return { baseUrl, harness: keys === undefined ? await openHttpHarness(baseUrl, clock) : undefined };
}

function linesOf({ seen, total, missing }: CoverageReport): readonly string[] {
  return [
    `${seen} of ${total} names of the OpenAPI document seen`,
    ...missing.map((name) => `  not seen: ${name}`),
  ];
}

function lineOf({ id, result, detail, ms }: CheckReport): string {
  return `${result.padEnd(8)}${id.padEnd(18)}${String(ms).padStart(6)} ms  ${detail}`;
}
