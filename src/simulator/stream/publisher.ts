/**
 * @module
 * Tells subscribers what happens. Events leave at once, before the HTTP answer of the write that caused them; states
 * leave once per block and only when they changed (gateway-interface, Events). A frame is written once for all.
 */
import { type Clock, isRecord, must, parseJson } from '../../core/index.ts';
import type { Market } from '../../domain/index.ts';
import type { ExchangeSettings } from '../settings.ts';
import type { Applied } from '../state/entry.ts';
import type { ExchangeEvent } from '../state/event.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { PublicEvent } from '../state/history.ts';
import { accountsOfEvent, marketOfEvent } from '../wire/event-json.ts';
import { type BlockTopic, makeBlockTopic } from './block-topics.ts';
import { Connection, type FrameSink } from './connection.ts';
import { EventFrames } from './event-frames.ts';
import { readSubscription, type Subscription } from './subscription.ts';

/** The longest client frame (own choice); nobody needs more to subscribe. */
const CLIENT_FRAME_LENGTH_MAX = 65_536;

interface Topic {
  readonly subscription: Subscription;
  readonly block: BlockTopic | undefined;
  readonly connections: Set<Connection>;
}

/** All connections and what they listen to. */
export class Publisher {
  readonly #clock: Clock;
  readonly #settings: ExchangeSettings;
  readonly #state: ExchangeState;
  readonly #frames: EventFrames;
  readonly #connections = new Set<Connection>();
  readonly #topics = new Map<string, Topic>();
  readonly #rawTopics = new Set<Topic>();
  readonly #changedMarkets = new Set<number>();
  readonly #changedAccounts = new Set<number>();
  #isAnyMarkMoved = false;

  constructor(parts: { clock: Clock; settings: ExchangeSettings; state: ExchangeState }) {
    this.#clock = parts.clock;
    this.#settings = parts.settings;
    this.#state = parts.state;
    this.#frames = new EventFrames(parts.state, { tell: (key, render) => this.#tell(key, render) });
  }

  /** The open connections, oldest first. */
  get connections(): readonly Connection[] {
    return [...this.#connections];
  }

  /** Takes a new subscriber in. */
  connect(ip: string, sink: FrameSink): Connection {
    const connection = new Connection({
      ip,
      sink,
      clock: this.#clock,
      owner: { onCaughtUp: (who, dropped) => this.#tellLagged(who, dropped) },
      queuedFramesMax: this.#settings.queuedFramesMax,
    });
    this.#connections.add(connection);
    return connection;
  }

  /** Forgets a subscriber whose connection has ended. */
  disconnected(connection: Connection): void {
    connection.closed();
    for (const key of connection.subscriptions.keys()) this.#leave(connection, key);
    connection.subscriptions.clear();
    this.#connections.delete(connection);
  }

  /** Answers one text frame of a client. */
  receive(connection: Connection, text: string): void {
    connection.heard();
    const frame = parseFrame(text);
    if (frame === undefined) {
      this.#tellError(connection, 'InvalidRequest', 'expected a JSON object with a method');
      return;
    }
    const id = idOf(frame['id']);
    if (id === 'bad') {
      this.#tellError(connection, 'InvalidRequest', 'expected id as an integer');
      return;
    }
    switch (frame['method']) {
      case 'ping':
        connection.offer(`{"channel":"pong","data":{"ts":${this.#clock.nowMs()}}}`);
        break;
      case 'subscribe':
        this.#subscribe(connection, frame['params'], id);
        break;
      case 'unsubscribe':
        this.#unsubscribe(connection, frame['params'], id);
        break;
      default:
        this.#tellError(connection, 'InvalidRequest', 'expected method subscribe, unsubscribe or ping', id);
    }
  }

  /** Answers a binary frame: the interface knows text only. */
  receiveBinary(connection: Connection): void {
    connection.heard();
    this.#tellError(connection, 'InvalidRequest', 'expected a text frame');
  }

  /** Tells the events of one log entry. */
  publish({ events }: Applied): void {
    for (const event of events) {
      this.#note(event);
      if (this.#topics.size === 0) continue;
      this.#frames.tell(event);
      if (event.kind !== 'LedgerAppended') this.#tellRaw(event);
    }
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
    this.#changedMarkets.clear();
    this.#changedAccounts.clear();
    this.#isAnyMarkMoved = false;
    for (const connection of this.#connections) {
      connection.flush();
      if (connection.idleMs() >= this.#settings.idleCloseMs) this.close(connection, 1001, 'idle');
    }
  }

  /** Closes a connection from this side. */
  close(connection: Connection, code: number, reason: string): void {
    connection.close(code, reason);
    this.disconnected(connection);
  }

  #subscribe(connection: Connection, params: unknown, id: number | undefined): void {
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
    connection.offer(
      `{"channel":"subscribed","data":${JSON.stringify(read.params)},"epoch":${epoch}${idField(id)}}`,
    );
    this.#tellSnapshot(connection, read);
  }

  #unsubscribe(connection: Connection, params: unknown, id: number | undefined): void {
    const read = this.#read(params);
    if ('problem' in read) {
      this.#tellError(connection, read.problem.code, read.problem.message, id);
    } else if (!connection.subscriptions.delete(read.key)) {
      this.#tellError(connection, 'NotSubscribed', 'expected the params of a subscription', id);
    } else {
      this.#leave(connection, read.key);
      connection.offer(`{"channel":"unsubscribed","data":${JSON.stringify(read.params)}${idField(id)}}`);
    }
  }

  #read(params: unknown) {
    return readSubscription(params, {
      registry: this.#state.registry,
      marketBySymbol: (symbol) => this.#marketBySymbol(symbol),
    });
  }

  #marketBySymbol(symbol: string): Market | undefined {
    return this.#state.venue.markets().find(({ market }) => market.symbol === symbol)?.market;
  }

  #topic(subscription: Subscription): Topic {
    const known = this.#topics.get(subscription.key);
    if (known !== undefined) return known;
    const block = makeBlockTopic(subscription, this.#state);
    const topic: Topic = { subscription, block, connections: new Set() };
    this.#topics.set(subscription.key, topic);
    if (subscription.channel === 'events') this.#rawTopics.add(topic);
    return topic;
  }

  #leave(connection: Connection, key: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    topic.connections.delete(connection);
    if (topic.connections.size > 0) return;
    this.#topics.delete(key);
    this.#rawTopics.delete(topic);
  }

  #tellSnapshot(connection: Connection, subscription: Subscription): void {
    if (subscription.channel === 'orders')
      connection.offer(this.#frames.ordersSnapshot(must(subscription.account, 'an account')));
    const block = this.#topics.get(subscription.key)?.block;
    if (block !== undefined) connection.offer(block.snapshot());
  }

  #tellLagged(connection: Connection, dropped: number): void {
    const upper = `${this.#state.seq}-65535-4294967295`;
    const epoch = JSON.stringify(this.#state.epoch);
    connection.offer(
      `{"channel":"lagged","data":{"dropped":${dropped},"epoch":${epoch},"upper":"${upper}"}}`,
    );
    for (const subscription of connection.subscriptions.values())
      this.#tellSnapshot(connection, subscription);
  }

  #tellError(connection: Connection, code: string, message: string, id?: number): void {
    connection.offer(`{"channel":"error","data":${JSON.stringify({ code, message })}${idField(id)}}`);
  }

  #tell(key: string, render: () => string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const text = render();
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
    if (event.kind === 'LedgerAppended') {
      this.#changedAccounts.add(event.account);
      return;
    }
    const market = marketOfEvent(event);
    if (market !== undefined) this.#changedMarkets.add(market);
    for (const account of accountsOfEvent(event)) this.#changedAccounts.add(account);
    if (event.kind === 'OracleUpdated' || event.kind === 'FundingSettled') this.#isAnyMarkMoved = true;
  }
}

function parseFrame(text: string): Record<string, unknown> | undefined {
  if (text.length > CLIENT_FRAME_LENGTH_MAX) return undefined;
  try {
    const frame = parseJson(text);
    return isRecord(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** An id goes back as it came, so it must be one that survives JSON both ways. */
function idOf(value: unknown): number | undefined | 'bad' {
  if (value === undefined) return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 'bad';
}

function idField(id: number | undefined): string {
  return id === undefined ? '' : `,"id":${id}`;
}
