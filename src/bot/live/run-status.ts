/**
 * @module
 * What a person sees of a run while it continues: one flat picture, taken when it is asked for.
 */
import { Decimal } from '../../core/index.ts';
import type { Bot } from '../kernel/index.ts';

/** One market of a run. Sizes and prices are decimal text. */
export interface RunMarketStatus {
  readonly symbol: string;
  /** Signed position, decimal text. */
  readonly position: string;
  /** Best own bid and ask that rest, `undefined` when there is none. */
  readonly bid: string | undefined;
  /** Best ask, decimal text; `undefined`: the side is empty. */
  readonly ask: string | undefined;
  /** Why there are no quotes, when there are none. */
  readonly noQuoteReason: string | undefined;
}

/** The picture. */
export interface RunStatus {
  /** Since the start of the run, ms. */
  readonly elapsedMs: number;
  /** starting, reconciling, armed, quoting, degraded, stopping, stopped. */
  readonly state: string;
  /** Why it is degraded. */
  readonly reasons: readonly string[];
  readonly markets: readonly RunMarketStatus[];
  /** Profit and loss in the collateral token. */
  readonly pnl: string;
  /** Number of fills. */
  readonly fills: number;
  /** Number of own orders that rest. */
  readonly orders: number;
  /** Number of writes whose outcome is not known. */
  readonly unresolved: number;
  /** Seconds until the dead man's switch fires, `undefined` while it is not armed. */
  readonly switchLeftS: number | undefined;
  /** Ids of health checks that fail, `H2` and so on; empty: healthy. */
  readonly failing: readonly string[];
  /** What is halted until a person resumes it, with control, scope and cause. */
  readonly halts: readonly string[];
}

/** The best price of the orders of one side. */
function bestOf(
  orders: readonly { readonly side: 'buy' | 'sell'; readonly price: string }[],
  side: 'buy' | 'sell',
): string | undefined {
  const prices = orders.filter((order) => order.side === side).map((order) => new Decimal(order.price));
  if (prices.length === 0) return undefined;
  const best = side === 'buy' ? Decimal.max(...prices) : Decimal.min(...prices);
  return orders.find((order) => order.side === side && best.eq(order.price))?.price;
}

/** The picture of a running bot. */
export function runStatusOf(bot: Bot, elapsedMs: number): RunStatus {
  const status = bot.status();
  return {
    elapsedMs,
    state: status.state,
    reasons: status.reasons,
    markets: status.markets.map(({ symbol, position, orders, noQuoteReasons }) => ({
      symbol,
      position,
      bid: bestOf(orders, 'buy'),
      ask: bestOf(orders, 'sell'),
      noQuoteReason: orders.length === 0 ? noQuoteReasons[0]?.reason : undefined,
    })),
    pnl: status.pnl.total,
    fills: status.strategies.reduce((sum, strategy) => sum + strategy.fills, 0),
    orders: status.markets.reduce((sum, market) => sum + market.orders.length, 0),
    unresolved: status.unresolved,
    switchLeftS:
      status.switch.armedForMs === undefined
        ? undefined
        : Math.max(0, Math.round(status.switch.armedForMs / 1000)),
    halts: status.halts.map(({ control, scope, reason }) => `${scope} by ${control}: ${reason}`),
    failing: status.health.items.filter((item) => !item.isHealthy).map((item) => item.id),
  };
}
