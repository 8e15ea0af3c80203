/**
 * @module All subscriptions of a client over as many connections as they need (openapi.yaml: 200 each). Equal
 * subscriptions share one; frames find their topic by channel and what they name. Two that their frames do not
 * distinguish (books of one symbol with two depths) go over different connections.
 */
import { isRecord } from '../../core/index.ts';
import type { Seq } from '../../domain/index.ts';
import {
  decodeRawFrame,
  type RawFrame,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  type SubscriptionParams,
} from '../../wire/protocol/index.ts';
import {
  type ConnectionState,
  checkSubscription,
  isAccountChannel,
  StreamConnection,
  subscriptionKey,
} from '../../wire/stream/index.ts';
import { ApiError } from '../errors.ts';
import type { Session } from '../session.ts';
import type { Audience, StreamListener, Topic } from './topic.ts';

/** A subscription that is held. */
export interface Subscription {
  /** Settles when the first frame is shown, or history is joined; rejects when the gateway refuses. */
  readonly ready: Promise<void>;
  /** Ends it for this listener. */
  close(): void;
}

/** What a topic is made with. */
export interface HubSubscription {
  /** The client's session. */
  readonly session: Session;
  /** Asks for a fresh snapshot of the topic. */
  renew(): void;
  /** Closes the connection and opens a new one. */
  reconnect(why: string): void;
  /** Requests a frame of `marker` after now, and cancels that request. */
  request(marker: SubscriptionParams): void;
  /** Cancels the request of a marker. */
  release(marker: SubscriptionParams): void;
}

/** A kind of topic: how it is made and who hears of it. */
export interface TopicKind<Update> {
  /** Channel and parameters. */
  readonly params: SubscriptionParams;
  /** The frame that carries a log position, of a topic with history. */
  readonly marker?: SubscriptionParams;
  /** Distinguishes what is subscribed to alike and shown differently. */
  readonly variant?: string;
  /** Creates the topic. */
  make(subscription: HubSubscription, audience: Audience<Update>): MarkedTopic;
  /** Creates its set of listeners. */
  audience(): Audience<Update>;
}

/** A topic; one with history receives positions. */
export type MarkedTopic = Topic & { onMarker?(seq: Seq): void };

interface Held {
  readonly key: string;
  readonly topic: MarkedTopic;
  readonly audience: Audience<unknown>;
  readonly shard: Shard;
  readonly marker: SubscriptionParams | undefined;
}

/** One connection with its topics by the route of their frames. */
interface Shard {
  readonly connection: StreamConnection<RawFrame>;
  readonly byRoute: Map<string, Held>;
  /** Subscriptions made only for their position. */
  readonly markers: Set<string>;
  /** Places that are taken: a topic with history may need one more for its marker. */
  places: number;
}

/** The hub of one client. */
export class StreamHub {
  readonly #session: Session;
  readonly #held = new Map<string, Promise<Held>>();
  #shards: Shard[] = [];
  #count = 0;
  #isClosed = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Subscribes a listener. @throws ConfigError for parameters the gateway would refuse. */
  subscribe<Update>(kind: TopicKind<Update>, listener: StreamListener<Update>): Subscription {
    checkSubscription(kind.params);
    const key = `${subscriptionKey(kind.params)}|${kind.variant ?? ''}`;
    const known = this.#held.get(key);
    const holding = known ?? this.#open(key, kind);
    if (known === undefined) {
      this.#held.set(key, holding);
      holding.catch(() => this.#held.delete(key));
    }
    let leave: (() => void) | undefined;
    let isOver = false;
    const ready = holding.then(({ audience, topic }) => {
      if (isOver) return;
      leave = (audience as Audience<Update>).add(listener);
      if (known !== undefined) topic.onJoined?.();
      return audience.ready;
    });
    ready.catch(() => undefined);
    return {
      ready,
      close: () => {
        if (isOver) return;
        isOver = true;
        holding.then(
          (held) => {
            leave?.();
            if (held.audience.isEmpty && this.#held.get(key) === holding) this.#drop(held);
          },
          () => undefined,
        );
      },
    };
  }

  /** What can be seen of the connections. */
  connections(): readonly ConnectionState[] {
    return this.#shards.map(({ connection }) => connection.state());
  }

  /** Closes every connection. */
  close(): void {
    this.#isClosed = true;
    for (const { connection, byRoute } of this.#shards) {
      connection.stop();
      for (const { topic } of byRoute.values()) topic.close();
    }
    this.#shards = [];
    this.#held.clear();
  }

  async #open<Update>(key: string, kind: TopicKind<Update>): Promise<Held> {
    // No subscription before the gateway is known to speak this interface.
    await this.#session.environment();
    const shard = this.#shardFor(kind);
    const audience = kind.audience();
    const { params, marker } = kind;
    const subscription: HubSubscription = {
      session: this.#session,
      renew: () => shard.connection.resubscribe(params),
      reconnect: (why) => shard.connection.reconnect(why),
      request: (of) => this.#requestMarker(shard, of),
      release: (of) => this.#releaseMarker(shard, of),
    };
    const held: Held = {
      key,
      topic: kind.make(subscription, audience),
      audience: audience as Audience<unknown>,
      shard,
      marker,
    };
    shard.byRoute.set(routeOf(params), held);
    if (shard.markers.has(subscriptionKey(params))) shard.connection.resubscribe(params);
    else shard.connection.add(params);
    return held;
  }

  #drop({ key, topic, shard, marker }: Held): void {
    if (!this.#held.delete(key)) return;
    topic.close();
    shard.byRoute.delete(routeOf(topic.params));
    shard.places -= marker === undefined ? 1 : 2;
    if (!shard.markers.has(subscriptionKey(topic.params))) shard.connection.remove(topic.params);
    if (shard.byRoute.size > 0) return;
    shard.connection.stop();
    this.#shards = this.#shards.filter((other) => other !== shard);
  }

  #shardFor({ params, marker }: TopicKind<never> | TopicKind<unknown>): Shard {
    const places = marker === undefined ? 1 : 2;
    const route = routeOf(params);
    const isFit = (shard: Shard) =>
      shard.places + places <= SUBSCRIPTIONS_PER_CONNECTION_MAX && !shard.byRoute.has(route);
    const found = this.#shards.find(isFit) ?? this.#newShard();
    found.places += places;
    return found;
  }

  #newShard(): Shard {
    const { clock, random, log, meter } = this.#session.parts;
    const ordinal = this.#count++;
    const byRoute: Shard['byRoute'] = new Map();
    const markers: Shard['markers'] = new Set();
    const each = (tell: (held: Held) => void) => [...byRoute.values()].forEach(tell);
    const connection = new StreamConnection({
      name: `client-${ordinal}`,
      subscriptions: [],
      sockets: this.#session.gateway.sockets,
      decode: decodeRawFrame,
      clock,
      random: random.fork(`client-stream-${ordinal}`),
      log,
      meter,
      listener: {
        onAcknowledged: (params, epoch) => {
          const held = byRoute.get(routeOf(params));
          if (held !== undefined && isSame(held.topic.params, params)) held.topic.onAcknowledged(epoch);
        },
        onData: (frame) => this.#route(byRoute, frame),
        onLagged: (lag) => each(({ topic }) => topic.onLagged(lag)),
        onUnreadable: () => undefined,
        onPong: () => undefined,
        onRefused: (params, error) => this.#refused(byRoute, params, error),
        onDown: (why) => each(({ topic }) => topic.onDown(why)),
      },
    });
    const shard: Shard = { connection, byRoute, markers, places: 0 };
    this.#shards.push(shard);
    if (!this.#isClosed) connection.start();
    return shard;
  }

  /** A frame to its topic, and its position to the topics that wait for one. */
  #route(byRoute: Shard['byRoute'], frame: RawFrame): void {
    const { channel, seq } = frame;
    const route = routeOfFrame(channel, frame);
    if ((channel === 'account' || channel === 'prices') && Number.isSafeInteger(seq)) {
      for (const { topic, marker } of byRoute.values())
        if (marker !== undefined && routeOf(marker) === route) topic.onMarker?.(BigInt(seq as number) as Seq);
    }
    byRoute.get(route)?.topic.onFrame(frame);
  }

  #refused(
    byRoute: Shard['byRoute'],
    params: SubscriptionParams,
    { code, message }: { readonly code: string; readonly message: string },
  ): void {
    const held = byRoute.get(routeOf(params));
    if (held === undefined || !isSame(held.topic.params, params)) return;
    const body = JSON.stringify({ error: { code, message } });
    const said = `expected the subscription to ${params.channel} to be accepted, got ${code}: ${message}`;
    held.topic.onRefused(new ApiError({ status: 0, body, effect: 'none', message: said, code }));
    this.#drop(held);
  }

  #requestMarker({ connection, byRoute, markers }: Shard, params: SubscriptionParams): void {
    const key = subscriptionKey(params);
    if (markers.has(key) || byRoute.has(routeOf(params))) connection.resubscribe(params);
    else {
      markers.add(key);
      connection.add(params);
    }
  }

  #releaseMarker({ connection, markers }: Shard, params: SubscriptionParams): void {
    if (!markers.delete(subscriptionKey(params))) return;
    // All other topics that wait for one received the same frame.
    connection.remove(params);
  }
}

function isSame(a: SubscriptionParams, b: SubscriptionParams): boolean {
  return subscriptionKey(a) === subscriptionKey(b);
}

/** What frames of a subscription can be known by. */
function routeOf({ channel, symbol, interval, address, subaccount, vault }: SubscriptionParams): string {
  if (isAccountChannel(channel)) return `${channel}|${vault ?? accountText(address, subaccount)}`;
  if (channel === 'prices' || channel === 'events') return channel;
  return `${channel}|${symbol ?? ''}|${interval ?? ''}`;
}

function routeOfFrame(channel: string, frame: RawFrame): string {
  const { vault, address, subaccount, data } = frame;
  if (isAccountChannel(channel))
    return `${channel}|${vault === undefined ? accountText(address, subaccount) : String(vault)}`;
  if (channel === 'prices' || channel === 'events') return channel;
  const { symbol, interval } = isRecord(data) ? data : {};
  return `${channel}|${String(symbol ?? '')}|${channel === 'candles' ? String(interval ?? '') : ''}`;
}

function accountText(address: unknown, subaccount: unknown): string {
  return `${String(address ?? '').toLowerCase()}/${String(subaccount ?? 0)}`;
}
