/**
 * @module One subscription as its listeners see it: frames in, updates out. What a listener throws is its own affair:
 * it is logged and stops no other listener. State channels show nothing before their snapshot (openapi.yaml).
 */
import { type Log, messageOf } from '../../core/index.ts';
import type { RawFrame, SubscriptionParams } from '../../wire/protocol/index.ts';
import type { ApiError } from '../errors.ts';

/** What a listener hears. Only `onUpdate` is needed. */
export interface StreamHandlers<Update> {
  /** Each update, in order. */
  onUpdate(update: Update): void;
  /** The stream is whole again, or why it cannot be trusted right now. It repairs itself. */
  onState?(state: 'live' | 'stale', why: string): void;
  /** The ledger was restarted: what was shown before belongs to another one. */
  onReset?(epoch: string): void;
  /** The gateway refuses the subscription: it is over. */
  onError?(error: ApiError): void;
}

/** A listener: handlers, or a function for the updates only. */
export type StreamListener<Update> = StreamHandlers<Update> | ((update: Update) => void);

/** What the connection reports to a topic. */
export interface Topic {
  /** Channel and parameters. */
  readonly params: SubscriptionParams;
  /** Called when the gateway confirms the subscription. */
  onAcknowledged(epoch: string): void;
  /** Called with each frame of the topic. */
  onFrame(frame: RawFrame): void;
  onLagged(lag: { readonly epoch: string; readonly upper: string }): void;
  /** Called when the connection is lost. */
  onDown(why: string): void;
  /** Called when the gateway refuses the subscription. */
  onRefused(error: ApiError): void;
  /** One more listens to what is shown already. */
  onJoined?(): void;
  /** No listener is left. */
  close(): void;
}

/** The listeners of one topic. */
export class Audience<Update> {
  readonly #handlers = new Set<StreamHandlers<Update>>();
  readonly #log: Log;
  #state: 'live' | 'stale' = 'stale';
  readonly #ready = Promise.withResolvers<void>();

  constructor(log: Log) {
    this.#log = log;
    // `onError` reports it to callers that do not wait for it.
    this.#ready.promise.catch(() => undefined);
  }

  /** Settles with the first live state, or with the refusal. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get isEmpty(): boolean {
    return this.#handlers.size === 0;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** Adds a listener; returns what takes it away. */
  add(listener: StreamListener<Update>): () => void {
    const handlers = typeof listener === 'function' ? { onUpdate: listener } : listener;
    // One object a listener: the same function may listen twice.
    const own: StreamHandlers<Update> = {
      onUpdate: (update) => handlers.onUpdate(update),
      onState: (state, why) => handlers.onState?.(state, why),
      onReset: (epoch) => handlers.onReset?.(epoch),
      onError: (error) => handlers.onError?.(error),
    };
    this.#handlers.add(own);
    return () => void this.#handlers.delete(own);
  }

  tell(update: Update): void {
    this.#each((handlers) => handlers.onUpdate(update));
  }

  state(state: 'live' | 'stale', why: string): void {
    if (state === 'live') this.#ready.resolve();
    if (this.#state === state) return;
    this.#state = state;
    this.#each((handlers) => handlers.onState?.(state, why));
  }

  reset(epoch: string): void {
    this.#each((handlers) => handlers.onReset?.(epoch));
  }

  refused(error: ApiError): void {
    this.#ready.reject(error);
    this.#each((handlers) => handlers.onError?.(error));
  }

  #each(tell: (handlers: StreamHandlers<Update>) => void): void {
    for (const handlers of [...this.#handlers]) {
      try {
        tell(handlers);
      } catch (thrown) {
        this.#log.error('a stream listener failed', { why: messageOf(thrown) });
      }
    }
  }
}

/** How frames of a channel without history become updates. */
export interface StateSource<Update> {
  /** Channel and parameters. */
  readonly params: SubscriptionParams;
  /** Listeners of the topic. */
  readonly audience: Audience<Update>;
  /** Receives log lines. */
  readonly log: Log;
  /** True if the channel begins with a snapshot; nothing is shown before it. */
  readonly hasSnapshot: boolean;
  /** @throws ProtocolError for a frame that breaks the interface */
  read(frame: RawFrame): Update;
  /** Asks for a fresh snapshot. */
  renew(): void;
  /** State that was kept is void. */
  forget?(): void;
}

/** A topic without history: quotes, trades, state of an account. */
export class StateTopic<Update> implements Topic {
  readonly params: SubscriptionParams;
  readonly #source: StateSource<Update>;
  #isAwaited: boolean;

  constructor(source: StateSource<Update>) {
    this.params = source.params;
    this.#source = source;
    this.#isAwaited = source.hasSnapshot;
  }

  onAcknowledged(): void {
    const { hasSnapshot, audience } = this.#source;
    if (!hasSnapshot) audience.state('live', 'subscribed');
  }

  onFrame(frame: RawFrame): void {
    const { audience, log, read } = this.#source;
    if (this.#isAwaited && frame['isSnapshot'] !== true) return;
    try {
      const update = read(frame);
      this.#isAwaited = false;
      audience.tell(update);
      audience.state('live', 'snapshot');
    } catch (thrown) {
      log.warn('a frame could not be read', { channel: this.params.channel, why: messageOf(thrown) });
    }
  }

  onLagged(): void {
    this.#interrupt('the server lagged and dropped frames');
    if (this.#source.hasSnapshot) this.#source.renew();
    else this.#source.audience.state('live', 'frames were dropped and are not sent again');
  }

  onDown(why: string): void {
    this.#interrupt(why);
  }

  onRefused(error: ApiError): void {
    this.#source.audience.refused(error);
  }

  onJoined(): void {
    const { hasSnapshot, audience, renew } = this.#source;
    if (hasSnapshot && audience.isLive) renew();
  }

  close(): void {
    this.#source.forget?.();
  }

  #interrupt(why: string): void {
    this.#isAwaited = this.#source.hasSnapshot;
    this.#source.forget?.();
    this.#source.audience.state('stale', why);
  }
}
