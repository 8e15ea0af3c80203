/**
 * @module
 * The stream layer as one thing: subscriptions in, facts out. Splits them over connections and hands every frame to the
 * store or the seam it belongs to, in the order of the wire, inside the socket's callback. What the facts mean and who
 * acts on them is `runtime`'s.
 *
 *   sockets ─▶ StreamConnection ─▶ frames ─┬▶ MarketStreams ─▶ MarketFact ─┐
 *                                    └▶ Seam ──────────▶ AccountFact ┴▶ sink
 */
import type { Clock, Log, Metrics, Random } from '../../core/index.ts';
import type { FactSink } from '../../domain/index.ts';
import type { AccountFrame, DecodeContext, MarketFrame, SubscriptionParams } from '../protocol/index.ts';
import { Resync } from './account/resync.ts';
import type { AccountState } from './account/resync-state.ts';
import { MarketStreams } from './market/market-streams.ts';
import type { EffectJournal, FrameTap, HistoryReader, SocketFactory, SubscriptionSet } from './ports.ts';
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
  /** How old an instant of the exchange is, in ms, `undefined` while that is not known. Absent: all that arrives is new. */
  readonly ageOf?: (exchangeMs: number) => number | undefined;
  /** Gets readings of the exchange's clock. */
  readonly onPong?: (pong: Pong) => void;
  readonly log: Log;
  readonly meter: Metrics;
}

/** What can be seen of a stream. */
export interface StreamState {
  readonly account: AccountState;
  readonly connections: readonly ConnectionState[];
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

class LiveStream implements Stream {
  readonly #options: StreamOptions;
  readonly #seam: Resync;
  readonly #market: MarketStreams;
  /** Which connection a subscription is on. */
  readonly #placeOf = new Map<string, number>();
  readonly #connections: readonly StreamConnection[];

  constructor(options: StreamOptions) {
    const { subscriptions, random } = options;
    for (const params of subscriptions.market) checkSubscription(params);
    this.#options = options;
    const plan = planConnections(accountSubscriptions(subscriptions.selection), subscriptions.market);
    for (const [index, some] of plan.entries()) {
      for (const params of some) this.#placeOf.set(subscriptionKey(params), index);
    }
    this.#connections = plan.map((some, index) => this.#connect(some, index));
    this.#seam = new Resync({
      ...options,
      selection: subscriptions.selection,
      random: random.fork('seam'),
      link: {
        reconnect: (why) => this.#connections[0]?.reconnect(why),
        resubscribe: (params) => this.#connections[0]?.resubscribe(params),
      },
    });
    this.#market = new MarketStreams(subscriptions.market, {
      ...options,
      random: random.fork('market'),
      resubscribe: (params) => this.#connectionOf(params)?.resubscribe(params),
      heardAtMs: (params) => this.#connectionOf(params)?.lastProofAtMs,
    });
  }

  start(): void {
    this.#seam.start();
    this.#market.start();
    for (const connection of this.#connections) connection.start();
  }

  stop(): void {
    this.#seam.stop();
    for (const connection of this.#connections) connection.stop();
    this.#market.stop();
  }

  state(): StreamState {
    return {
      account: this.#seam.state(),
      connections: this.#connections.map((connection) => connection.state()),
    };
  }

  lastActivityMs(): number {
    const state = this.#connections[0]?.state();
    if (state?.isOpen !== true || state.lastFrameAtMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#options.clock.monotonicMs() - state.lastFrameAtMs;
  }

  noteEpoch(epoch: string): void {
    this.#seam.noteEpoch(epoch);
  }

  epoch(): string | undefined {
    return this.#seam.state().epoch;
  }

  #connectionOf(params: SubscriptionParams): StreamConnection | undefined {
    return this.#connections[this.#placeOf.get(subscriptionKey(params)) ?? -1];
  }

  #connect(subscriptions: readonly SubscriptionParams[], index: number): StreamConnection {
    const { clock, random, sockets, markets, log, meter, tap, ageOf, onPong } = this.#options;
    const isAccount = index === 0;
    return new StreamConnection({
      name: `stream-${index}`,
      subscriptions,
      sockets,
      markets,
      books: { book: (symbol, isSnapshot) => this.#market.book(symbol, isSnapshot) },
      clock,
      random: random.fork(`connection-${index}`),
      log,
      meter,
      tap,
      ageOf,
      listener: {
        onAcknowledged: (params, epoch) => {
          if (isAccountChannel(params.channel)) this.#seam.onAcknowledged(params, epoch);
          else this.#market.onAcknowledged(params);
        },
        onData: (frame, receivedAtMs) => {
          if (isAccountFrame(frame)) {
            if (isAccount) this.#seam.onFrame(frame);
          } else this.#market.apply(frame, receivedAtMs);
        },
        onLagged: (lag) => {
          this.#market.onLagged(subscriptions);
          if (isAccount) this.#seam.onLagged(lag);
        },
        onUnreadable: (text) => {
          if (isAccount) this.#seam.onUnreadable(text);
        },
        onPong: (pong) => onPong?.(pong),
        onAlive: (receivedAtMs) => this.#market.onAlive(subscriptions, receivedAtMs),
        onDown: (why) => {
          this.#market.onDown(subscriptions, why);
          if (isAccount) this.#seam.onDown(why);
        },
      },
    });
  }
}

function isAccountFrame(frame: MarketFrame | AccountFrame): frame is AccountFrame {
  return isAccountChannel(frame.channel);
}
