/** @module The kinds of values that calls take. Numbers are numbers and texts are texts: nothing is turned into another. */
import {
  ANY_TEXT,
  Decimal,
  FLAG,
  isDecimalText,
  isHex,
  isRecord,
  type Kind,
  numberFrom,
  oneOf,
  TEXT,
} from '../../core/index.ts';
import { CANDLE_INTERVALS, TIMES_IN_FORCE } from '../../domain/index.ts';
import { hasValidChecksum } from '../../wire/crypto/index.ts';
import { BOOK_DEPTH_MAX, CLIENT_ORDER_ID_LENGTH_MAX, vaultNumber } from '../../wire/protocol/index.ts';
import type { StreamHandlers } from '../streams/topic.ts';
import { type Argument, mayGive, mustGive, value, withFields } from './argument.ts';

/** A kind by what it takes. */
function kindOf<T>(expected: string, isIt: (given: unknown) => boolean): Kind<T> {
  return { expected, read: (given) => (isIt(given) ? (given as T) : undefined) };
}

/** Text that is not empty. */
export const TEXT_VALUE = value(TEXT);
/** True or false. */
export const FLAG_VALUE = value(FLAG);
/** Symbol of a market. */
export const SYMBOL = value({ ...TEXT, expected: 'the symbol of a market, as text' });
/** One of some words. */
export function oneWord(...words: readonly string[]): Argument {
  return value(oneOf(...words));
}
/** Buy or sell. */
export const ORDER_SIDE = oneWord('buy', 'sell');
/** Time in force of an order. */
export const TIME_IN_FORCE = oneWord(...TIMES_IN_FORCE);
/** Interval of candles. */
export const INTERVAL = oneWord(...CANDLE_INTERVALS);
/** Levels of a book. */
export const DEPTH = value(numberFrom(1, BOOK_DEPTH_MAX));
/** Entries of an answer. */
export const LIMIT = value(numberFrom(1));
/** A count from 1 on. */
export const COUNT = value(numberFrom(1));
/** Parts per million of something, or a number that starts at 0. */
export const NATURAL_NUMBER = value(numberFrom(0));
/** A multiple of the margin. */
export const LEVERAGE = value(numberFrom(1, 1_000_000));
/** Index of a subaccount. */
export const SUBACCOUNT = value(numberFrom(0, 0xffff_ffff));

/** Price, size or amount: text or Decimal. */
export const DECIMAL = value(
  kindOf('decimal text or Decimal', (given) =>
    given instanceof Decimal ? given.isFinite() : isDecimalText(given),
  ),
  {
    code: 'CLIENT_DECIMAL_INVALID',
    remedy: "Write it in quotes, like '0.001': a number has been rounded to a binary fraction already.",
  },
);

/** An instant. */
export const TIME_MS = value(
  { ...numberFrom(0), expected: 'integer Unix milliseconds or 0' },
  {
    code: 'CLIENT_TIME_INVALID',
    remedy: "Add milliseconds to the exchange's own time, GET /v1/time.",
  },
);

/** An address, read in lower case. */
export const WALLET_ADDRESS = value<string>(
  {
    expected: 'an address: 0x and 40 hex digits, in one case or in the capital letters of EIP-55',
    read: (given) => (typeof given === 'string' && hasValidChecksum(given) ? given.toLowerCase() : undefined),
  },
  {
    code: 'CLIENT_ADDRESS_INVALID',
    remedy:
      'Copy the address again from the wallet; an account is named by its main wallet, never by an API wallet.',
  },
);

/** A label of the caller's. */
export const LABEL = value(
  kindOf(
    `text of 1 to ${CLIENT_ORDER_ID_LENGTH_MAX} characters`,
    (given) => typeof given === 'string' && given.length >= 1 && given.length <= CLIENT_ORDER_ID_LENGTH_MAX,
  ),
);

/** Number of an order. */
export const ORDER_ID = value(
  kindOf(
    'the number of an order, as text of digits',
    (given) => typeof given === 'string' && /^(?:0|[1-9][0-9]{0,19})$/.test(given),
  ),
);

/** Id of a vault. */
export const VAULT_ID = value(
  kindOf(
    'the id of a vault, as text of digits',
    (given) => typeof given === 'string' && vaultNumber(given) !== undefined,
  ),
);

/** A request id or a command hash. */
export const HASH = value(kindOf('0x and 64 hex digits', (given) => isHex(given, 32)));

/** A log position or a nonce. */
export const LOG_POSITION = value(
  kindOf('a bigint of 0 or more, such as 5n', (given) => typeof given === 'bigint' && given >= 0n),
);

/** A private key; never shown. */
export const SECRET_KEY = value(
  kindOf(
    'a private key: text of 64 hex digits',
    (given) => typeof given === 'string' && /^(?:0x)?[0-9a-fA-F]{64}$/.test(given),
  ),
  {
    code: 'CLIENT_FIELD_INVALID',
    remedy: 'Give the key as the wallet exports it, 64 hex digits with or without 0x.',
    isSecret: true,
  },
);

/** Texts by name. */
export const TEXTS = value(
  kindOf(
    'an object of texts',
    (given) => isRecord(given) && Object.values(given).every((one) => ANY_TEXT.read(one) !== undefined),
  ),
);

/** An object with these methods, such as a clock. It is passed on as it is. */
export function objectWith(...methods: readonly string[]): Argument {
  return value(
    kindOf(
      `an object with ${methods.join(', ')}`,
      (given) => isRecord(given) && methods.every((name) => typeof Reflect.get(given, name) === 'function'),
    ),
  );
}

const HANDLER = value(kindOf('a function', (given) => typeof given === 'function'));
const HANDLERS = withFields({
  onUpdate: mustGive(HANDLER),
  onState: mayGive(HANDLER),
  onReset: mayGive(HANDLER),
  onError: mayGive(HANDLER),
});

/** A function for the updates, or handlers. An instance of a class may have fields of its own. */
export const LISTENER: Argument<keyof StreamHandlers<unknown>> = {
  ...HANDLERS,
  expected: 'a function, or an object with onUpdate',
  read(given, place) {
    if (typeof given === 'function') return given;
    const isInstance =
      isRecord(given) && ![Object.prototype, null].includes(Object.getPrototypeOf(given) as object | null);
    const { onUpdate, onState, onReset, onError } = (isRecord(given) ? given : {}) as Record<string, unknown>;
    HANDLERS.read(isInstance ? { onUpdate, onState, onReset, onError } : given, place);
    return given;
  },
};
