/** @module Lines as bytes until they become a block: frames are escaped byte by byte, numbers written digit by digit. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_END = 0x0a;
const COMMA = 0x2c;
const ZERO = 0x30;
/** The first character that JSON text holds as it is. */
const PLAIN_FROM = 0x20;
/** Digits of the largest number that is written digit by digit. */
const DIGITS_MAX = 16;
/** The most that a number takes as text. */
const NUMBER_CHARS_MAX = 26;
/** The most that UTF-8 takes for one character of a text. */
const CHARACTER_BYTES_MAX = 3;

/** See the module. */
export class BlockBytes {
  #bytes: Buffer;
  #length = 0;
  #lines = 0;
  readonly #digits = new Uint8Array(DIGITS_MAX);

  /** Begins with memory for `capacity` bytes, and grows where they are not enough. */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Lines so far. */
  get lines(): number {
    return this.#lines;
  }

  /** What is there, until the next change. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.#lines = 0;
  }

  /** Adds text as it is. */
  text(text: string): void {
    this.#need(CHARACTER_BYTES_MAX * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Adds bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#need(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds text in UTF-8 as what is between the quotes of a text in JSON. */
  escaped(bytes: Uint8Array): void {
    this.#need(2 * bytes.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let from = 0; from < bytes.length; from++) {
      const byte = bytes[from] as number;
      if (byte < PLAIN_FROM) {
        // Rare, and of several forms.
        this.text(JSON.stringify(Buffer.from(bytes).toString('utf8')).slice(1, -1));
        return;
      }
      if (byte === QUOTE || byte === BACKSLASH) target[at++] = BACKSLASH;
      target[at++] = byte;
    }
    this.#length = at;
  }

  /** Adds numbers with commas between them, as JSON has them. */
  numbers(values: Float64Array): void {
    this.#need(values.length * NUMBER_CHARS_MAX);
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#bytes[this.#length++] = COMMA;
      this.#number(values[index] as number);
    }
  }

  /** Ends the line. */
  endLine(): void {
    this.#need(1);
    this.#bytes[this.#length++] = LINE_END;
    this.#lines++;
  }

  #number(value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER && Number.isInteger(value))) {
      this.#length += this.#bytes.write(JSON.stringify(value), this.#length);
      return;
    }
    let count = 0;
    let rest = value;
    do {
      const next = Math.floor(rest / 10);
      this.#digits[count++] = ZERO + (rest - next * 10);
      rest = next;
    } while (rest > 0);
    while (count > 0) this.#bytes[this.#length++] = this.#digits[--count] as number;
  }

  #need(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
