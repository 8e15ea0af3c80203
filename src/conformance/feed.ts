/**
 * @module
 * One WebSocket with all that came over it. Waiting is bounded; a ping with its pong shows that everything sent before
 * it has been answered.
 */
import { type Clock, formatJson, parseJson, type Timer } from '../core/index.ts';
import type { StreamSocket, Transport } from '../wire/gateway/index.ts';
import { Doc } from './answer.ts';
import { Deviation } from './expect.ts';

/** How long a frame may take. */
const FRAME_MS_MAX = 10_000;

/** Hears every frame, for coverage and validation. */
export type FrameListener = (frame: unknown) => void;

/** A stream of one connection. */
export class Feed {
  /** Why it was closed, once it was. */
  closedBy: string | undefined;
  readonly #clock: Clock;
  readonly #socket: StreamSocket;
  readonly #waiting = new Set<() => void>();
  #frames: Doc[] = [];
  #isOpen = false;
  #nextId = 1;

  constructor(transport: Transport, clock: Clock, tap: FrameListener) {
    this.#clock = clock;
    this.#socket = transport.open({
      onOpen: () => {
        this.#isOpen = true;
        this.#wake();
      },
      onFrame: (text) => {
        const frame = parseJson(text);
        tap(frame);
        this.#frames.push(new Doc(frame));
        this.#wake();
      },
      onClose: (why) => {
        this.closedBy = why;
        this.#wake();
      },
    });
  }

  /** All frames so far. */
  get frames(): readonly Doc[] {
    return this.#frames;
  }

  /** Resolves when it is open. */
  async opened(): Promise<Feed> {
    await this.#until('the stream to open', () => this.#isOpen || undefined);
    return this;
  }

  /** Sends a frame: an object as JSON, or text as it is. */
  send(frame: object | string): void {
    this.#socket.send(typeof frame === 'string' ? frame : formatJson(frame));
  }

  /** The frames of a channel so far. */
  of(channel: string): readonly Doc[] {
    return this.#frames.filter((frame) => frame.at('channel') === channel);
  }

  /** Forgets the frames so far. */
  clear(): void {
    this.#frames = [];
  }

  /** The first frame of `channel` that `isIt` takes, now or within ten seconds. */
  wait(channel: string, isIt: (frame: Doc) => boolean = () => true): Promise<Doc> {
    return this.#until(`a frame of ${channel}`, () => this.of(channel).find(isIt));
  }

  /** Sends a request frame and gives what answers it: the frame with its id. */
  async ask(method: string, params: object): Promise<Doc> {
    const id = this.#nextId++;
    this.send({ method, params, id });
    return this.#until(`an answer to ${method} ${formatJson(params)}`, () =>
      this.#frames.find((frame) => frame.at('id') === id),
    );
  }

  /** Subscribes. @throws Deviation when that is refused. */
  async subscribe(params: object): Promise<Doc> {
    const frame = await this.ask('subscribe', params);
    if (frame.at('channel') !== 'subscribed')
      throw new Deviation(`subscribe ${formatJson(params)}`, 'subscribed', formatJson(frame.value));
    return frame;
  }

  /** Everything that was sent before has been answered when this resolves. */
  async settled(): Promise<void> {
    const before = this.of('pong').length;
    this.send({ method: 'ping' });
    await this.#until('a pong', () => this.of('pong')[before]);
  }

  /** Resolves with the reason when the other side closes it. */
  closed(): Promise<string> {
    return this.#until('the stream to be closed', () => this.closedBy);
  }

  /** Closes it. */
  close(): void {
    if (this.closedBy === undefined) this.#socket.close('the check is over');
  }

  #until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const end = (): void => {
        this.#waiting.delete(again);
        timer?.cancel();
      };
      const again = (): void => {
        const found = look();
        if (found === undefined) return;
        end();
        resolve(found);
      };
      this.#waiting.add(again);
      timer = this.#clock.after(FRAME_MS_MAX, () => {
        end();
        const why = this.closedBy === undefined ? `nothing in ${FRAME_MS_MAX} ms` : this.closedBy;
        reject(new Deviation('the stream', what, why));
      });
      again();
    });
  }

  #wake(): void {
    for (const again of [...this.#waiting]) again();
  }
}
