/**
 * @module
 * The messages that a main wallet signs: the fields of an operation by name. The type string picks the ones it names
 * and their order, so that a replaced table changes the signature without a change of code.
 */
import { assertNever } from '../../core/index.ts';
import type { CanonicalCommand, CanonicalOrder, MainWalletOperation } from '../../domain/index.ts';
import type { Hasher, StructMessage } from '../crypto/index.ts';
import { encodeOrderIds, encodeOrders } from './codec/encode.ts';
import { NO_ORDER_ID, packOrderId } from './codec/order-id.ts';
import { SIDE_CODES, TIME_IN_FORCE_CODES } from './codec/tags.ts';
import { STRUCTS, type StructTable } from './structs.ts';

/** What a message needs apart from its operation. */
export interface MessageContext {
  /** The main wallet's address. */
  readonly owner: string;
  /** Nonce of the scope. */
  readonly nonce: bigint;
  /** For the hashes of lists. */
  readonly hasher: Hasher;
  /** Default: {@link STRUCTS}. */
  readonly structs?: StructTable;
}

/** A struct to be hashed with `structHasher(crypto, typeString).hash(values)`. */
export interface MainWalletMessage {
  /** EIP-712 type string of the struct. */
  readonly typeString: string;
  readonly values: StructMessage;
}

/**
 * The struct that a main wallet signs for `operation`. Integers are numbers or bigints, lists are hashes of their
 * canonical bytes.
 * @throws ProtocolError when an order number does not fit.
 * @example mainWalletMessage({ kind: 'CancelAll', account: 7 }, { owner, nonce: 3n, hasher: crypto })
 */
export function mainWalletMessage(
  operation: CanonicalCommand | MainWalletOperation,
  { owner, nonce, hasher, structs = STRUCTS }: MessageContext,
): MainWalletMessage {
  return {
    typeString: structs[operation.kind],
    values: {
      owner,
      account: operation.account,
      master: operation.account,
      ...fieldsOf(operation, hasher),
      nonce,
    },
  };
}

function fieldsOf(operation: CanonicalCommand | MainWalletOperation, hasher: Hasher): StructMessage {
  switch (operation.kind) {
    case 'ApproveAgent':
      return { agent: operation.agent, validUntilMs: operation.validUntilMs };
    case 'RevokeAgent':
      return { agent: operation.agent };
    case 'CreateSubaccount':
    case 'CancelAll':
      return {};
    case 'CreateVault':
      return { name: operation.name };
    case 'DepositVault':
      return { vault: operation.vault, amount: operation.amount };
    case 'RedeemVault':
      return { vault: operation.vault, shares: operation.shares };
    case 'ClaimVault':
      return { vault: operation.vault };
    case 'ConfigureVault':
      return {
        vault: operation.vault,
        depositCap: operation.depositCap,
        leverageMax: operation.leverageMax,
      };
    case 'CancelOrder':
    case 'CancelConditional':
    case 'CancelTwap':
      return { orderId: packOrderId(operation.orderId) };
    case 'BatchCancel':
      return { orderIds: hasher.keccak256(encodeOrderIds(operation.orderIds)) };
    case 'BatchPlace':
      return { nowMs: operation.nowMs, orders: hasher.keccak256(encodeOrders(operation.orders)) };
    case 'BatchReplace':
      return {
        nowMs: operation.nowMs,
        cancels: hasher.keccak256(encodeOrderIds(operation.cancels)),
        orders: hasher.keccak256(encodeOrders(operation.orders)),
      };
    case 'SetLeverage':
      return { market: operation.market, customImfPpm: operation.customImfPpm };
    case 'ScheduleCancel':
      return { triggerMs: operation.triggerMs, nowMs: operation.nowMs };
    case 'PlaceTwap':
      return { ...operation, side: SIDE_CODES[operation.side] };
    case 'PlaceOrder':
    case 'PlaceConditional':
      return { ...operation, ...orderFields(operation), ...expiryFields(operation.goodTilMs) };
    case 'ModifyOrder':
      return {
        ...operation,
        orderId: packOrderId(operation.orderId),
        tif: TIME_IN_FORCE_CODES[operation.tif],
        ...expiryFields(operation.goodTilMs),
      };
    case 'PlaceTpslPair':
      return {
        ...operation,
        closeSide: SIDE_CODES[operation.closeSide],
        parentOrderId:
          operation.parentOrderId === undefined ? NO_ORDER_ID : packOrderId(operation.parentOrderId),
      };
    default:
      return assertNever(operation);
  }
}

function orderFields(order: CanonicalOrder): StructMessage {
  return { side: SIDE_CODES[order.side], tif: TIME_IN_FORCE_CODES[order.tif] };
}

function expiryFields(goodTilMs: number): StructMessage {
  return { expiry: goodTilMs, goodTilMs };
}
