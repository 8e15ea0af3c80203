/**
 * @module
 * What a person who watches a run is shown at one instant: the page and `ballast top` draw the same document. Plain data;
 * amounts, prices and sizes are decimal text. Made when it is asked for, never kept.
 */
import { formatScaled } from '../../core/index.ts';
import {
  formatPrice,
  formatSize,
  isOutsideBook,
  type LaneId,
  lots,
  type MarketRecord,
  type MarketSymbol,
  type OrderId,
  ticks,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { Bot, BotStatus } from '../kernel/index.ts';
import type { RiskLimits } from '../risk/index.ts';
import { type RiskUse, riskUseOf } from './risk-use.ts';

/** A lane, as far as it is shown. */
export interface LaneRow {
  readonly lane: LaneId;
  readonly state: string;
  /** Why it is halted; absent: it is not. */
  readonly haltCode?: string | undefined;
  /** For how long its write has been without a proven end, ms; 0: there is none. */
  readonly busyMs: number;
  /** Writes whose outcome is not known. */
  readonly unresolved: number;
  /** Who signs for it elsewhere; absent: its key is in this process. */
  readonly signer?: {
    readonly kind: string;
    readonly why?: string | undefined;
    /** Since when it does not sign, Unix ms. */
    readonly sinceMs?: number | undefined;
    readonly p50Ms: number;
    readonly p99Ms: number;
  };
}

/** Profit by where it came from, quantums as numbers. */
export interface ProfitParts {
  readonly total: number;
  readonly spread: number;
  readonly fees: number;
  readonly funding: number;
  readonly inventory: number;
}

/** What a run collects of its past. */
export interface ViewedProgress {
  readonly collateralDecimals: number;
  /** `undefined`: strategies have not started. */
  profit(): ProfitParts | undefined;
  /** The newest samples and fills. */
  past(
    rowsMax: number,
    pointsMax: number,
    fillsMax: number,
  ): {
    readonly atMs: readonly number[];
    readonly markets: readonly {
      readonly symbol: MarketSymbol;
      readonly midTicks: readonly number[];
      readonly inventoryLots: readonly number[];
    }[];
    readonly fills: readonly {
      readonly atMs: number;
      readonly symbol: MarketSymbol;
      readonly side: 'buy' | 'sell';
      readonly role: 'maker' | 'taker';
      readonly priceTicks: number;
      readonly sizeLots: number;
    }[];
  };
}

/** What a view is made of. Absent parts are not known of the run. */
export interface ViewSources {
  readonly bot: Pick<Bot, 'account' | 'markets' | 'status'>;
  readonly limits?: RiskLimits | undefined;
  readonly progress?: ViewedProgress | undefined;
  lanes?(): readonly LaneRow[];
  /** Size ahead of an own order in the queue of its price, where a fill model knows it. */
  queueOf?(orderId: OrderId): { readonly aheadLots: number } | undefined;
}

/** A price of the book. Decimal text. */
export interface BookRow {
  readonly price: string;
  /** Size of all orders there; `undefined`: the book does not show this price. */
  readonly size?: string | undefined;
  /** Of it, what is left of own orders; absent: none. */
  readonly own?: string | undefined;
  /** Size ahead of the first own order; absent: not known. */
  readonly ahead?: string | undefined;
}

/** The book of a market, best prices first: the best levels, and own orders beyond them. */
export interface BookView {
  readonly symbol: string;
  readonly bids: readonly BookRow[];
  readonly asks: readonly BookRow[];
}

/** A run at one instant. */
export interface RunPicture {
  readonly status: BotStatus;
  readonly books: readonly BookView[];
  readonly lanes: readonly LaneRow[];
  /** Writes whose outcome is not known, oldest first. */
  readonly writes: readonly {
    readonly lane: string;
    readonly requestId: string;
    readonly sentAtMs: number;
  }[];
  readonly risk: readonly RiskUse[];
  /** Profit since strategies started, by where it came from; absent: not known. */
  readonly profit?: Readonly<Record<keyof ProfitParts, string>> | undefined;
}

/** The past of a run for its charts, in units of price and size; times are Unix ms, `null`: not known. */
export interface PastView {
  readonly atMs: readonly number[];
  readonly markets: readonly {
    readonly symbol: string;
    readonly mid: readonly (number | null)[];
    readonly inventory: readonly number[];
  }[];
  readonly fills: readonly {
    readonly atMs: number;
    readonly symbol: string;
    readonly side: 'buy' | 'sell';
    readonly role: 'maker' | 'taker';
    readonly price: number;
    readonly size: number;
  }[];
}

const LEVELS_MAX = 10;
/** An hour of seconds. */
const PAST_ROWS_MAX = 3_600;
const PAST_POINTS_MAX = 720;
const PAST_FILLS_MAX = 500;

/** The view of a run that has started. */
export function viewOf(sources: ViewSources): RunPicture {
  const { bot, limits, progress } = sources;
  const status = bot.status();
  const profit = progress?.profit();
  return {
    status,
    books: status.markets.flatMap(({ symbol }) => bookOf(symbol as MarketSymbol, sources)),
    lanes: sources.lanes?.() ?? [],
    writes: bot.account
      .pendingWrites()
      .filter(({ isUnresolved }) => isUnresolved)
      .map(({ lane, requestId, sentAtMs }) => ({ lane, requestId, sentAtMs })),
    risk: limits === undefined ? [] : riskUseOf(bot, status, limits),
    profit:
      profit && progress
        ? {
            total: moneyText(profit.total, progress),
            spread: moneyText(profit.spread, progress),
            fees: moneyText(profit.fees, progress),
            funding: moneyText(profit.funding, progress),
            inventory: moneyText(profit.inventory, progress),
          }
        : undefined,
  };
}

/** The past of a run that has started. */
export function pastOf({ bot, progress }: ViewSources): PastView {
  const past = progress?.past(PAST_ROWS_MAX, PAST_POINTS_MAX, PAST_FILLS_MAX);
  if (past === undefined) return { atMs: [], markets: [], fills: [] };
  const scaleOf = (symbol: MarketSymbol) => {
    const { priceDecimals = 0, sizeDecimals = 0 } = bot.markets.get(symbol)?.market ?? {};
    return { price: 10 ** -priceDecimals, size: 10 ** -sizeDecimals };
  };
  return {
    atMs: past.atMs,
    markets: past.markets.map(({ symbol, midTicks, inventoryLots }) => {
      const { price, size } = scaleOf(symbol);
      return {
        symbol,
        mid: midTicks.map((value) => (Number.isNaN(value) ? null : value * price)),
        inventory: inventoryLots.map((value) => value * size),
      };
    }),
    fills: past.fills.map(({ atMs, symbol, side, role, priceTicks, sizeLots }) => {
      const { price, size } = scaleOf(symbol);
      return { ...{ atMs, symbol, side, role }, price: priceTicks * price, size: sizeLots * size };
    }),
  };
}

function moneyText(quantums: number, { collateralDecimals }: ViewedProgress): string {
  return formatScaled(BigInt(Math.round(quantums)), collateralDecimals);
}

function bookOf(symbol: MarketSymbol, sources: ViewSources): readonly BookView[] {
  const { account, markets } = sources.bot;
  const record = markets.get(symbol);
  if (record?.market === undefined) return [];
  // What waits is in no book.
  const orders = account.workingOrders(symbol).filter((order) => !isOutsideBook(order));
  const side = (name: 'buy' | 'sell') =>
    rowsOf(
      record,
      name,
      orders.filter((order) => order.side === name),
      sources,
    );
  return [{ symbol, bids: side('buy'), asks: side('sell') }];
}

function rowsOf(
  { book, market }: MarketRecord,
  side: 'buy' | 'sell',
  orders: readonly WorkingOrder[],
  { queueOf }: ViewSources,
): readonly BookRow[] {
  if (market === undefined) return [];
  const count = (side === 'buy' ? book?.bidCount : book?.askCount) ?? 0;
  const prices = side === 'buy' ? book?.bidTicks : book?.askTicks;
  const sizes = side === 'buy' ? book?.bidLots : book?.askLots;
  const sizeAt = new Map<number, number | undefined>();
  for (let at = 0; at < Math.min(count, LEVELS_MAX); at++) sizeAt.set(prices?.[at] ?? 0, sizes?.[at]);
  for (const { priceTicks } of orders) {
    if (sizeAt.has(priceTicks)) continue;
    const at = prices === undefined ? -1 : prices.subarray(0, count).indexOf(priceTicks);
    sizeAt.set(priceTicks, at < 0 ? undefined : sizes?.[at]);
  }
  const text = (sizeLots: number) => formatSize(market, lots(sizeLots));
  return [...sizeAt]
    .sort(([a], [b]) => (side === 'buy' ? b - a : a - b))
    .map(([priceTicks, sizeLots]) => {
      const own = orders.filter((order) => order.priceTicks === priceTicks);
      const [first] = own;
      const ahead = first && queueOf?.(first.orderId)?.aheadLots;
      return {
        price: formatPrice(market, ticks(priceTicks)),
        ...(sizeLots === undefined ? {} : { size: text(sizeLots) }),
        ...(first === undefined
          ? {}
          : { own: text(own.reduce((sum, { remainingLots }) => sum + remainingLots, 0)) }),
        ...(ahead === undefined || Number.isNaN(ahead) ? {} : { ahead: text(ahead) }),
      };
    });
}
