/**
 * @module
 * A TCP proxy whose valve can be shut: then no byte passes in either direction and nobody is told, as behind a black
 * hole. Connections stay, new ones are taken and stay silent. Or one that is open and late, by another amount each time.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** See the module. */
export class Valve {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #lateMs: (() => number) | undefined;
  #isShut = false;

  private constructor(target: URL, lateMs?: () => number) {
    this.#target = target;
    this.#lateMs = lateMs;
    this.#server = createServer((near) => {
      const far = createConnection({ host: target.hostname, port: Number(target.port) });
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** Opens one before `target`; `lateMs`: how late what comes next is, in its order. Default: not at all. */
  static async before(target: string, lateMs?: () => number): Promise<Valve> {
    const valve = new Valve(new URL(target), lateMs);
    await new Promise<void>((resolve) => {
      valve.#server.listen(0, '127.0.0.1', resolve);
    });
    return valve;
  }

  /** Where to connect to. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('expected an open valve');
    const url = new URL(this.#target);
    url.port = String(address.port);
    return url.href.replace(/\/$/, '');
  }

  /** Nothing passes from now on. */
  shut(): void {
    this.#isShut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was held back passes now, late. */
  open(): void {
    this.#isShut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** What was held back is lost with its connections. */
  openAgain(): void {
    this.#cut();
    this.#isShut = false;
  }

  /** Ends the proxy. */
  async close(): Promise<void> {
    this.#cut();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    if (this.#isShut) from.pause();
    const pass = (bytes: Buffer) => {
      if (!to.write(bytes)) from.pause();
    };
    from
      .on('data', this.#lateMs === undefined ? pass : inOrder(pass, this.#lateMs))
      .on('drain', () => {
        if (!this.#isShut) to.resume();
      })
      .once('end', () => to.end())
      .once('error', () => to.destroy())
      .once('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }
}

/** Hands each piece on later, none before the one before it. */
function inOrder(pass: (bytes: Buffer) => void, lateMs: () => number): (bytes: Buffer) => void {
  let dueAtMs = 0;
  return (bytes) => {
    const nowMs = performance.now();
    dueAtMs = Math.max(dueAtMs, nowMs + lateMs());
    setTimeout(pass, dueAtMs - nowMs, bytes);
  };
}
