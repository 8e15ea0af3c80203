/**
 * @module
 * The simulation of section 3.3 of M. Avellaneda and S. Stoikov, "High-frequency trading in a limit order book"
 * (Quantitative Finance 8(3), 2008) with the bundled strategy in the place of the formulas: its module, its parameters,
 * its timers on a virtual clock, its orders in ticks. A step of the paper is a second here.
 *
 *   quotes ─▶ fills with probability A exp(-k distance) dt ─▶ the middle moves by sigma sqrt(dt), up or down
 */
import { must, type Random, seededRandom, unixMs, VirtualClock } from '../../../src/core/index.ts';
import { lots, quantums, ticks } from '../../../src/domain/index.ts';
import stoikov from '../../../strategies/avellaneda-stoikov/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../../test/support/scripted-context.ts';
import { aFill, aMarket } from '../../../test/support/trading-builders.ts';
import { type PaperRow, rowOf } from './row.ts';

/** s = 100, T = 1, sigma = 2, dt = 0.005, k = 1.5, A = 140. */
const PAPER = { mid: 100, sigma: 2, steps: 200, k: 1.5, intensity: 140 };
const STEP_MS = 1_000;
const SESSION_MS = PAPER.steps * STEP_MS;
/** A multiple of the session: the day of the paper begins at zero. */
const START_MS = unixMs(9_000_000 * SESSION_MS);
/** Fine enough that rounding to ticks is nothing. */
const PRICE_DECIMALS = 6;
const TICKS_PER_UNIT = 10 ** PRICE_DECIMALS;
const PPM_PER_UNIT = 1_000_000 / PAPER.mid;
/** Others stand so far away that no quote meets them. */
const OTHERS_AT = 50;

/** A line of tables 1 to 3. */
export interface TableLine {
  readonly table: number;
  readonly gamma: number;
  readonly averageSpread: number;
  readonly strategy: 'inventory' | 'symmetric';
  readonly profit: number;
  readonly profitDeviation: number;
  readonly inventoryDeviation: number;
}

/** Tables 1 to 3 as printed. */
export const TABLES: readonly TableLine[] = [
  ...tableOf({ table: 1, gamma: 0.1, averageSpread: 1.49 }, [65.0, 6.6, 2.9], [68.4, 12.7, 8.4]),
  ...tableOf({ table: 2, gamma: 0.01, averageSpread: 1.35 }, [68.6, 8.7, 5.1], [68.8, 12.8, 8.7]),
  ...tableOf({ table: 3, gamma: 1, averageSpread: 3.02 }, [31.4, 5.0, 1.7], [44.0, 11.0, 5.1]),
];

/** What `paths` sessions of the strategy of a line give, held against the paper. */
export function stoikovRows({ paths, seed }: { readonly paths: number; readonly seed: number }): PaperRow[] {
  return TABLES.flatMap((one) => {
    const random = seededRandom(`${seed} table ${one.table} ${one.strategy}`);
    const sessions = Array.from({ length: paths }, () => session(one, random));
    const profits = sessions.map(({ profit }) => profit);
    const inventories = sessions.map(({ inventory }) => inventory);
    const of = (what: string) => ({
      paper: 'Avellaneda-Stoikov 2008',
      row: `table ${one.table}, gamma ${one.gamma}, ${one.strategy}: ${what}`,
    });
    const profitBand = one.strategy === 'inventory' ? 1.0 : 1.7;
    const { profit, profitDeviation, inventoryDeviation } = one;
    return [
      rowOf({ ...of('profit'), figure: meanOf(profits), expected: profit, band: profitBand }),
      rowOf({
        ...of('std of profit'),
        figure: deviationOf(profits),
        expected: profitDeviation,
        band: 0.12 * profitDeviation,
      }),
      rowOf({
        ...of('std of final inventory'),
        figure: deviationOf(inventories),
        expected: inventoryDeviation,
        band: 0.08 * inventoryDeviation,
      }),
    ];
  });
}

/** One session of the paper. */
export function session(one: TableLine, random: Random): { profit: number; inventory: number } {
  const market = new ScriptedMarket(
    aMarket({
      priceDecimals: PRICE_DECIMALS,
      sizeDecimals: 0,
      lotStep: lots(1),
      tickStep: ticks(1),
      minNotional: quantums(0n),
    }),
  );
  const clock = new VirtualClock(START_MS);
  const run = new ScriptedRun(stoikov, parametersOf(one), { markets: [market], clock });
  let mid = PAPER.mid * TICKS_PER_UNIT;
  let cash = 0;
  const show = () => {
    market.bids = [[mid - OTHERS_AT * TICKS_PER_UNIT, 1]];
    market.asks = [[mid + OTHERS_AT * TICKS_PER_UNIT, 1]];
  };
  show();
  run.handlers.onStart?.();
  const move = Math.round(PAPER.sigma * Math.sqrt(1 / PAPER.steps) * TICKS_PER_UNIT);
  for (let step = 0; step < PAPER.steps; step++) {
    const wanted = must(run.wanted.get(market.symbol), 'quotes');
    const bid = must(wanted.bids[0], 'a bid').priceTicks;
    const ask = must(wanted.asks[0], 'an ask').priceTicks;
    const [isBuy, isSell] = [isFilled(mid - bid, random), isFilled(ask - mid, random)];
    if (isBuy) cash -= bid;
    if (isSell) cash += ask;
    market.inventoryLots = lots(market.inventoryLots + Number(isBuy) - Number(isSell));
    if (isBuy || isSell) run.handlers.onFill?.(aFill({ symbol: market.symbol }), market);
    mid += random.chance(0.5) ? move : -move;
    show();
    clock.advance(STEP_MS);
  }
  const inventory = market.inventoryLots;
  return { profit: (cash + inventory * mid) / TICKS_PER_UNIT, inventory };
}

function isFilled(distanceTicks: number, random: Random): boolean {
  const perStep = Math.exp((-PAPER.k * distanceTicks) / TICKS_PER_UNIT) * (PAPER.intensity / PAPER.steps);
  return random.chance(Math.min(1, perStep));
}

/** The paper's figures in the units of the strategy: ppm of a price of 100, seconds, orders of one. */
function parametersOf({ gamma, averageSpread, strategy }: TableLine): Record<string, string> {
  const common = {
    size: '1',
    maxInventory: '1000',
    riskAversion: (gamma / PPM_PER_UNIT).toFixed(12),
    liquidity: (PAPER.k / PPM_PER_UNIT).toFixed(12),
    horizon: `${SESSION_MS}ms`,
    horizonKind: 'session',
    startVolatilityPpm: String(Math.round(PAPER.sigma * Math.sqrt(1 / PAPER.steps) * PPM_PER_UNIT)),
    requoteInterval: `${STEP_MS}ms`,
  };
  if (strategy === 'inventory') return { ...common, maxHalfSpreadPpm: '100000', maxSkewPpm: '100000' };
  const halfPpm = String(Math.round((averageSpread / 2) * PPM_PER_UNIT));
  return { ...common, minHalfSpreadPpm: halfPpm, maxHalfSpreadPpm: halfPpm, maxSkewPpm: '0' };
}

/** Profit, its standard deviation, and that of the final inventory. */
type Printed = readonly [profit: number, profitDeviation: number, inventoryDeviation: number];

function tableOf(
  of: Pick<TableLine, 'table' | 'gamma' | 'averageSpread'>,
  inventory: Printed,
  symmetric: Printed,
): TableLine[] {
  const lineOf = (
    strategy: TableLine['strategy'],
    [profit, profitDeviation, inventoryDeviation]: Printed,
  ): TableLine => ({ ...of, strategy, profit, profitDeviation, inventoryDeviation });
  return [lineOf('inventory', inventory), lineOf('symmetric', symmetric)];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
