/** @module Backtests of one quoting rule in a market whose queues are known. */

import { riskLimits } from '../../../src/bot/risk/index.ts';
import { defineStrategy, param } from '../../../src/bot/strategy/index.ts';
import { silentLog } from '../../../src/core/index.ts';
import {
  type LaneId,
  type Lots,
  type MarketSymbol,
  ppm,
  quantums,
  type StrategyId,
  ticks,
} from '../../../src/domain/index.ts';
import { type BacktestRun, runBacktest } from '../../../src/research/backtest/index.ts';
import type { FillModelSettings } from '../../../src/research/venue/index.ts';
import type { EventRow, Tape } from '../../../src/tape/format/index.ts';
import { memoryTape } from '../../../test/support/memory-tape.ts';
import { aMarket } from '../../../test/support/trading-builders.ts';

const SYMBOL = 'QUEUE-USD' as MarketSymbol;
const LANE = 'lane' as LaneId;
/** Two decimals of price, three of size: a tick is half a basis point of the mid. */
const MARKET = aMarket({
  symbol: SYMBOL,
  priceDecimals: 2,
  quantumsPerTickLot: 10n,
  minNotional: quantums(0n),
});

/** Joins the best price of both sides while its inventory allows. */
const joiner = defineStrategy({
  name: 'queue-joiner',
  parameters: param.object({}),
  create: (context) => ({
    onBook(view, book) {
      const [bid, ask] = [book.bidTicks[0], book.askTicks[0]];
      if (book.bidCount === 0 || book.askCount === 0 || bid === undefined || ask === undefined) return;
      const sizeLots = 1 as Lots;
      const held = view.inventoryLots;
      context.quote(view.symbol, {
        bids: held < 20 ? [{ priceTicks: ticks(bid), sizeLots }] : [],
        asks: held > -20 ? [{ priceTicks: ticks(ask), sizeLots }] : [],
      });
    },
  }),
});

/** A tape of one market. */
export function tapeOf(rows: readonly EventRow[], depth: 'levels' | 'orders'): Tape {
  return memoryTape(
    [{ symbol: SYMBOL, priceDecimals: 2, sizeDecimals: 3, tickStep: 1, lotStep: 1, depth }],
    rows,
  );
}

/** One backtest between two times of the exchange. */
export function quoteOver(
  tape: Tape,
  fillModel: FillModelSettings,
  range: { readonly fromUs: number; readonly toUs: number },
): BacktestRun {
  const capital = quantums(1_000_000_000_000n);
  const overrides = {
    laneWritesPerS: 1e6,
    laneWriteBurst: 1e6,
    accountWritesPerS: 1e6,
    isSwitchRequired: false,
  };
  return runBacktest({
    tape: { ...tape, markets: [MARKET], batches: () => tape.batches() },
    strategies: [
      { id: 'joiner' as StrategyId, definition: joiner, parameters: {}, symbols: [SYMBOL], lane: LANE },
    ],
    limits: riskLimits({ capital, symbols: [SYMBOL], overrides }),
    monitor: undefined,
    seed: 1,
    fillModel,
    feed: { kind: 'in-data', shiftUs: 0 },
    latency: { entry: { kind: 'constant', us: 500 }, response: { kind: 'constant', us: 500 } },
    venue: { fees: { makerPpm: ppm(0), takerPpm: ppm(300) }, collateral: capital },
    collateralDecimals: 6,
    identity: { runId: 'calibration', configHash: '', codeHash: '' },
    ...range,
    samplePeriodMs: 100,
    log: silentLog,
  });
}
