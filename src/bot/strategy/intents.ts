/**
 * @module
 * What a strategy can ask for, and the factory that makes single orders. Prices and sizes are given either in ticks and
 * lots, or as decimals; a decimal that does not fit the market's steps is denied, never rounded (obligation O8).
 * What this does not do: nothing here leaves; an intent is denied or carried out by the runtime.
 */
import type { Decimal } from '../../core/index.ts';
import type { IntentId, Lots, MarketSymbol, OrderRef, Side, Ticks, TimeInForce } from '../../domain/index.ts';

/** A price and a size in the market's own integers: the fast form. */
export interface TickLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** A price and a size as decimals, or as decimal text: the convenient form. Never a binary fraction. */
export interface DecimalLevel {
  /** Price in quote units. */
  readonly price: Decimal | string;
  /** Size in units of the market. */
  readonly size: Decimal | string;
}

/** A price with a size, in one of both forms. */
export type Level = TickLevel | DecimalLevel;

/** The orders a strategy wants to have in one market. An empty side means: none on that side. */
export interface TargetQuotes {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** How close an order must be to its target to be left where it is, and how it rests. */
export interface QuoteOptions {
  /** An order this many ticks away from a wanted price stays. Default 0. */
  readonly priceToleranceTicks?: number;
  /** An order that is this many lots larger or smaller than wanted stays. Default 0. */
  readonly sizeToleranceLots?: number;
  /** Default `postOnly`. */
  readonly timeInForce?: 'postOnly' | 'gtc';
  /**
   * How long each order lives at the exchange, from 2,000 ms; `none`: no end. Default: `orderLifetime` of the
   * configuration. Quotes with an end are placed one by one, and renewed before they end.
   */
  readonly expiresInMs?: number | 'none';
}

/** The fields of an order apart from its time in force. */
export type OrderInput = Level & {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /**
   * How long it lives at the exchange, at most the limit of risk control P14; `none`: no end. Default: `orderLifetime` of
   * the configuration for what may rest.
   */
  readonly expiresInMs?: number | 'none';
};

/** An order that has not been asked for yet. Made by {@link order}. */
export type OrderDraft = OrderInput & {
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
};

function draft(input: OrderInput, timeInForce: TimeInForce, reduceOnly = false): OrderDraft {
  return { ...input, timeInForce, reduceOnly };
}

/**
 * Makes single orders. For quotes that follow the market use `context.quote` instead.
 * @example context.place(order.postOnly({ symbol, side: 'buy', price: '100.5', size: '0.1' }))
 */
export const order = {
  /** Rests until it is filled or canceled; may take. */
  limit: (input: OrderInput): OrderDraft => draft(input, 'gtc'),
  /** Rests or is refused; never takes. */
  postOnly: (input: OrderInput): OrderDraft => draft(input, 'postOnly'),
  /** Takes what is there up to its price; the rest is canceled. */
  ioc: (input: OrderInput): OrderDraft => draft(input, 'ioc'),
  /** Is filled whole at once or not at all. */
  fok: (input: OrderInput): OrderDraft => draft(input, 'fok'),
  /** Takes at once and can only make the position smaller. */
  reduceOnlyIoc: (input: OrderInput): OrderDraft => draft(input, 'ioc', true),
  /** The same order, but it can only make the position smaller. */
  reduceOnly: (other: OrderDraft): OrderDraft => ({ ...other, reduceOnly: true }),
} as const;

/** What an order waits for outside the book, by the index price of its market. */
export type TriggerDraft = (
  | { readonly triggerTicks: Ticks }
  | {
      /** In quote units, as decimal or decimal text. */
      readonly triggerPrice: Decimal | string;
    }
) & {
  /** On which side of the trigger the index price must be for the order to fire. */
  readonly when: 'atOrAbove' | 'atOrBelow';
};

/** A time-weighted order that has not been asked for yet: the exchange works `size` in slices of the same size. */
export type TwapDraft = (
  | { readonly sizeLots: Lots }
  | {
      /** In units of the market, as decimal or decimal text. */
      readonly size: Decimal | string;
    }
) & {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /** Number of slices, at most one for each lot step of the size. */
  readonly slices: number;
  /** Time between two slices, ms; the first one goes out with the next block. */
  readonly intervalMs: number;
  /** How far from the index price a slice may trade, ppm, below 1,000,000. */
  readonly priceTolerancePpm: number;
  /** True: it may only make a position smaller. Default false. */
  readonly reduceOnly?: boolean;
};

/** One leg of a {@link TpslDraft}: the index price that fires it, and the limit of the order that it becomes. */
export type TpslLegDraft =
  | { readonly triggerTicks: Ticks; readonly priceTicks: Ticks }
  | {
      /** In quote units, as decimal or decimal text. */
      readonly triggerPrice: Decimal | string;
      /** In quote units; far beyond the trigger for an order that takes at any price near it. */
      readonly price: Decimal | string;
    };

/**
 * A take-profit, a stop-loss or both for the whole position, not asked for yet. The exchange keeps them: they follow the size of the
 * position, one at most fires, and they go when the position is closed.
 */
export interface TpslDraft {
  readonly symbol: MarketSymbol;
  /** The side that closes: `sell` for a long position. */
  readonly side: Side;
  /** Fires where the index price has moved in favor of the position. Absent: none. */
  readonly takeProfit?: TpslLegDraft;
  /** Fires where it has moved against it. Absent: none. */
  readonly stopLoss?: TpslLegDraft;
}

/** The ids of the legs of a {@link TpslDraft}: each is an order of its own. That of a leg that was not asked for is never used. */
export interface TpslIntents {
  readonly takeProfit: IntentId;
  readonly stopLoss: IntentId;
}

/** Everything a strategy asked for, as the runtime receives it. */
export type Intent =
  | {
      readonly kind: 'quote';
      readonly symbol: MarketSymbol;
      readonly target: TargetQuotes;
      readonly options: QuoteOptions;
      /** Why none are wanted. */
      readonly reason?: string;
    }
  | { readonly kind: 'place'; readonly order: OrderDraft }
  | { readonly kind: 'placeConditional'; readonly order: OrderDraft; readonly trigger: TriggerDraft }
  | { readonly kind: 'placeTwap'; readonly order: TwapDraft }
  | { readonly kind: 'placeTpsl'; readonly order: TpslDraft }
  | { readonly kind: 'cancel'; readonly ref: OrderRef }
  | { readonly kind: 'cancelAll'; readonly symbol: MarketSymbol | undefined }
  | { readonly kind: 'setLeverage'; readonly symbol: MarketSymbol; readonly leverage: number };

/** True if `level` is in ticks and lots. */
export function isTickLevel(level: Level): level is TickLevel {
  return 'priceTicks' in level;
}
