/**
 * @module
 * Reads little-endian integers of fixed width, strictly: too few bytes, bytes left over and flags that are neither 0 nor
 * 1 are refused.
 */
import { ProtocolError } from '../../../core/index.ts';

/** Bytes being read from front to back. */
export class ByteReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** An integer of 8 bits. @throws ProtocolError at the end of the bytes. */
  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** An integer of 16 bits. @throws ProtocolError at the end of the bytes. */
  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  /** An integer of 32 bits. @throws ProtocolError at the end of the bytes. */
  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** An integer of 64 bits. @throws ProtocolError at the end of the bytes. */
  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  /** An integer of 64 bits that is safe as a number. @throws ProtocolError when it is not. */
  safe64(): number {
    const value = this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw refusedBytes(`a safe integer, was ${value}`);
    return Number(value);
  }

  /** A flag. @throws ProtocolError when the byte is neither 0 nor 1. */
  flag(): boolean {
    const value = this.u8();
    if (value > 1) throw refusedBytes(`a flag of 0 or 1, was ${value}`);
    return value === 1;
  }

  /** Asserts the end. @throws ProtocolError when bytes are left. */
  end(): void {
    if (this.left > 0) throw refusedBytes(`the end of the command, was ${this.left} more bytes`);
  }

  #advance(size: number): number {
    if (this.left < size) throw refusedBytes(`${size} more bytes, was ${this.left}`);
    const at = this.#at;
    this.#at += size;
    return at;
  }
}

/** The error for bytes that are no canonical command. `expected` completes the sentence "expected ...". */
export function refusedBytes(expected: string): ProtocolError {
  return new ProtocolError({
    code: 'PROTOCOL_COMMAND_BYTES_INVALID',
    message: `expected ${expected}`,
    remedy: 'Compare the bytes with the canonical form in docs/reference/exchange.md#command-bytes.',
  });
}
