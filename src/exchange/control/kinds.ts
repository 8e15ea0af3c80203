/**
 * @module
 * Kinds of parameters that only an exchange has. Over HTTP and in scenarios each is text; code may also pass the number
 * that the exchange works with: an account by its id, a price in ticks, a size in lots, an amount in the token's
 * smallest unit.
 */
import { ADDRESS, integerFrom, isRecord, type Kind, UNSIGNED_DECIMAL } from '../../core/index.ts';
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

/** An account: by its wallet's address or name, in code also by its id. */
export const accountRef: Kind<string | number> = wallet;
/** A price: decimal text, in code also ticks. */
export const givenPrice: Kind<string | Ticks> = UNSIGNED_DECIMAL;
/** A size: decimal text, in code also lots. */
export const givenSize: Kind<string | Lots> = UNSIGNED_DECIMAL;
/** An amount of a token: decimal text, in code also the token's smallest unit. */
export const givenAmount: Kind<string | bigint> = UNSIGNED_DECIMAL;
