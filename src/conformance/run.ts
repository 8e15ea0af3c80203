/**
 * @module
 * One run of the suite against one gateway: which checks, with whose keys, on which stage. An environment that calls
 * itself production is refused unless that is meant.
 */
import { type Clock, ConfigError, type Random } from '../core/index.ts';
import { loadCrypto } from '../wire/crypto/index.ts';
import { type Check, sectionOf } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { Gate, type Tap } from './gate.ts';
import { readTraderKeys } from './keys.ts';
import type { Stage } from './stage.ts';
import { type CheckReport, runSuite, type SuiteReport } from './suite.ts';

/** What a run takes. */
export interface RunOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly stage?: Stage | undefined;
  /** Text of a file of keys. */
  readonly keys?: string | undefined;
  /** Ids of checks or of sections, with commas between them. */
  readonly only?: string | undefined;
  readonly isProductionMeant?: boolean;
  readonly tap?: Tap;
  readonly onCheck?: (report: CheckReport) => void;
}

/**
 * Runs the suite.
 * @throws ConfigError when `only` names nothing, keys are unreadable, or the environment is production without being
 * meant; what the gateway's first answers throw when it is none.
 */
export async function runConformance(options: RunOptions): Promise<SuiteReport> {
  const checks = chosenChecks(options.only);
  const crypto = await loadCrypto();
  const { baseUrl, clock, random, stage, keys, tap } = options;
  const gate = new Gate({
    baseUrl,
    clock,
    random,
    crypto,
    ...(stage === undefined ? {} : { stage }),
    ...(keys === undefined ? {} : { keys: readTraderKeys(keys, crypto) }),
    ...(tap === undefined ? {} : { tap }),
  });
  try {
    await gate.start();
    if (options.isProductionMeant !== true) await refuseProduction(gate);
    return await runSuite(gate, checks, options.onCheck);
  } finally {
    await gate.close();
  }
}

/** The checks whose id or section is named; all of them when nothing is. @throws ConfigError for a name of none. */
export function chosenChecks(only: string | undefined): readonly Check[] {
  if (only === undefined) return CHECKS;
  const names = only.split(',').map((name) => name.trim());
  const isNamed = (id: string, name: string) => id === name || sectionOf(id) === name;
  const unknown = names.find((name) => !CHECKS.some(({ id }) => isNamed(id, name)));
  if (unknown !== undefined) {
    throw new ConfigError({
      code: 'CONFORMANCE_CHECK_UNKNOWN',
      message: `expected the id of a check or of a section, found ${JSON.stringify(unknown.slice(0, 40))}`,
      remedy:
        'Name a section like GW-PAGES or a check like GW-PAGES-3; docs/reference/contract.md lists them.',
    });
  }
  return CHECKS.filter(({ id }) => names.some((name) => isNamed(id, name)));
}

/** The interface has no field for it: a name with `prod` or `mainnet`, or the chain id of Ethereum, counts (own choice). */
async function refuseProduction(gate: Gate): Promise<void> {
  const { body } = await gate.get('/v1/exchange');
  const isMain = String(gate.domain.chainId) === '1';
  if (!isMain && !/prod|mainnet/i.test(body)) return;
  throw new ConfigError({
    code: 'CONFORMANCE_PRODUCTION',
    message: 'expected a test environment, found one that calls itself production',
    remedy: 'Run against a test environment, or say --production when you mean it.',
  });
}
