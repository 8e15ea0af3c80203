/** @module The whole runtime over a log in memory, as the benches of replay and backtest use it. */

import { type LimitOverrides, riskLimits } from '../../../src/bot/risk/index.ts';
import {
  defineStrategy,
  param,
  type StrategyContext,
  type StrategyHandlers,
  type TargetQuotes,
} from '../../../src/bot/strategy/index.ts';
import { silentLog } from '../../../src/core/index.ts';
import {
  type LaneId,
  lots,
  type Market,
  type MarketSymbol,
  ppm,
  quantums,
  type StrategyId,
  ticks,
} from '../../../src/domain/index.ts';
import {
  type BacktestOptions,
  type BacktestRun,
  type ReplaySource,
  runBacktest,
} from '../../../src/research/backtest/index.ts';
import type { EventBatch } from '../../../src/tape/format/index.ts';
import { MARKET } from '../../book-frames.ts';
import { LOG_FROM_US } from './event-log.ts';

const LANE = 'bench' as LaneId;
const CAPITAL = quantums(10n ** 15n);
/** A bench measures the machine, not its brakes. */
const LIMITS: LimitOverrides = {
  laneWritesPerS: 1e6,
  laneWriteBurst: 1e6,
  accountWritesPerS: 1e6,
  strategySharePpm: ppm(1_000_000),
  isSwitchRequired: false,
  duplicateWindowMs: 0,
  openOrdersPerSideMax: 100,
  openOrdersMax: 1_000,
};

/** Markets of a log. */
export function benchMarkets(count: number): readonly Market[] {
  return Array.from({ length: count }, (_none, at) => ({
    ...MARKET,
    symbol: `BENCH-${at}` as MarketSymbol,
    signingMarketId: at,
    minNotional: quantums(0n),
  }));
}

/** A log as a tape. */
export function sourceOf(batches: readonly EventBatch[], markets: readonly Market[]): ReplaySource {
  const last = batches.at(-1)!;
  return {
    name: 'bench',
    hash: '',
    rows: batches.reduce((sum, { rows }) => sum + rows, 0),
    fromUs: LOG_FROM_US,
    toUs: last.exchangeUs[last.rows - 1]!,
    markets,
    *batches() {
      yield* batches;
    },
  };
}

/** Runs `make` over a tape with queue model, latency, fees and funding. */
export function runOver(
  tape: ReplaySource,
  make: (context: StrategyContext) => StrategyHandlers,
  changes: Partial<BacktestOptions> = {},
): BacktestRun {
  const symbols = tape.markets.map(({ symbol }) => symbol);
  const definition = defineStrategy({
    name: 'bench',
    parameters: param.object({}),
    create: (context) => make(context),
  });
  const limits = riskLimits({ capital: CAPITAL, symbols, overrides: LIMITS });
  return runBacktest({
    tape,
    strategies: [{ id: 'bench' as StrategyId, definition, parameters: {}, symbols, lane: LANE }],
    limits: {
      ...limits,
      strategyDefaults: { ...limits.strategyDefaults, ordersMax: 1_000, isPostOnly: false },
    },
    monitor: undefined,
    seed: 7,
    fillModel: { name: 'queue-power' },
    feed: { kind: 'constant', us: 500 },
    latency: { entry: { kind: 'constant', us: 1_000 }, response: { kind: 'constant', us: 1_000 } },
    venue: {
      fees: { makerPpm: ppm(-20), takerPpm: ppm(400) },
      collateral: CAPITAL,
      fundingIntervalMs: 3_600_000,
    },
    collateralDecimals: 6,
    identity: { runId: 'bench', configHash: '', codeHash: '' },
    log: silentLog,
    ...changes,
  });
}

/** A strategy that reads the best prices after each change, and trades nothing. */
export class Reader implements StrategyHandlers {
  spreads = 0;
  traded = 0;

  onBook: NonNullable<StrategyHandlers['onBook']> = (view) => {
    const { bestBidTicks: bid, bestAskTicks: ask } = view;
    if (bid !== undefined && ask !== undefined) this.spreads += ask - bid;
  };

  onTrade: NonNullable<StrategyHandlers['onTrade']> = (_view, trade) => {
    this.traded += trade.sizeLots;
  };
}

/** Events of a market between two steps of a {@link Quoter}. */
export const EVENTS_PER_ACTION = 20;
/** Odd, so that a quote that comes by turns is not always as far away. */
const AWAY_TICKS_MAX = 7;

/**
 * What a {@link Quoter} does each time: one order action (a quote is taken back, or placed again, sides by turns), one quote
 * replaced (a cancel and a placement in one write, sides by turns), or both quotes replaced.
 */
export type QuoterStep = 'action' | 'quote' | 'both quotes';

/** A strategy that quotes both sides, and changes its quotes each so many events. */
export class Quoter implements StrategyHandlers {
  readonly #context: StrategyContext;
  readonly #step: QuoterStep;
  #events = 0;
  #rounds = 0;
  #bids: TargetQuotes['bids'] = [];
  #asks: TargetQuotes['asks'] = [];

  constructor(context: StrategyContext, step: QuoterStep) {
    this.#context = context;
    this.#step = step;
  }

  onBook: NonNullable<StrategyHandlers['onBook']> = (view) => {
    if (++this.#events % EVENTS_PER_ACTION !== 0) return;
    const { bestBidTicks: bid, bestAskTicks: ask } = view;
    if (bid === undefined || ask === undefined) return;
    const round = this.#rounds++;
    // Near enough to be filled now and then.
    const away = 1 + (round % AWAY_TICKS_MAX);
    const bids = [{ priceTicks: ticks(bid - away), sizeLots: lots(10) }];
    const asks = [{ priceTicks: ticks(ask + away), sizeLots: lots(10) }];
    const turn = round & 3;
    if (this.#step === 'both quotes') {
      this.#bids = bids;
      this.#asks = asks;
    } else if (this.#step === 'quote') {
      if ((turn & 1) === 0) this.#bids = bids;
      else this.#asks = asks;
    } else if (turn < 2) this.#bids = turn === 0 ? [] : bids;
    else this.#asks = turn === 2 ? [] : asks;
    this.#context.quote(view.symbol, { bids: this.#bids, asks: this.#asks });
  };

  onTrade: NonNullable<StrategyHandlers['onTrade']> = () => {
    this.#events++;
  };
}
