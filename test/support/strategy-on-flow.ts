/**
 * @module
 * A strategy in a closed loop without wire, lanes and risk: a real venue with background flow on a virtual clock. Wanted
 * quotes become one replace by the real differ, one block after they were stated; own orders and inventory are read
 * back from the venue. One strategy in one market.
 */

import { diffQuotes } from '../../src/bot/execution/index.ts';
import type { StrategyDefinition } from '../../src/bot/strategy/index.ts';
import { must } from '../../src/core/index.ts';
import { lots, type OrderId, quantums, type Side, ticks, type WorkingOrder } from '../../src/domain/index.ts';
import type { TestFlowHost } from './flow-host.ts';
import { ScriptedMarket, ScriptedRun } from './scripted-context.ts';

const BOOK_DEPTH = 20;
const CASH = quantums(10_000_000_000n);

/** What came of it. */
export interface FlowResult {
  /** Executions as maker by own side. */
  readonly fills: { buy: number; sell: number };
  takerFills: number;
  /** Writes that cancel and place, and all writes. */
  replaces: number;
  writes: number;
  /** Placements that the venue refused. */
  readonly rejected: { readonly atMs: number; readonly reason: string }[];
  /** All fills, in order. */
  readonly marks: { readonly atMs: number; readonly side: Side; readonly notional: number }[];
  maxInventoryLots: number;
  openOrdersPerSideMax: number;
}

/** Runs one instance for as long as the test runs `host`. */
export function runOnFlow(
  host: TestFlowHost,
  definition: StrategyDefinition,
  options: { readonly parameters: unknown; readonly symbol?: string },
) {
  const account = host.createAccount(CASH);
  const number = must(
    host.markets().find((view) => view.market.symbol === (options.symbol ?? view.market.symbol)),
    `a market ${options.symbol}`,
  ).market.signingMarketId;
  const market = new ScriptedMarket(host.marketView(number).market);
  const run = new ScriptedRun(definition, options.parameters, { markets: [market], clock: host.clock });
  const result: FlowResult = {
    fills: { buy: 0, sell: 0 },
    takerFills: 0,
    replaces: 0,
    writes: 0,
    rejected: [],
    marks: [],
    maxInventoryLots: 0,
    openOrdersPerSideMax: 0,
  };
  let pendingFills = 0;
  let isStarted = false;

  const look = () => {
    const { bids, asks } = host.book(number, BOOK_DEPTH);
    market.bids = bids;
    market.asks = asks;
    market.indexTicks = host.marketView(number).indexTicks;
    market.orders = host.openOrders(account).map(
      (order): WorkingOrder => ({
        orderId: `${order.orderSeq}` as OrderId,
        symbol: market.symbol,
        side: order.side,
        priceTicks: ticks(order.priceTicks),
        sizeLots: lots(order.lots),
        remainingLots: lots(order.remainingLots),
        timeInForce: order.tif,
        reduceOnly: false,
      }),
    );
    market.inventoryLots = lots(host.positions(account).find((one) => one.market === number)?.lots ?? 0);
    result.maxInventoryLots = Math.max(result.maxInventoryLots, Math.abs(market.inventoryLots));
    for (const side of ['buy', 'sell'] as const)
      result.openOrdersPerSideMax = Math.max(
        result.openOrdersPerSideMax,
        market.orders.filter((order) => order.side === side).length,
      );
  };

  const write = () => {
    const wanted = run.wanted.get(market.symbol);
    if (wanted === undefined) return;
    const diff = diffQuotes(
      { symbol: market.symbol, bids: wanted.bids, asks: wanted.asks },
      { working: market.orders, inFlight: [], isCancelPending: () => false },
      {
        priceTicks: wanted.options.priceToleranceTicks ?? 0,
        sizeLots: wanted.options.sizeToleranceLots ?? 0,
      },
    );
    if (diff.cancels.length + diff.places.length === 0) return;
    result.writes++;
    if (diff.cancels.length > 0 && diff.places.length > 0) result.replaces++;
    const outcome = host.submit({
      kind: 'BatchReplace',
      account,
      nowMs: host.nowMs(),
      cancels: diff.cancels.map(({ orderId }) => ({ market: number, orderSeq: BigInt(orderId) })),
      orders: diff.places.map(({ side, priceTicks, sizeLots }) => ({
        market: number,
        side,
        price: priceTicks,
        lots: BigInt(sizeLots),
        tif: 'postOnly' as const,
        reduceOnly: false,
      })),
    });
    for (const { state, kind, reason = '' } of outcome.items)
      if (state === 'rejected' && kind === 'place') result.rejected.push({ atMs: host.nowMs(), reason });
  };

  host.attach({
    name: 'strategy',
    start: () => undefined,
    onEvents: (_host, events) => {
      for (const event of events) {
        if (event.kind !== 'Fill') continue;
        if (event.taker.account === account) result.takerFills++;
        if (event.maker.account !== account) continue;
        const side: Side = event.takerSide === 'sell' ? 'buy' : 'sell';
        result.fills[side]++;
        const perTickLot = Number(market.market.quantumsPerTickLot) / 1e6;
        const notional = event.priceTicks * event.lots * perTickLot;
        result.marks.push({ atMs: event.blockAtMs, side, notional });
        pendingFills++;
      }
    },
    onBlock: () => {
      look();
      if (!isStarted) run.handlers.onStart?.();
      else write();
      isStarted = true;
      look();
      for (; pendingFills > 0; pendingFills--) run.handlers.onFill?.({} as never, market);
      run.tellBook(market);
    },
  });
  return { run, market, result, pnl: () => Number(host.account(account).equity - CASH) / 1e6 };
}

/** The greatest sum of `weightOf` over any `windowMs` of `marks`. */
export function greatestWithin<T extends { readonly atMs: number }>(
  marks: readonly T[],
  windowMs: number,
  weightOf: (mark: T) => number = () => 1,
): number {
  const sums = marks.map(({ atMs }) =>
    marks
      .filter((mark) => mark.atMs <= atMs && mark.atMs > atMs - windowMs)
      .reduce((sum, mark) => sum + weightOf(mark), 0),
  );
  return Math.max(0, ...sums);
}
