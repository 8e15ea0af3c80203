/** @module The whole runtime over a log in memory, as the benches of replay and backtest use it. */

import {
  type BacktestOptions,
  type BacktestRun,
  type ReplaySource,
  runBacktest,
} from '../../../src/backtest/index.ts';
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
import { type LimitOverrides, riskLimits } from '../../../src/risk/index.ts';
import {
  defineStrategy,
  param,
  type StrategyContext,
  type StrategyHandlers,
} from '../../../src/strategy/index.ts';
import type { EventBatch } from '../../../src/tape/index.ts';
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
    symbol: `BENCH-${at}` as MarketSymbol,
    signingMarketId: at,
    priceDecimals: 1,
    sizeDecimals: 4,
    tickStep: ticks(1),
    lotStep: lots(1),
    status: 'Active',
    quantumsPerTickLot: 10n,
    initialMarginPpm: ppm(50_000),
    maintenanceFractionPpm: ppm(600_000),
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
  const limits = riskLimits({ capital: CAPITAL, symbols, overrides: LIMITS, isUnsafeAllowed: true });
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
    venue: { fees: { makerPpm: ppm(-20), takerPpm: ppm(400) }, collateral: CAPITAL, fundingHours: 1 },
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

/** Events of a market between two changes of the quotes. */
export const EVENTS_PER_ACTION = 20;

/** A strategy that changes a quote each so many events: one order is canceled and another placed, in one write. */
export class Quoter implements StrategyHandlers {
  readonly #context: StrategyContext;
  readonly #perAction: number;
  #events = 0;
  #rounds = 0;

  constructor(context: StrategyContext, perAction = EVENTS_PER_ACTION) {
    this.#context = context;
    this.#perAction = perAction;
  }

  onBook: NonNullable<StrategyHandlers['onBook']> = (view) => {
    if (++this.#events % this.#perAction !== 0) return;
    const { bestBidTicks: bid, bestAskTicks: ask } = view;
    if (bid === undefined || ask === undefined) return;
    const round = this.#rounds++;
    // Sides take turns to move, near enough to be filled now and then.
    const away = 1 + (round & 7);
    const bidTicks = ticks(bid - (round & 1 ? away : 2));
    const askTicks = ticks(ask + (round & 1 ? 2 : away));
    this.#context.quote(view.symbol, {
      bids: [{ priceTicks: bidTicks, sizeLots: lots(10) }],
      asks: [{ priceTicks: askTicks, sizeLots: lots(10) }],
    });
  };

  onTrade: NonNullable<StrategyHandlers['onTrade']> = () => {
    this.#events++;
  };
}
