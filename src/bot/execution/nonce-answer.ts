/** @module Reads the answer about a scope's next nonce. It never decides the outcome of a write (obligation O27). */
import type { Nonce } from '../../domain/index.ts';
import { fieldsOf, integerOf, textOf } from './bodies.ts';
import type { NoAnswer, RawAnswer } from './ports.ts';

/** What the exchange says of a scope. */
export interface NextNonce {
  readonly nonce: Nonce;
  /** Lower case. */
  readonly scope: string;
  readonly signingAccountId: number;
}

/** The content of an answer; `undefined` when it is not one. */
export function readNonce(answer: RawAnswer | NoAnswer): NextNonce | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const fields = fieldsOf(answer.body);
  if (fields === undefined) return undefined;
  const nonce = integerOf(fields, 'nonce');
  const scope = textOf(fields, 'scope');
  const account = integerOf(fields, 'signingAccountId');
  if (nonce === undefined || scope === undefined || account === undefined) return undefined;
  return { nonce: nonce as Nonce, scope: scope.toLowerCase(), signingAccountId: Number(account) };
}
