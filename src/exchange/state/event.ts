/**
 * @module
 * Everything the exchange's log can say: the venue's events and those of access. Each has its identity (seq, sub, idx),
 * the same in frames, pages and backfill (exchange.md#resources).
 */
import type { UnixMs } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';
import type { VenueEvent } from '../engine/index.ts';

/** `sub` of rows that belong to no request: funding, prices, blocks (exchange.md#resources, Ledger entry). */
export const SYSTEM_SUB = 65_535;

/** A change of who may sign, a new subaccount, or something about a vault. */
export type AccessEvent = (
  | {
      readonly kind: 'AgentApproved';
      /** Account number of the venue. */
      readonly account: number;
      /** Address of the API wallet. */
      readonly agent: Address;
      /** Last valid instant of the grant, Unix ms; 0: it never expires. */
      readonly validUntilMs: number;
    }
  | { readonly kind: 'AgentRevoked'; readonly account: number; readonly agent: Address }
  | {
      readonly kind: 'SubaccountCreated';
      /** Account number of the venue. */
      readonly account: number;
      /** Wallet that owns the account. */
      readonly owner: Address;
      /** Number of the subaccount, from 0. */
      readonly subaccount: number;
    }
  | VaultEventBody
) & { readonly seq: number; readonly sub: number; readonly idx: number; readonly blockAtMs: UnixMs };

/** Something that happened to a vault; `account` is who did it, 0: the operator. Shares are in millionths. */
export type VaultEventBody = { readonly vault: number; readonly account: number } & (
  | { readonly kind: 'VaultCreated'; readonly name: string }
  | { readonly kind: 'VaultClaimed' }
  | { readonly kind: 'VaultDeposited'; readonly amount: bigint; readonly shares: bigint }
  | { readonly kind: 'VaultRedeemed'; readonly amount: bigint; readonly shares: bigint }
  | { readonly kind: 'VaultConfigured'; readonly depositCap: bigint; readonly leverageMax: number }
);

/** A change of what an account holds of another token than the collateral, in that token's smallest unit. */
export interface TokenEvent {
  readonly kind: 'TokenAppended';
  /** Account number of the venue. */
  readonly account: number;
  /** Kind of the ledger entry, an open list. */
  readonly entryKind: string;
  /** Number of the token. */
  readonly token: number;
  /** Amount in the smallest unit of its token. */
  readonly amount: bigint;
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Number of the request within the log entry. */
  readonly sub: number;
  /** Number of the event within the request. */
  readonly idx: number;
  /** Time of the block, Unix ms. */
  readonly blockAtMs: UnixMs;
}

/** Any event of the log. */
export type ExchangeEvent = VenueEvent | AccessEvent | TokenEvent;

/** A fill, from either side. */
export type FillEvent = Extract<VenueEvent, { kind: 'Fill' }>;
/** A change of an account's cash. */
export type CashEvent = Extract<VenueEvent, { kind: 'LedgerAppended' }>;
/** An entry of an account's ledger. */
export type LedgerEvent = CashEvent | TokenEvent;
/** A funding settlement of a market. */
export type FundingEvent = Extract<VenueEvent, { kind: 'FundingSettled' }>;

/** The identity of an event as text: `<seq>-<sub>-<idx>`. */
export function eventId(event: { readonly seq: number; readonly sub: number; readonly idx: number }): string {
  return `${event.seq}-${event.sub}-${event.idx}`;
}

/** True for a ledger entry. Only its owner receives it. */
export function isLedgerEvent(event: ExchangeEvent): event is LedgerEvent {
  return event.kind === 'LedgerAppended' || event.kind === 'TokenAppended';
}
