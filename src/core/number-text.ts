/**
 * @module
 * Numbers as text, where most are little more than the one before: the digits in front are kept, the last three looked
 * up. The ids of trades are such, and the names of what a run counts; an integer to text takes longer than the rest
 * of a trade's report.
 */
const THOUSAND = 1_000;
/** The last three digits by their value. */
const LAST_DIGITS = Array.from({ length: THOUSAND }, (_none, value) => String(value).padStart(3, '0'));

/** See the module. */
export class NumberText {
  #thousands = Number.NaN;
  #front = '';
  readonly #prefix: string;

  /** `prefix` comes before every number. Default: nothing. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /** As the prefix and `String(value)`. */
  of(value: number): string {
    const thousands = Math.floor(value / THOUSAND);
    if (thousands !== this.#thousands) {
      if (!Number.isSafeInteger(value) || value < THOUSAND) return this.#prefix + String(value);
      this.#thousands = thousands;
      this.#front = this.#prefix + String(thousands);
    }
    const last = LAST_DIGITS[value - thousands * THOUSAND];
    return last === undefined ? this.#prefix + String(value) : this.#front + last;
  }
}
