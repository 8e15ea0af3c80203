/**
 * @module
 * How a value of each elementary EIP-712 type becomes one 32-byte word. Values come as JSON carries them (integers as
 * decimal text, bytes as hex) or as native bigints and bytes; what does not fit its type is refused, never cut off.
 */
import { isHex, ProtocolError } from '../../../core/index.ts';
import type { Hasher } from '../keccak.ts';

/** A run of words being filled, and the same memory for numbers. */
export interface Words {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Writes one value as the whole word at byte `at`. */
export type WriteWord = (words: Words, at: number, value: unknown) => void;

/** Fresh words, all zero. */
export function allocateWords(count: number): Words {
  const bytes = Buffer.alloc(32 * count);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** The writer for an elementary type, or undefined when there is no such type. `label` names the field in errors. */
export function elementaryWriter(hasher: Hasher, type: string, label: string): WriteWord | undefined {
  const refuse = (value: unknown) => unfitValue({ type, label, value });
  if (type === 'address') return addressWriter(refuse);
  if (type === 'bool') return boolWriter(refuse);
  if (type === 'string') return textWriter(hasher, refuse);
  if (type === 'bytes') return bytesWriter(hasher, refuse);
  const [, kind, digits] = /^(uint|int|bytes)([1-9][0-9]*)$/.exec(type) ?? [];
  const size = Number(digits);
  if (kind === 'bytes') return size <= 32 ? fixedBytesWriter(size, refuse) : undefined;
  if (kind === undefined || size > 256 || size % 8 !== 0) return undefined;
  return integerWriter({ bits: size, signed: kind === 'int' }, refuse);
}

/** The error for a value that does not fit its field. */
export function unfitValue({
  type,
  label,
  value,
}: {
  type: string;
  label: string;
  value: unknown;
}): ProtocolError {
  const shown = typeof value === 'object' ? 'an object' : `${typeof value} ${String(value).slice(0, 80)}`;
  return new ProtocolError({
    code: 'CRYPTO_TYPED_VALUE_INVALID',
    message: `expected ${label} to be ${type}, got ${value === undefined ? 'missing' : shown}`,
    remedy: 'The value does not fit the struct that is to be signed; nothing was signed.',
  });
}

type Refuse = (value: unknown) => ProtocolError;

function addressWriter(refuse: Refuse): WriteWord {
  return (words, at, value) => {
    if (!isHex(value, 20)) throw refuse(value);
    words.bytes.write(value.slice(2), at + 12, 20, 'hex');
  };
}

function boolWriter(refuse: Refuse): WriteWord {
  return (words, at, value) => {
    if (typeof value !== 'boolean') throw refuse(value);
    words.bytes[at + 31] = value ? 1 : 0;
  };
}

function fixedBytesWriter(size: number, refuse: Refuse): WriteWord {
  return (words, at, value) => {
    if (value instanceof Uint8Array && value.length === size) words.bytes.set(value, at);
    else if (isHex(value, size)) words.bytes.write(value.slice(2), at, size, 'hex');
    else throw refuse(value);
  };
}

function textWriter(hasher: Hasher, refuse: Refuse): WriteWord {
  return (words, at, value) => {
    // A lone surrogate has no UTF-8 form: two texts would get one hash.
    if (typeof value !== 'string' || !value.isWellFormed()) throw refuse(value);
    words.bytes.set(hasher.keccak256(Buffer.from(value, 'utf8')), at);
  };
}

function bytesWriter(hasher: Hasher, refuse: Refuse): WriteWord {
  return (words, at, value) => {
    if (value instanceof Uint8Array) words.bytes.set(hasher.keccak256(value), at);
    else if (isHex(value)) words.bytes.set(hasher.keccak256(Buffer.from(value.slice(2), 'hex')), at);
    else throw refuse(value);
  };
}

const DECIMAL_INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const DECIMAL_LENGTH_MAX = 80;

function integerWriter({ bits, signed }: { bits: number; signed: boolean }, refuse: Refuse): WriteWord {
  const max = 1n << BigInt(signed ? bits - 1 : bits);
  const min = signed ? -max : 0n;
  return (words, at, value) => {
    const integer = toInteger(value);
    if (integer === undefined || integer < min || integer >= max) throw refuse(value);
    if (bits <= 64 && !signed) return words.view.setBigUint64(at + 24, integer);
    for (let part = 0; part < 4; part++) {
      // The view keeps the low 64 bits, in two's complement for a negative integer.
      words.view.setBigUint64(at + 8 * part, integer >> BigInt(64 * (3 - part)));
    }
  };
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string' || value.length > DECIMAL_LENGTH_MAX) return undefined;
  return DECIMAL_INTEGER.test(value) ? BigInt(value) : undefined;
}
