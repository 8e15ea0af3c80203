/** @module The composition root: builds runs out of rooms. */
export { type ExchangeChild, type FundedAccount, startExchangeChild } from './exchange-child.ts';
export {
  type ExchangeHostOptions,
  type HostedExchange,
  hostExchange,
  type ServedExchange,
  serveExchange,
} from './exchange-host.ts';
export { approveWallets, type MadeGrant, type MadeKey, makeKeyFile } from './key-commands.ts';
export { type BotBooks, type Proof, type ProofParts, prove } from './proof.ts';
export { isProven, type RunReport } from './run-report.ts';
export type { MarketStatus, RunStatus } from './run-status.ts';
export { listenForStop, type StopReason, type StopSignal } from './stop-signal.ts';
