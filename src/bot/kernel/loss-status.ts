/** @module Losses and their limits for people, as decimal text. */
import { type LossMonitor, nameOfScope } from '../risk/index.ts';

/** What a scope has lost beside what it may lose, decimal text in collateral; a limit of `undefined`: none. */
export interface LossStatus {
  /** `account`, a market or the id of a strategy. */
  readonly scope: string;
  readonly daily: string;
  readonly dailyMax: string | undefined;
  readonly drawdown: string;
  readonly drawdownMax: string | undefined;
  readonly minute: string;
  readonly minuteMax: string | undefined;
}

/** Losses of each scope that is watched; `money` writes an amount in quantums. */
export function lossesOf(
  losses: LossMonitor | undefined,
  money: (amount: bigint) => string,
): readonly LossStatus[] {
  const limit = (amount: bigint | undefined) => (amount === undefined ? undefined : money(amount));
  return (losses?.usage() ?? []).map(({ scope, usage: { daily, drawdown, minute, limits } }) => ({
    scope: nameOfScope(scope),
    // A profit is no loss below zero.
    daily: money(daily < 0n ? 0n : daily),
    dailyMax: limit(limits.dailyMax),
    drawdown: money(drawdown),
    drawdownMax: limit(limits.drawdownMax),
    minute: money(minute),
    minuteMax: limit(limits.minuteMax),
  }));
}
