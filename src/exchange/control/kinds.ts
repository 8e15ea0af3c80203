/**
 * @module
 * Kinds of parameters that only an exchange has. Over HTTP and in scenarios each is text; code may also pass the number
 * that the exchange works with: an account by its id, a price in ticks, a size in lots, an amount in the token's
 * smallest unit.
 */
import { decimal, integer, isRecord, type Kind } from '../../core/index.ts';
import type { Lots, Ticks } from '../../domain/index.ts';

/** A wallet's address. */
export const address: Kind<string> = {
  expected: 'a wallet address: 0x and 40 hexadecimal digits',
  read: (value) =>
    typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : undefined,
};

/** A wallet's address, or the name of an account that was made here. */
export const wallet: Kind<string> = {
  expected: 'a wallet address, or the name of an account made here',
  read: (value) =>
    address.read(value) ?? (typeof value === 'string' && /^[\w .-]{1,64}$/.test(value) ? value : undefined),
};

/** A range of log positions. */
export const positions: Kind<{ readonly first: number; readonly last: number }> = {
  expected: '{first, last} with two log positions in order',
  read: (value) => {
    if (!isRecord(value) || Object.keys(value).some((key) => key !== 'first' && key !== 'last'))
      return undefined;
    const [first, last] = [integer(0).read(value['first']), integer(0).read(value['last'])];
    return first !== undefined && last !== undefined && first <= last ? { first, last } : undefined;
  },
};

/** An account: by its wallet's address or name, in code also by its id. */
export const accountRef: Kind<string | number> = wallet;
/** A price: decimal text, in code also ticks. */
export const price: Kind<string | Ticks> = decimal;
/** A size: decimal text, in code also lots. */
export const size: Kind<string | Lots> = decimal;
/** An amount of a token: decimal text, in code also the token's smallest unit. */
export const amount: Kind<string | bigint> = decimal;
