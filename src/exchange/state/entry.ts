/**
 * @module
 * What the exchange's log holds. Everything that changes the state is one of these entries at one position, so a
 * replica is the same entries applied later, and a run is repeated by repeating them.
 */
import type { Address, CanonicalCommand, Quantums } from '../../domain/index.ts';
import type { CommandOutcome, MarketRules } from '../engine/index.ts';
import type { ExchangeEvent } from './event.ts';
import type { Receipt, VerifiedRequest } from './request.ts';

/** A rejection that nothing in the request asks for. */
export interface ForcedRejection {
  /** Reason name. */
  readonly reason: string;
  /** True if the rejection uses up the nonce. */
  readonly isNonceConsumed: boolean;
}

/** One entry of the log. */
export type LogEntry =
  | { readonly kind: 'block' }
  /** `forced`: it does nothing but end so; such as a refusal that costs its nonce (`A6=consumed`). */
  | { readonly kind: 'request'; readonly request: VerifiedRequest; readonly forced?: ForcedRejection }
  | {
      readonly kind: 'deposit';
      /** Wallet that owns the account. */
      readonly owner: Address;
      /** Number of the subaccount, from 0. */
      readonly subaccount: number;
      /** In the smallest unit of the token. */
      readonly amount: bigint;
      /** Its number; absent: the collateral. */
      readonly token?: number | undefined;
    }
  | { readonly kind: 'withdrawal'; readonly account: number; readonly amount: Quantums }
  | { readonly kind: 'transfer'; readonly from: number; readonly to: number; readonly amount: Quantums }
  /** A vault that waits for its manager; without a creator it is the operator's. */
  | { readonly kind: 'freshVault'; readonly name: string; readonly creator: Address | undefined }
  | { readonly kind: 'flowAccount'; readonly cash: Quantums }
  | { readonly kind: 'flowDeposit'; readonly account: number; readonly cash: Quantums }
  | { readonly kind: 'flowCommand'; readonly command: CanonicalCommand }
  | { readonly kind: 'indexPrice'; readonly market: number; readonly indexTicks: number }
  | { readonly kind: 'marketStatus'; readonly market: number; readonly status: string }
  | { readonly kind: 'marketRules'; readonly market: number; readonly rules: MarketRules }
  | { readonly kind: 'endSwitch'; readonly account: number; readonly how: 'fire' | 'forget' }
  | { readonly kind: 'switchLead'; readonly leadMs: number }
  | { readonly kind: 'fundingDue' }
  /** `rolledBackTo`: what came after this position never happened. */
  | { readonly kind: 'epoch'; readonly epoch: string; readonly rolledBackTo?: number };

/** What an entry led to. */
export interface Applied {
  /** Events of the entry, in log order. */
  readonly events: readonly ExchangeEvent[];
  /** Of a request. */
  readonly receipt?: Receipt;
  /** Of a flow's command. */
  readonly outcome?: CommandOutcome;
  /** The account that was made or that received a deposit. */
  readonly account?: number;
  /** Of a transfer or a withdrawal: false when the cash does not reach. */
  readonly isDone?: boolean;
}
