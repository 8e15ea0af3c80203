/** @module The table of control verbs: HTTP, scenarios and docs/reference/control.md are made from it. */
import { ACCOUNT_VERBS } from './account-verbs.ts';
import { FAULT_VERBS } from './fault-verbs.ts';
import { MARKET_VERBS } from './market-verbs.ts';
import { SETTINGS_VERBS } from './settings-verbs.ts';
import type { Verb } from './verb.ts';

/** All verbs, by what they are about. */
export const VERB_GROUPS: Readonly<Record<string, readonly Verb[]>> = {
  'State, time and settings': SETTINGS_VERBS,
  'Accounts, money and grants': ACCOUNT_VERBS,
  Markets: MARKET_VERBS,
  'Faults, streams and history': FAULT_VERBS,
};

const BY_NAME: ReadonlyMap<string, Verb> = new Map(
  Object.values(VERB_GROUPS)
    .flat()
    .map((verb) => [verb.name, verb]),
);

/** The verb of this name. */
export function verbOf(name: string): Verb | undefined {
  return BY_NAME.get(name);
}

/** All verbs in order. */
export function allVerbs(): readonly Verb[] {
  return [...BY_NAME.values()];
}
