/** A webhook on loopback that keeps what it is sent. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request. */
export interface HookCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  readonly body: any;
}

/** See the module. */
export class Webhook {
  readonly calls: HookCall[] = [];
  /** `silence`: takes requests and never answers. */
  answer: number | 'silence' = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.calls.push({
          ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers },
          body: text === '' ? undefined : JSON.parse(text),
        });
        if (this.answer !== 'silence') response.writeHead(this.answer).end('{}');
      });
    });
  }

  static async open(): Promise<Webhook> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Webhook(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Kinds and states of all alerts that came to `path`. */
  told(path: string): readonly string[] {
    return this.calls
      .filter((call) => call.path === path)
      .flatMap(({ body }) =>
        body.alerts.map(({ kind, state }: Record<string, string>) => `${kind} ${state}`),
      );
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
