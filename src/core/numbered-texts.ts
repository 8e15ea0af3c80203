/**
 * @module
 * Texts that end in a number, as numbers: ids count up, and what comes before the count is the same again and again. Two
 * texts have the same code only if they are the same, so codes can be kept and compared in their place.
 */

/** What can come before the number, of how many kinds. */
const HEADS_MAX = 8;
/** With these the code of every number is a safe integer. */
const DIGITS_MAX = 15;
const ZERO = 48;

/** There is no code for a text. */
export const NO_CODE = -1;

/** See the module. */
export class NumberedTexts {
  readonly #heads: string[] = [''];

  /** The code of a text, the larger the larger its number; {@link NO_CODE}: it has none, and never will. */
  codeOf(text: string): number {
    let from = text.length;
    let number = 0;
    for (let unit = 1; from > 0 && text.length - from < DIGITS_MAX; unit *= 10) {
      const digit = text.charCodeAt(from - 1) - ZERO;
      if (digit < 0 || digit > 9) break;
      number += digit * unit;
      from--;
    }
    if (from === text.length) return NO_CODE;
    // Zeros in front are no part of the number.
    while (from < text.length - 1 && text.charCodeAt(from) === ZERO) from++;
    const head = from === 0 ? 0 : this.#headOf(text, from);
    return head < 0 ? NO_CODE : number * HEADS_MAX + head;
  }

  /** The text of a code. */
  textOf(code: number): string {
    const head = code % HEADS_MAX;
    return `${this.#heads[head]}${(code - head) / HEADS_MAX}`;
  }

  #headOf(text: string, length: number): number {
    const heads = this.#heads;
    for (let at = 1; at < heads.length; at++) {
      const head = heads[at] as string;
      if (head.length === length && text.startsWith(head)) return at;
    }
    return heads.length < HEADS_MAX ? heads.push(text.slice(0, length)) - 1 : -1;
  }
}
