/**
 * @module
 * The stream layer as one thing: subscriptions in, facts out. Splits them over connections and hands every frame to the
 * streams of the market or to the resync it belongs to, in the order of the wire, inside the socket's callback. What the
 * facts mean and who acts on them is the kernel's.
 *
 *   sockets ─▶ StreamConnection ─▶ frames ─┬▶ MarketStreams ─▶ MarketFact ─┐
 *                                          └▶ Resync ────────▶ AccountFact ┴▶ sink
 */
import type { Clock, Log, Metrics, Random } from '../../core/index.ts';
import type { FactSink } from '../../domain/index.ts';
import {
  type AccountFrame,
  type BookTargets,
  type DecodeContext,
  decodeFrame,
  type MarketFrame,
  type SubscriptionParams,
} from '../protocol/index.ts';
import type { OnUnfounded } from './account/effect-writer.ts';
import { Resync } from './account/resync.ts';
import type { AccountState } from './account/resync-state.ts';
import { BlockLength } from './block-length.ts';
import { FrameBacklog, type StreamLoad } from './frame-backlog.ts';
import { MarketStreams } from './market/market-streams.ts';
import type {
  EffectJournal,
  ExchangeTime,
  FrameTap,
  HistoryReader,
  SocketFactory,
  SubscriptionSet,
} from './ports.ts';
import { type ConnectionState, type Pong, StreamConnection } from './stream-connection.ts';
import {
  accountSubscriptions,
  checkSubscription,
  isAccountChannel,
  planConnections,
  subscriptionKey,
} from './subscriptions.ts';

/** What a stream is made of. */
export interface StreamOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly sockets: SocketFactory;
  readonly history: HistoryReader;
  readonly effects: EffectJournal;
  readonly subscriptions: SubscriptionSet;
  /** The markets and the scale of collateral, by which text becomes numbers; looked up for each frame. */
  readonly markets: DecodeContext;
  readonly sink: FactSink;
  /** Gets every frame as it came, before anyone acts on it. */
  readonly tap?: FrameTap;
  /** What time it is at the exchange. Absent: all that arrives is new. */
  readonly exchangeTime?: ExchangeTime | undefined;
  /** Markets that a strategy trades: under load they are read first; absent: all. */
  readonly traded?: ReadonlySet<string> | undefined;
  /** How old quotes may be that somebody decides on, ms; default 2,000. */
  readonly quoteAgeMsMax?: number | undefined;
  /** Gets readings of the exchange's clock. */
  readonly onPong?: (pong: Pong) => void;
  /** Entries that were booked are not of the exchange's history, and were taken back in the journal: the run must end. */
  readonly onUnfounded?: OnUnfounded | undefined;
  readonly log: Log;
  readonly meter: Metrics;
}

/** What can be seen of a stream. */
export interface StreamState {
  readonly account: AccountState;
  readonly connections: readonly ConnectionState[];
  readonly load: StreamLoad;
}

/** A running stream layer. */
export interface Stream {
  /** Shows what the journal holds, then connects. Once. */
  start(): void;
  /** Closes everything; no frame is acted on afterwards. */
  stop(): void;
  /** State of the stream now. */
  state(): StreamState;
  /** Milliseconds since the last frame on the account's connection (pongs too); Infinity while it is not open. */
  lastActivityMs(): number;
  /** An answer reported this ledger: streams that show another one are joined again (invariant I18). */
  noteEpoch(epoch: string): void;
  /** Something of the account is amiss: it is compared with the exchange now. */
  suspect(): void;
  /** The ledger that the shown facts belong to; `undefined` before the first is confirmed (obligation O119). */
  epoch(): string | undefined;
}

/**
 * A stream layer for one account and its markets.
 * @throws ConfigError when a subscription is one the gateway would refuse.
 * @example const stream = createStream({ ...ports, subscriptions, sink: (fact) => inbox.push(fact) }); stream.start();
 */
export function createStream(options: StreamOptions): Stream {
  return new LiveStream(options);
}

const NOBODY: ReadonlySet<string> = new Set();

/** A connection whose frames are read as the bot's records. */
type BotConnection = StreamConnection<MarketFrame | AccountFrame>;

class LiveStream implements Stream {
  readonly #options: StreamOptions;
  readonly #resync: Resync;
  readonly #market: MarketStreams;
  /** Which connection a subscription is on. */
  readonly #placeOf = new Map<string, number>();
  readonly #connections: readonly BotConnection[];
  readonly #backlog: FrameBacklog;
  readonly #blocks = new BlockLength();

  constructor(options: StreamOptions) {
    const { subscriptions, random } = options;
    for (const params of subscriptions.market) checkSubscription(params);
    this.#options = options;
    const { unread = NOBODY } = subscriptions;
    this.#backlog = new FrameBacklog({ ...options, unread: unread.size === 0 ? undefined : unread });
    const plan = planConnections(accountSubscriptions(subscriptions.selection), subscriptions.market);
    for (const [index, some] of plan.entries()) {
      for (const params of some) this.#placeOf.set(subscriptionKey(params), index);
    }
    this.#connections = plan.map((some, index) => this.#connect(some, index));
    this.#resync = new Resync({
      ...options,
      selection: subscriptions.selection,
      random: random.fork('seam'),
      link: {
        reconnect: (why) => this.#connections[0]?.reconnect(why),
        resubscribe: (params) => this.#connections[0]?.resubscribe(params),
      },
    });
    const isRead = ({ channel, symbol }: SubscriptionParams): boolean =>
      channel !== 'book' || !unread.has(symbol ?? '');
    this.#market = new MarketStreams(subscriptions.market.filter(isRead), {
      ...options,
      random: random.fork('market'),
      blocks: this.#blocks,
      resubscribe: (params) => this.#connectionOf(params)?.resubscribe(params),
    });
  }

  start(): void {
    this.#resync.start();
    this.#market.start();
    for (const connection of this.#connections) connection.start();
  }

  stop(): void {
    this.#resync.stop();
    for (const connection of this.#connections) connection.stop();
    this.#market.stop();
    this.#backlog.stop();
  }

  state(): StreamState {
    return {
      account: this.#resync.state(),
      connections: this.#connections.map((connection) => connection.state()),
      load: this.#backlog.load(),
    };
  }

  lastActivityMs(): number {
    const state = this.#connections[0]?.state();
    if (state?.isOpen !== true || state.lastFrameAtMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#options.clock.monotonicMs() - state.lastFrameAtMs;
  }

  noteEpoch(epoch: string): void {
    this.#resync.noteEpoch(epoch);
  }

  suspect(): void {
    this.#resync.exchangeAudit.suspect();
  }

  epoch(): string | undefined {
    return this.#resync.state().epoch;
  }

  #connectionOf(params: SubscriptionParams): BotConnection | undefined {
    return this.#connections[this.#placeOf.get(subscriptionKey(params)) ?? -1];
  }

  #connect(subscriptions: readonly SubscriptionParams[], index: number): BotConnection {
    const { clock, random, sockets, markets, log, meter, tap, exchangeTime, onPong } = this.#options;
    const isAccount = index === 0;
    const books: BookTargets = { book: (symbol, isSnapshot) => this.#market.book(symbol, isSnapshot) };
    return new StreamConnection({
      name: `stream-${index}`,
      subscriptions,
      sockets,
      decode: (text) => decodeFrame(text, markets, books),
      clock,
      random: random.fork(`connection-${index}`),
      log,
      meter,
      tap,
      exchangeTime,
      blocks: this.#blocks,
      backlog: this.#backlog,
      listener: {
        onAcknowledged: (params, epoch) => {
          if (isAccountChannel(params.channel)) this.#resync.onAcknowledged(params, epoch);
          else this.#market.onAcknowledged(params);
        },
        onData: (frame, receivedAtMs) => {
          if (isAccountFrame(frame)) {
            if (!isAccount) return;
            if (frame.channel === 'fills' && this.#resync.reaches(frame.fill.id))
              this.#market.noteFill(frame.fill);
            this.#resync.onFrame(frame);
          } else this.#market.apply(frame, receivedAtMs);
        },
        onLagged: (lag) => {
          this.#market.onLagged(subscriptions);
          if (isAccount) this.#resync.onLagged(lag);
        },
        onUnreadable: (text) => {
          if (isAccount) this.#resync.onUnreadable(text);
        },
        onPong: (pong) => onPong?.(pong),
        onDown: (why) => {
          this.#market.onDown(subscriptions, why);
          if (isAccount) this.#resync.onDown(why);
        },
      },
    });
  }
}

function isAccountFrame(frame: MarketFrame | AccountFrame): frame is AccountFrame {
  return isAccountChannel(frame.channel);
}
