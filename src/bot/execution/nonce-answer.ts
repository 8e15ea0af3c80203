/** @module Reads the answer about a scope's next nonce. It never decides the outcome of a write (obligation O27). */
import { decodeNonce, type ScopeNonce } from '../../wire/protocol/index.ts';
import type { NoAnswer, RawAnswer } from './ports.ts';

/** The content of an answer, its scope in lower case; `undefined` when it is not one. */
export function readNonce(answer: RawAnswer | NoAnswer): ScopeNonce | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const nonce = decodeNonce(answer.body);
  return nonce.ok ? { ...nonce.value, scope: nonce.value.scope.toLowerCase() } : undefined;
}
