/**
 * @module
 * Writes little-endian integers of fixed width into one reused buffer; the result is a copy. Values that do not fit are
 * refused, never truncated (exchange.md#command-bytes).
 */
import { ProtocolError } from '../../../core/index.ts';

const U64_LIMIT = 1n << 64n;
const U32_RANGE = 0x1_0000_0000;

/** Bytes under construction. `begin`, then fields in their order, then `take`. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Starts over with room for `size` bytes. */
  begin(size: number): this {
    if (size > this.#bytes.length) {
      this.#bytes = new Uint8Array(2 * size);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#at = 0;
    return this;
  }

  /** One byte. @throws ProtocolError unless `value` is an integer of 8 bits. */
  u8(value: number, field: string): void {
    if (!(Number.isInteger(value) && value >= 0 && value <= 0xff)) throw outOfRange(field, value, 8);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  /** Two bytes. @throws ProtocolError unless `value` is an integer of 16 bits. */
  u16(value: number, field: string): void {
    if (!(Number.isInteger(value) && value >= 0 && value <= 0xffff)) throw outOfRange(field, value, 16);
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
  }

  /** Four bytes. @throws ProtocolError unless `value` is an integer of 32 bits. */
  u32(value: number, field: string): void {
    if (!(Number.isInteger(value) && value >= 0 && value < U32_RANGE)) throw outOfRange(field, value, 32);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Eight bytes. @throws ProtocolError unless `value` is an integer of 64 bits. */
  u64(value: bigint, field: string): void {
    if (value < 0n || value >= U64_LIMIT) throw outOfRange(field, value, 64);
    this.#view.setBigUint64(this.#at, value, true);
    this.#at += 8;
  }

  /** Eight bytes of a safe integer: times in Unix ms. @throws ProtocolError unless it is one and not negative. */
  safe64(value: number, field: string): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) throw outOfRange(field, value, 64);
    this.#view.setUint32(this.#at, value % U32_RANGE, true);
    this.#view.setUint32(this.#at + 4, Math.floor(value / U32_RANGE), true);
    this.#at += 8;
  }

  /** One byte, 0 or 1. */
  flag(value: boolean): void {
    this.#view.setUint8(this.#at, value ? 1 : 0);
    this.#at += 1;
  }

  /** What was written since `begin`, in place: valid until the next `begin`. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** A copy of what was written since `begin`. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }
}

function outOfRange(field: string, value: number | bigint, bits: number): ProtocolError {
  return new ProtocolError({
    code: 'PROTOCOL_INTEGER_OUT_OF_RANGE',
    message: `expected ${field} as an unsigned integer of ${bits} bits, got ${String(value)}`,
    remedy: 'The canonical encoding has no room for it; nothing was signed or sent.',
  });
}
