/** @module What accounts hold of tokens that are no collateral: nothing is traded with it, and it counts for no margin. */
import type { LogPosition } from '../engine/index.ts';
import type { TokenEvent } from './event.ts';

/** A balance of a token, or a change of one, in the token's smallest unit. */
export interface TokenAmount {
  /** Number of the token. */
  readonly token: number;
  /** Amount in the smallest unit of the token. */
  readonly amount: bigint;
}

/** All of them, by account. */
export class TokenBalances {
  readonly #byAccount = new Map<number, Map<number, bigint>>();

  /** What an account holds, in the order in which it first came. */
  of(account: number): readonly TokenAmount[] {
    return Array.from(this.#byAccount.get(account) ?? [], ([token, amount]) => ({ token, amount }));
  }

  /** Adds to a balance; gives the entry of the ledger. */
  deposit(account: number, { token, amount }: TokenAmount, at: LogPosition): TokenEvent {
    const held = this.#byAccount.get(account) ?? new Map<number, bigint>();
    held.set(token, (held.get(token) ?? 0n) + amount);
    this.#byAccount.set(account, held);
    return { kind: 'TokenAppended', account, entryKind: 'deposit', token, amount, ...at, idx: 0 };
  }
}
