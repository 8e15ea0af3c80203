/**
 * @module
 * A process with one wrong exchange, or with the right one: runs the checks it is told to and sends what became of them.
 * Arguments: the defect as JSON (or `none`) and the ids of checks. Nothing of the product is imported before the change
 * is in.
 */
import { pathToFileURL } from 'node:url';
import { install } from '../mutants/apply.ts';
import type { Defect } from './defect.ts';

async function main(defect: Defect | undefined, only: string): Promise<void> {
  const root = pathToFileURL(`${import.meta.dirname}/../../`).href;
  const notLoaded = defect === undefined ? () => [] : install(defect, root);
  const { startConformanceExchange } = await import('../../src/cli/compose/index.ts');
  const { Harness, runConformance } = await import('../../src/conformance/index.ts');
  const { seededRandom, SystemClock } = await import('../../src/core/index.ts');
  const clock = new SystemClock();
  const { baseUrl, control } = await startConformanceExchange({ clock });
  const harness = await Harness.open(control);
  const report = await runConformance({ baseUrl, clock, random: seededRandom(1), harness, only });
  const missing = notLoaded();
  if (missing.length > 0) throw new Error(`expected ${missing.join(', ')} to be part of the exchange`);
  await new Promise<void>((sent) => {
    process.send?.(report, () => sent());
  });
  process.exit(0);
}

const [, , json = 'none', only = ''] = process.argv;
await main(json === 'none' ? undefined : (JSON.parse(json) as Defect), only);
