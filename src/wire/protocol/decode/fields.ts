/**
 * @module
 * Reads fields of answers and frames by hand. Unknown fields are not looked at, numbers and decimal text are both
 * accepted where integers and ids are meant, exactly either way (ambiguity A17, obligations O7, O14). Inside this folder
 * a malformed value is thrown; {@link decoded} makes it a value at the door.
 */
import {
  isRecord,
  messageOf,
  ProtocolError,
  parseJson,
  parseScaled,
  parseScaledNumber,
} from '../../../core/index.ts';
import {
  type Cursor,
  type Lots,
  type Market,
  type MarketSymbol,
  type OrderId,
  PRICE_TICKS_MAX,
  type Quantums,
  type Seq,
  type Ticks,
} from '../../../domain/index.ts';

/** What text is decoded by: the markets and the scale of collateral amounts. */
export interface DecodeContext {
  market(symbol: MarketSymbol): Market | undefined;
  /** Of the collateral token (USDC: 6). */
  readonly collateralDecimals: number;
  /** Its number; default 0. */
  readonly collateralToken?: number;
}

/** What came of decoding: the value, or why there is none. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ProtocolError };

/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Runs `read` on the JSON of `text`; what it throws for malformed input becomes a value. */
export function decoded<T>(text: string, read: (value: unknown) => T): Decoded<T> {
  return caught(() => read(parseJson(text)));
}

/** Runs `read`; a ProtocolError it throws becomes a value. */
export function caught<T>(read: () => T): Decoded<T> {
  try {
    return { ok: true, value: read() };
  } catch (thrown) {
    return { ok: false, error: asProtocolError(thrown) };
  }
}

/** What a decoder threw, as the error it stands for. Anything but a ProtocolError is a bug of ours and goes on. */
export function asProtocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  throw thrown;
}

/** The error for a value that breaks the interface. `expected` completes the sentence "expected ...". */
export function malformed(expected: string, was?: unknown): ProtocolError {
  return new ProtocolError({
    code: 'PROTOCOL_WIRE_MALFORMED',
    message: `expected ${expected}, was ${show(was)}`,
    remedy: 'The gateway broke its interface, or it is not the gateway; the raw text is on the tape.',
    effect: 'unknown',
  });
}

function show(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'object')
    return Array.isArray(value) ? 'a list' : value === null ? 'null' : 'an object';
  return `${typeof value} ${String(value).slice(0, 80)}`;
}

/** `value` as an object. */
export function objectOf(value: unknown, place: string): Fields {
  if (!isRecord(value)) throw malformed(`${place} as an object`, value);
  return value;
}

/** A list. */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw malformed(`${name} as a list`, value);
  return value;
}

/** A text that is not empty. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw malformed(`${name} as text`, value);
  return value;
}

/** A text, or `undefined` when it is absent, null or empty. */
export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  return textOf(fields, name);
}

/** An id: text, or an integer as its decimal text. */
export function idOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) {
    return value.toString();
  }
  return textOf(fields, name);
}

/** An id, or `undefined` when it is absent, null or empty. */
export function optionalId(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return value === undefined || value === null || value === '' ? undefined : idOf(fields, name);
}

const CURSOR_TEXT = /^[0-9]{1,20}-[0-9]{1,10}-[0-9]{1,10}$/;

/** A place in history, `<seq>-<sub>-<idx>`: later code compares its numbers (obligation O110). */
export function cursorOf(fields: Fields, name: string): Cursor {
  const text = textOf(fields, name);
  if (!CURSOR_TEXT.test(text)) throw malformed(`${name} as <seq>-<sub>-<idx>`, text);
  return text as Cursor;
}

const ORDER_ID_TEXT = /^(?:0|[1-9][0-9]{0,19})$/;

/** The number of an order. One of another form could never be canceled. */
export function orderIdOf(fields: Fields, name: string): OrderId {
  const text = idOf(fields, name);
  if (!ORDER_ID_TEXT.test(text)) throw malformed(`${name} as the number of an order`, text);
  return text as OrderId;
}

/** The number of an order, or `undefined` when it is absent, null or empty. */
export function optionalOrderId(fields: Fields, name: string): OrderId | undefined {
  const value = fields[name];
  return value === undefined || value === null || value === '' ? undefined : orderIdOf(fields, name);
}

const INTEGER_TEXT = /^-?(?:0|[1-9][0-9]{0,19})$/;

/** An integer of any size: a JSON number or decimal text. */
export function bigintOf(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && INTEGER_TEXT.test(value)) return BigInt(value);
  throw malformed(`${name} as an integer`, value);
}

/** A position in the log: not negative. */
export function seqOf(fields: Fields, name = 'seq'): Seq {
  const value = bigintOf(fields, name);
  if (value < 0n) throw malformed(`${name} as a position in the log`, value);
  return value as Seq;
}

/** A position in the log, or `undefined` when it is absent or null. */
export function optionalSeq(fields: Fields, name = 'seq'): Seq | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : seqOf(fields, name);
}

/** A safe integer: a JSON number or decimal text. */
export function integerOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const number = Number(bigintOf(fields, name));
  if (!Number.isSafeInteger(number)) throw malformed(`${name} as a safe integer`, value);
  return number;
}

/** A safe integer, or `absent` when it is absent or null. */
export function optionalInteger<Absent>(fields: Fields, name: string, absent: Absent): number | Absent {
  const value = fields[name];
  return value === undefined || value === null ? absent : integerOf(fields, name);
}

/** A flag. */
export function flagOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw malformed(`${name} as true or false`, value);
  return value;
}

/** A boolean-like value: true, 1, "true" and their opposites; anything else, or nothing, is not known (obligation O61). */
export function flagLike(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === true || value === 1 || value === 'true') return true;
  return value === false || value === 0 || value === 'false' ? false : undefined;
}

/** One of the known texts. */
export function choiceOf<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = fields[name];
  for (const choice of choices) if (choice === value) return choice;
  throw malformed(`${name} as one of ${choices.join(', ')}`, value);
}

/** The market that `symbol` names. */
export function marketOf(fields: Fields, context: DecodeContext): Market {
  const symbol = textOf(fields, 'symbol');
  const market = context.market(symbol as MarketSymbol);
  if (market === undefined) throw malformed('symbol as a known market', symbol);
  return market;
}

/** A price that is there. */
export function priceOf(fields: Fields, name: string, market: Market): Ticks {
  const value = fields[name];
  const scaled = typeof value === 'string' ? parseScaledNumber(value, market.priceDecimals) : Number.NaN;
  if (!(scaled <= PRICE_TICKS_MAX)) {
    throw malformed(`${name} as a price of ${market.priceDecimals} decimals`, value);
  }
  return scaled as Ticks;
}

/** A price, or `undefined` when it is absent or null. */
export function optionalPrice(fields: Fields, name: string, market: Market): Ticks | undefined {
  const value = fields[name];
  return value === undefined || value === null ? undefined : priceOf(fields, name, market);
}

/** A size that is not negative. */
export function sizeOf(fields: Fields, name: string, market: Market): Lots {
  const value = fields[name];
  const scaled = typeof value === 'string' ? parseScaledNumber(value, market.sizeDecimals) : Number.NaN;
  if (Number.isNaN(scaled)) throw malformed(`${name} as a size of ${market.sizeDecimals} decimals`, value);
  return scaled as Lots;
}

/** A size, or `undefined` when it is absent or null. */
export function optionalSize(fields: Fields, name: string, market: Market): Lots | undefined {
  const value = fields[name];
  return value === undefined || value === null ? undefined : sizeOf(fields, name, market);
}

/** A size with a sign: a position. */
export function signedSizeOf(fields: Fields, name: string, market: Market): Lots {
  const value = fields[name];
  if (typeof value !== 'string' || !value.startsWith('-')) return sizeOf(fields, name, market);
  const size = sizeOf({ [name]: value.slice(1) }, name, market);
  return (size === 0 ? 0 : -size) as Lots;
}

/** An amount of collateral, signed. */
export function amountOf(fields: Fields, name: string, context: DecodeContext): Quantums {
  const value = fields[name];
  const amount = typeof value === 'string' ? parseScaled(value, context.collateralDecimals) : undefined;
  if (amount === undefined) {
    throw malformed(`${name} as an amount of ${context.collateralDecimals} decimals`, value);
  }
  return amount as Quantums;
}

/** `read` applied to each item of a list of objects. */
export function eachOf<T>(fields: Fields, name: string, read: (item: Fields, index: number) => T): T[] {
  return listOf(fields, name).map((item, index) => read(objectOf(item, `${name}[${index}]`), index));
}

/** The text of an error that was thrown while one of many entries was read. */
export function whyOf(thrown: unknown): string {
  return messageOf(asProtocolError(thrown));
}
