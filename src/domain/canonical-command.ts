/**
 * @module
 * Operations in the numbers of the exchange's own log: account ids, market ids, ticks, lots
 * (exchange.md#command-bytes). The protocol encodes them to canonical bytes, the venue executes them. Field names
 * follow the codec's table.
 */

import type { TimeInForce } from './order.ts';
import type { Side } from './side.ts';

/** An order's number with its market: packed on the wire as market << 48 | orderSeq. */
export interface CanonicalOrderId {
  readonly market: number;
  readonly orderSeq: bigint;
}

/** One order inside a batch (17 bytes on the wire). */
export interface CanonicalOrder {
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  readonly lots: bigint;
  readonly tif: TimeInForce;
  readonly reduceOnly: boolean;
}

/** One order with all that a single placement can carry. Times in Unix ms, 0: none. */
export interface CanonicalPlaceOrder extends CanonicalOrder {
  readonly kind: 'PlaceOrder';
  readonly account: number;
  readonly goodTilMs: number;
  readonly nowMs: number;
  readonly router: number;
  readonly routerFeePpm: number;
}

/** The operations an API wallet may sign, as inner command of AgentExec. */
export type CanonicalCommand =
  | CanonicalPlaceOrder
  | { readonly kind: 'CancelOrder'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'SetLeverage';
      readonly account: number;
      readonly market: number;
      readonly customImfPpm: number;
    }
  | { readonly kind: 'BatchCancel'; readonly account: number; readonly orderIds: readonly CanonicalOrderId[] }
  | (CanonicalOrder & {
      readonly kind: 'PlaceConditional';
      readonly account: number;
      readonly goodTilMs: number;
      readonly triggerPrice: number;
      readonly triggerAbove: boolean;
      readonly nowMs: number;
    })
  | { readonly kind: 'CancelConditional'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'PlaceTwap';
      readonly account: number;
      readonly market: number;
      readonly side: Side;
      readonly totalLots: bigint;
      readonly slices: number;
      readonly intervalMs: number;
      readonly priceTolerancePpm: number;
      readonly reduceOnly: boolean;
      readonly nowMs: number;
    }
  | { readonly kind: 'CancelTwap'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'ModifyOrder';
      readonly account: number;
      readonly orderId: CanonicalOrderId;
      readonly price: number;
      readonly lots: bigint;
      readonly tif: TimeInForce;
      readonly reduceOnly: boolean;
      readonly goodTilMs: number;
      readonly nowMs: number;
    }
  | {
      readonly kind: 'ScheduleCancel';
      readonly account: number;
      readonly triggerMs: number;
      readonly nowMs: number;
    }
  | {
      readonly kind: 'PlaceTpslPair';
      readonly account: number;
      readonly market: number;
      readonly closeSide: Side;
      readonly lots: bigint;
      readonly tpTrigger: number;
      readonly tpPrice: number;
      readonly slTrigger: number;
      readonly slPrice: number;
      readonly positionTpsl: boolean;
      /** `undefined`: no parent (u64 max on the wire). */
      readonly parentOrderId: CanonicalOrderId | undefined;
      readonly nowMs: number;
    }
  | {
      readonly kind: 'BatchPlace';
      readonly account: number;
      readonly nowMs: number;
      readonly orders: readonly CanonicalOrder[];
    }
  | {
      readonly kind: 'BatchReplace';
      readonly account: number;
      readonly nowMs: number;
      readonly cancels: readonly CanonicalOrderId[];
      readonly orders: readonly CanonicalOrder[];
    }
  /** Not in any known codec: tag 0xF0, x-assumed. */
  | { readonly kind: 'CancelAll'; readonly account: number };

/** What only a main wallet may sign as well: grants, subaccounts, and its dealings with vaults. */
export type MainWalletOperation =
  | {
      readonly kind: 'ApproveAgent';
      readonly account: number;
      readonly agent: string;
      readonly validUntilMs: number;
    }
  | { readonly kind: 'RevokeAgent'; readonly account: number; readonly agent: string }
  | { readonly kind: 'CreateSubaccount'; readonly account: number }
  | VaultOperation;

/**
 * What a participant signs for its own account. `vault` is the number of the vault's account; amounts and shares
 * are in quantums of collateral and in millionths of a share (own choice: shares count as finely as collateral).
 */
export type VaultOperation =
  | { readonly kind: 'CreateVault'; readonly account: number; readonly name: string }
  | {
      readonly kind: 'DepositVault';
      readonly account: number;
      readonly vault: number;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'RedeemVault';
      readonly account: number;
      readonly vault: number;
      readonly shares: bigint;
    }
  /** The account becomes the one whose wallet, and whose API wallets, trade for the vault. */
  | { readonly kind: 'ClaimVault'; readonly account: number; readonly vault: number }
  | {
      readonly kind: 'ConfigureVault';
      readonly account: number;
      readonly vault: number;
      /** 0: none. */
      readonly depositCap: bigint;
      /** 0: none. */
      readonly leverageMax: number;
    };
