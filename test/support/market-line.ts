/**
 * @module
 * The public side of a gateway's stream, fed from a tape: answers subscriptions to the market channels and publishes
 * what happens as text frames of the interface, the first of each subscription a snapshot. What it is not asked for it leaves
 * to the exchange behind it.
 *
 *   facts of the tape ─► frames ─► subscribers                  ping, account channels ─► not of this line
 */
import type { Book, Market, MarketFact, Prices } from '../../src/domain/index.ts';
import {
  bboJson,
  bookJson,
  candleJson,
  fundingJson,
  priceText,
  sizeText,
} from '../../src/exchange/api/json/market-json.ts';
import type { SubscriptionParams } from '../../src/wire/protocol/index.ts';

/** One client's end. */
export interface PublishedStream {
  /** The answer to a frame of the client; `undefined`: it is not about a market. */
  receive(text: string, epoch: string): string | undefined;
  leave(): void;
}

interface Listener {
  readonly send: (text: string) => void;
  /** By subscription: has it had its snapshot? */
  readonly subscriptions: Map<string, boolean>;
}

const CHANNELS: ReadonlySet<string> = new Set(['prices', 'book', 'bbo', 'trades', 'candles', 'funding']);
/** No prices at all can be said of a book in which they cross. */
const CROSSED = [[1, 1]] as const;

/** See the module. */
export class MarketLine {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<Listener>();
  /** Place of the last frame. */
  #seq = 0;
  /** Frames that went out, by channel. */
  readonly frames: Record<string, number> = {};

  constructor(markets: readonly Market[], nowMs: () => number) {
    this.#markets = new Map(markets.map((market) => [market.symbol, market] as const));
    this.#nowMs = nowMs;
  }

  /** Takes a client in. */
  join(send: (text: string) => void): PublishedStream {
    const listener: Listener = { send, subscriptions: new Map() };
    this.#listeners.add(listener);
    return {
      receive: (text, epoch) => answer(listener, text, epoch),
      leave: () => void this.#listeners.delete(listener),
    };
  }

  /** Publishes what a fact says. */
  tell(fact: MarketFact): void {
    this.#seq++;
    switch (fact.type) {
      case 'BookUpdated':
        this.#book(fact.book);
        return;
      case 'BboUpdated': {
        const { symbol, bidTicks, bidLots, askTicks, askLots } = fact.bbo;
        this.#best(symbol, levelOf(bidTicks, bidLots), levelOf(askTicks, askLots));
        return;
      }
      case 'TradePrinted':
        this.#trade(fact);
        return;
      case 'PricesUpdated':
        this.#state(['prices'], { prices: [pricesJson(this.#market(fact.prices.symbol), fact.prices)] });
        return;
      case 'CandleUpdated': {
        const { symbol, interval } = fact.candle;
        this.#event(['candles', symbol, interval], candleJson(this.#market(symbol), interval, fact.candle));
        return;
      }
      case 'FundingSettled': {
        const { symbol, ratePpm, atMs } = fact.funding;
        const json = fundingJson(this.#market(symbol), { ratePpm, indexTicks: 1, blockAtMs: atMs } as never);
        this.#event(['funding', symbol], json);
        return;
      }
      case 'MarketStale':
        // A gateway that knows nothing for sure has no frame to say so; books that cross are not believed.
        this.#levels(fact.symbol, CROSSED, CROSSED);
        this.#best(fact.symbol, CROSSED, CROSSED);
        return;
      case 'MarketChanged':
        return;
    }
  }

  #book(book: Book): void {
    const { symbol, bidTicks, bidLots, bidCount, askTicks, askLots, askCount } = book;
    this.#levels(symbol, levelsOf(bidTicks, bidLots, bidCount), levelsOf(askTicks, askLots, askCount));
  }

  #levels(symbol: string, bids: Levels, asks: Levels): void {
    const at = { seq: this.#seq, atMs: this.#nowMs() };
    this.#state(['book', symbol], bookJson(this.#market(symbol), { bids, asks }, at));
  }

  #best(symbol: string, bids: Levels, asks: Levels): void {
    const at = { seq: this.#seq, atMs: this.#nowMs() };
    this.#state(['bbo', symbol], bboJson(this.#market(symbol), { bids, asks }, at));
  }

  #trade({ trade }: Extract<MarketFact, { type: 'TradePrinted' }>): void {
    const { symbol, aggressor, priceTicks, sizeLots, atMs } = trade;
    const market = this.#market(symbol);
    this.#event(['trades', symbol], {
      ...{ id: `${this.#seq}-0-0`, symbol, side: aggressor, ts: atMs },
      ...{ price: priceText(market, priceTicks), size: sizeText(market, sizeLots) },
    });
  }

  #state(subscription: readonly string[], data: object): void {
    this.#publish(subscription, (isFirst) => ({ isSnapshot: isFirst, seq: this.#seq, data }));
  }

  #event(subscription: readonly string[], data: object): void {
    this.#publish(subscription, () => ({ seq: this.#seq, data }));
  }

  #publish(subscription: readonly string[], bodyOf: (isFirst: boolean) => object): void {
    const key = subscription.join(' ');
    const [channel = ''] = subscription;
    for (const { send, subscriptions } of this.#listeners) {
      const hadSnapshot = subscriptions.get(key);
      if (hadSnapshot === undefined) continue;
      subscriptions.set(key, true);
      this.frames[channel] = (this.frames[channel] ?? 0) + 1;
      send(JSON.stringify({ channel, ...bodyOf(!hadSnapshot) }));
    }
  }

  #market(symbol: string): Market {
    const market = this.#markets.get(symbol);
    if (market === undefined) throw new Error(`expected a market of the tape, got ${symbol}`);
    return market;
  }
}

type Levels = readonly (readonly [number, number])[];

function answer({ subscriptions }: Listener, text: string, epoch: string): string | undefined {
  const { method, params, id } = JSON.parse(text) as {
    readonly method: string;
    readonly params?: SubscriptionParams;
    readonly id?: number;
  };
  if (params === undefined || !CHANNELS.has(params.channel)) return undefined;
  const { channel, symbol, interval } = params;
  const key = [channel, symbol, interval].filter((part) => part !== undefined).join(' ');
  if (method === 'subscribe') subscriptions.set(key, false);
  else subscriptions.delete(key);
  return JSON.stringify({ channel: `${method}d`, data: params, epoch, id });
}

function levelsOf(prices: Float64Array, sizes: Float64Array, count: number): Levels {
  return Array.from({ length: count }, (_, at) => [prices[at] ?? 0, sizes[at] ?? 0] as const);
}

function levelOf(priceTicks: number | undefined, sizeLots: number | undefined): Levels {
  return priceTicks === undefined || sizeLots === undefined ? [] : [[priceTicks, sizeLots]];
}

function pricesJson(market: Market, prices: Prices): object {
  const orNull = (ticks: number | undefined) => (ticks === undefined ? null : priceText(market, ticks));
  return {
    ...{ symbol: market.symbol, markPrice: orNull(prices.markTicks), indexPrice: orNull(prices.indexTicks) },
    ...{ lastPrice: orNull(prices.lastTicks), fundingRatePpm: prices.fundingRatePpm },
    nextFundingTime: prices.nextFundingAtMs,
  };
}
