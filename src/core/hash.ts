/** @module The hash of a text or of bytes, for names and for proof that content is unchanged. */
import { createHash } from 'node:crypto';

/** SHA-256 in lower-case hexadecimal digits, without a prefix. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
