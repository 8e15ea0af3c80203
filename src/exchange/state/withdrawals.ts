/**
 * @module Withdrawals that are under way: the cash has left the account, the other chain does not report it for a
 * while, then has (`pending`, then `acked`; exchange.md#resources: `outboxStatus`). When, is an own choice.
 */
import type { LogPosition } from '../engine/index.ts';

/** How long the other chain takes to acknowledge a withdrawal, and how long it is listed after that, in ms. */
const WITHDRAWAL_ACK_MS = 5_000;
const LISTED_MS = 3_600_000;
/** Withdrawals of one account that are listed at most; the oldest go first. */
const LISTED_MAX = 100;

/** One withdrawal; its id is its seq. */
export interface WithdrawalRow {
  /** Its seq as text. */
  readonly id: string;
  /** Amount in quantums. */
  readonly amount: bigint;
  /** Time, Unix ms. */
  readonly atMs: number;
}

/** All of them, by account. */
export class Withdrawals {
  readonly #byAccount = new Map<number, WithdrawalRow[]>();

  /** Notes that `amount` left the account. */
  begin(account: number, amount: bigint, at: LogPosition): void {
    const rows = this.#byAccount.get(account) ?? [];
    rows.push({ id: `${at.seq}-${at.sub}-0`, amount, atMs: at.blockAtMs });
    if (rows.length > LISTED_MAX) rows.shift();
    this.#byAccount.set(account, rows);
  }

  /** Those of an account that are listed at `nowMs`, newest first, each with what is known of it. */
  listed(
    account: number,
    nowMs: number,
  ): readonly (WithdrawalRow & { readonly status: 'pending' | 'acked' })[] {
    return (this.#byAccount.get(account) ?? [])
      .filter(({ atMs }) => nowMs < atMs + WITHDRAWAL_ACK_MS + LISTED_MS)
      .map((row) => ({
        ...row,
        status: nowMs < row.atMs + WITHDRAWAL_ACK_MS ? ('pending' as const) : ('acked' as const),
      }))
      .reverse();
  }
}
