/** @module The state of the exchange behind its interface, and the one order in which they change. */
export type { FillRow } from './account-history.ts';
export { grantRefusalOf } from './authorize.ts';
export { type Bar, isCandleInterval } from './candles.ts';
export { COLLATERAL_DECIMALS, defaultMarkets, type PerpetualSpec, perpetual } from './default-markets.ts';
export type { DexSettings } from './dexes.ts';
export type { Applied, ForcedRejection, LogEntry } from './entry.ts';
export { EntryLog, type RowKey } from './entry-log.ts';
export {
  type CashEvent,
  type ExchangeEvent,
  eventId,
  type FillEvent,
  type FundingEvent,
  isLedgerEvent,
  type LedgerEvent,
} from './event.ts';
export { ExchangeState } from './exchange-state.ts';
export { type Grant, isExpired } from './grants.ts';
export type { PublicEvent } from './history.ts';
export { accountScope, agentScope } from './nonces.ts';
export { epochName } from './opening.ts';
export type { ValueSample } from './portfolios.ts';
export {
  defaultQuirks,
  parseQuirk,
  QUIRK_IDS,
  QUIRKS,
  type QuirkId,
  type QuirkListener,
  QuirkSwitches,
  type Quirks,
  type QuirkValue,
} from './quirks.ts';
export { type OwnedAccount, Registry } from './registry.ts';
export type { ReplicaView } from './replica.ts';
export type { Operation, Receipt, VaultEffect, VerifiedRequest } from './request.ts';
export { type EntryListener, Sequencer } from './sequencer.ts';
export {
  defaultSettings,
  type ExchangeDomain,
  type ExchangeSettings,
  type ResolvedSettings,
  resolveSettings,
} from './settings.ts';
export { navPerShare, type ShareBook, worthOf } from './shares.ts';
export { type TokenAmount, TokenBalances } from './token-balances.ts';
export { COLLATERAL, type ListedToken, listedToken, TOKENS, tokenText } from './tokens.ts';
export { type AccountHolder, type NavSample, type Stake, Vault, Vaults } from './vaults.ts';
