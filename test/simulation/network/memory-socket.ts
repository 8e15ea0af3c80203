/**
 * @module
 * One socket of one life: the upgrade, text frames both ways, its end from either side, heard once. What a real socket
 * does to its client (5 s to open, 1 MiB a frame) it does too.
 */
import type { Timer } from '../../../src/core/index.ts';
import type { FrameSink } from '../../../src/exchange/api/stream/subscriber-connection.ts';
import type { StreamSession } from '../../../src/exchange/index.ts';
import type { AnswerHeaders, SocketListener, StreamSocket } from '../../../src/wire/gateway/transport.ts';
import type { FrameRule, FrameWay } from '../types.ts';
import type { Freight } from './freight.ts';
import { Lane } from './lane.ts';
import { BOT_IP, type LifeLine, type Wire } from './line.ts';
import { channelOf } from './strikes.ts';

/** How long an upgrade may take, and how long a frame may be: as the gateway's sockets have it. */
const HANDSHAKE_MS_MAX = 5_000;
const FRAME_BYTES_MAX = 1024 * 1024;
/** A peer that leaves more frames than this unread is slow. */
const UNREAD_FRAMES_MAX = 2_000;

/** What a socket is made of. */
export interface MemorySocketParts {
  readonly number: number;
  readonly wire: Wire;
  readonly freight: Freight;
  readonly life: LifeLine;
  readonly listener: SocketListener;
  readonly onUpgrade: ((status: number, headers: AnswerHeaders) => void) | undefined;
  /** What happens to this upgrade. */
  readonly fate: { readonly refuse: number } | { readonly delayMs: number } | undefined;
  readonly rule: FrameRule;
}

/** See the module. */
export class MemorySocket implements StreamSocket {
  readonly #parts: MemorySocketParts;
  readonly #up: Lane;
  readonly #down: Lane;
  readonly #handshake: Timer;
  #session: StreamSession | undefined;
  #isOpen = false;
  #isOver = false;
  #isServed = true;

  constructor(parts: MemorySocketParts) {
    this.#parts = parts;
    const { wire, freight, life, fate } = parts;
    const { latency } = wire.parts;
    this.#up = new Lane(wire, latency.requestMs);
    this.#down = new Lane(wire, latency.frameMs);
    wire.tell({ kind: 'opening', socket: parts.number, life: life.number });
    this.#handshake = life.clock.after(HANDSHAKE_MS_MAX, () => this.close('Opening handshake has timed out'));
    const delayMs = fate !== undefined && 'delayMs' in fate ? fate.delayMs : 0;
    freight.carry(
      wire.hopMs(latency.requestMs) + delayMs,
      () => this.#connect(),
      () => !this.#isOver,
    );
  }

  /** Neither end has it any more. */
  get isGone(): boolean {
    return this.#isOver && !this.#isServed;
  }

  /** Both directions. */
  get lanes(): readonly Lane[] {
    return [this.#up, this.#down];
  }

  send(text: string): void {
    if (this.#isOver || !this.#isOpen) return;
    const { number, life, wire } = this.#parts;
    wire.tell({ kind: 'sent', socket: number, life: life.number, text });
    this.#carry('toExchange', text, (frame) => {
      if (this.#isServed) this.#session?.receive(frame);
    });
  }

  close(why: string): void {
    if (this.#isOver) return;
    this.#up.carryLast(() => this.#leaveExchange());
    this.#end(why);
  }

  /** The connection breaks: some of the frames under way had arrived, both ends see it. */
  cut(why: string): void {
    const { random } = this.#parts.wire.parts;
    this.#up.cut(random.integer(0, this.#up.size));
    this.#down.cut(random.integer(0, this.#down.size));
    this.#leaveExchange();
    this.#parts.life.clock.deliver(() => this.#end(why));
  }

  /** The process has died: its kernel says so to the other end. */
  abandon(): void {
    if (this.#isOver) return;
    this.#up.carryLast(() => this.#leaveExchange());
    this.#finish('the process died');
  }

  #connect(): void {
    const { wire, fate, number, life } = this.#parts;
    if (this.#isOver) return;
    if (fate !== undefined && 'refuse' in fate) {
      this.#refused(fate.refuse, {});
      return;
    }
    const sink: FrameSink = {
      send: (text) => this.#carry('toBot', text, (frame) => this.#arrive(frame)),
      isReady: () => this.#down.size < UNREAD_FRAMES_MAX,
      close: (code, reason) => this.#closedByExchange(`closed with code ${code} ${reason}`),
    };
    const opened = wire.parts.exchange.openStream(BOT_IP, sink);
    if ('status' in opened) {
      this.#refused(opened.status, opened.headers);
      return;
    }
    this.#session = opened.session;
    this.#down.carry('', 0, () =>
      life.clock.deliver(() => {
        if (this.#isOver) return;
        this.#handshake.cancel();
        this.#isOpen = true;
        wire.tell({ kind: 'opened', socket: number, life: life.number });
        this.#parts.onUpgrade?.(101, opened.headers);
        this.#parts.listener.onOpen();
      }),
    );
  }

  #refused(status: number, headers: AnswerHeaders): void {
    this.#isServed = false;
    this.#down.carryLast(() =>
      this.#parts.life.clock.deliver(() => {
        if (this.#isOver) return;
        this.#parts.onUpgrade?.(status, headers);
        this.#end(`the upgrade was refused with status ${status}`);
      }),
    );
  }

  #carry(way: FrameWay, text: string, deliver: (text: string) => void): void {
    if (this.#isOver) return;
    const lane = way === 'toBot' ? this.#down : this.#up;
    const instead = this.#parts.rule(text, way);
    if (instead === undefined) lane.carry(text, 0, () => deliver(text));
    else for (const frame of instead) lane.carry(frame.text, frame.delayMs, () => deliver(frame.text));
  }

  #arrive(text: string): void {
    const { number, wire } = this.#parts;
    const about = () => ({ what: channelOf(text), number, text });
    wire.arrive({ kind: 'frame', about, take: () => this.#hear(text) });
  }

  #hear(text: string): void {
    const { life, wire, number, listener } = this.#parts;
    life.clock.deliver(() => {
      if (this.#isOver) return;
      if (text.length > FRAME_BYTES_MAX) {
        this.close('Max payload size exceeded');
        return;
      }
      wire.tell({ kind: 'frame', socket: number, life: life.number, text });
      listener.onFrame(text, life.clock.nowMs());
    });
  }

  #closedByExchange(why: string): void {
    this.#isServed = false;
    this.#down.carryLast(() => this.#parts.life.clock.deliver(() => this.#end(why)));
  }

  #leaveExchange(): void {
    if (!this.#isServed) return;
    this.#isServed = false;
    this.#session?.closed();
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.#finish(why);
    this.#parts.listener.onClose(why);
  }

  /** Nothing more is heard; the other end may not know yet. */
  #finish(why: string): void {
    this.#isOver = true;
    this.#handshake.cancel();
    this.#down.cut(0);
    const { number, life, wire } = this.#parts;
    wire.tell({ kind: 'closed', socket: number, life: life.number, why });
  }
}
