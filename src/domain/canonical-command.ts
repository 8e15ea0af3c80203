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
  /** The market's number in signed structs. */
  readonly market: number;
  /** Number of the order within its market. */
  readonly orderSeq: bigint;
}

/** One order inside a batch (17 bytes on the wire). */
export interface CanonicalOrder {
  /** The market's number in signed structs. */
  readonly market: number;
  readonly side: Side;
  /** Limit price, ticks. */
  readonly price: number;
  /** Size, lots. */
  readonly lots: bigint;
  readonly tif: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
}

/** One order with all that a single placement can carry. Times in Unix ms, 0: none. */
export interface CanonicalPlaceOrder extends CanonicalOrder {
  readonly kind: 'PlaceOrder';
  /** The account's number at the exchange. */
  readonly account: number;
  readonly goodTilMs: number;
  /** The time base of expiry: the exchange's time at signing, Unix ms. */
  readonly nowMs: number;
  /** Account number of the builder that routed the order. */
  readonly router: number;
  readonly routerFeePpm: number;
}

/** The operations an API wallet may sign, as inner command of AgentExec. */
export type CanonicalCommand =
  | CanonicalPlaceOrder
  | { readonly kind: 'CancelOrder'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'SetLeverage';
      /** The account's number at the exchange. */
      readonly account: number;
      /** The market's number in signed structs. */
      readonly market: number;
      readonly customImfPpm: number;
    }
  | { readonly kind: 'BatchCancel'; readonly account: number; readonly orderIds: readonly CanonicalOrderId[] }
  | (CanonicalOrder & {
      readonly kind: 'PlaceConditional';
      /** The account's number at the exchange. */
      readonly account: number;
      readonly goodTilMs: number;
      /** Index price of the trigger, ticks. */
      readonly triggerPrice: number;
      /** True: triggers at or above the price; false: at or below. */
      readonly triggerAbove: boolean;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
    })
  | { readonly kind: 'CancelConditional'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'PlaceTwap';
      /** The account's number at the exchange. */
      readonly account: number;
      /** The market's number in signed structs. */
      readonly market: number;
      readonly side: Side;
      /** Size of all slices, lots. */
      readonly totalLots: bigint;
      /** Number of slices. */
      readonly slices: number;
      /** Time between two slices, ms. */
      readonly intervalMs: number;
      readonly priceTolerancePpm: number;
      /** True: the order may only make a position smaller. */
      readonly reduceOnly: boolean;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
    }
  | { readonly kind: 'CancelTwap'; readonly account: number; readonly orderId: CanonicalOrderId }
  | {
      readonly kind: 'ModifyOrder';
      /** The account's number at the exchange. */
      readonly account: number;
      readonly orderId: CanonicalOrderId;
      /** Limit price, ticks. */
      readonly price: number;
      /** Size, lots. */
      readonly lots: bigint;
      readonly tif: TimeInForce;
      /** True: the order may only make a position smaller. */
      readonly reduceOnly: boolean;
      readonly goodTilMs: number;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
    }
  | {
      readonly kind: 'ScheduleCancel';
      /** The account's number at the exchange. */
      readonly account: number;
      /** When all orders are canceled, Unix ms; 0 clears it. */
      readonly triggerMs: number;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
    }
  | {
      readonly kind: 'PlaceTpslPair';
      /** The account's number at the exchange. */
      readonly account: number;
      /** The market's number in signed structs. */
      readonly market: number;
      readonly closeSide: Side;
      /** Size, lots. */
      readonly lots: bigint;
      /** Index price of the take-profit, ticks; 0: none. */
      readonly tpTrigger: number;
      /** Limit price of the take-profit order, ticks. */
      readonly tpPrice: number;
      /** Index price of the stop-loss, ticks; 0: none. */
      readonly slTrigger: number;
      /** Limit price of the stop-loss order, ticks. */
      readonly slPrice: number;
      readonly positionTpsl: boolean;
      /** `undefined`: no parent (u64 max on the wire). */
      readonly parentOrderId: CanonicalOrderId | undefined;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
    }
  | {
      readonly kind: 'BatchPlace';
      /** The account's number at the exchange. */
      readonly account: number;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
      readonly nowMs: number;
      readonly orders: readonly CanonicalOrder[];
    }
  | {
      readonly kind: 'BatchReplace';
      /** The account's number at the exchange. */
      readonly account: number;
      /** The time base of expiry: the exchange's time at signing, Unix ms. */
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
      /** The account's number at the exchange. */
      readonly account: number;
      /** Address of the API wallet. */
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
      /** The account's number at the exchange. */
      readonly account: number;
      /** Number of the vault's account. */
      readonly vault: number;
      /** Amount, quantums of collateral. */
      readonly amount: bigint;
    }
  | {
      readonly kind: 'RedeemVault';
      /** The account's number at the exchange. */
      readonly account: number;
      /** Number of the vault's account. */
      readonly vault: number;
      /** Vault shares. */
      readonly shares: bigint;
    }
  /** The account becomes the one whose wallet, and whose API wallets, trade for the vault. */
  | { readonly kind: 'ClaimVault'; readonly account: number; readonly vault: number }
  | {
      readonly kind: 'ConfigureVault';
      /** The account's number at the exchange. */
      readonly account: number;
      /** Number of the vault's account. */
      readonly vault: number;
      /** 0: none. */
      readonly depositCap: bigint;
      /** 0: none. */
      readonly leverageMax: number;
    };
