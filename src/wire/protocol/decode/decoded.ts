/** @module The result of decoding. Inside this room a malformed value is thrown; at its boundary it is a value. */
import { ProtocolError } from '../../../core/index.ts';

/** The value, or why there is none. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ProtocolError };

/** Runs `read`; a ProtocolError that it throws becomes a value. Anything else is a bug of ours and is thrown on. */
export function caught<T>(read: () => T): Decoded<T> {
  try {
    return { ok: true, value: read() };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) return { ok: false, error: thrown };
    throw thrown;
  }
}
