/**
 * @module
 * One run of the suite against one gateway: which checks, with whose keys, on which harness. An environment that calls
 * itself production is refused unless that is meant.
 */
import { type Clock, ConfigError, type Random } from '../core/index.ts';
import { loadCrypto } from '../wire/crypto/index.ts';
import { type Check, sectionOf } from './check.ts';
import { CHECKS } from './checks/index.ts';
import type { Harness } from './harness.ts';
import { readTraderKeys } from './keys.ts';
import { Probe, type Tap } from './probe.ts';
import { type CheckReport, runSuite, type SuiteReport } from './suite.ts';

/** What a run takes. */
export interface RunOptions {
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Random generator; the same seed gives the same run. */
  readonly random: Random;
  /** Gives funded accounts and controls; `undefined`: checks that need them are skipped. */
  readonly harness?: Harness | undefined;
  /** Text of a file of keys. */
  readonly keys?: string | undefined;
  /** Ids of checks or of sections, with commas between them. */
  readonly only?: string | undefined;
  /** True to allow a run against production; default false. */
  readonly isProductionMeant?: boolean;
  /** Receives each response and frame; absent: none. */
  readonly tap?: Tap;
  /** Called as each check finishes; absent: no progress. */
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
  const { baseUrl, clock, random, harness, keys, tap } = options;
  const probe = new Probe({
    baseUrl,
    clock,
    random,
    crypto,
    ...(harness === undefined ? {} : { harness }),
    ...(keys === undefined ? {} : { keys: readTraderKeys(keys, crypto) }),
    ...(tap === undefined ? {} : { tap }),
  });
  try {
    await probe.start();
    if (options.isProductionMeant !== true) await refuseProduction(probe);
    return await runSuite(probe, checks, options.onCheck);
  } finally {
    await probe.close();
  }
}

/** The checks whose id or section is named; all of them when nothing is. @throws ConfigError for a name of none. */
function chosenChecks(only: string | undefined): readonly Check[] {
  if (only === undefined) return CHECKS;
  const names = only.split(',').map((name) => name.trim());
  const isNamed = (id: string, name: string) => id === name || sectionOf(id) === name;
  const unknown = names.find((name) => !CHECKS.some(({ id }) => isNamed(id, name)));
  if (unknown !== undefined) {
    throw new ConfigError({
      code: 'CONFORMANCE_CHECK_UNKNOWN',
      message: `expected the id of a check or of a section, got ${JSON.stringify(unknown.slice(0, 40))}`,
      remedy:
        'Name a section like GW-PAGES or a check like GW-PAGES-3; docs/reference/interface-rules.md lists them.',
    });
  }
  return CHECKS.filter(({ id }) => names.some((name) => isNamed(id, name)));
}

/** The interface has no field for it: a name with `prod` or `mainnet`, or the chain id of Ethereum, counts (own choice). */
async function refuseProduction(probe: Probe): Promise<void> {
  const { body } = await probe.get('/v1/exchange');
  const isMain = String(probe.domain.chainId) === '1';
  if (!isMain && !/prod|mainnet/i.test(body)) return;
  throw new ConfigError({
    code: 'CONFORMANCE_PRODUCTION',
    message: 'expected a test environment, got one that calls itself production',
    remedy: 'Run against a test environment, or say --production when you mean it.',
  });
}
