/** @module A live run with the checks of the doctor before it: what keeps it from starting has the id of its check. */
import type { ConfigSource } from '../../config/index.ts';
import { loadConfiguredCrypto, operatorStructs, type Prepared, prepareStrategies } from '../setup/index.ts';
import { Examination, type ExaminationOptions } from './checks/examination.ts';
import { accountChecksOf } from './checks/gateway-checks.ts';
import { type Host, thisHost } from './checks/host.ts';
import { withCheck } from './checks/list.ts';
import { keepSteps } from './checks/market-checks.ts';
import { refuseUnready } from './checks/refuse.ts';
import type { RunReport } from './proof/run-report.ts';
import { type RunOptions, runPrepared } from './run.ts';

/** A run that is checked before it starts. */
export interface CheckedRunOptions extends RunOptions, Pick<ExaminationOptions, 'said'> {
  /** Absent: this machine. */
  readonly host?: Host;
}

/**
 * Makes the checks of the doctor, runs until the stop is asked for, and proves the end.
 * @throws what keeps a run from starting, with the id of its check: the same error that the doctor names.
 */
export async function runBot(options: CheckedRunOptions): Promise<RunReport> {
  const look = new Examination({ host: thisHost, ...options });
  let hasStarted = false;
  try {
    await refuseUnready(look, 'machine');
    const prepared = await prepareChecked(options.source);
    return await runPrepared(
      {
        ...options,
        ready: async (opened) => {
          const at = new Examination(look.options, opened);
          await refuseUnready(at, 'gateway');
          keepSteps(accountChecksOf(at));
        },
        show: (status) => {
          hasStarted = true;
          return options.show(status);
        },
      },
      prepared,
    );
  } catch (thrown) {
    throw hasStarted ? thrown : withCheck(thrown);
  }
}

/** Reads what a run reads from files; what cannot be used has the id of its check. */
async function prepareChecked(source: ConfigSource): Promise<Prepared> {
  const as = <T>(check: string, work: () => T | Promise<T>): Promise<T> =>
    Promise.resolve()
      .then(work)
      .catch((thrown: unknown) => {
        throw withCheck(thrown, check);
      });
  return {
    strategies: await as('strategies', () => prepareStrategies(source)),
    crypto: await as('signing', () => loadConfiguredCrypto(source)),
    structs: await as('structs', () => operatorStructs(source)),
  };
}
