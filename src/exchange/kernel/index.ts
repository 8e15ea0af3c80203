/** @module The exchange as one object: books, interface and flow on one clock. */

export { Exchange, type ExchangeParts, type OpenedStream, type StreamSession } from './exchange.ts';
export { ExchangeControl, type FundedAccountOptions, type FundedSeedAccount } from './exchange-control.ts';
export type { Standing } from './held-settings.ts';
export type { NamedAccount } from './named-account.ts';
export type { RecordedStep } from './recording.ts';
export { type SeedAccount, seedAccount, type ThrowAwayKey } from './seed-accounts.ts';
export { type ClockMode, SteeredClock } from './steered-clock.ts';
