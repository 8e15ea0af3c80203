/**
 * @module
 * One connection with its subscriptions: opens, subscribes, matches acknowledgements by id and parameters, pings, finds
 * half-open sockets, and comes back after every end with a jittered pause (obligations O85 to O90, O108). Hands data
 * frames on and knows nothing of what is in them.
 *
 *   idle ─ open ─▶ subscribing ─ all acknowledged ─▶ live
 *     ▲                │ close, dead, refused sockets     │
 *     └──── pause ─────┴──────────────────────────────────┘
 */
import {
  assert,
  assertNever,
  type Clock,
  type Log,
  type Metrics,
  type Random,
  type Timer,
} from '../../core/index.ts';
import type {
  ControlFrame,
  Decoded,
  SubscriptionParams,
  UnknownFrame,
  WireClientFrame,
} from '../protocol/index.ts';
import { Backoff } from './backoff.ts';
import type { BlockLength } from './block-length.ts';
import { FrameAge } from './frame-age.ts';
import type { FrameBacklog, ReadFrame } from './frame-backlog.ts';
import { Heartbeat, TICK_MS } from './heartbeat.ts';
import type { ExchangeTime, FrameTap, Socket, SocketFactory } from './ports.ts';
import { subscriptionKey } from './subscriptions.ts';

/** A frame that is about data, in the form that its reader works with. */
export interface DataFrame {
  readonly channel: string;
  /** When the exchange made it, Unix ms; absent: it does not say. */
  readonly tsMs?: number | undefined;
}

type Control<Channel extends ControlFrame['channel']> = Extract<ControlFrame, { channel: Channel }>;

/** What a `lagged` frame says. */
export type Lag = Control<'lagged'>;

/** A pong with both ends of its round trip, monotonic milliseconds. */
export interface Pong {
  /** The exchange's time, Unix ms. */
  readonly serverMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** What a connection reports; every call is synchronous and in the order of the wire. */
export interface ConnectionListener<Data extends DataFrame> {
  /** A subscription is acknowledged: once for each time it was made. */
  onAcknowledged(params: SubscriptionParams, epoch: string): void;
  /** `asOfMs`: when it arrived, less the time that it was late by. */
  onData(frame: Data, asOfMs: number): void;
  /** Frames of a subscription were dropped. */
  onLagged(lag: Lag): void;
  /** A frame could not be read. Something may have been in it: `text` is all that is known. */
  onUnreadable(text: string): void;
  /** A pong came. */
  onPong(pong: Pong): void;
  /** The gateway refuses a subscription; it is asked for again later, unless it is removed. */
  onRefused?(params: SubscriptionParams, error: { readonly code: string; readonly message: string }): void;
  /** The connection ended; it will come back on its own. */
  onDown(why: string): void;
}

/** What a connection is made of. */
export interface ConnectionOptions<Data extends DataFrame> {
  /** Name for logs. */
  readonly name: string;
  readonly subscriptions: readonly SubscriptionParams[];
  readonly sockets: SocketFactory;
  /** Reads a frame; data in the form that the listener takes. The only place where its text is parsed. */
  decode(text: string): Decoded<ControlFrame | UnknownFrame | Data>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
  /** Receives every frame; `undefined`: none listens. */
  readonly tap?: FrameTap | undefined;
  /** See {@link StreamOptions}. */
  readonly exchangeTime?: ExchangeTime | undefined;
  /** What its frames tell of the exchange's blocks; absent: it keeps that to itself. */
  readonly blocks?: BlockLength | undefined;
  /** Where frames wait that come faster than they are read; absent: each is read at once. */
  readonly backlog?: FrameBacklog | undefined;
  readonly listener: ConnectionListener<Data>;
}

/** What can be seen of a connection. */
export interface ConnectionState {
  /** Name for logs. */
  readonly name: string;
  /** True while the connection is open. */
  readonly isOpen: boolean;
  /** Number of subscriptions. */
  readonly subscriptions: number;
  /** Not acknowledged yet. */
  readonly pending: number;
  /** How often it was opened. */
  readonly opened: number;
  /** The last frame of any kind, monotonic milliseconds; `undefined` before the first. */
  readonly lastFrameAtMs: number | undefined;
}

const PAUSE_MS_FIRST = 200;
const PAUSE_MS_MAX = 4_000;
/** A connection that held this long starts the pauses over. */
const STABLE_MS = 10_000;
const ACK_MS_MAX = 3_000;
const SUBSCRIBE_ATTEMPTS_MAX = 4;
/** Ids that are remembered, for each subscription: it may be asked for again each second as long as the connection lives. */
const IDS_MAX = 16;
const REFUSED_PAUSE_MS = 5_000;

interface Subscription {
  readonly params: SubscriptionParams;
  readonly key: string;
  isAcknowledged: boolean;
  attempts: number;
  /** When it is asked for again unless an acknowledgement comes, monotonic milliseconds. */
  againAtMs: number;
}

function newSubscription(params: SubscriptionParams): Subscription {
  return { params, key: subscriptionKey(params), isAcknowledged: false, attempts: 0, againAtMs: 0 };
}

/** One connection that stays up. */
export class StreamConnection<Data extends DataFrame> {
  readonly #options: ConnectionOptions<Data>;
  readonly #subscriptions: Subscription[];
  readonly #backoff: Backoff;
  /** The newest ids that were sent for subscriptions on the current socket: an old one may be answered late. */
  readonly #byId = new Map<number, Subscription>();
  #socket: Socket | undefined;
  #heartbeat: Heartbeat | undefined;
  #timer: Timer | undefined;
  #openedAtMs = 0;
  #openedCount = 0;
  #nextId = 1;
  #lastFrameAtMs: number | undefined;
  readonly #age: FrameAge;
  #isStopped = true;

  constructor(options: ConnectionOptions<Data>) {
    this.#options = options;
    this.#subscriptions = options.subscriptions.map(newSubscription);
    this.#age = new FrameAge(options);
    this.#backoff = new Backoff({ firstMs: PAUSE_MS_FIRST, maxMs: PAUSE_MS_MAX, random: options.random });
  }

  /** Opens the first socket. */
  start(): void {
    assert(this.#isStopped, 'a connection that is not running');
    this.#isStopped = false;
    this.#open();
  }

  /** Ends for good; nothing is reported afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#heartbeat = undefined;
    socket?.close('stopped');
  }

  /** Drops the socket; a new one follows after a pause. */
  reconnect(why: string): void {
    this.#socket?.close(why);
  }

  /** Asks for a subscription again: its first frame is a snapshot again. */
  resubscribe(params: SubscriptionParams): void {
    const key = subscriptionKey(params);
    const subscription = this.#subscriptions.find((candidate) => candidate.key === key);
    if (subscription === undefined || this.#heartbeat === undefined) return;
    this.#send({ method: 'unsubscribe', params: subscription.params, id: this.#nextId++ });
    subscription.attempts = 0;
    this.#subscribe(subscription);
  }

  /** Takes one subscription more, now and after every reconnect. */
  add(params: SubscriptionParams): void {
    const subscription = newSubscription(params);
    assert(
      !this.#subscriptions.some(({ key }) => key === subscription.key),
      `a subscription that is new, got ${subscription.key}`,
    );
    this.#subscriptions.push(subscription);
    if (this.#heartbeat !== undefined) this.#subscribe(subscription);
  }

  /** Gives a subscription up. Frames of it that are under way still come. */
  remove(params: SubscriptionParams): void {
    const key = subscriptionKey(params);
    const at = this.#subscriptions.findIndex((candidate) => candidate.key === key);
    if (at < 0) return;
    this.#subscriptions.splice(at, 1);
    this.#send({ method: 'unsubscribe', params, id: this.#nextId++ });
  }

  /** What can be seen from outside. */
  state(): ConnectionState {
    return {
      name: this.#options.name,
      isOpen: this.#heartbeat !== undefined,
      subscriptions: this.#subscriptions.length,
      pending: this.#subscriptions.filter(({ isAcknowledged }) => !isAcknowledged).length,
      opened: this.#openedCount,
      lastFrameAtMs: this.#lastFrameAtMs,
    };
  }

  #open(): void {
    this.#byId.clear();
    // Events of a socket that is not the current one any more are ignored: `socket` is the current one.
    const socket: Socket = this.#options.sockets.open({
      onOpen: () => {
        if (this.#isCurrent(socket)) this.#opened();
      },
      onFrame: (text, receivedAtMs) => {
        if (this.#isCurrent(socket)) this.#receive(text, receivedAtMs);
      },
      onClose: (why) => {
        if (this.#isCurrent(socket)) this.#closed(why);
      },
    });
    this.#socket = socket;
  }

  #isCurrent(socket: Socket): boolean {
    return this.#socket === socket;
  }

  #opened(): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#openedAtMs = nowMs;
    this.#openedCount++;
    this.#heartbeat = new Heartbeat(nowMs);
    this.#options.meter.count('stream_connections_opened_total');
    for (const subscription of this.#subscriptions) {
      subscription.attempts = 0;
      this.#subscribe(subscription);
    }
    this.#timer = this.#options.clock.every(TICK_MS, () => this.#tick());
  }

  #closed(why: string): void {
    const { clock, log, listener, backlog } = this.#options;
    this.#timer?.cancel();
    this.#socket = undefined;
    backlog?.drop(this.#read);
    const wasOpen = this.#heartbeat !== undefined;
    this.#heartbeat = undefined;
    for (const subscription of this.#subscriptions) subscription.isAcknowledged = false;
    if (wasOpen && clock.monotonicMs() - this.#openedAtMs >= STABLE_MS) this.#backoff.reset();
    const pauseMs = this.#backoff.next();
    log.info('a stream connection ended', {
      connection: this.#options.name,
      why,
      pauseMs: Math.round(pauseMs),
    });
    this.#timer = clock.after(pauseMs, () => this.#open());
    listener.onDown(why);
  }

  #subscribe(subscription: Subscription): void {
    const id = this.#nextId++;
    subscription.isAcknowledged = false;
    subscription.attempts++;
    subscription.againAtMs = this.#options.clock.monotonicMs() + ACK_MS_MAX;
    this.#byId.set(id, subscription);
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= IDS_MAX * this.#subscriptions.length) break;
      this.#byId.delete(oldest);
    }
    this.#send({ method: 'subscribe', params: subscription.params, id });
  }

  #send(frame: WireClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const verdict = this.#heartbeat?.tick(nowMs);
    if (verdict === 'dead') {
      this.reconnect('half-open: nothing answered');
      return;
    }
    if (verdict === 'ping') this.#send({ method: 'ping' });
    for (const subscription of this.#subscriptions) {
      if (subscription.isAcknowledged || nowMs < subscription.againAtMs) continue;
      if (subscription.attempts >= SUBSCRIBE_ATTEMPTS_MAX) {
        this.reconnect(`no acknowledgement of ${subscription.key}`);
        return;
      }
      this.#subscribe(subscription);
    }
  }

  #receive(text: string, receivedAtMs: number): void {
    this.#options.tap?.(text, receivedAtMs);
    const nowMs = this.#options.clock.monotonicMs();
    this.#lastFrameAtMs = nowMs;
    this.#heartbeat?.heard(nowMs);
    const { backlog } = this.#options;
    if (backlog === undefined) this.#read(text, receivedAtMs);
    else backlog.take(text, receivedAtMs, this.#read);
  }

  readonly #read: ReadFrame = (text, receivedAtMs) => {
    const decoded = this.#options.decode(text);
    if (!decoded.ok) {
      this.#malformed(decoded.error.message);
      this.#options.listener.onUnreadable(text);
      return;
    }
    const frame = decoded.value;
    if (isControl(frame)) {
      this.#options.backlog?.flush();
      this.#control(frame, this.#options.clock.monotonicMs());
    } else this.#options.listener.onData(frame, receivedAtMs - this.#age.lateMs(frame.tsMs));
  };

  #control(frame: ControlFrame | UnknownFrame, nowMs: number): void {
    switch (frame.channel) {
      case 'subscribed':
        this.#acknowledge(frame);
        return;
      case 'pong':
        this.#pong(frame, nowMs);
        return;
      case 'error':
        this.#refuse(frame);
        return;
      case 'lagged':
        this.#options.meter.count('stream_lagged_total');
        this.#options.listener.onLagged(frame);
        return;
      case 'unsubscribed':
        return;
      case 'unknown':
        this.#options.meter.count('stream_unknown_frames_total');
        return;
      default:
        assertNever(frame);
    }
  }

  /** A frame that cannot be read is counted and passed over; the connection stays. */
  #malformed(why: string): void {
    this.#options.meter.count('stream_malformed_frames_total');
    this.#options.log.warn('a frame could not be read', { connection: this.#options.name, why });
  }

  /** An acknowledgement must name the id and repeat the parameters; one without an id is known by its parameters. */
  #acknowledge({ params, epoch, id }: Control<'subscribed'>): void {
    const key = subscriptionKey(params);
    const subscription =
      id === undefined ? this.#subscriptions.find((candidate) => candidate.key === key) : this.#byId.get(id);
    if (subscription === undefined || subscription.key !== key || epoch === undefined) {
      this.#malformed(`an acknowledgement that belongs to nothing: ${key} with id ${id}`);
      return;
    }
    if (subscription.isAcknowledged) return;
    subscription.isAcknowledged = true;
    this.#options.listener.onAcknowledged(subscription.params, epoch);
  }

  #pong({ tsMs }: Control<'pong'>, nowMs: number): void {
    const sentAtMs = this.#heartbeat?.answered();
    if (sentAtMs === undefined || tsMs === undefined) return;
    this.#options.listener.onPong({ serverMs: tsMs, sentAtMs, receivedAtMs: nowMs });
  }

  /** An error leaves the connection open: with an id it refuses a subscription, without one nothing is known to be lost. */
  #refuse({ code, message, id }: Control<'error'>): void {
    const subscription = id === undefined ? undefined : this.#byId.get(id);
    this.#options.meter.count('stream_error_frames_total');
    this.#options.log.warn('the gateway sent an error frame', {
      connection: this.#options.name,
      code,
      text: message,
      subscription: subscription?.key,
      pending: this.#subscriptions.filter(({ isAcknowledged }) => !isAcknowledged).map(({ key }) => key),
    });
    if (subscription === undefined || subscription.isAcknowledged) return;
    // Asked for again later, without end and without leaving: the attempts that count are the unanswered ones.
    subscription.attempts = 0;
    subscription.againAtMs = this.#options.clock.monotonicMs() + REFUSED_PAUSE_MS;
    this.#options.listener.onRefused?.(subscription.params, { code, message });
  }
}

/** Data comes most often: its channels are not among these few. */
function isControl<Data extends DataFrame>(
  frame: ControlFrame | UnknownFrame | Data,
): frame is ControlFrame | UnknownFrame {
  switch (frame.channel) {
    case 'subscribed':
    case 'unsubscribed':
    case 'pong':
    case 'error':
    case 'lagged':
    case 'unknown':
      return true;
    default:
      return false;
  }
}
