/**
 * @module Runs checks one after the other and records the outcome of each. A check that throws anything but a Deviation
 * fails too: the gateway made it stumble. What a check leaves is cleaned up before the next one.
 */
import { BotError, messageOf } from '../core/index.ts';
import type { Check } from './check.ts';
import { NotOffered } from './expect.ts';
import type { Probe } from './probe.ts';

/** Outcome of a check. */
export type CheckResult = 'passed' | 'failed' | 'skipped';

/** One line of the report. */
export interface CheckReport {
  /** Id of the rule. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly rule: string;
  /** Outcome of the check. */
  readonly result: CheckResult;
  /** What was expected and found, or why it was skipped; empty when it passed. */
  readonly detail: string;
  /** Duration, ms. */
  readonly ms: number;
}

/** A whole run. */
export interface SuiteReport {
  /** Checks that passed. */
  readonly passed: number;
  /** Checks that failed. */
  readonly failed: number;
  /** Checks that could not run. */
  readonly skipped: number;
  /** One report per check, in order. */
  readonly checks: readonly CheckReport[];
}

/** The longest a check may take. */
const CHECK_MS_MAX = 120_000;

/** Runs `checks` through `probe`; `onCheck` hears each result as it comes. */
export async function runSuite(
  probe: Probe,
  checks: readonly Check[],
  onCheck: (report: CheckReport) => void = () => undefined,
): Promise<SuiteReport> {
  const reports: CheckReport[] = [];
  for (const one of checks) {
    const beganAtMs = probe.clock.monotonicMs();
    const { result, detail } = await runOne(probe, one);
    const ms = Math.round(probe.clock.monotonicMs() - beganAtMs);
    const report = { id: one.id, rule: one.rule, result, detail, ms };
    reports.push(report);
    onCheck(report);
  }
  const count = (result: CheckResult) => reports.filter((report) => report.result === result).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), checks: reports };
}

async function runOne(probe: Probe, one: Check): Promise<Pick<CheckReport, 'result' | 'detail'>> {
  if (!probe.can(one.needs)) return { result: 'skipped', detail: `needs ${WHAT_IT_NEEDS[one.needs]}` };
  try {
    try {
      await bounded(probe, one.run(probe));
    } finally {
      await probe.tidy();
    }
    return { result: 'passed', detail: '' };
  } catch (thrown) {
    if (thrown instanceof NotOffered) return { result: 'skipped', detail: thrown.message };
    return { result: 'failed', detail: messageOf(thrown).replace(/^CONFORMANCE_DEVIATION: /, '') };
  }
}

const WHAT_IT_NEEDS = {
  public: 'nothing',
  account: 'an account: --keys',
  control: 'control of the exchange',
} as const;

function bounded(probe: Probe, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = probe.clock.after(CHECK_MS_MAX, () =>
      reject(
        new BotError({
          code: 'CONFORMANCE_CHECK_HANGS',
          message: `expected an end within ${CHECK_MS_MAX} ms, got none`,
          remedy: 'Look at what the gateway does not answer.',
        }),
      ),
    );
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}
