/** @module Numbers of writes at the local venue as the ids of requests: 32 bytes in hex, counted from 1. */
import type { RequestId } from '../../domain/index.ts';

const DIGITS = 64;
/** The last two digits, of which each text is made once. */
const ENDS: readonly string[] = Array.from({ length: 256 }, (_none, end) => hex(end, 2));

/** See the module. */
export class RequestIds {
  #count = 0;
  /** All but the last two digits: the same for 256 writes. */
  #head = '';

  next(): RequestId {
    const count = ++this.#count;
    const end = count & 0xff;
    if (end === 0 || this.#head === '') this.#head = `0x${hex(Math.floor(count / 256), DIGITS - 2)}`;
    // Of two texts, added: a template asks first whether each is one.
    return (this.#head + (ENDS[end] as string)) as RequestId;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
