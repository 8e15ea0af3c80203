/**
 * @module
 * A TCP proxy that breaks connections at a given byte: between a real client and a real server, knowing of HTTP only
 * where a request and an answer end. What it is not told to break it passes on.
 *
 *   client ══ request, k bytes of it ══▶ proxy ══▶ server      then both connections end, by FIN or by RST
 *   client ◀═ answer, k bytes of it ════ proxy ◀══ server
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How a connection ends. */
export type Ending = 'fin' | 'rst';

/** Where to break the next request that begins with some text, such as `POST `. */
export interface Cut {
  readonly start: string;
  readonly way: 'request' | 'answer';
  /** So many bytes pass. */
  readonly byte: number;
  readonly ending: Ending;
}

/** How long the request was, and the answer: 0 when there was none to see. */
export interface Passage {
  readonly requestBytes: number;
  readonly answerBytes: number;
}

/** What happens to sockets after their upgrade; text frames are whole bytes here. */
export type StreamPlan =
  /** The client gets these bytes in place of what the server sends, then the end. */
  | {
      readonly kind: 'inject';
      readonly bytes: Buffer;
      readonly ending: Ending;
      /** Each byte in a segment of its own. */
      readonly isSplit?: boolean;
      /** The end comes so much later; default: at once. */
      readonly holdMs?: number;
    }
  /** So many bytes of the client or of the server pass, then the end. */
  | { readonly kind: 'cutClient' | 'cutServer'; readonly byte: number; readonly ending: Ending }
  /** The upgrade itself is cut after so many bytes. */
  | { readonly kind: 'cutUpgrade'; readonly way: Cut['way']; readonly byte: number; readonly ending: Ending };

interface ArmedCut {
  readonly cut: Cut;
  readonly done: (passage: Passage) => void;
}

/** A proxy to one port of this machine. */
export class FaultProxy {
  /** POST requests of which at least one byte came in. */
  posts = 0;
  /** Each answer comes a second time: at once, or before the answer to the next request of its connection. */
  repeats: 'at once' | 'before the next' | undefined;
  /** Bytes that came in from clients. */
  receivedBytes = 0;
  /** How long the messages of the last cut were. */
  lastPassage: Passage = { requestBytes: 0, answerBytes: 0 };
  readonly #lines = new Set<Line>();
  readonly #server: Server;
  readonly #upstreamPort: number;
  #armed: ArmedCut | undefined;
  #plan: StreamPlan | undefined;
  #isSplit = false;
  #isBlack = false;

  private constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort;
    this.#server = createServer({ noDelay: true }, (socket) => {
      const line = new Line(this, socket);
      this.#lines.add(line);
      line.hold(this.#isBlack);
    });
  }

  /** A proxy that listens on a free port and passes everything on to `upstreamPort`. */
  static async start(upstreamPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstreamPort);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  /** Where it listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Every byte is a segment of its own. */
  get isSplit(): boolean {
    return this.#isSplit;
  }

  /** Breaks the next request that begins so; resolves when it is done. */
  cut(cut: Cut): Promise<Passage> {
    return new Promise((done) => {
      this.#armed = { cut, done };
    });
  }

  /** What happens to the next socket that is upgraded. */
  planStream(plan: StreamPlan): void {
    this.#plan = plan;
  }

  /** Sends each byte alone from now on, or not. */
  split(isSplit: boolean): void {
    this.#isSplit = isSplit;
  }

  /** Nothing passes from now on and nobody is told; afterwards what was sent arrives late, as kernels send again. */
  blackHole(isBlack: boolean): void {
    this.#isBlack = isBlack;
    for (const line of this.#lines) line.hold(isBlack);
  }

  /** Ends the connections on which nothing is under way: the race of kept connections. */
  endIdle(ending: Ending): number {
    const idle = [...this.#lines].filter((line) => line.isIdle);
    for (const line of idle) line.end(ending);
    return idle.length;
  }

  /** Ends everything and stops listening. */
  async close(): Promise<void> {
    for (const line of this.#lines) line.end('rst');
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** For its lines: the server behind it. */
  connectUpstream(): Socket {
    return connect({ port: this.#upstreamPort, host: '127.0.0.1', noDelay: true });
  }

  /** For its lines: the cut that waits for a request with this beginning. */
  takeCut(head: string): ArmedCut | undefined {
    const armed = this.#armed;
    if (armed === undefined || !head.startsWith(armed.cut.start)) return undefined;
    this.#armed = undefined;
    return armed;
  }

  /** For its lines: the plan of the next socket. */
  takePlan(): StreamPlan | undefined {
    const plan = this.#plan;
    this.#plan = undefined;
    return plan;
  }

  /** For its lines. */
  forget(line: Line): void {
    this.#lines.delete(line);
  }
}

const HEAD_END = '\r\n\r\n';

/** One connection of a client with the one behind it. */
class Line {
  readonly #proxy: FaultProxy;
  readonly #client: Socket;
  readonly #server: Socket;
  /** An answer that comes again before the next one. */
  #stale: Buffer | undefined;
  #request: Buffer = Buffer.alloc(0);
  #answer: Buffer = Buffer.alloc(0);
  #armed: ArmedCut | undefined;
  #plan: StreamPlan | undefined;
  #passedBytes = 0;
  #isBusy = false;
  #isUpgraded = false;
  #isOver = false;

  constructor(proxy: FaultProxy, client: Socket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#server = proxy.connectUpstream();
    client.on('data', (chunk) => this.#fromClient(chunk));
    this.#server.on('data', (chunk) => this.#fromServer(chunk));
    for (const socket of [client, this.#server]) {
      socket.on('error', () => this.end('rst'));
      socket.on('close', () => this.end('fin'));
    }
  }

  /** Kept, with nothing under way. */
  get isIdle(): boolean {
    return !this.#isBusy && !this.#isUpgraded && !this.#isOver;
  }

  /** Reads nothing: the kernels keep it. */
  hold(isHeld: boolean): void {
    for (const socket of [this.#client, this.#server]) {
      if (isHeld) socket.pause();
      else socket.resume();
    }
  }

  end(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#proxy.forget(this);
    for (const socket of [this.#client, this.#server]) {
      if (ending === 'rst') socket.resetAndDestroy();
      else socket.end(() => socket.destroySoon());
    }
  }

  #fromClient(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#proxy.receivedBytes += chunk.length;
    if (this.#isUpgraded) this.#stream('cutClient', this.#server, chunk);
    else this.#gather(chunk);
  }

  /** Requests leave whole, so that where they are cut does not depend on how they came. */
  #gather(chunk: Buffer): void {
    if (this.#request.length === 0 && chunk.toString('latin1', 0, 5) === 'POST ') this.#proxy.posts++;
    this.#isBusy = true;
    this.#request = this.#request.length === 0 ? chunk : Buffer.concat([this.#request, chunk]);
    if (lengthOf(this.#request) === undefined) return;
    const head = this.#request.toString('latin1', 0, 200);
    if (/^GET \S*\/v1\/ws /.test(head)) this.#plan = this.#proxy.takePlan();
    else this.#armed = this.#proxy.takeCut(head);
    const cut = this.#cutOf('request');
    if (cut === undefined) {
      this.#pass(this.#server, this.#request);
      return;
    }
    this.#server.write(this.#request.subarray(0, cut.byte));
    this.#finish(cut.ending);
  }

  #fromServer(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isUpgraded) {
      this.#stream('cutServer', this.#client, chunk);
      return;
    }
    this.#answer = this.#answer.length === 0 ? chunk : Buffer.concat([this.#answer, chunk]);
    const length = lengthOf(this.#answer);
    if (length === undefined) return;
    const cut = this.#cutOf('answer');
    if (cut !== undefined) {
      this.#client.write(this.#answer.subarray(0, cut.byte));
      this.#finish(cut.ending);
      return;
    }
    if (this.#answer.toString('latin1', 0, 12) === 'HTTP/1.1 101') this.#upgrade(length);
    else this.#reply(this.#answer);
    this.#request = Buffer.alloc(0);
    this.#answer = Buffer.alloc(0);
    this.#isBusy = false;
  }

  #reply(answer: Buffer): void {
    const { repeats } = this.#proxy;
    const stale = this.#stale;
    this.#stale = repeats === 'before the next' ? answer : undefined;
    if (stale !== undefined) this.#pass(this.#client, stale);
    this.#pass(this.#client, answer);
    if (repeats === 'at once') this.#pass(this.#client, answer);
  }

  /** The cut of this exchange, if it is on this way. */
  #cutOf(way: Cut['way']): { readonly byte: number; readonly ending: Ending } | undefined {
    if (this.#armed?.cut.way === way) return this.#armed.cut;
    return this.#plan?.kind === 'cutUpgrade' && this.#plan.way === way ? this.#plan : undefined;
  }

  #finish(ending: Ending): void {
    this.end(ending);
    const passage = { requestBytes: this.#request.length, answerBytes: this.#answer.length };
    this.#proxy.lastPassage = passage;
    this.#armed?.done(passage);
  }

  #upgrade(headLength: number): void {
    this.#isUpgraded = true;
    const plan = this.#plan;
    if (plan?.kind !== 'inject') {
      this.#pass(this.#client, this.#answer);
      return;
    }
    const end = (): void => {
      if (plan.holdMs === undefined) this.end(plan.ending);
      else setTimeout(() => this.end(plan.ending), plan.holdMs);
    };
    this.#client.write(this.#answer.subarray(0, headLength));
    if (plan.isSplit === true) void this.#drip(this.#client, plan.bytes).then(end);
    else this.#client.write(plan.bytes, end);
  }

  /** Text frames of one way; `cutBy`: the plan that cuts it. */
  #stream(cutBy: 'cutClient' | 'cutServer', to: Socket, chunk: Buffer): void {
    const plan = this.#plan;
    if (plan?.kind === 'inject') return;
    if (plan?.kind !== cutBy) {
      this.#pass(to, chunk);
      return;
    }
    const room = plan.byte - this.#passedBytes;
    this.#passedBytes += chunk.length;
    to.write(chunk.subarray(0, Math.max(0, room)), () => {
      if (chunk.length >= room) this.end(plan.ending);
    });
  }

  #pass(to: Socket, bytes: Buffer): void {
    if (this.#proxy.isSplit) void this.#drip(to, bytes);
    else to.write(bytes);
  }

  /** One byte in a segment; the loop turns between them, so that the reader sees each alone. */
  async #drip(to: Socket, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#isOver; at++) {
      to.write(bytes.subarray(at, at + 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Bytes of a whole message at the start of `bytes`; `undefined` while some of it is missing. */
function lengthOf(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = end + HEAD_END.length + Number(/\r\ncontent-length: ?([0-9]+)/i.exec(head)?.[1] ?? 0);
  return bytes.length >= length ? length : undefined;
}
