/**
 * @module One subscriber: its bounded queue, what it missed, and when it was last heard of. Control frames and data
 * keep their order. A queue that overflows is emptied; when the peer reads again it is sent `lagged` with what was
 * dropped and the bound up to which history must be read (openapi.yaml).
 */
import { BoundedQueue, type Clock } from '../../../core/index.ts';
import { channelOf, type FrameFaults } from './frame-faults.ts';
import type { Subscription } from './subscription.ts';

/** Where the frames of a connection go: a socket, or memory. */
export interface FrameSink {
  /** Sends one text frame. */
  send(text: string): void;
  /** False while the peer does not read fast enough. */
  isReady(): boolean;
  /** Ends the connection. */
  close(code: number, reason: string): void;
}

/** What a connection reports to its publisher. */
export interface ConnectionOwner {
  /** The peer reads again after frames were dropped: what still waits for it comes after the gap and is dropped too. */
  onReadsAgain(): void;
  /** The peer reads again after frames were dropped: notify it, and send snapshots. */
  onCaughtUp(connection: SubscriberConnection, dropped: number): void;
}

/** One open connection. */
export class SubscriberConnection {
  readonly subscriptions = new Map<string, Subscription>();
  readonly ip: string;
  readonly #sink: FrameSink;
  readonly #clock: Clock;
  readonly #owner: ConnectionOwner;
  readonly #queue: BoundedQueue<string>;
  readonly #faults: FrameFaults;
  /** When the last frame of each channel that is late comes. */
  readonly #lateUntilMs = new Map<string, number>();
  #heardAtMs: number;
  #dropped = 0;
  #isDropping = false;
  #isHeld = false;
  #isOpen = true;

  constructor(parts: {
    readonly ip: string;
    readonly sink: FrameSink;
    readonly clock: Clock;
    readonly owner: ConnectionOwner;
    readonly queuedFramesMax: number;
    /** What disturbs frames. */
    readonly faults: FrameFaults;
  }) {
    this.ip = parts.ip;
    this.#sink = parts.sink;
    this.#clock = parts.clock;
    this.#owner = parts.owner;
    this.#faults = parts.faults;
    this.#queue = new BoundedQueue(parts.queuedFramesMax);
    this.#heardAtMs = parts.clock.monotonicMs();
  }

  /** False once it was closed by either side. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Notes that the client sent a frame. */
  heard(): void {
    this.#heardAtMs = this.#clock.monotonicMs();
  }

  /** For how long the client has been silent, in ms. */
  idleMs(): number {
    return this.#clock.monotonicMs() - this.#heardAtMs;
  }

  /** Sends a frame, or queues it after those that wait, or counts it as dropped; unless a fault disturbs it. */
  offer(text: string): void {
    if (this.#faults.isQuiet && this.#lateUntilMs.size === 0) this.#offer(text);
    else this.#disturb(text);
  }

  #disturb(text: string): void {
    const fault = this.#faults.take(text);
    const channel = channelOf(text);
    const nowMs = this.#clock.monotonicMs();
    const ownMs = fault?.kind === 'delay' ? nowMs + fault.delayMs : nowMs;
    const dueMs = Math.max(ownMs, this.#lateUntilMs.get(channel) ?? 0);
    const deliver = (): void => {
      if (fault?.kind === 'lose') return;
      this.#offer(fault?.kind === 'change' ? fault.edit(text) : text);
      if (fault?.kind === 'repeat') this.#offer(text);
    };
    if (dueMs <= nowMs) {
      deliver();
      return;
    }
    this.#lateUntilMs.set(channel, dueMs);
    this.#clock.after(dueMs - nowMs, () => {
      if (this.#lateUntilMs.get(channel) === dueMs) this.#lateUntilMs.delete(channel);
      deliver();
    });
  }

  #offer(text: string): void {
    if (!this.#isOpen) return;
    if (this.#isDropping) {
      this.#dropped++;
    } else if (this.#queue.size === 0 && this.#sink.isReady()) {
      this.#sink.send(text);
    } else if (!this.#queue.push(text)) {
      this.#isDropping = true;
      this.#dropped += this.#queue.size + 1;
      while (this.#queue.shift() !== undefined);
    }
  }

  /** Sends what waits as far as the peer reads. */
  flush(): void {
    while (this.#isOpen && this.#queue.size > 0 && this.#sink.isReady()) {
      const text = this.#queue.shift();
      if (text !== undefined) this.#sink.send(text);
    }
    if (this.#isDropping && !this.#isHeld && this.#isOpen && this.#sink.isReady()) this.#catchUp();
  }

  /** Drops every frame from now on, in silence, until {@link release}. */
  hold(): void {
    this.#isHeld = true;
    this.#isDropping = true;
  }

  /** Ends {@link hold}, or pretends that frames were dropped: the client is sent `lagged`. */
  release(dropped = 0): void {
    this.#dropped += dropped;
    this.#isHeld = false;
    this.#isDropping = true;
    this.flush();
  }

  /** Closes it with a WebSocket close code. */
  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sink.close(code, reason);
  }

  /** The peer is gone. */
  closed(): void {
    this.#isOpen = false;
  }

  #catchUp(): void {
    this.#owner.onReadsAgain();
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#isDropping = false;
    this.#owner.onCaughtUp(this, dropped);
  }
}
