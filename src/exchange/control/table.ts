/** @module The table of control actions: HTTP, scenarios and docs/reference/control.md are made from it. */
import { ACCOUNT_ACTIONS } from './account-actions.ts';
import type { ControlAction } from './control-action.ts';
import { FAULT_ACTIONS } from './fault-actions.ts';
import { MARKET_ACTIONS } from './market-actions.ts';
import { SETTINGS_ACTIONS } from './settings-actions.ts';

/** All actions, by what they are about. */
export const CONTROL_ACTION_GROUPS: Readonly<Record<string, readonly ControlAction[]>> = {
  'State, time and settings': SETTINGS_ACTIONS,
  'Accounts, money and grants': ACCOUNT_ACTIONS,
  Markets: MARKET_ACTIONS,
  'Faults, streams and history': FAULT_ACTIONS,
};

const BY_NAME: ReadonlyMap<string, ControlAction> = new Map(
  Object.values(CONTROL_ACTION_GROUPS)
    .flat()
    .map((action) => [action.name, action]),
);

/** The action of this name. */
export function controlActionOf(name: string): ControlAction | undefined {
  return BY_NAME.get(name);
}

/** All actions in order. */
export function allControlActions(): readonly ControlAction[] {
  return [...BY_NAME.values()];
}
