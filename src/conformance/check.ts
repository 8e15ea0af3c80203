/** @module One check: a rule, what it takes to check it, and how. */
import type { Probe } from './probe.ts';
import { RULES, type RuleId } from './rules.ts';

/** What a check needs: nothing, an account with keys, or the controls of the exchange. */
export type Needs = 'public' | 'account' | 'control';

/** One check. */
export interface Check {
  /** Id of the rule. */
  readonly id: RuleId;
  /** The rule in words, with its contract id in brackets. */
  readonly rule: string;
  /** What the check requires. */
  readonly needs: Needs;
  /** Rejects with a Deviation when the rule does not hold. */
  run(probe: Probe): Promise<void>;
}

/** A check of the rule `id`. */
export function check(id: RuleId, needs: Needs, run: (probe: Probe) => Promise<void>): Check {
  return { id, rule: RULES[id], needs, run };
}

/** The section of an id: `GW-PAGES` of `GW-PAGES-3`. */
export function sectionOf(id: string): string {
  return id.replace(/-[0-9]+$/, '');
}
