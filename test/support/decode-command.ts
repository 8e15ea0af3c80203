/**
 * @module
 * Canonical bytes back into commands, strictly: the oracle of the encoder, written on its own after the table of the codec.
 * Too few bytes, bytes left over, unknown codes and flags that are neither 0 nor 1 are refused. Whatever it accepts
 * encodes to the same bytes again.
 */
import type {
  CanonicalCommand,
  CanonicalOrder,
  CanonicalOrderId,
  Side,
  TimeInForce,
} from '../../src/domain/index.ts';
import { NO_ORDER_ID, unpackOrderId } from '../../src/wire/protocol/codec/order-id.ts';
import { CODEC_VERSION, COMMAND_TAGS } from '../../src/wire/protocol/codec/tags.ts';

const SIDES_BY_CODE: readonly Side[] = ['buy', 'sell'];
const TIMES_IN_FORCE_BY_CODE: readonly TimeInForce[] = ['gtc', 'ioc', 'postOnly', 'fok'];

type CommandReader = (reader: ByteReader, account: number) => CanonicalCommand;

/** The command of `bytes`. @throws RangeError unless they are exactly one command of codec version 1. */
export function decodeCommand(bytes: Uint8Array): CanonicalCommand {
  const reader = new ByteReader(bytes);
  const version = reader.u8();
  if (version !== CODEC_VERSION) {
    throw refusedBytes(`codec version ${CODEC_VERSION}, got ${version}`);
  }
  const tag = reader.u8();
  const read = READERS.get(tag);
  if (read === undefined) throw refusedBytes(`a known tag, was 0x${tag.toString(16)}`);
  const command = read(reader, reader.u32());
  reader.end();
  return command;
}

const readCancel =
  (kind: 'CancelOrder' | 'CancelConditional' | 'CancelTwap'): CommandReader =>
  (reader, account) => ({ kind, account, orderId: orderId(reader) });

const READERS: ReadonlyMap<number, CommandReader> = new Map<number, CommandReader>([
  [COMMAND_TAGS.PlaceOrder, readPlaceOrder],
  [COMMAND_TAGS.CancelOrder, readCancel('CancelOrder')],
  [COMMAND_TAGS.CancelConditional, readCancel('CancelConditional')],
  [COMMAND_TAGS.CancelTwap, readCancel('CancelTwap')],
  [
    COMMAND_TAGS.SetLeverage,
    (r, account) => ({ kind: 'SetLeverage', account, market: r.u16(), customImfPpm: r.u32() }),
  ],
  [
    COMMAND_TAGS.BatchCancel,
    (r, account) => ({ kind: 'BatchCancel', account, orderIds: list(r, 8, orderId) }),
  ],
  [
    COMMAND_TAGS.BatchPlace,
    (r, account) => ({ kind: 'BatchPlace', account, nowMs: r.safe64(), orders: list(r, 17, order) }),
  ],
  [COMMAND_TAGS.BatchReplace, readBatchReplace],
  [
    COMMAND_TAGS.ScheduleCancel,
    (r, account) => ({ kind: 'ScheduleCancel', account, triggerMs: r.safe64(), nowMs: r.safe64() }),
  ],
  [COMMAND_TAGS.ModifyOrder, readModifyOrder],
  [COMMAND_TAGS.PlaceConditional, readPlaceConditional],
  [COMMAND_TAGS.PlaceTwap, readPlaceTwap],
  [COMMAND_TAGS.PlaceTpslPair, readPlaceTpslPair],
  [COMMAND_TAGS.CancelAll, (_reader, account) => ({ kind: 'CancelAll', account })],
]);

function readPlaceOrder(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'PlaceOrder',
    account,
    ...order(r),
    goodTilMs: r.safe64(),
    nowMs: r.safe64(),
    router: r.u32(),
    routerFeePpm: r.u32(),
  };
}

function readBatchReplace(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'BatchReplace',
    account,
    nowMs: r.safe64(),
    cancels: list(r, 8, orderId),
    orders: list(r, 17, order),
  };
}

function readModifyOrder(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'ModifyOrder',
    account,
    orderId: orderId(r),
    price: r.u32(),
    lots: r.u64(),
    tif: timeInForce(r),
    reduceOnly: r.flag(),
    goodTilMs: r.safe64(),
    nowMs: r.safe64(),
  };
}

function readPlaceConditional(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'PlaceConditional',
    account,
    ...order(r),
    goodTilMs: r.safe64(),
    triggerPrice: r.u32(),
    triggerAbove: r.flag(),
    nowMs: r.safe64(),
  };
}

function readPlaceTwap(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'PlaceTwap',
    account,
    market: r.u16(),
    side: side(r),
    totalLots: r.u64(),
    slices: r.u32(),
    intervalMs: r.safe64(),
    priceTolerancePpm: r.u32(),
    reduceOnly: r.flag(),
    nowMs: r.safe64(),
  };
}

function readPlaceTpslPair(r: ByteReader, account: number): CanonicalCommand {
  return {
    kind: 'PlaceTpslPair',
    account,
    market: r.u16(),
    closeSide: side(r),
    lots: r.u64(),
    tpTrigger: r.u32(),
    tpPrice: r.u32(),
    slTrigger: r.u32(),
    slPrice: r.u32(),
    positionTpsl: r.flag(),
    parentOrderId: parentOrderId(r),
    nowMs: r.safe64(),
  };
}

function order(r: ByteReader): CanonicalOrder {
  return {
    market: r.u16(),
    side: side(r),
    price: r.u32(),
    lots: r.u64(),
    tif: timeInForce(r),
    reduceOnly: r.flag(),
  };
}

function orderId(r: ByteReader): CanonicalOrderId {
  return unpackOrderId(r.u64());
}

function parentOrderId(r: ByteReader): CanonicalOrderId | undefined {
  const packed = r.u64();
  return packed === NO_ORDER_ID ? undefined : unpackOrderId(packed);
}

function side(r: ByteReader): Side {
  const code = r.u8();
  const value = SIDES_BY_CODE[code];
  if (value === undefined) throw refusedBytes(`a side of 0 or 1, got ${code}`);
  return value;
}

function timeInForce(r: ByteReader): TimeInForce {
  const code = r.u8();
  const value = TIMES_IN_FORCE_BY_CODE[code];
  if (value === undefined) throw refusedBytes(`a time in force of 0 to 3, got ${code}`);
  return value;
}

/** The count is held against the bytes that are left before anything is allocated. */
function list<Item>(r: ByteReader, itemBytes: number, item: (r: ByteReader) => Item): Item[] {
  const count = r.u32();
  if (count * itemBytes > r.left) {
    throw refusedBytes(`${count} items of ${itemBytes} bytes, got ${r.left} bytes`);
  }
  return Array.from({ length: count }, () => item(r));
}

/** Bytes being read from front to back. */
class ByteReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** An integer of 8 bits. @throws RangeError at the end of the bytes. */
  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** An integer of 16 bits. @throws RangeError at the end of the bytes. */
  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  /** An integer of 32 bits. @throws RangeError at the end of the bytes. */
  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** An integer of 64 bits. @throws RangeError at the end of the bytes. */
  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  /** An integer of 64 bits that is safe as a number. @throws RangeError when it is not. */
  safe64(): number {
    const value = this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw refusedBytes(`a safe integer, got ${value}`);
    return Number(value);
  }

  /** A flag. @throws RangeError when the byte is neither 0 nor 1. */
  flag(): boolean {
    const value = this.u8();
    if (value > 1) throw refusedBytes(`a flag of 0 or 1, got ${value}`);
    return value === 1;
  }

  /** Asserts the end. @throws RangeError when bytes are left. */
  end(): void {
    if (this.left > 0) throw refusedBytes(`the end of the command, got ${this.left} more bytes`);
  }

  #advance(size: number): number {
    if (this.left < size) throw refusedBytes(`${size} more bytes, got ${this.left}`);
    const at = this.#at;
    this.#at += size;
    return at;
  }
}

/** The error for bytes that are no canonical command. `expected` completes the sentence "expected ...". */
function refusedBytes(expected: string): RangeError {
  return new RangeError(`expected ${expected}`);
}
