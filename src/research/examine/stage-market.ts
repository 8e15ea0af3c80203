/**
 * @module
 * A market of an examination: a drawn mid, levels of others around it, and the facts that show it. The book holds own
 * orders too, as that of an exchange does. What this does not do: match.
 */
import type { Random, UnixMs } from '../../core/index.ts';
import {
  type Bbo,
  type Book,
  bookOf,
  formatPrice,
  type Lots,
  lots,
  type Market,
  type MarketSymbol,
  type Ppm,
  type Prices,
  quantums,
  type Side,
  type Ticks,
  ticks,
} from '../../domain/index.ts';

/** Orders of others at a price: ticks, lots. */
export type StageLevel = readonly [priceTicks: number, sizeLots: number];

/** An own order that rests. */
export interface RestingOrder {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly priceTicks: number;
  readonly remainingLots: number;
}

const COLLATERAL_DECIMALS = 6;
/** Levels of others on a side. */
const LEVELS = 10;
/** Half of the usual spread, ppm of the mid. */
const HALF_SPREAD_PPM = 100;
/** Worth of the size at a level, collateral units. */
const LEVEL_NOTIONAL = 20_000;

/** The start of the first markets, as people know them; those after them are like the second. */
const KINDS = [
  { price: 100_000, priceDecimals: 1, sizeDecimals: 5 },
  { price: 4_000, priceDecimals: 2, sizeDecimals: 4 },
] as const;

/** One market. */
export class StageMarket {
  readonly symbol: MarketSymbol;
  market: Market;
  /** Mid of others, ticks with fractions. */
  midTicks: number;
  halfSpreadPpm = HALF_SPREAD_PPM;
  /** Levels of others, best first. */
  bids: readonly StageLevel[] = [];
  asks: readonly StageLevel[] = [];
  fundingRatePpm = 10;

  constructor(symbol: string, at: number) {
    const { price, priceDecimals, sizeDecimals } = KINDS[symbol.startsWith('BTC') ? 0 : at === 0 ? 0 : 1];
    this.symbol = symbol as MarketSymbol;
    this.market = {
      symbol: this.symbol,
      signingMarketId: at,
      ...{ priceDecimals, sizeDecimals },
      tickStep: ticks(1),
      lotStep: lots(1),
      status: 'Active',
      quantumsPerTickLot: quantumsPer(priceDecimals, sizeDecimals),
      initialMarginPpm: 50_000 as Ppm,
      maintenanceFractionPpm: 600_000 as Ppm,
      minNotional: quantums(10n * 10n ** BigInt(COLLATERAL_DECIMALS)),
    };
    this.midTicks = price * 10 ** priceDecimals;
    this.shape();
  }

  /** Lets the mid go a step at random, and the levels of others with it. */
  walk(random: Random, stepPpm: number): void {
    this.midTicks = Math.max(this.midTicks * (1 + (random.normal() * stepPpm) / 1_000_000), 10);
    this.shape();
  }

  /** Moves the mid by `ppm` of it. */
  move(ppm: number): void {
    this.midTicks = Math.max(this.midTicks * (1 + ppm / 1_000_000), 10);
    this.shape();
  }

  /** Levels of others around the mid. */
  shape(): void {
    const { tickStep } = this.market;
    const half = Math.max(tickStep / 2, (this.midTicks * this.halfSpreadPpm) / 1_000_000);
    const gap = Math.max(tickStep, Math.round(half / 4 / tickStep) * tickStep);
    const bid = Math.floor((this.midTicks - half) / tickStep) * tickStep;
    const ask = Math.max(Math.ceil((this.midTicks + half) / tickStep) * tickStep, bid + tickStep);
    const levels = Array.from({ length: LEVELS }, (_, at) => at);
    const sized = (priceTicks: number): StageLevel => [priceTicks, this.lotsWorth(LEVEL_NOTIONAL)];
    this.bids = levels.map((at) => sized(bid - at * gap)).filter(([price]) => price > 0);
    this.asks = levels.map((at) => sized(ask + at * gap));
  }

  /** A size of about this worth, in collateral units; at least a step. */
  lotsWorth(notional: number): number {
    const { lotStep, quantumsPerTickLot } = this.market;
    const perLot = (this.midTicks * Number(quantumsPerTickLot)) / 10 ** COLLATERAL_DECIMALS;
    return Math.max(lotStep, Math.round(notional / perLot / lotStep) * lotStep);
  }

  /** The book with own orders in it. */
  book(own: Iterable<RestingOrder>, receivedAtMs: UnixMs): Book {
    const all = [...own];
    const [bids, asks] = [this.#side('buy', this.bids, all), this.#side('sell', this.asks, all)];
    return bookOf({ symbol: this.symbol, bids, asks }, { receivedAtMs });
  }

  /** Best quotes as the book has them. */
  bbo(book: Book): Bbo {
    return {
      symbol: this.symbol,
      bidTicks: book.bidTicks[0] as Ticks | undefined,
      bidLots: book.bidLots[0] as Lots | undefined,
      askTicks: book.askTicks[0] as Ticks | undefined,
      askLots: book.askLots[0] as Lots | undefined,
      receivedAtMs: book.receivedAtMs,
    };
  }

  /** Mark, index and last price at the mid; `gapPpm`: mark and index are this far from it. */
  prices(nowMs: UnixMs, gapPpm = 0): Prices {
    const { tickStep } = this.market;
    const at = ticks(
      Math.max(1, Math.round((this.midTicks * (1 + gapPpm / 1_000_000)) / tickStep)) * tickStep,
    );
    return {
      ...{ symbol: this.symbol, markTicks: at, indexTicks: at, lastTicks: at },
      fundingRatePpm: this.fundingRatePpm as Ppm,
      nextFundingAtMs: (Math.floor(nowMs / HOUR_MS + 1) * HOUR_MS) as UnixMs,
      openInterestLots: lots(1_000_000),
    };
  }

  /** The best bid and ask of others, as people read them. */
  describe(): string {
    const text = (level: StageLevel | undefined): string =>
      level === undefined ? 'none' : formatPrice(this.market, level[0] as Ticks);
    return `${text(this.bids[0])} / ${text(this.asks[0])}`;
  }

  #side(side: Side, others: readonly StageLevel[], own: readonly RestingOrder[]): readonly StageLevel[] {
    const sizes = new Map<number, number>(others);
    for (const order of own)
      if (order.symbol === this.symbol && order.side === side)
        sizes.set(order.priceTicks, (sizes.get(order.priceTicks) ?? 0) + order.remainingLots);
    return [...sizes].sort(([a], [b]) => (side === 'buy' ? b - a : a - b));
  }
}

const HOUR_MS = 3_600_000;

/** Quantums in one tick times one lot. */
function quantumsPer(priceDecimals: number, sizeDecimals: number): bigint {
  return 10n ** BigInt(COLLATERAL_DECIMALS - priceDecimals - sizeDecimals);
}
