import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { classifyAnswer } from '../../src/bot/execution/classify.ts';
import { SystemClock, silentLog, silentMeter } from '../../src/core/index.ts';
import { parseBaseUrl } from '../../src/wire/gateway/index.ts';
import { createNetworkTransport } from '../../src/wire/gateway/network-transport.ts';
import type { Transport } from '../../src/wire/gateway/transport.ts';
import { CutScene } from '../support/cut-scene.ts';

const MIB = 1024 * 1024;
const endings: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A server of raw bytes with the client's transport to it; `posts` counts what begins with POST. */
async function rawServer(
  serve: (socket: Socket) => void,
  scheme = 'http',
): Promise<{ readonly transport: Transport; readonly seen: { posts: number } }> {
  const sockets = new Set<Socket>();
  const seen = { posts: 0 };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      if (chunk.toString('latin1', 0, 5) === 'POST ') seen.posts++;
      serve(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const transport = createNetworkTransport(parseBaseUrl(`${scheme}://127.0.0.1:${port}`), {
    clock: new SystemClock(),
    log: silentLog,
    meter: silentMeter,
  });
  endings.push(async () => {
    await transport.close?.();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { transport, seen };
}

const POST = { method: 'POST', path: '/v1/orders', headers: {}, body: '{}', timeoutMs: 400 } as const;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

describe('an answer that never ends or is too much (F10)', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['nothing but its first line', (socket) => socket.write('HTTP/1.1 200 OK\r\n')],
    ['nothing but its headers', (socket) => socket.write(`${HEAD}content-length: 13\r\n\r\n`)],
    [
      'a chunk without an end',
      (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\nd\r\n{"a":1}`),
    ],
    ['headers of a megabyte', (socket) => socket.write(`${HEAD}x-a: ${'a'.repeat(MIB)}\r\n\r\n`)],
    ['a length that is no number', (socket) => socket.write(`${HEAD}content-length: many\r\n\r\n{}`)],
    ['two lengths', (socket) => socket.write(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)],
    ['no HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n')],
    [
      'hints without end',
      (socket) => socket.write('HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'.repeat(1_000)),
    ],
  ])('%s: lost, with one POST (O67, O71)', async (_what, serve) => {
    const { transport, seen } = await rawServer(serve);
    expect(await transport.request(POST)).toMatchObject({ kind: 'lost' });
    expect(seen.posts).toBe(1);
  });

  test('a body of 64 MiB is lost, and is not kept', async () => {
    const chunk = Buffer.alloc(MIB, 0x20);
    let written = 0;
    const { transport } = await rawServer((socket) => {
      socket.write(`${HEAD}content-length: ${64 * MIB}\r\n\r\n`);
      const more = (): void => {
        while (written < 64 && !socket.destroyed) {
          written++;
          if (!socket.write(chunk)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    expect(await transport.request({ ...POST, timeoutMs: 5_000 })).toMatchObject({ kind: 'lost' });
    // The client ends it at its cap; kernels hold a few megabytes more.
    expect(written).toBeLessThan(40);
  });
});

describe('a connection that is never made (F1)', () => {
  test.each<[string, (socket: Socket) => void]>([
    [
      'answers in the clear',
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    ],
    ['ends', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['is silent', () => undefined],
  ])('a server that %s in the TLS handshake: not one byte was sent', async (_what, serve) => {
    const { transport, seen } = await rawServer(serve, 'https');
    expect(await transport.request(POST)).toMatchObject({ kind: 'notSent' });
    expect(seen.posts).toBe(0);
  });
});

describe('an answer that comes twice', () => {
  test.each(['at once', 'before the next'] as const)(
    '%s: is never taken for the answer to another request (O75)',
    async (repeats) => {
      const scene = await CutScene.open();
      endings.push(() => scene.close());
      for (let round = 0; round < 6; round++) {
        const write = scene.ready('ScheduleCancel');
        scene.proxy.repeats = repeats;
        const answer = await scene.pipe.post({ path: write.path, body: write.body, timeoutMs: 2_000 });
        const seen = classifyAnswer(answer, write.expected);
        expect(['final', 'mismatch', 'unknown']).toContain(seen.kind);
        if (round === 0) expect(seen.kind).toBe('final');
        if (seen.kind === 'final' && answer.kind === 'answer')
          expect(JSON.parse(answer.body).requestId).toBe(write.query.requestId);
        expect(scene.sequenced.get(write.query.requestId) ?? 0).toBeLessThanOrEqual(1);
      }
    },
  );
});
