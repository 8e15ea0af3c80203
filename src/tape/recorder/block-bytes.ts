/** @module Lines as bytes until they become a block: frames are escaped byte by byte, numbers written digit by digit. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_END = 0x0a;
const COMMA = 0x2c;
const ZERO = 0x30;
/** The first character that JSON text holds as it is. */
const PLAIN_FROM = 0x20;
/** Numbers below it are written digit by digit. */
const INT_MAX = 2 ** 31;
/** The most that a number takes as text. */
const NUMBER_CHARS_MAX = 26;
/** The most that UTF-8 takes for one character of a text. */
const CHARACTER_BYTES_MAX = 3;

/** See the module. */
export class BlockBytes {
  #bytes: Buffer;
  #length = 0;
  #lines = 0;

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
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < values.length; index++) {
      if (index > 0) bytes[at++] = COMMA;
      const value = values[index] as number;
      if (value >= 0 && value < INT_MAX && Number.isInteger(value)) at = putDigits(bytes, at, value | 0);
      else at += bytes.write(JSON.stringify(value), at);
    }
    this.#length = at;
  }

  /** Ends the line. */
  endLine(): void {
    this.#need(1);
    this.#bytes[this.#length++] = LINE_END;
    this.#lines++;
  }

  #need(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Writes a whole number of up to ten digits. @returns where it ends. */
function putDigits(bytes: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let limit = 10; end < at + 10 && value >= limit; limit *= 10) end++;
  let rest = value;
  for (let place = end - 1; place >= at; place--) {
    const next = (rest / 10) | 0;
    bytes[place] = ZERO + rest - next * 10;
    rest = next;
  }
  return end;
}
