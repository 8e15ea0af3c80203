/**
 * @module
 * The same answers and frames with other JSON types: epochs as integers (ambiguity A12), positions and ids all as text
 * or all as numbers (A17). Done on the finished text: quotes within JSON strings are escaped, so no value is taken for a
 * field.
 */
import type { QuirkSwitches } from '../../state/index.ts';

const EPOCH = /"epoch":"([1-9][0-9]*)"/g;
const NUMBERS = /"(seq|nonce|nextNonce|asOfSeq|accountId|signingAccountId|applied|required)":([0-9]+)/g;
const TEXTS = /"(orderId|counterOrderId|parentOrderId)":"(0|[1-9][0-9]*)"/g;

/** Turns the finished JSON of this exchange into the JSON that it sends. */
export type NumberForm = (text: string) => string;

/** The form that `quirks` ask for. */
export function numberForm(quirks: QuirkSwitches): NumberForm {
  return (text) => {
    const told = quirks.takes('A12', 'integer') ? text.replace(EPOCH, '"epoch":$1') : text;
    if (quirks.takes('A17', 'text')) return told.replace(NUMBERS, '"$1":"$2"');
    return quirks.takes('A17', 'number') ? told.replace(TEXTS, '"$1":$2') : told;
  };
}
