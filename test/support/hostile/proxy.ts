/**
 * @module
 * A hostile gateway: between a real bot and a real exchange, knowing HTTP and WebSocket. What no fault matches it passes on;
 * what one matches it loses, delays, doubles, forges or cuts. Faults are values that are put in and taken out.
 *
 *   bot ── requests, frames ──▶ proxy ──▶ exchange        a fault sees each request, each answer and each frame
 */
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: faults look into JSON of many shapes, and break it
export type Json = any;

/** A request as faults see it. */
export interface ProxyRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** An answer, and how it is delivered. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** After so many bytes the connection ends. */
  readonly cutAt?: number;
  /** Each byte waits so long for the one before. */
  readonly byteEveryMs?: number;
  /** Written as it is, in place of an answer; then the end. */
  readonly raw?: Buffer;
}

/** What becomes of a request: an answer, a reset, or nothing forever. */
export type Verdict = ProxyAnswer | 'reset' | 'hang';

interface Counted {
  /** How often; absent: until it is taken out. */
  readonly times?: number;
}

/** What happens to requests. */
export interface RequestFault extends Counted {
  on(request: ProxyRequest): boolean;
  /** In place of the exchange; `undefined`: it is asked. */
  readonly before?: (request: ProxyRequest) => Verdict | undefined | Promise<Verdict | undefined>;
  /** What the exchange answered, changed. */
  readonly after?: (answer: ProxyAnswer, request: ProxyRequest) => Verdict | Promise<Verdict>;
}

/** What happens to frames of the exchange. */
export interface FrameFault extends Counted {
  on(frame: Json): boolean;
  /** What comes in its place: values as JSON, texts and bytes as they are. */
  to(frame: Json): readonly unknown[];
  readonly delayMs?: number;
}

/** A fault that is in. */
export interface Put {
  /** How often it has hit. */
  readonly hits: number;
  take(): void;
}

class Faults<F extends Counted> {
  readonly #all = new Map<F, number>();

  put(fault: F): Put {
    this.#all.set(fault, 0);
    const hits = () => this.#all.get(fault) ?? fault.times ?? 0;
    let last = 0;
    return {
      get hits() {
        last = Math.max(last, hits());
        return last;
      },
      take: () => {
        last = hits();
        this.#all.delete(fault);
      },
    };
  }

  /** The first that matches and has not hit as often as it may. */
  find(matches: (fault: F) => boolean): F | undefined {
    for (const [fault, hits] of this.#all) {
      if (!matches(fault)) continue;
      if (hits + 1 === fault.times) this.#all.delete(fault);
      else this.#all.set(fault, hits + 1);
      return fault;
    }
    return undefined;
  }
}

/** A proxy to one exchange of this machine. */
export class HostileProxy {
  /** POST requests that came in: when, monotonic ms, where to, and whether they place orders. */
  readonly posts: { readonly atMs: number; readonly path: string; readonly isPlacing: boolean }[] = [];
  readonly #requests = new Faults<RequestFault>();
  readonly #frames = new Faults<FrameFault>();
  readonly #upstream: URL;
  readonly #lines = new Set<Line>();
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  #agent = new Agent({ keepAlive: true });
  #server: Server | undefined;
  #port = 0;
  #isBlack = false;
  #refusesStreams: ((raw: Socket) => void) | undefined;

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
  }

  static async start(upstream: string): Promise<HostileProxy> {
    const proxy = new HostileProxy(upstream);
    await proxy.open();
    return proxy;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${this.#upstream.pathname.replace(/\/$/, '')}`;
  }

  requests(fault: RequestFault): Put {
    return this.#requests.put(fault);
  }

  frames(fault: FrameFault): Put {
    return this.#frames.put(fault);
  }

  /** What happens to upgrades in place of an upgrade, until it is called without one. */
  streams(refuse?: (raw: Socket) => void): void {
    this.#refusesStreams = refuse;
  }

  /** Sends this to every stream. */
  say(...frames: readonly unknown[]): void {
    for (const line of this.#lines) for (const frame of frames) line.toClient(frame);
  }

  /** Ends every connection as a dying machine does. */
  resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Closes every stream in order with this code. */
  closeStreams(code: number): void {
    for (const line of this.#lines) line.close(code);
  }

  /** The connections of now carry nothing any more, and nothing says so; new ones work. */
  halfOpen(): void {
    for (const line of this.#lines) line.isDead = true;
    for (const socket of this.#sockets) {
      socket.pause();
      socket.removeAllListeners('data');
    }
  }

  /** Nothing passes, and nothing says so; afterwards what was sent arrives late. */
  blackHole(isBlack: boolean): void {
    this.#isBlack = isBlack;
    if (!isBlack) for (const go of this.#held.splice(0)) go();
  }

  /** For its lines: now, or when the black hole is gone. */
  pass(go: () => void): void {
    if (this.#isBlack) this.#held.push(go);
    else go();
  }

  /** Begins to listen; again on the same port. */
  async open(): Promise<void> {
    const server = createServer(
      { keepAliveTimeout: 65_000 },
      (request, response) => void this.#serve(request, response),
    );
    const streams = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('upgrade', (request, raw: Socket, head) => {
      if (this.#refusesStreams !== undefined) {
        this.#refusesStreams(raw);
        return;
      }
      streams.handleUpgrade(request, raw, head, (client) => {
        const line = new Line(
          this,
          client,
          new WebSocket(new URL(request.url ?? '', this.#upstream).href.replace(/^http/, 'ws')),
        );
        this.#lines.add(line);
        client.on('close', () => this.#lines.delete(line));
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends everything and listens no more. */
  async close(): Promise<void> {
    this.blackHole(false);
    this.resetAll();
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** For its lines: the fault of a frame. */
  faultOf(frame: Json): FrameFault | undefined {
    return this.#frames.find((fault) => fault.on(frame));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      response.destroy();
      return;
    }
    const url = new URL(request.url ?? '', this.#upstream);
    const asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    if (asked.method === 'POST')
      this.posts.push({
        atMs: performance.now(),
        path: asked.path,
        isPlacing: asked.body.includes('"price"'),
      });
    await new Promise<void>((resolve) => this.pass(resolve));
    const fault = this.#requests.find((one) => one.on(asked));
    const early = await fault?.before?.(asked);
    const answer = early ?? (await this.#ask(request, url, asked.body));
    const verdict =
      early === undefined && typeof answer === 'object'
        ? ((await fault?.after?.(answer, asked)) ?? answer)
        : answer;
    this.pass(() => void deliver(response, verdict));
  }

  #ask(request: IncomingMessage, url: URL, body: string): Promise<Verdict> {
    const headers = {
      ...request.headers,
      host: this.#upstream.host,
      'content-length': String(Buffer.byteLength(body)),
    };
    if (body === '') Reflect.deleteProperty(headers, 'content-length');
    return new Promise((resolve) => {
      const sent = httpRequest(url, { method: request.method, headers, agent: this.#agent }, (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('error', () => resolve('reset'))
          .on('end', () => {
            const kept = Object.entries(answer.headers).flatMap(([name, value]) =>
              typeof value === 'string' &&
              !/^(?:content-length|connection|keep-alive|transfer-encoding)$/.test(name)
                ? [[name, value]]
                : [],
            );
            resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(kept), text });
          });
      });
      sent.on('error', () => resolve('reset'));
      sent.end(body);
    });
  }
}

async function deliver(response: ServerResponse, verdict: Verdict): Promise<void> {
  const { socket } = response;
  if (verdict === 'hang' || socket === null) return;
  if (verdict === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  if (verdict.raw !== undefined) {
    socket.end(verdict.raw);
    return;
  }
  const body = Buffer.from(verdict.text);
  response.on('error', () => undefined);
  response.writeHead(verdict.status, { ...verdict.headers, 'content-length': body.length });
  if (verdict.cutAt !== undefined) {
    response.write(body.subarray(0, verdict.cutAt), () => socket.resetAndDestroy());
    return;
  }
  if (verdict.byteEveryMs === undefined) {
    response.end(body);
    return;
  }
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await new Promise((resolve) => setTimeout(resolve, verdict.byteEveryMs));
  }
  response.end();
}

/** One stream of the bot with the one behind it. */
class Line {
  /** Carries nothing any more. */
  isDead = false;
  readonly #proxy: HostileProxy;
  readonly #client: WebSocket;
  readonly #server: WebSocket;
  readonly #early: string[] = [];

  constructor(proxy: HostileProxy, client: WebSocket, server: WebSocket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#server = server;
    client.on('message', (data) => this.#carry(() => this.#toServer(data.toString())));
    server.on('open', () => {
      for (const text of this.#early.splice(0)) server.send(text);
    });
    server.on('message', (data) => this.#carry(() => this.#fromServer(data.toString())));
    for (const socket of [client, server]) socket.on('error', () => socket.terminate());
    client.on('close', () => server.terminate());
    server.on('close', (code) => this.#carry(() => this.close(code)));
  }

  close(code: number): void {
    if (code === 1006 || code === 1005) this.#client.terminate();
    else this.#client.close(code);
  }

  toClient(frame: unknown): void {
    if (this.isDead || this.#client.readyState !== WebSocket.OPEN) return;
    if (typeof frame === 'string' || Buffer.isBuffer(frame)) this.#client.send(frame);
    else this.#client.send(JSON.stringify(frame));
  }

  #carry(go: () => void): void {
    this.#proxy.pass(() => {
      if (!this.isDead) go();
    });
  }

  #toServer(text: string): void {
    if (this.#server.readyState === WebSocket.OPEN) this.#server.send(text);
    else this.#early.push(text);
  }

  #fromServer(text: string): void {
    const frame: Json = JSON.parse(text);
    const fault = this.#proxy.faultOf(frame);
    if (fault === undefined) {
      this.toClient(text);
      return;
    }
    const send = (): void => {
      for (const one of fault.to(frame)) this.toClient(one);
    };
    if (fault.delayMs === undefined) send();
    else setTimeout(send, fault.delayMs);
  }
}
