/**
 * @module The table of control actions. All ways to control an exchange are made from it: HTTP, scenarios, the methods
 * of `exchange.control`, docs/reference/control.md. An action is added in one file, the file of its group.
 */
import {
  type ActionMethods,
  type ActionOn,
  actionMethods,
  invalidField,
  runAction,
} from '../../core/index.ts';
import { ACCOUNT_ACTIONS } from './account-actions.ts';
import { type ControlParts, ControlTarget } from './control-target.ts';
import { FAULT_ACTIONS } from './fault-actions.ts';
import { MARKET_ACTIONS } from './market-actions.ts';
import { SETTINGS_ACTIONS } from './settings-actions.ts';

/** One thing that can be done to an exchange from outside its interface. */
export type ControlAction = ActionOn<ControlTarget>;

/** All actions by their subject. */
export const CONTROL_ACTION_GROUPS: Readonly<Record<string, readonly ControlAction[]>> = {
  'State, time and settings': SETTINGS_ACTIONS,
  'Accounts, funds and grants': ACCOUNT_ACTIONS,
  Markets: MARKET_ACTIONS,
  'Faults, streams and history': FAULT_ACTIONS,
};

const ALL = [...SETTINGS_ACTIONS, ...ACCOUNT_ACTIONS, ...MARKET_ACTIONS, ...FAULT_ACTIONS] as const;

const BY_NAME: ReadonlyMap<string, ControlAction> = new Map(
  ALL.map((action): [string, ControlAction] => [action.name, action]),
);

/** The control of an exchange: each action of the table as a method, and what only code can ask for. */
export type ExchangeControl = ControlTarget & ActionMethods<(typeof ALL)[number]>;

/** The control over these parts. */
export function createExchangeControl(parts: ControlParts): ExchangeControl {
  const target = new ControlTarget(parts);
  return Object.assign(target, actionMethods<ControlTarget, (typeof ALL)[number]>(target, ALL));
}

/** The action of this name. */
export function controlActionOf(name: string): ControlAction | undefined {
  return BY_NAME.get(name);
}

/** All actions in order. */
export function allControlActions(): readonly ControlAction[] {
  return ALL;
}

/**
 * Runs an action by name with parameters that are not parsed yet; gives its result. @throws BotError `CONTROL_INVALID`,
 * `CONTROL_REFUSED`.
 */
export async function runControlAction(
  control: ControlTarget,
  name: string,
  input: unknown,
): Promise<object> {
  const action = controlActionOf(name);
  if (action === undefined) throw invalidField('action', 'an action of docs/reference/control.md', name);
  return runAction(action, control, input);
}
