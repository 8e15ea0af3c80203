/**
 * @module
 * Kinds of parameters that only an exchange has. Over HTTP and in scenarios each is text; code may also pass the number
 * that the exchange works with: an account by its id, a price in ticks, a size in lots, an amount in the token's
 * smallest unit.
 */
import { ADDRESS, INTEGER, integerFrom, isRecord, type Kind, UNSIGNED_DECIMAL } from '../../core/index.ts';
import type { Lots, Ticks } from '../../domain/index.ts';

/** A wallet's address, or the name of an account that was made here. */
export const wallet: Kind<string> = {
  expected: 'a wallet address, or the name of an account made here',
  read: (value) =>
    ADDRESS.read(value) ?? (typeof value === 'string' && /^[\w .-]{1,64}$/.test(value) ? value : undefined),
};

const POSITION_IN_LOG = integerFrom(0);

/** A range of log positions. */
export const positions: Kind<{ readonly first: number; readonly last: number }> = {
  expected: '{first, last} with two log positions in order',
  read: (value) => {
    if (!isRecord(value) || Object.keys(value).some((key) => key !== 'first' && key !== 'last'))
      return undefined;
    const [first, last] = [POSITION_IN_LOG.read(value['first']), POSITION_IN_LOG.read(value['last'])];
    return first !== undefined && last !== undefined && first <= last ? { first, last } : undefined;
  },
};

/** Values by the path of the field that they are for. */
export const valuesByPath: Kind<Readonly<Record<string, unknown>>> = {
  expected: 'paths with values, such as {"data.positions.*.size": "0"}',
  read: (value) => (isRecord(value) && Object.keys(value).every(isPath) ? value : undefined),
};

/** Integers by the path of the field that they are for. */
export const integersByPath: Kind<Readonly<Record<string, number>>> = {
  expected: 'paths with integers, such as {"data.ts": -3600000}',
  read: (value) => {
    if (!isRecord(value) || !Object.keys(value).every(isPath)) return undefined;
    const read = Object.entries(value).map(([path, one]) => [path, INTEGER.read(one)] as const);
    return read.every(([, one]) => one !== undefined)
      ? (Object.fromEntries(read) as Readonly<Record<string, number>>)
      : undefined;
  },
};

/** A path to a field of a frame or an answer. */
export const fieldPath: Kind<string> = {
  expected: 'the path of a field, such as data.ts',
  read: (value) => (typeof value === 'string' && isPath(value) ? value : undefined),
};

function isPath(text: string): boolean {
  return /^[\w*-]+(?:\.[\w*-]+){0,9}$/.test(text) && !text.split('.').includes('__proto__');
}

/** An account: by its wallet's address or name, in code also by its id. */
export const accountRef: Kind<string | number> = wallet;
/** A price: decimal text, in code also ticks. */
export const givenPrice: Kind<string | Ticks> = UNSIGNED_DECIMAL;
/** A size: decimal text, in code also lots. */
export const givenSize: Kind<string | Lots> = UNSIGNED_DECIMAL;
/** An amount of a token: decimal text, in code also the token's smallest unit. */
export const givenAmount: Kind<string | bigint> = UNSIGNED_DECIMAL;
