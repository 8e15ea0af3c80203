/**
 * @module
 * Canonical bytes of commands, codec version 1 (exchange.md#command-bytes): version, tag, fields, all little-endian, no
 * padding. The command hash is the Keccak-256 of exactly these bytes.
 */
import { assertNever } from '../../../core/index.ts';
import type { CanonicalCommand, CanonicalOrder, CanonicalOrderId } from '../../../domain/index.ts';
import type { Hasher } from '../../crypto/index.ts';
import { ByteWriter } from './byte-writer.ts';
import { NO_ORDER_ID, packOrderId } from './order-id.ts';
import { CODEC_VERSION, COMMAND_TAGS, SIDE_CODES, TIME_IN_FORCE_CODES } from './tags.ts';

/** Larger than any command without lists. */
const FIXED_BYTES_MAX = 80;
const ORDER_BYTES = 17;
const ORDER_ID_BYTES = 8;

/** One buffer for all: encoding is synchronous and `take` copies. */
const shared = new ByteWriter();

/**
 * The canonical bytes of `command`, in their own array.
 * @throws ProtocolError when a number does not fit its width (an orderSeq of 2^48 and above too).
 * @example encodeCommand({ kind: 'CancelOrder', account: 7, orderId: { market: 3, orderSeq: 42n } })
 */
export function encodeCommand(command: CanonicalCommand): Uint8Array {
  return write(command).take();
}

/**
 * The command hash: Keccak-256 of the canonical bytes, for callers that need no bytes. @throws ProtocolError as
 * {@link encodeCommand}.
 */
export function hashCommand(hasher: Hasher, command: CanonicalCommand): Uint8Array {
  return hasher.keccak256(write(command).peek());
}

function write(command: CanonicalCommand): ByteWriter {
  const writer = shared.begin(FIXED_BYTES_MAX + bytesOfLists(command));
  writer.u8(CODEC_VERSION, 'codecVersion');
  writer.u8(COMMAND_TAGS[command.kind], 'tag');
  writer.u32(command.account, 'account');
  writeFields(writer, command);
  return writer;
}

/** The canonical bytes of only a list of orders: count, then the orders. Signed structs of main wallets hash them. */
export function encodeOrders(orders: readonly CanonicalOrder[]): Uint8Array {
  const writer = shared.begin(4 + ORDER_BYTES * orders.length);
  writeOrders(writer, orders);
  return writer.take();
}

/** The canonical bytes of only a list of order numbers: count, then the packed ids. */
export function encodeOrderIds(orderIds: readonly CanonicalOrderId[]): Uint8Array {
  const writer = shared.begin(4 + ORDER_ID_BYTES * orderIds.length);
  writeOrderIds(writer, orderIds);
  return writer.take();
}

function bytesOfLists(command: CanonicalCommand): number {
  switch (command.kind) {
    case 'BatchReplace':
      return ORDER_ID_BYTES * command.cancels.length + ORDER_BYTES * command.orders.length;
    case 'BatchPlace':
      return ORDER_BYTES * command.orders.length;
    case 'BatchCancel':
      return ORDER_ID_BYTES * command.orderIds.length;
    default:
      return 0;
  }
}

/** All that follows the account. */
function writeFields(writer: ByteWriter, command: CanonicalCommand): void {
  switch (command.kind) {
    case 'BatchReplace':
      writer.safe64(command.nowMs, 'nowMs');
      writeOrderIds(writer, command.cancels);
      writeOrders(writer, command.orders);
      return;
    case 'BatchPlace':
      writer.safe64(command.nowMs, 'nowMs');
      writeOrders(writer, command.orders);
      return;
    case 'BatchCancel':
      writeOrderIds(writer, command.orderIds);
      return;
    case 'ScheduleCancel':
      writer.safe64(command.triggerMs, 'triggerMs');
      writer.safe64(command.nowMs, 'nowMs');
      return;
    case 'SetLeverage':
      writer.u16(command.market, 'market');
      writer.u32(command.customImfPpm, 'customImfPpm');
      return;
    case 'CancelOrder':
    case 'CancelConditional':
    case 'CancelTwap':
      writer.u64(packOrderId(command.orderId), 'orderId');
      return;
    case 'CancelAll':
      return;
    case 'PlaceOrder':
      writePlaceOrder(writer, command);
      return;
    case 'ModifyOrder':
      writeModifyOrder(writer, command);
      return;
    case 'PlaceConditional':
      writePlaceConditional(writer, command);
      return;
    case 'PlaceTwap':
      writePlaceTwap(writer, command);
      return;
    case 'PlaceTpslPair':
      writePlaceTpslPair(writer, command);
      return;
    default:
      assertNever(command);
  }
}

type CommandOf<Kind extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: Kind }>;

function writePlaceOrder(writer: ByteWriter, command: CommandOf<'PlaceOrder'>): void {
  writeOrder(writer, command);
  writer.safe64(command.goodTilMs, 'goodTilMs');
  writer.safe64(command.nowMs, 'nowMs');
  writer.u32(command.router, 'router');
  writer.u32(command.routerFeePpm, 'routerFeePpm');
}

function writeModifyOrder(writer: ByteWriter, command: CommandOf<'ModifyOrder'>): void {
  writer.u64(packOrderId(command.orderId), 'orderId');
  writer.u32(command.price, 'price');
  writer.u64(command.lots, 'lots');
  writer.u8(TIME_IN_FORCE_CODES[command.tif], 'tif');
  writer.flag(command.reduceOnly);
  writer.safe64(command.goodTilMs, 'goodTilMs');
  writer.safe64(command.nowMs, 'nowMs');
}

function writePlaceConditional(writer: ByteWriter, command: CommandOf<'PlaceConditional'>): void {
  writeOrder(writer, command);
  writer.safe64(command.goodTilMs, 'goodTilMs');
  writer.u32(command.triggerPrice, 'triggerPrice');
  writer.flag(command.triggerAbove);
  writer.safe64(command.nowMs, 'nowMs');
}

function writePlaceTwap(writer: ByteWriter, command: CommandOf<'PlaceTwap'>): void {
  writer.u16(command.market, 'market');
  writer.u8(SIDE_CODES[command.side], 'side');
  writer.u64(command.totalLots, 'totalLots');
  writer.u32(command.slices, 'slices');
  writer.safe64(command.intervalMs, 'intervalMs');
  writer.u32(command.priceTolerancePpm, 'priceTolerancePpm');
  writer.flag(command.reduceOnly);
  writer.safe64(command.nowMs, 'nowMs');
}

function writePlaceTpslPair(writer: ByteWriter, command: CommandOf<'PlaceTpslPair'>): void {
  writer.u16(command.market, 'market');
  writer.u8(SIDE_CODES[command.closeSide], 'closeSide');
  writer.u64(command.lots, 'lots');
  writer.u32(command.tpTrigger, 'tpTrigger');
  writer.u32(command.tpPrice, 'tpPrice');
  writer.u32(command.slTrigger, 'slTrigger');
  writer.u32(command.slPrice, 'slPrice');
  writer.flag(command.positionTpsl);
  writer.u64(
    command.parentOrderId === undefined ? NO_ORDER_ID : packOrderId(command.parentOrderId),
    'parentOrderId',
  );
  writer.safe64(command.nowMs, 'nowMs');
}

/** One order, 17 bytes. */
function writeOrder(writer: ByteWriter, order: CanonicalOrder): void {
  writer.u16(order.market, 'market');
  writer.u8(SIDE_CODES[order.side], 'side');
  writer.u32(order.price, 'price');
  writer.u64(order.lots, 'lots');
  writer.u8(TIME_IN_FORCE_CODES[order.tif], 'tif');
  writer.flag(order.reduceOnly);
}

function writeOrders(writer: ByteWriter, orders: readonly CanonicalOrder[]): void {
  writer.u32(orders.length, 'count');
  for (const order of orders) writeOrder(writer, order);
}

function writeOrderIds(writer: ByteWriter, orderIds: readonly CanonicalOrderId[]): void {
  writer.u32(orderIds.length, 'count');
  for (const orderId of orderIds) writer.u64(packOrderId(orderId), 'orderId');
}
