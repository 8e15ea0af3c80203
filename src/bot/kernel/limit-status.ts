/** @module Limits and what is used of them for people, as decimal text. */
import { formatScaled } from '../../core/index.ts';
import { type LimitUse, limitUses, type UsageSources } from '../risk/index.ts';

/** A limit beside what is used of it. */
export interface LimitStatus {
  /** Id of the control (denials.md). */
  readonly control: string;
  /** Key of the configuration that sets it. */
  readonly key: string;
  /** `account`, a market or the id of a strategy. */
  readonly scope: string;
  /** Decimal text: an amount in collateral, a number of orders, or a multiple of the equity. */
  readonly used: string;
  readonly limit: string;
  /** Used over limit: 1 is all of it; more where something was lowered or the market has moved. */
  readonly share: number;
}

/** The limits of a run; `money` writes an amount in quantums. */
export function limitStatus(
  sources: UsageSources,
  money: (amount: bigint) => string,
): readonly LimitStatus[] {
  return limitUses(sources).map(({ control, key, scope, unit, used, limit }) => {
    const text = textOf(unit, money);
    return { control, key, scope, used: text(used), limit: text(limit), share: shareOf(used, limit) };
  });
}

function textOf(unit: LimitUse['unit'], money: (amount: bigint) => string): (amount: bigint) => string {
  if (unit === 'money') return money;
  return unit === 'count' ? String : (ppm) => formatScaled(ppm, 6);
}

function shareOf(used: bigint, limit: bigint): number {
  if (limit === 0n) return used === 0n ? 0 : 1;
  return Number((used * 10_000n) / limit) / 10_000;
}
