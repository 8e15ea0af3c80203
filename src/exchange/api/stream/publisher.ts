/**
 * @module Publishes what happens to subscribers. Events leave at once, before the HTTP answer of the write that caused
 * them; states leave once per block and only when they changed (openapi.yaml). A frame is written once for all.
 */
import { type Clock, must } from '../../../core/index.ts';
import type { Market } from '../../../domain/index.ts';
import type {
  Applied,
  ExchangeSettings,
  ExchangeState,
  PublicEvent,
  QuirkSwitches,
} from '../../state/index.ts';
import { type ExchangeEvent, isLedgerEvent } from '../../state/index.ts';
import type { GatewayIdentity } from '../gateway-identity.ts';
import type { IssuedBounds } from '../issued-bounds.ts';
import { accountsOfEvent, marketOfEvent } from '../json/event-json.ts';
import { type BlockTopic, makeBlockTopic } from './block-topics.ts';
import { readClientFrame } from './client-frame.ts';
import { EventFrames } from './event-frames.ts';
import { FrameFaults } from './frame-faults.ts';
import { type FrameSink, SubscriberConnection } from './subscriber-connection.ts';
import { readSubscription, type Subscription } from './subscription.ts';

interface Topic {
  readonly subscription: Subscription;
  readonly block: BlockTopic | undefined;
  readonly connections: Set<SubscriberConnection>;
}

/** What a publisher works with. */
export interface PublisherParts {
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Settings of the exchange. */
  readonly settings: ExchangeSettings;
  /** Where the newest state is. */
  readonly source: { readonly state: ExchangeState };
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
  /** Page bounds that clients were given. */
  readonly bounds: IssuedBounds;
  /** Reported domain and clock. */
  readonly identity: GatewayIdentity;
}

/** All connections and what they listen to. */
export class Publisher {
  /** What disturbs frames. */
  readonly faults = new FrameFaults();
  readonly #clock: Clock;
  readonly #settings: ExchangeSettings;
  readonly #source: { readonly state: ExchangeState };
  readonly #frames: EventFrames;
  readonly #connections = new Set<SubscriberConnection>();
  readonly #topics = new Map<string, Topic>();
  readonly #quirks: QuirkSwitches;
  readonly #bounds: IssuedBounds;
  readonly #identity: GatewayIdentity;
  readonly #rawTopics = new Set<Topic>();
  /** Frames of cash that wait for frames about orders or states (ambiguity A18). */
  #late: { readonly topic: Topic; readonly text: string }[] = [];
  readonly #changedMarkets = new Set<number>();
  readonly #changedAccounts = new Set<number>();
  #isAnyMarkMoved = false;

  constructor(parts: PublisherParts) {
    this.#clock = parts.clock;
    this.#settings = parts.settings;
    this.#source = parts.source;
    this.#quirks = parts.quirks;
    this.#bounds = parts.bounds;
    this.#identity = parts.identity;
    this.#frames = new EventFrames(parts.source, { tell: (key, render) => this.#tell(key, render) });
  }

  /** The open connections, oldest first. */
  get connections(): readonly SubscriberConnection[] {
    return [...this.#connections];
  }

  /** Takes a new subscriber in. */
  connect(ip: string, sink: FrameSink): SubscriberConnection {
    const connection = new SubscriberConnection({
      ip,
      sink,
      clock: this.#clock,
      owner: {
        onReadsAgain: () => this.#tellLate(),
        onCaughtUp: (who, dropped) => this.tellLagged(who, dropped),
      },
      queuedFramesMax: this.#settings.queuedFramesMax,
      faults: this.faults,
    });
    this.#connections.add(connection);
    return connection;
  }

  /** Forgets a subscriber whose connection has ended. */
  disconnected(connection: SubscriberConnection): void {
    connection.closed();
    for (const key of connection.subscriptions.keys()) this.#leave(connection, key);
    connection.subscriptions.clear();
    this.#connections.delete(connection);
  }

  /** Answers one text frame of a client. */
  receive(connection: SubscriberConnection, text: string): void {
    connection.heard();
    const frame = readClientFrame(text);
    const { id } = frame;
    if ('problem' in frame) {
      this.#tellError(connection, 'InvalidRequest', frame.problem, id);
      return;
    }
    switch (frame.method) {
      case 'ping':
        connection.offer(`{"channel":"pong","data":{"ts":${this.#identity.nowMs(this.#clock)}}${id}}`);
        break;
      case 'subscribe':
        this.#subscribe(connection, frame.params, id);
        break;
      case 'unsubscribe':
        this.#unsubscribe(connection, frame.params, id);
        break;
      default:
        this.#tellError(connection, 'InvalidRequest', 'expected method subscribe, unsubscribe or ping', id);
    }
  }

  /** Answers a binary frame: the interface knows text only. */
  receiveBinary(connection: SubscriberConnection): void {
    connection.heard();
    this.#tellError(connection, 'InvalidRequest', 'expected a text frame');
  }

  /** A ping below the interface: its pong is the socket's own affair. */
  receivePing(connection: SubscriberConnection): void {
    if (this.#quirks.takes('A11', 'yes')) connection.heard();
  }

  /** Publishes the events of one log entry. */
  publish({ events }: Applied): void {
    // Who comes later begins with a snapshot of what it is then.
    if (this.#topics.size === 0) return;
    for (const event of events) {
      this.#note(event);
      this.#frames.tell(event);
      if (!isLedgerEvent(event)) this.#tellRaw(event);
    }
    if (this.#late.length > 0 && this.#quirks.takes('A18', 'orders-first')) this.#tellLate();
  }

  /** Ends a block: changed states leave, slow subscribers are tried again, silent ones are closed. */
  endBlock(): void {
    const changes = {
      markets: this.#changedMarkets,
      accounts: this.#changedAccounts,
      isAnyMarkMoved: this.#isAnyMarkMoved,
    };
    for (const topic of this.#topics.values()) {
      const text = topic.block?.update(changes);
      if (text !== undefined) for (const connection of topic.connections) connection.offer(text);
    }
    this.#tellLate();
    this.#changedMarkets.clear();
    this.#changedAccounts.clear();
    this.#isAnyMarkMoved = false;
    for (const connection of this.#connections) {
      connection.flush();
      if (connection.idleMs() >= this.#settings.idleCloseMs) this.close(connection, 1001, 'idle');
    }
  }

  /** Closes a connection from this side. */
  close(connection: SubscriberConnection, code: number, reason: string): void {
    connection.close(code, reason);
    this.disconnected(connection);
  }

  get #state(): ExchangeState {
    return this.#source.state;
  }

  #subscribe(connection: SubscriberConnection, params: unknown, id: string): void {
    const read = this.#read(params);
    if ('problem' in read) {
      this.#tellError(connection, read.problem.code, read.problem.message, id);
      return;
    }
    const isNew = !connection.subscriptions.has(read.key);
    if (isNew && connection.subscriptions.size >= this.#settings.subscriptionsMax) {
      const message = `expected at most ${this.#settings.subscriptionsMax} subscriptions per connection`;
      this.#tellError(connection, 'SubscriptionLimitExceeded', message, id);
      return;
    }
    connection.subscriptions.set(read.key, read);
    this.#topic(read).connections.add(connection);
    const epoch = JSON.stringify(this.#state.epoch);
    connection.offer(`{"channel":"subscribed","data":${JSON.stringify(read.params)},"epoch":${epoch}${id}}`);
    this.#tellSnapshot(connection, read);
  }

  #unsubscribe(connection: SubscriberConnection, params: unknown, id: string): void {
    const read = this.#read(params);
    if ('problem' in read) {
      this.#tellError(connection, read.problem.code, read.problem.message, id);
    } else if (!connection.subscriptions.delete(read.key)) {
      this.#tellError(connection, 'NotSubscribed', 'expected the params of a subscription', id);
    } else {
      this.#leave(connection, read.key);
      connection.offer(`{"channel":"unsubscribed","data":${JSON.stringify(read.params)}${id}}`);
    }
  }

  #read(params: unknown) {
    return readSubscription(params, {
      registry: this.#state.registry,
      vaults: this.#state.vaults,
      marketBySymbol: (symbol) => this.#marketBySymbol(symbol),
    });
  }

  #marketBySymbol(symbol: string): Market | undefined {
    return this.#state.venue.markets().find(({ market }) => market.symbol === symbol)?.market;
  }

  #topic(subscription: Subscription): Topic {
    const known = this.#topics.get(subscription.key);
    if (known !== undefined) return known;
    const block = makeBlockTopic(subscription, this.#state, this.#quirks);
    const topic: Topic = { subscription, block, connections: new Set() };
    this.#topics.set(subscription.key, topic);
    if (subscription.channel === 'events') this.#rawTopics.add(topic);
    return topic;
  }

  #leave(connection: SubscriberConnection, key: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    topic.connections.delete(connection);
    if (topic.connections.size > 0) return;
    this.#topics.delete(key);
    this.#rawTopics.delete(topic);
  }

  #tellSnapshot(connection: SubscriberConnection, subscription: Subscription): void {
    if (subscription.channel === 'orders')
      connection.offer(this.#frames.ordersSnapshot(must(subscription.account, 'an account')));
    const block = this.#topics.get(subscription.key)?.block;
    if (block !== undefined) connection.offer(block.snapshot());
  }

  /** Notifies a subscriber that it missed frames, up to the newest position or an earlier one. */
  tellLagged(connection: SubscriberConnection, dropped: number, upperSeq = this.#state.seq): void {
    // Up to the bound of a lagged frame no frame of cash follows it (openapi.yaml).
    this.#tellLate();
    const upper = `${upperSeq}-65535-4294967295`;
    this.#bounds.note(this.#state.epoch, upper);
    const epoch = JSON.stringify(this.#state.epoch);
    connection.offer(
      `{"channel":"lagged","data":{"dropped":${dropped},"epoch":${epoch},"upper":"${upper}"}}`,
    );
    for (const subscription of connection.subscriptions.values()) {
      if (subscription.channel === 'orders' && this.#quirks.takes('A5', 'none')) continue;
      this.#tellSnapshot(connection, subscription);
    }
  }

  #tellError(connection: SubscriberConnection, code: string, message: string, id = ''): void {
    connection.offer(`{"channel":"error","data":${JSON.stringify({ code, message })}${id}}`);
  }

  #tell(key: string, render: () => string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const text = render();
    if (isAboutCash(topic) && !this.#quirks.takes('A18', 'fills-first')) {
      this.#late.push({ topic, text });
      return;
    }
    for (const connection of topic.connections) connection.offer(text);
  }

  #tellLate(): void {
    if (this.#late.length === 0) return;
    for (const { topic, text } of this.#late.splice(0))
      for (const connection of topic.connections) connection.offer(text);
  }

  #tellRaw(event: PublicEvent): void {
    let text: string | undefined;
    for (const { subscription, connections } of this.#rawTopics) {
      if (!this.#isAbout(event, subscription)) continue;
      text ??= this.#frames.raw(event);
      for (const connection of connections) connection.offer(text);
    }
  }

  #isAbout(event: PublicEvent, { market, owner }: Subscription): boolean {
    if (market !== undefined && marketOfEvent(event) !== market.signingMarketId) return false;
    if (owner === undefined) return true;
    return accountsOfEvent(event).some((id) => this.#state.registry.byId(id)?.owner === owner);
  }

  #note(event: ExchangeEvent): void {
    if (isLedgerEvent(event)) {
      this.#changedAccounts.add(event.account);
      return;
    }
    const market = marketOfEvent(event);
    if (market !== undefined) this.#changedMarkets.add(market);
    for (const account of accountsOfEvent(event)) this.#changedAccounts.add(account);
    if (event.kind === 'OracleUpdated' || event.kind === 'FundingSettled') this.#isAnyMarkMoved = true;
  }
}

function isAboutCash({ subscription: { channel } }: Topic): boolean {
  return channel === 'fills' || channel === 'ledger';
}
