/** @module The values that answers are made of, each with its form for people and its exact form. */
import {
  ANY_TEXT,
  DECIMAL_TEXT,
  Decimal,
  FLAG_LIKE,
  ID,
  INTEGER,
  type JsonObject,
  type Kind,
  NATURAL,
  OBJECT,
  oneOf,
  parseScaled,
  parseScaledNumber,
  type UnixMs,
} from '../../../core/index.ts';
import {
  type Cursor,
  type Epoch,
  type Lots,
  type OrderId,
  type Ppm,
  PRICE_TICKS_MAX,
  type Quantums,
  type Seq,
  type Ticks,
} from '../../../domain/index.ts';
import type { DocumentType, Scale, Schema } from './schema.ts';

/** Text that holds a number, exactly. */
export type DecimalText = string;

/** A value that people and the bot read alike; its exact form may bear a brand, and be of fewer values. */
function plain<W, P, E extends P = P>(
  type: DocumentType,
  { expected, read }: Kind<P>,
  mayBeExact?: (value: P) => boolean,
): Schema<W, P, E> {
  const exact = read as (value: unknown) => E | undefined;
  if (mayBeExact === undefined) return { type, expected, read, exact };
  const checked = (value: unknown) => {
    const is = exact(value);
    return is !== undefined && mayBeExact(is) ? is : undefined;
  };
  return { type, expected, read, exact: checked };
}

/** A decimal: for people a Decimal, for the bot what `exact` counts. */
function decimalAs<E>(
  exact: (value: unknown, scale: Scale) => E | undefined,
): Schema<DecimalText, Decimal, E> {
  return {
    type: 'decimal',
    expected: DECIMAL_TEXT.expected,
    read: (value) => {
      const text = DECIMAL_TEXT.read(value);
      return text === undefined ? undefined : new Decimal(text);
    },
    exact,
  };
}

/** Text. */
export const text = plain<string, string>('text', ANY_TEXT);
/** An id: text, or the same as an integer. */
export const id = plain<string, string>('text', ID);
/** An integer within 2^53. Digits as text are read too. */
export const integer = plain<number, number>('integer', INTEGER);
/** Unix milliseconds. */
export const timestamp = plain<number, number, UnixMs>('integer', INTEGER);
/** Unix milliseconds that the exchange writes as text. */
export const timestampText = plain<string, number, UnixMs>('text', INTEGER);
/** Parts per million. */
export const ppm = plain<number, number, Ppm>('integer', INTEGER);
/** An integer of 0 or more, of any length. */
export const position = plain<number, bigint>('integer', NATURAL);
/** A log position. */
export const seq = plain<number, bigint, Seq>('integer', NATURAL);
/** One run of the ledger; compared for equality only (ambiguity A12). */
export const epoch = plain<string, string, Epoch>('text', ID);
/** True or false, also as 1, 0 and text (obligation O61). */
export const flag = plain<boolean, boolean>('flag', FLAG_LIKE);
/** An object whose fields are not known in advance. */
export const object = plain<JsonObject, JsonObject>('object', OBJECT);

const CURSOR_TEXT = /^[0-9]{1,20}-[0-9]{1,10}-[0-9]{1,10}$/;
/** A position in history, `<seq>-<sub>-<idx>`: the bot compares its numbers (obligation O110). */
export const cursor = plain<string, string, Cursor>('text', ID, (value) => CURSOR_TEXT.test(value));

const ORDER_ID_TEXT = /^(?:0|[1-9][0-9]{0,19})$/;
/** The number of an order. One of another form could never be canceled. */
export const orderId = plain<string, string, OrderId>('text', ID, (value) => ORDER_ID_TEXT.test(value));

/** A price: ticks. */
export const price = decimalAs((value, { priceDecimals }) => {
  const ticks = countOf(value, priceDecimals);
  return ticks <= PRICE_TICKS_MAX ? (ticks as Ticks) : undefined;
});
/** A size that is not negative: lots. */
export const size = decimalAs((value, { sizeDecimals }) => lotsOf(value, sizeDecimals));
/** A size with a sign: a position in lots. */
export const signedSize = decimalAs((value, { sizeDecimals }) => {
  if (typeof value !== 'string' || !value.startsWith('-')) return lotsOf(value, sizeDecimals);
  const lots = lotsOf(value.slice(1), sizeDecimals);
  return lots === undefined || lots === 0 ? lots : (-lots as Lots);
});
/** An amount of collateral, signed: quantums. */
export const amount = decimalAs((value, { collateralDecimals }) =>
  typeof value === 'string' ? (parseScaled(value, collateralDecimals) as Quantums | undefined) : undefined,
);

function lotsOf(value: unknown, decimals: number): Lots | undefined {
  const lots = countOf(value, decimals);
  return Number.isNaN(lots) ? undefined : (lots as Lots);
}

/** How many steps of 10^-decimals; not a number for what is no decimal text of so many decimals, or negative. */
function countOf(value: unknown, decimals: number): number {
  return typeof value === 'string' ? parseScaledNumber(value, decimals) : Number.NaN;
}

/** One of some texts, and nothing else. */
export function choice<const Choice extends string>(...values: readonly Choice[]): Schema<Choice, Choice> {
  return { ...plain<Choice, Choice>('text', oneOf(...values)), values };
}

/** As {@link choice}, where other exchanges have other words for some of them: `words` by theirs. */
export function choiceAlso<const Choice extends string>(
  words: Readonly<Record<string, Choice>>,
  ...values: readonly Choice[]
): Schema<Choice, Choice> {
  const own = choice(...values);
  const wordOf = (value: unknown): unknown =>
    typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value;
  return {
    ...own,
    read: (value) => own.read(wordOf(value)),
    exact: (value, scale) => own.exact(wordOf(value), scale),
  };
}

/** One of some texts that the document lists; others are read too. */
export function word<const Known extends string>(...values: readonly Known[]): Schema<Known, string> {
  return { ...plain<Known, string>('text', ANY_TEXT), values };
}

/** The sides of an order or a trade. */
export const side = choice('buy', 'sell');
