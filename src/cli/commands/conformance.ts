/**
 * @module
 * `ballast conformance`: checks a gateway, by default an embedded exchange that it starts for itself. Keys of an account
 * come from a file of mode 600; what rests is canceled at the end, and a production environment needs a flag.
 */
import { writeFileSync } from 'node:fs';
import { readKeyFile } from '../../config/index.ts';
import {
  type CheckReport,
  Coverage,
  type CoverageReport,
  type Harness,
  jsonReport,
  junitReport,
  loadDocument,
  openHttpHarness,
  runConformance,
  textReport,
} from '../../conformance/index.ts';
import { type Clock, freshSeed, SystemClock, seededRandom } from '../../core/index.ts';
import { startConformanceHarness } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** What `conformance` takes. */
export interface ConformanceOptions {
  /** `undefined`: an embedded exchange. */
  readonly url: string | undefined;
  /** File with the keys of an account. */
  readonly keys: string | undefined;
  /** Ids of checks or sections, with commas between them. */
  readonly only: string | undefined;
  readonly isJson: boolean;
  /** File for the JUnit report. */
  readonly junit: string | undefined;
  /** Tell what the OpenAPI document promises and nobody saw. */
  readonly isCoverage: boolean;
  /** The environment calls itself production, and that is meant. */
  readonly isProduction: boolean;
  readonly isVerbose: boolean;
}

/** Runs the suite; 0 when no check failed. */
export async function conformance(options: ConformanceOptions): Promise<number> {
  const clock = new SystemClock();
  const { baseUrl, harness } = await gatewayOf(options, clock);
  const coverage = options.isCoverage ? new Coverage(loadDocument()) : undefined;
  try {
    const report = await runConformance({
      baseUrl,
      clock,
      random: seededRandom(freshSeed()),
      harness,
      keys: options.keys === undefined ? undefined : readKeyFile(options.keys),
      only: options.only,
      isProductionMeant: options.isProduction,
      ...(coverage === undefined ? {} : { tap: coverage }),
      onCheck: (check) => {
        if (options.isVerbose) process.stderr.write(`${lineOf(check)}\n`);
      },
    });
    if (options.junit !== undefined) writeFileSync(options.junit, junitReport(report));
    const seen = coverage?.report();
    if (options.isJson)
      writeDocument(seen === undefined ? jsonReport(report) : { ...jsonReport(report), coverage: seen });
    else writeLine([textReport(report), ...(seen === undefined ? [] : linesOf(seen))].join('\n'));
    return report.failed === 0 ? EXIT.ok : EXIT.failure;
  } finally {
    await harness?.close();
  }
}

/** An embedded exchange, or the one at the URL with its control where it serves one and no keys are given. */
async function gatewayOf(
  { url, keys }: ConformanceOptions,
  clock: Clock,
): Promise<{ readonly baseUrl: string; readonly harness: Harness | undefined }> {
  if (url === undefined) return startConformanceHarness({ clock });
  return { baseUrl: url, harness: keys === undefined ? await openHttpHarness(url, clock) : undefined };
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
