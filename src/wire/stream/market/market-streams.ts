/**
 * @module
 * All market subscriptions: finds the stream of each frame, notifies streams of what happened to their connection, and asks
 * again for state that does not come (obligations O98, O103), or that may be older than it seems (I25). Opens nothing.
 */
import { assert, ConfigError, type Timer } from '../../../core/index.ts';
import { type Fill, type MarketSymbol, type Seq, seqOfCursor } from '../../../domain/index.ts';
import type {
  BookLevels,
  BookTargets,
  Channel,
  MarketFrame,
  SubscriptionParams,
} from '../../protocol/index.ts';
import type { BlockLength } from '../block-length.ts';
import { subscriptionKey } from '../subscriptions.ts';
import { BookStore } from './book-store.ts';
import { CandlesStream } from './candles.ts';
import { FundingStream } from './funding.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';
import { BboStream, PricesStream } from './quote-streams.ts';
import { QuoteWitness } from './quote-witness.ts';
import { TradesStream } from './trades.ts';

/** How often streams are looked at, and how long the first and the longest wait for a snapshot is. */
const LOOK_MS = 250;
const WAIT_MS_FIRST = 1_500;
const WAIT_MS_MAX = 30_000;
/**
 * Quotes that did not change for this part of the age at which risk distrusts them are asked for: their snapshot has the time
 * of its block, and nothing else proves that a quiet market is quiet and not held back (I25). The rest is left for the answer.
 */
const QUIET_PART = 0.375;
/** The age at which quotes are distrusted where nobody says, in ms. */
const QUOTE_AGE_MS_MAX = 2_000;
/** What prices say of a market. */
const LAST_PRICE = 'the last price';
/** An answer that does not come is asked for again after this long. */
const UNANSWERED_MS = 3_000;

interface Entry {
  readonly stream: MarketStream;
  isAcknowledged: boolean;
  /** When it is asked for again if it still waits then, monotonic milliseconds. */
  askAtMs: number;
  waitMs: number;
  /** When quiet quotes were asked for, monotonic milliseconds. */
  quietAskedAtMs: number;
}

/** What the market side is made of: its streams' needs, and a hold on their connections. */
export interface MarketStreamsOptions extends MarketStreamOptions {
  /** Subscribes again to get a snapshot. */
  readonly resubscribe: (params: SubscriptionParams) => void;
  /** False: quotes that do not change are not asked for, since nobody decides on them. */
  readonly asksQuietQuotes?: boolean | undefined;
  /**
   * How old quotes may be that somebody decides on, ms: by it goes how soon a contradicted book is stale, and how soon quiet
   * quotes are asked for; default 2,000.
   */
  readonly quoteAgeMsMax?: number | undefined;
  /** What frames tell of the exchange's blocks: a book is shown with a block. */
  readonly blocks: BlockLength;
}

/** The market side of the stream layer. */
export class MarketStreams implements BookTargets {
  readonly #options: MarketStreamsOptions;
  readonly #quietMs: number;
  readonly #byKey = new Map<string, Entry>();
  /** By channel, then by symbol, of candles by symbol and interval. */
  readonly #routes = new Map<Channel, Map<string, MarketStream>>();
  readonly #books = new Map<string, BookStore>();
  readonly #witnesses = new Map<string, QuoteWitness>();
  /** By market: a price that did not change is no new trade. */
  readonly #lastTicks = new Map<string, number>();
  /** Streams that were resumed and do not know at which seq yet. */
  readonly #unplaced = new Set<MarketStream>();
  #timer: Timer | undefined;

  /** @throws ConfigError when two subscriptions would feed one stream. */
  constructor(subscriptions: readonly SubscriptionParams[], options: MarketStreamsOptions) {
    this.#options = options;
    this.#quietMs = QUIET_PART * (options.quoteAgeMsMax ?? QUOTE_AGE_MS_MAX);
    for (const params of subscriptions) {
      const key = subscriptionKey(params);
      const stream = this.#byKey.has(key)
        ? undefined
        : makeStream(params, this.#witnessOf(params.symbol ?? ''), options);
      if (stream === undefined) continue;
      const route = this.#routes.get(params.channel) ?? new Map<string, MarketStream>();
      const place = placeOf(params.symbol, params.interval);
      if (route.has(place)) throw doubled(params);
      this.#routes.set(params.channel, route.set(place, stream));
      if (stream instanceof BookStore) this.#books.set(place, stream);
      this.#byKey.set(key, {
        stream,
        isAcknowledged: false,
        askAtMs: 0,
        waitMs: WAIT_MS_FIRST,
        quietAskedAtMs: 0,
      });
    }
  }

  start(): void {
    this.#timer = this.#options.clock.every(LOOK_MS, () => this.#look());
  }

  stop(): void {
    this.#timer?.cancel();
    for (const { stream } of this.#byKey.values()) stream.interrupt('stopped');
  }

  /** The arrays of a book for the frame that is being decoded. */
  book(symbol: MarketSymbol, isSnapshot: boolean): BookLevels | undefined {
    return this.#books.get(symbol)?.levels(isSnapshot);
  }

  apply(frame: MarketFrame, receivedAtMs: number): void {
    if (this.#unplaced.size > 0 && frame.channel !== 'events') this.#tellPlace(frame.seq);
    this.#testify(frame);
    const stream = this.#streamOf(frame);
    if (stream === undefined) this.#options.meter.count('stream_unsubscribed_frames_total');
    else stream.apply(frame, receivedAtMs);
  }

  onAcknowledged(params: SubscriptionParams): void {
    const entry = this.#byKey.get(subscriptionKey(params));
    if (entry === undefined) return;
    entry.isAcknowledged = true;
    entry.askAtMs = this.#options.clock.monotonicMs() + entry.waitMs;
    this.#resume(entry.stream);
  }

  /** The connection of these subscriptions went. */
  onDown(subscriptions: readonly SubscriptionParams[], why: string): void {
    for (const entry of this.#entriesOf(subscriptions)) {
      entry.isAcknowledged = false;
      entry.waitMs = WAIT_MS_FIRST;
      entry.stream.interrupt(`disconnected: ${why}`);
      this.#unplaced.delete(entry.stream);
    }
  }

  /** The server dropped frames of these subscriptions. */
  onLagged(subscriptions: readonly SubscriptionParams[]): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const entry of this.#entriesOf(subscriptions)) {
      entry.waitMs = WAIT_MS_FIRST;
      entry.askAtMs = nowMs + entry.waitMs;
      entry.stream.interrupt('lagged');
      if (entry.isAcknowledged) this.#resume(entry.stream);
    }
  }

  /** A fill of the account whose place the log is known to reach: its price was a price of the market there. */
  noteFill({ symbol, priceTicks, id }: Fill): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#witnesses.get(symbol)?.traded('a fill', priceTicks, { seq: seqOfCursor(id), nowMs });
  }

  /** Last prices are held against the book. */
  #testify(frame: MarketFrame): void {
    if (frame.channel !== 'prices' || frame.seq === undefined) return;
    const nowMs = this.#options.clock.monotonicMs();
    for (const { symbol, lastTicks } of frame.prices) {
      const witness = this.#witnesses.get(symbol);
      witness?.placed(LAST_PRICE, frame.seq);
      if (lastTicks === undefined || this.#lastTicks.get(symbol) === lastTicks) continue;
      this.#lastTicks.set(symbol, lastTicks);
      witness?.traded(LAST_PRICE, lastTicks, { seq: frame.seq, nowMs });
    }
  }

  /** The book of this market is doubted. */
  #doubtTrades(symbol: string, nowMs: number): void {
    const trades = this.#routes.get('trades')?.get(symbol);
    if (trades instanceof TradesStream) trades.doubt(nowMs);
  }

  #witnessOf(symbol: string): QuoteWitness {
    const { quoteAgeMsMax, blocks } = this.#options;
    const known = this.#witnesses.get(symbol) ?? new QuoteWitness(blocks, quoteAgeMsMax);
    this.#witnesses.set(symbol, known);
    return known;
  }

  #tellPlace(seq: Seq | undefined): void {
    if (seq === undefined) return;
    for (const stream of this.#unplaced) stream.place?.(seq);
    this.#unplaced.clear();
  }

  #resume(stream: MarketStream): void {
    stream.resume();
    if (stream.place !== undefined) this.#unplaced.add(stream);
  }

  #entriesOf(subscriptions: readonly SubscriptionParams[]): Entry[] {
    return subscriptions.flatMap((params) => this.#byKey.get(subscriptionKey(params)) ?? []);
  }

  #look(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const entry of this.#byKey.values()) {
      const { stream } = entry;
      if (stream instanceof BookStore && stream.doubt(nowMs))
        this.#doubtTrades(stream.params.symbol ?? '', nowMs);
      if (!entry.isAcknowledged || !entry.stream.isWaiting()) {
        entry.waitMs = WAIT_MS_FIRST;
        entry.askAtMs = nowMs + entry.waitMs;
        if (entry.isAcknowledged) this.#askIfQuiet(entry, nowMs);
      } else if (nowMs >= entry.askAtMs) {
        entry.waitMs = Math.min(WAIT_MS_MAX, entry.waitMs * 2);
        entry.askAtMs = nowMs + entry.waitMs;
        this.#options.meter.count('stream_resubscriptions_total');
        this.#options.resubscribe(entry.stream.params);
      }
    }
  }

  #askIfQuiet(entry: Entry, nowMs: number): void {
    const { heardAtMs, params } = entry.stream;
    if (heardAtMs === undefined || nowMs - heardAtMs < this.#quietMs) return;
    if (this.#options.asksQuietQuotes === false) return;
    const isUnanswered = heardAtMs <= entry.quietAskedAtMs;
    if (isUnanswered && nowMs - entry.quietAskedAtMs < UNANSWERED_MS) return;
    entry.quietAskedAtMs = nowMs;
    this.#options.meter.count('stream_quiet_snapshots_total');
    this.#options.resubscribe(params);
  }

  #streamOf(frame: MarketFrame): MarketStream | undefined {
    const route = this.#routes.get(frame.channel);
    switch (frame.channel) {
      case 'book':
        return route?.get(frame.symbol);
      case 'bbo':
        return route?.get(frame.bbo.symbol);
      case 'trades':
        return route?.get(frame.trade.symbol);
      case 'candles':
        return route?.get(placeOf(frame.candle.symbol, frame.candle.interval));
      case 'funding':
        return route?.get(frame.funding.symbol);
      case 'prices':
        return route?.get('');
      case 'events':
        return undefined;
    }
  }
}

/** The stream of a subscription; `undefined` for raw events, which go only to the tap. */
function makeStream(
  params: SubscriptionParams,
  witness: QuoteWitness,
  options: MarketStreamOptions,
): MarketStream | undefined {
  const symbol = params.symbol ?? '';
  assert(params.channel === 'prices' || params.channel === 'events' || symbol !== '', 'a symbol');
  switch (params.channel) {
    case 'book':
      return new BookStore(params, { symbol: symbol as MarketSymbol, witness }, options);
    case 'bbo':
      return new BboStream(params, { symbol: symbol as MarketSymbol, witness }, options);
    case 'prices':
      return new PricesStream(params, options);
    case 'trades':
      return new TradesStream(params, { symbol: symbol as MarketSymbol, witness }, options);
    case 'candles':
      return new CandlesStream(params, symbol, options);
    case 'funding':
      return new FundingStream(params, symbol, options);
    default:
      return undefined;
  }
}

function placeOf(symbol: string | undefined, interval: string | undefined): string {
  return interval === undefined ? (symbol ?? '') : `${symbol} ${interval}`;
}

function doubled(params: SubscriptionParams): ConfigError {
  return new ConfigError({
    code: 'STREAM_SUBSCRIPTION_DUPLICATE',
    message: `expected one subscription to ${params.channel} of ${params.symbol ?? 'all markets'}, got several`,
    remedy: 'Ask for one book depth per market.',
  });
}
