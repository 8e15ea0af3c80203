/** A service that signs over HTTP, as somebody would write one; what it does can be changed while it runs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromHex } from '../../src/core/index.ts';
import type { Crypto, SecretKey } from '../../src/wire/crypto/index.ts';

/** What the service does with a request. */
export type Manner = (
  request: { readonly id: number; readonly digest: string },
  response: ServerResponse,
) => void;

export interface TestSignerService {
  readonly port: number;
  readonly url: string;
  /** The headers of each request so far. */
  readonly asked: readonly IncomingMessage['headers'][];
  /** From now on; absent: it signs. */
  behave(manner?: Manner): void;
  close(): void;
}

/** Starts one on loopback that signs with `keys`, by the address of the path `/0x...`, or with the only one. */
export async function startSignerService(
  crypto: Crypto,
  keys: readonly SecretKey[],
): Promise<TestSignerService> {
  const asked: IncomingMessage['headers'][] = [];
  let now: Manner | undefined;
  const server = createServer((request, response) => {
    asked.push(request.headers);
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { id, digest } = JSON.parse(text) as { readonly id: number; readonly digest: string };
      const key = keys.find(({ address }) => request.url?.endsWith(address)) ?? keys[0];
      if (now !== undefined) now({ id, digest }, response);
      else if (key !== undefined)
        response.end(JSON.stringify({ id, signature: crypto.sign(fromHex(digest), key) }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, url: `http://127.0.0.1:${port}/sign`, asked },
    behave: (manner) => {
      now = manner;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
