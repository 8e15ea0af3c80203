/** @module Bars, rules and terms for tests of runs over bars. */

import type { BarRule } from '../../src/bot/strategy/index.ts';
import { ppm } from '../../src/domain/index.ts';
import type { BarTerms } from '../../src/research/bars/account.ts';
import type { SettlementColumns } from '../../src/research/bars/columns.ts';
import { Settlements } from '../../src/research/bars/from-tape.ts';
import type { BarColumns } from '../../src/research/bars/index.ts';
import { START_MS, usd } from './trading-builders.ts';

export const BAR_MS = 60_000;
export const BAR_US = BAR_MS * 1_000;
export const START_US = START_MS * 1_000;

/** Open, high, low, close in ticks. */
export type BarRow = readonly [open: number, high: number, low: number, close: number];

/** Minute bars, one after the other, from {@link START_US} on. */
export function barsOf(rows: readonly BarRow[]): BarColumns {
  const column = (place: number) => Float64Array.from(rows, (row) => row[place] ?? Number.NaN);
  return {
    rows: rows.length,
    barUs: BAR_US,
    openUs: Float64Array.from(rows, (_row, at) => START_US + at * BAR_US),
    ...{ open: column(0), high: column(1), low: column(2), close: column(3) },
    volume: new Float64Array(rows.length).fill(1),
  };
}

/** Cash of 10,000, a fee of 400 ppm. */
export function termsOf(changes: Partial<BarTerms> = {}): BarTerms {
  return { collateral: usd(10_000), takerPpm: ppm(400), slippageTicks: 0, ...changes };
}

/** A rule that wants so many lots at the close of each bar; then what it holds. */
export function targetsAt(lots: readonly number[], rest: Partial<BarRule> = {}): BarRule {
  return { targetLots: (_bars, at, heldLots) => lots[at] ?? heldLots, ...rest };
}

/** Settlements at times after {@link START_US}. */
export function settlementsOf(
  rows: readonly (readonly [afterUs: number, ratePpb: number, priceTicks: number])[],
): SettlementColumns {
  const made = new Settlements();
  for (const [afterUs, ratePpb, priceTicks] of rows) made.add(START_US + afterUs, ratePpb, priceTicks);
  return made.done();
}
