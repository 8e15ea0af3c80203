/**
 * @module
 * The embedded exchange: one object with requests, frames and time as its only inputs. Same seed, same inputs, same
 * bytes. Sockets are put around it by `server`, memory by `in-process`.
 *
 *   requests ─▶ faults ─▶ router ─▶ reads, writes ─▶ sequencer ─▶ venue ─▶ publisher ─▶ subscribers
 *   clock ────▶ blocks ─▶ flows ──────────────────────┘
 */
import { assert, type Clock, type Random, type Timer } from '../../core/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { endpointOf, headerNames } from '../../wire/protocol/index.ts';
import type { FrameSink, HistoryGap } from '../api/index.ts';
import {
  Authenticator,
  BoundedWait,
  type ExchangeAnswer,
  type ExchangeReply,
  type ExchangeRequest,
  GatewayIdentity,
  IssuedBounds,
  type NameForm,
  NO_RESPONSE,
  type NumberForm,
  nameForm,
  numberForm,
  Publisher,
  type Refusal,
  RequestFaults,
  RequestRouter,
  refuse,
  toAnswer,
  WeightLimit,
  Writes,
} from '../api/index.ts';
import { type ControlState, createExchangeControl, type ExchangeControl } from '../control/index.ts';
import type { Participants } from '../flow/index.ts';
import { FlowDriver } from '../flow/index.ts';
import type { LogEntry } from '../state/index.ts';
import {
  type ExchangeDomain,
  type ExchangeSettings,
  epochName,
  QuirkSwitches,
  type ResolvedSettings,
  resolveSettings,
  Sequencer,
} from '../state/index.ts';
import { ControlledClock } from './controlled-clock.ts';
import {
  applySettingsState,
  type ExchangeSettingsState,
  readSettingsState,
  type SettingsStateParts,
} from './exchange-settings-state.ts';
import { Recording } from './recording.ts';

/** What an exchange is made of. */
export interface ExchangeParts {
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Seeds the flows, ephemeral keys and the epoch. */
  readonly random: Random;
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Settings that differ from the defaults; absent: none. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Remembers what it receives, so that a snapshot can be taken; costs memory as long as it runs. */
  readonly isRecorded?: boolean;
}

/** One subscriber's line to the exchange. */
export interface StreamSession {
  /** A text frame of the client. */
  receive(text: string): void;
  /** A binary frame of the client. */
  receiveBinary(): void;
  /** A ping of the WebSocket protocol: it is heard only where it counts as a frame (ambiguity A11). */
  receivePing?(): void;
  /** The client is gone. */
  closed(): void;
}

/** A stream that was let in, and the headers that its upgrade is answered with. */
export interface StreamHandle {
  /** The stream session. */
  readonly session: StreamSession;
  /** HTTP headers of the upgrade response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An exchange. Call {@link start} to let its blocks run. */
export class Exchange {
  readonly settings: ResolvedSettings;
  /** What tests and hosts can do to it. */
  readonly control: ExchangeControl;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #sequencer: Sequencer;
  readonly #publisher: Publisher;
  readonly #router: RequestRouter;
  readonly #faults: RequestFaults;
  readonly #identity: GatewayIdentity;
  readonly #flows: FlowDriver[] = [];
  /** `undefined`: answers and frames go out as they are made. */
  readonly #form: NumberForm | undefined;
  /** `undefined`: names are those of the interface document. */
  readonly #names: NameForm | undefined;
  readonly #quirks: QuirkSwitches;
  /** What it received so far; `undefined` when it is not recorded. */
  readonly recording: Recording | undefined;
  /** How it was made: for snapshots. */
  readonly origin: {
    readonly settings: Partial<ExchangeSettings>;
    readonly epoch: string;
    readonly startMs: number;
  };
  readonly #settingsState: SettingsStateParts;
  #blocks: Timer | undefined;
  #gaps: readonly HistoryGap[] = [];

  constructor({ clock, random, crypto, settings: overrides = {}, isRecorded = false }: ExchangeParts) {
    const settings = resolveSettings(overrides);
    this.settings = settings;
    this.#clock = clock;
    this.#random = random;
    const quirks = new QuirkSwitches(settings.quirks);
    this.#quirks = quirks;
    const { A12, A17, A20 } = settings.quirks;
    this.#names = A20 === 'seed' ? undefined : nameForm(A20, headerNames(settings.headerPrefix).seq);
    this.#form = A12 === 'text' && A17 === 'mixed' ? undefined : numberForm(quirks);
    const epoch = settings.epoch || epochName(clock.nowMs(), random.fork('epoch'), A12 === 'integer');
    this.#sequencer = new Sequencer(clock, settings, { epoch, quirks });
    this.origin = { settings: overrides, epoch, startMs: this.#sequencer.blockAtMs };
    this.recording = isRecorded ? new Recording() : undefined;
    if (isRecorded) this.#sequencer.onApplied((_applied, entry, at) => this.recording?.note(entry, at));
    const source = this.#sequencer;
    const bounds = new IssuedBounds();
    const identity = new GatewayIdentity(settings.domain);
    this.#identity = identity;
    this.#publisher = new Publisher({ clock, settings, source, quirks, bounds, identity });
    this.#sequencer.onApplied((applied) => this.#publisher.publish(applied));
    const machine = clock instanceof ControlledClock ? clock.machine : undefined;
    const boundedWait = new BoundedWait(clock, machine);
    this.#faults = new RequestFaults(boundedWait);
    const headers = headerNames(settings.headerPrefix);
    const authenticator = new Authenticator({ crypto, settings, source, quirks });
    const ipWeightLimit = new WeightLimit(clock, 'ip', settings.ipWeightLimit);
    const accountWeightLimit = new WeightLimit(clock, 'account', settings.accountWeightLimit);
    const gaps = () => this.#gaps;
    this.#settingsState = { sequencer: source, identity, quirks, ipWeightLimit, accountWeightLimit, gaps };
    const common = { sequencer: this.#sequencer, settings, headers, boundedWait, quirks };
    this.#router = new RequestRouter({
      ...common,
      clock,
      bounds,
      identity,
      random: random.fork('replicas'),
      ipWeightLimit,
      gaps,
      writes: new Writes({ ...common, authenticator, accountWeightLimit }),
    });
    this.control = createExchangeControl({
      settings,
      sequencer: this.#sequencer,
      publisher: this.#publisher,
      authenticator,
      crypto,
      random,
      faults: this.#faults,
      quirks,
      clock,
      identity,
      weightLimits: { ip: ipWeightLimit, account: accountWeightLimit },
      setGaps: (gaps) => {
        this.#gaps = gaps;
      },
      runBlock: () => this.#runBlock(),
    });
  }

  /** The ledger's life. */
  get epoch(): string {
    return this.#sequencer.state.epoch;
  }

  /** The last log position. */
  get seq(): number {
    return this.#sequencer.seq;
  }

  /** Time of the current block. */
  get blockAtMs(): number {
    return this.#sequencer.blockAtMs;
  }

  /** The signing domain, as `/v1/exchange` reports it. */
  get domain(): ExchangeDomain {
    return this.#identity.domain;
  }

  /** True while the exchange answers no request. */
  get isDown(): boolean {
    return this.#identity.isDown;
  }

  /** Begins the first block; others follow on the clock. */
  start(): void {
    assert(this.#blocks === undefined, 'an exchange that is not running');
    this.#blocks = this.#clock.every(this.settings.blockMs, () => this.#runBlock());
    this.#runBlock();
  }

  /** As {@link start} for an exchange that was loaded: its next block begins a block length after its last. */
  resume(): void {
    assert(this.#blocks === undefined, 'an exchange that is not running');
    const { blockMs } = this.settings;
    this.#blocks = this.#clock.after(this.blockAtMs + blockMs - this.#clock.nowMs(), () => {
      this.#blocks = this.#clock.every(blockMs, () => this.#runBlock());
      this.#runBlock();
    });
  }

  /** Settings in force that are in no log. */
  settingsState(): ExchangeSettingsState {
    return readSettingsState(this.#settingsState);
  }

  /** Applies the settings of a snapshot, after its steps were replayed. */
  restoreSettings(state: ExchangeSettingsState, control: ControlState): void {
    applySettingsState(this.#settingsState, state);
    this.#gaps = state.gaps;
    this.control.domain(state.domain);
    this.control.resume(control);
  }

  /** Adds an entry of a snapshot. */
  replayEntry(entry: LogEntry): void {
    this.#sequencer.append(entry);
  }

  /** Begins a block of a snapshot. */
  replayBlock(blockAtMs: number): void {
    this.#runBlock(blockAtMs);
  }

  /** Ends the blocks and closes every stream. */
  stop(): void {
    this.#blocks?.cancel();
    this.#blocks = undefined;
    for (const flow of this.#flows.splice(0)) flow.stop();
    for (const connection of this.#publisher.connections)
      this.#publisher.close(connection, 1001, 'the exchange stops');
  }

  /** Lets background participants in; they start at once and continue with each block. */
  attachParticipants(participants: Participants): void {
    const { blockMs } = this.settings;
    this.recording?.noteParticipants(participants, this.seq);
    const attach = (): void => {
      this.#flows.push(
        new FlowDriver({ flow: participants, sequencer: this.#sequencer, random: this.#random, blockMs }),
      );
    };
    if (this.recording === undefined) attach();
    else this.recording.inside(attach);
  }

  /** Answers one HTTP request; at once unless it has to wait. Never throws for anything a client can send. */
  handle(request: ExchangeRequest): ExchangeReply | Promise<ExchangeReply> {
    if (this.#identity.isDown) return NO_RESPONSE;
    const reply = this.#faults.isQuiet
      ? this.#router.handle(request)
      : this.#faults.pass(request, this.#router);
    this.#quirks.meet('A20');
    if (this.#form === undefined && this.#names === undefined) return reply;
    return reply instanceof Promise ? reply.then((late) => this.#formed(late)) : this.#formed(reply);
  }

  /** Charges a request that is refused before it is understood, and answers it. */
  turnAway(ip: string, refusal: Refusal): ExchangeAnswer {
    return this.#router.turnAway(ip, refusal);
  }

  /** Opens a stream, which is charged as a request to `/v1/ws`; an answer instead of a session is a refusal. */
  openStream(ip: string, sink: FrameSink): StreamHandle | ExchangeAnswer {
    if (this.#identity.isDown)
      return toAnswer(refuse({ code: 'Unavailable', message: 'the exchange restarts' }), {});
    const { charge, refusal } = this.#router.admit(ip, endpointOf('ws').weight);
    const headers = this.#router.budgetHeaders(charge);
    if (refusal !== undefined) return toAnswer(refusal, headers);
    const [form, names] = [this.#form, this.#names];
    const formed =
      form === undefined && names === undefined
        ? sink
        : {
            send: (text: string) => {
              const named = names?.frame(text) ?? text;
              sink.send(form?.(named) ?? named);
            },
            isReady: () => sink.isReady(),
            close: (code: number, reason: string) => sink.close(code, reason),
          };
    const connection = this.#publisher.connect(ip, formed);
    const session: StreamSession = {
      receive: (text) => {
        if (connection.isOpen) this.#publisher.receive(connection, text);
      },
      receiveBinary: () => {
        if (connection.isOpen) this.#publisher.receiveBinary(connection);
      },
      receivePing: () => this.#publisher.receivePing(connection),
      closed: () => this.#publisher.disconnected(connection),
    };
    return { session, headers };
  }

  /** A block begins now, beside those of the clock: for who drives an exchange event by event. */
  beginBlock(): void {
    this.#runBlock();
  }

  #runFlows(): void {
    for (const flow of this.#flows) flow.runBlock();
  }

  #formed(reply: ExchangeReply): ExchangeReply {
    if (reply === NO_RESPONSE) return reply;
    const named = this.#names?.answer(reply) ?? reply;
    return this.#form === undefined ? named : { ...named, body: this.#form(named.body) };
  }

  #runBlock(blockAtMs?: number): void {
    if (this.#identity.isDown) return;
    this.#sequencer.append({ kind: 'block' }, blockAtMs);
    if (this.recording === undefined) this.#runFlows();
    else this.recording.inside(() => this.#runFlows());
    this.#publisher.endBlock();
  }
}
