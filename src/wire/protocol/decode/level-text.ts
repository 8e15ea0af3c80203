/**
 * @module
 * The fast lane of book frames: the levels stay text and go from there straight into arrays, only what is around them
 * goes through a parser. Takes only the usual form, pairs of plain decimals without blanks; whatever looks otherwise
 * goes the ordinary way, so both ways give the same book and the same flaws.
 */
import { parseJson } from '../../../core/index.ts';

const BOOK = '{"channel":"book"';
const BIDS = '"bids":[[';
const ASKS = '"asks":[[';
const END = ']]';
/** Digits of a number that is always below 2^53. */
const DIGITS_MAX = 15;

const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const OPEN = 91;
const CLOSE = 93;

/** What is written of each level, and where to. */
export interface LevelColumns {
  readonly prices: Float64Array;
  readonly sizes: Float64Array;
  /** Decimals of prices as text. */
  readonly priceDecimals: number;
  /** Decimals of sizes as text. */
  readonly sizeDecimals: number;
}

/** A list of levels that was not parsed yet. */
export class LevelText {
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  #at = 0;

  /** The part of `text` from an opening bracket through its closing one. */
  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
  }

  /** Writes all levels and gives their number; `undefined` when one of them is not of the usual form. */
  fill({ prices, sizes, priceDecimals, sizeDecimals }: LevelColumns): number | undefined {
    const text = this.#text;
    this.#at = this.#from + 1;
    for (let count = 0; count < prices.length; ) {
      if (text.charCodeAt(this.#at) !== OPEN || text.charCodeAt(this.#at + 1) !== QUOTE) return undefined;
      this.#at += 2;
      const price = this.#number(priceDecimals);
      if (text.charCodeAt(this.#at) !== COMMA || text.charCodeAt(this.#at + 1) !== QUOTE) return undefined;
      this.#at += 2;
      const size = this.#number(sizeDecimals);
      if (price < 0 || size < 0 || text.charCodeAt(this.#at) !== CLOSE) return undefined;
      prices[count] = price;
      sizes[count] = size;
      count++;
      const next = text.charCodeAt(this.#at + 1);
      if (next === CLOSE) return this.#at + 2 === this.#to ? count : undefined;
      if (next !== COMMA) return undefined;
      this.#at += 2;
    }
    return undefined;
  }

  /** The levels the ordinary way. @throws ProtocolError when they are no JSON. */
  parse(): unknown {
    return parseJson(this.#text.slice(this.#from, this.#to));
  }

  /** The number up to the next quote, scaled; -1 when it is unusual. Ends after the quote. */
  #number(decimals: number): number {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let value = 0;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= 57) {
      value = value * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    if (at === start || (at > start + 1 && text.charCodeAt(start) === ZERO)) return -1;
    let missing = decimals;
    if (code === POINT) {
      const point = at;
      code = text.charCodeAt(++at);
      while (code >= ZERO && code <= 57 && missing > 0) {
        value = value * 10 + (code - ZERO);
        missing--;
        code = text.charCodeAt(++at);
      }
      if (at === point + 1) return -1;
    }
    if (code !== QUOTE || at - start + missing > DIGITS_MAX) return -1;
    for (; missing > 0; missing--) value *= 10;
    this.#at = at + 1;
    return value;
  }
}

/**
 * The JSON of `text` when it is a book frame with levels on both sides: as `parseJson` gives it, but `data.bids` and
 * `data.asks` are {@link LevelText}. `undefined` for everything else, broken JSON too.
 */
export function parseBookFrame(text: string): unknown {
  if (!text.startsWith(BOOK)) return undefined;
  const bids = findLevels(text, BIDS, BOOK.length);
  if (bids === undefined) return undefined;
  const asks = findLevels(text, ASKS, bids.to);
  if (asks === undefined) return undefined;
  const around = `${text.slice(0, bids.from)}[]${text.slice(bids.to, asks.from)}[]${text.slice(asks.to)}`;
  const frame = headOf(around);
  // A later key of the same name counts: levels of what turns out to be no book are never read.
  if (frame?.channel !== 'book' || isRounded(frame.seq)) return undefined;
  const data = frame.data;
  if (typeof data !== 'object' || data === null || !('bids' in data && 'asks' in data)) return undefined;
  // The places found must be those of the frame: empty now, and named once.
  if (!isEmptyList(data.bids) || !isEmptyList(data.asks) || hasSecond(around)) return undefined;
  data.bids = new LevelText(text, bids.from, bids.to);
  data.asks = new LevelText(text, asks.from, asks.to);
  return frame;
}

interface Head {
  readonly channel?: unknown;
  readonly seq?: unknown;
  readonly data?: unknown;
}

/** A look for long integers costs as much as the parser here, and only one field of a head may hold one. */
function headOf(around: string): Head | undefined {
  try {
    return JSON.parse(around) as Head;
  } catch {
    return undefined;
  }
}

/** Was this an integer beyond 2^53, of which JSON.parse has lost digits? */
function isRounded(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function findLevels(
  text: string,
  name: string,
  after: number,
): { readonly from: number; readonly to: number } | undefined {
  const at = text.indexOf(name, after);
  if (at < 0) return undefined;
  const from = at + name.length - 2;
  const end = text.indexOf(END, from);
  return end < 0 ? undefined : { from, to: end + END.length };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function hasSecond(around: string): boolean {
  return (
    around.indexOf('"bids"') !== around.lastIndexOf('"bids"') ||
    around.indexOf('"asks"') !== around.lastIndexOf('"asks"')
  );
}
