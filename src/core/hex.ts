/**
 * @module
 * Bytes as `0x` text and back, strict.
 */
import { ProtocolError } from './errors.ts';

/** Text of the form `0x` and an even number of hexadecimal digits. */
export type Hex = `0x${string}`;

const HEX_TEXT = /^0x(?:[0-9a-fA-F]{2})*$/;

/** True if `text` is well-formed hex, of `bytes` bytes if that is given. */
export function isHex(text: unknown, bytes?: number): text is Hex {
  return (
    typeof text === 'string' && HEX_TEXT.test(text) && (bytes === undefined || text.length === 2 + 2 * bytes)
  );
}

/** Addresses, hashes and signatures fit: no view is made for each of them. */
const short = Buffer.alloc(80);

/** `bytes` as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): Hex {
  if (bytes.length <= short.length) {
    short.set(bytes);
    return `0x${short.toString('hex', 0, bytes.length)}`;
  }
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The bytes of `text`. @throws ProtocolError when it is not hex, or not of `bytes` bytes. */
export function fromHex(text: string, bytes?: number): Uint8Array {
  if (!isHex(text, bytes)) {
    throw new ProtocolError({
      code: 'CORE_HEX_INVALID',
      message: `expected 0x and ${bytes === undefined ? 'an even number of' : 2 * bytes} hexadecimal digits, got ${text.length} characters`,
      remedy: 'Check where the text comes from.',
    });
  }
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}
