/**
 * @module
 * I10: limits of one order, at its record: what it is worth (P2), and how far its price is from the prices that the market
 * had lately (P3). What many orders come to together is looked at in `exposure.ts`.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type RowOrder, rowOf } from './support/journal-text.ts';
import { type ConfiguredLimits, limitsOfConfig, money } from './support/limits.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I10'], begin }];

/** Frames may be late by this: prices of so long ago may be what an order was judged by. */
const PRICE_MEMORY_MS = 60_000;
/** The middle of the book, which is a source of the reference price too, may lie outside of the others by this. */
const MIDDLE_PPM = 500;
const PPM = 1_000_000;

/** The lowest and the highest price that was seen at one time. */
interface Range {
  readonly atMs: number;
  readonly low: number;
  readonly high: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const limits = limitsOfConfig(world.plan.config);
  const seen = new Map<string, Range[]>();
  /** What a lot at a tick is worth in each market. */
  const worths = new Map<string, bigint>();
  scene.onPrices(() => {
    for (const { market, indexTicks, markTicks, lastTicks } of world.exchange.control.venue.markets()) {
      const prices = [indexTicks, markTicks, lastTicks].filter((ticks) => ticks > 0);
      const ranges = seen.get(market.symbol) ?? [];
      ranges.push({ atMs: scene.nowMs, low: Math.min(...prices), high: Math.max(...prices) });
      while ((ranges[0]?.atMs ?? scene.nowMs) < scene.nowMs - PRICE_MEMORY_MS) ranges.shift();
      seen.set(market.symbol, ranges);
      worths.set(market.symbol, market.quantumsPerTickLot);
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      // Markets whose ticks and lots change their worth mean another order by the same numbers (F39, F40).
      if (sight.kind === 'recorded' && !scene.plans('F39', 'F40'))
        for (const order of placedBy(sight)) check(world, order, { limits, worths, seen });
    },
  };
}

function placedBy(sight: Sight): readonly RowOrder[] {
  const row = rowOf(sight);
  if (row?.type !== 'write') return [];
  const { kind, orders = [] } = row.value.command;
  return kind === 'place' || kind === 'replace' ? orders : [];
}

function check(
  world: OracleWorld,
  { symbol, intentId, priceTicks, sizeLots, trigger }: RowOrder,
  known: {
    readonly limits: ConfiguredLimits;
    readonly worths: ReadonlyMap<string, bigint>;
    readonly seen: ReadonlyMap<string, readonly Range[]>;
  },
): void {
  const { orderNotionalMax, collarPpm } = known.limits;
  const worth = known.worths.get(symbol);
  if (worth === undefined) return;
  const value = BigInt(sizeLots) * BigInt(priceTicks) * worth;
  if (value > orderNotionalMax) world.violate('I10', `${intentId} is an order over ${money(value)} (P2)`);
  // What waits for its trigger meets the market there.
  if (trigger !== undefined) {
    if (Math.abs(priceTicks - trigger.priceTicks) * PPM > collarPpm * trigger.priceTicks)
      world.violate('I10', `${intentId} is an order at ${priceTicks} behind ${trigger.priceTicks} (P3)`);
    return;
  }
  const ranges = known.seen.get(symbol) ?? [];
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const slackPpm = collarPpm + MIDDLE_PPM;
  if (priceTicks * PPM < low * (PPM - slackPpm) || priceTicks * PPM > high * (PPM + slackPpm))
    world.violate(
      'I10',
      `${intentId} is an order at ${priceTicks}, the market was at ${low} to ${high} (P3)`,
    );
}
