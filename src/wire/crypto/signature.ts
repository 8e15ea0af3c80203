/**
 * @module
 * The wire form of a signature: `0x` and 65 bytes, r, s, v, with v 27 or 28 (exchange.md#signing). Reading is strict:
 * what the interface does not name is a defect with a reason, never an exception, because the text comes from
 * outside. A high s is refused too: the interface is silent about it, and with it each signature would have a second
 * text (own choice, after EIP-2).
 */
import { assert, type Hex, isHex, toHex } from '../../core/index.ts';
import { CURVE_ORDER, type RecoverableSignature } from './secp256k1/backend.ts';

/** A signature read from the wire, or why it cannot be one. */
export type ReadSignature =
  | ({ readonly ok: true } & RecoverableSignature)
  | { readonly ok: false; readonly reason: string };

const ORDER_TEXT = CURVE_ORDER.toString(16);
const HALF_ORDER_TEXT = (CURVE_ORDER / 2n).toString(16);
const ZERO_TEXT = '0'.repeat(64);

/** `signature` as it goes over the wire. @throws AssertionError when the recovery id has no v. */
export function formatSignature({ signature, recovery }: RecoverableSignature): Hex {
  assert(signature.length === 64, 'a signature of 64 bytes');
  assert(recovery === 0 || recovery === 1, 'a recovery id of 0 or 1');
  return `${toHex(signature)}${recovery === 0 ? '1b' : '1c'}`;
}

/** The signature in `text`, or the reason why there is none. Never throws. */
export function parseSignature(text: string): ReadSignature {
  if (!isHex(text, 65)) return { ok: false, reason: 'not 0x and 65 bytes of hex' };
  const lower = text.toLowerCase();
  const r = lower.slice(2, 66);
  const s = lower.slice(66, 130);
  const v = lower.slice(130);
  if (v !== '1b' && v !== '1c') return { ok: false, reason: 'v is neither 27 nor 28' };
  // Equal lengths: the order of the texts is the order of the numbers.
  if (r === ZERO_TEXT || r >= ORDER_TEXT)
    return { ok: false, reason: 'r is 0, or not below the curve order' };
  if (s === ZERO_TEXT || s >= ORDER_TEXT)
    return { ok: false, reason: 's is 0, or not below the curve order' };
  if (s > HALF_ORDER_TEXT) return { ok: false, reason: 's is in the upper half of the curve order' };
  const signature = new Uint8Array(Buffer.from(lower.slice(2, 130), 'hex'));
  return { ok: true, signature, recovery: v === '1b' ? 0 : 1 };
}
