/**
 * @module
 * The record of a run over bars, in the shape of every other run, so that the same report speaks of it in the same words.
 * A bar is known when it ends: what happened inside one has that time, what happened at its open has the open's.
 */
import { unixMs } from '../../core/index.ts';
import {
  MARKOUT_HORIZONS_MS,
  type Market,
  type OrderId,
  quantums,
  type RecordedFill,
  type RunRecord,
  type StrategyId,
} from '../../domain/index.ts';
import { bpsText } from '../backtest/index.ts';
import type { BarTerms } from './account.ts';
import type { BarColumns } from './columns.ts';
import type { BarRun } from './engine.ts';
import { FILL_REASONS } from './trades.ts';

const US_PER_MS = 1_000;
/** Kinds of ledger entries, as an exchange calls them. */
const KINDS = { fee: 'taker_fee', funding: 'funding', trade: 'trade' } as const;

/** What only the caller knows of a run. */
export interface BarIdentity
  extends Pick<
    RunRecord,
    'runId' | 'configHash' | 'codeHash' | 'parameters' | 'tapes' | 'seed' | 'collateralDecimals'
  > {
  /** Id of the strategy. */
  readonly strategyId: StrategyId;
  /** The traded market. */
  readonly market: Market;
  /** The bars, oldest first. */
  readonly bars: BarColumns;
  /** Collateral, fees and limits. */
  readonly terms: BarTerms;
}

/** The record of `run`. */
export function recordOfBars(run: BarRun, identity: BarIdentity): RunRecord {
  const { strategyId, market, bars, terms, ...known } = identity;
  const { symbol, priceDecimals, sizeDecimals, quantumsPerTickLot } = market;
  const zero = quantums(0n);
  const { fees, funding } = run.pnl;
  const ledger = [
    { kind: KINDS.funding, amount: funding },
    { kind: KINDS.fee, amount: quantums(-fees) },
    { kind: KINDS.trade, amount: quantums(cashOfTrades(run, quantumsPerTickLot)) },
  ];
  const fills = fillsOf(run, identity);
  return {
    ...known,
    mode: 'backtest',
    fromMs: unixMs((bars.openUs[0] ?? 0) / US_PER_MS),
    toMs: unixMs(endMs(bars, bars.rows - 1)),
    assumptions: assumptionsOfBars(bars, terms),
    markets: [{ symbol, priceDecimals, sizeDecimals, quantumsPerTickLot }],
    strategies: [strategyId],
    // A rule over bars is no strategy in a run: it sends no intents and logs nothing.
    ...{ tallies: [], outcomes: [], log: [], logDropped: 0 },
    ...{ equityStart: run.equityStart, equityEnd: run.equityEnd, transfers: zero },
    ...{ pnl: run.pnl, residual: run.residual },
    ledger: ledger.filter(({ amount }) => amount !== 0n),
    byStrategy: [
      {
        ...run.pnl,
        ...{ strategyId, symbol, turnover: run.turnover },
        finalLots: (run.heldLots[bars.rows - 1] ?? 0) as RunRecord['byStrategy'][number]['finalLots'],
      },
    ],
    quoting: [],
    counts: {
      intents: fills.length + run.tooSmall,
      denied: run.tooSmall,
      ordersPlaced: fills.length,
      ...{ ordersRejected: 0, ordersCanceled: 0, ordersFilled: fills.length, writes: fills.length },
      ...{ makerFills: 0, takerFills: fills.length },
    },
    samples: samplesOf(run, bars),
    fills,
    quotes: [],
    quoteSampling: 1,
  };
}

/** What a run over bars takes for granted, in words. */
function assumptionsOfBars(
  bars: BarColumns,
  { takerPpm, takerTiers = [], slippageTicks }: BarTerms,
): readonly string[] {
  return [
    `bars of ${bars.barUs / 1_000_000} s: what is decided at a close is filled in full at the next open, ${slippageTicks} ticks worse`,
    'inside a bar a stop is filled before a take-profit, at its level or at an open beyond it; a take-profit at its level',
    `fees: ${bpsText(takerPpm)} of every fill${takerTiers.length === 0 ? '' : `, ${takerTiers.length} tiers by volume`}`,
    'funding: as settled, on what was held before what is done at that instant',
  ];
}

function cashOfTrades({ fills }: BarRun, perTickLot: bigint): bigint {
  let cash = 0n;
  for (const [at, lots] of fills.lots.entries())
    cash -= BigInt(lots) * BigInt(fills.priceTicks[at] ?? 0) * perTickLot;
  return cash;
}

function fillsOf({ fills }: BarRun, { strategyId, market, bars }: BarIdentity): readonly RecordedFill[] {
  return Array.from(fills.lots, (lots, at) => {
    const bar = fills.bar[at] ?? 0;
    const isAtOpen = FILL_REASONS[fills.reason[at] ?? 0] === 'rule';
    return {
      atMs: unixMs(isAtOpen ? (bars.openUs[bar] ?? 0) / US_PER_MS : endMs(bars, bar)),
      ...{ strategyId, intentId: undefined, orderId: `bar-${bar}-${at}` as OrderId, symbol: market.symbol },
      side: lots > 0 ? 'buy' : 'sell',
      role: 'taker',
      priceTicks: (fills.priceTicks[at] ?? 0) as RecordedFill['priceTicks'],
      sizeLots: Math.abs(lots) as RecordedFill['sizeLots'],
      fee: quantums(fills.fee[at] ?? 0n),
      midTicks: fills.referenceTicks[at] ?? Number.NaN,
      laterMidTicks: MARKOUT_HORIZONS_MS.map(() => Number.NaN),
      ...{ queueAheadLots: Number.NaN, queueAtRestLots: Number.NaN },
    };
  });
}

/** The first open, then each close. */
function samplesOf(run: BarRun, bars: BarColumns): RunRecord['samples'] {
  const after = (first: number, values: ArrayLike<number>) => {
    const column = new Float64Array(bars.rows + 1);
    column[0] = first;
    column.set(values, 1);
    return column;
  };
  const ends = bars.openUs.map((us) => (us + bars.barUs) / US_PER_MS);
  return {
    periodMs: bars.barUs / US_PER_MS,
    atMs: after((bars.openUs[0] ?? 0) / US_PER_MS, ends),
    equity: after(Number(run.equityStart), run.equity),
    midTicks: [after(bars.open[0] ?? Number.NaN, bars.close)],
    inventoryLots: [after(0, run.heldLots)],
  };
}

function endMs({ openUs, barUs }: BarColumns, at: number): number {
  return ((openUs[at] ?? 0) + barUs) / US_PER_MS;
}
