/** @module The actions by which people, scenarios and tests control an exchange. */
export type {
  ControlHost,
  ControlState,
  FundedAccountOptions,
  FundedSeedAccount,
  NamedAccount,
} from './control-target.ts';
export { type EphemeralKey, type SeedAccount, seedAccount } from './seed-accounts.ts';
export {
  allControlActions,
  CONTROL_ACTION_GROUPS,
  type ControlAction,
  controlActionOf,
  createExchangeControl,
  type ExchangeControl,
  runControlAction,
} from './table.ts';
