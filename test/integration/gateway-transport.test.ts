import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { SystemClock, silentLog } from '../../src/core/index.ts';
import { parseBaseUrl } from '../../src/wire/gateway/index.ts';
import { createNetworkTransport } from '../../src/wire/gateway/network-transport.ts';

const clock = new SystemClock();
const endings: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A TCP server of raw bytes; `serve` gets each connection. */
async function rawServer(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  return await listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function httpServer(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createHttpServer(serve);
  return await listen(server, () => server.closeAllConnections());
}

async function listen(server: Server, cut: () => void): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  endings.push(() => {
    cut();
    return new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return (server.address() as AddressInfo).port;
}

function transportTo(port: number, prefix = '') {
  const counts = new Map<string, number>();
  const meter = {
    count: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1),
    gauge: () => undefined,
    observe: () => undefined,
  };
  const transport = createNetworkTransport(parseBaseUrl(`http://127.0.0.1:${port}${prefix}`), {
    clock,
    log: silentLog,
    meter,
  });
  endings.push(() => transport.close?.());
  return { transport, counts };
}

const post = (timeoutMs = 2_000) =>
  ({
    method: 'POST',
    path: '/v1/orders',
    headers: { 'content-type': 'application/json' },
    body: '{"order":1}',
    timeoutMs,
  }) as const;
const get = (timeoutMs = 2_000) => ({ method: 'GET', path: '/v1/time', headers: {}, timeoutMs }) as const;

/** Everything of a request with this body has arrived. */
const isWhole = (text: string) => text.includes('{"order":1}');

describe('a request over the network', () => {
  test('is answered whole, with its headers, below the base path', async () => {
    const port = await httpServer((request, response) => {
      response.setHeader('x-svc-seq', '7');
      response.end(JSON.stringify({ url: request.url, method: request.method }));
    });
    const { transport } = transportTo(port, '/gate');
    expect(await transport.request(post())).toMatchObject({
      kind: 'answer',
      status: 200,
      headers: { 'x-svc-seq': '7' },
      body: '{"url":"/gate/v1/orders","method":"POST"}',
    });
  });

  test('did not leave when nobody listens (F1)', async () => {
    const port = await rawServer(() => undefined);
    await endings.pop()?.();
    const { transport } = transportTo(port);
    expect(await transport.request(post())).toMatchObject({ kind: 'notSent' });
  });

  test('did not leave when the name has no address (F1)', async () => {
    const transport = createNetworkTransport(parseBaseUrl('http://no-such-host.invalid'), {
      clock,
      log: silentLog,
      meter: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
    });
    endings.push(() => transport.close?.());
    expect(await transport.request(post())).toMatchObject({ kind: 'notSent' });
  });

  test('did not leave while it waited for a socket, and does not leave afterwards', async () => {
    let received = 0;
    const port = await httpServer((request, response) => {
      received++;
      request.resume();
      if (received > 16) response.end('{}');
    });
    const { transport } = transportTo(port);
    const flying = Array.from({ length: 16 }, () => transport.request(post(700)));
    await expect.poll(() => received).toBe(16);
    expect(await transport.request(post(100))).toMatchObject({ kind: 'notSent' });
    for (const result of await Promise.all(flying)) expect(result.kind).toBe('lost');
    expect(await transport.request(post())).toMatchObject({ kind: 'answer' });
    expect(received).toBe(17);
  });

  test('is lost when no answer comes in time, and its socket is destroyed (3.2 step 1)', async () => {
    const closed: boolean[] = [];
    const port = await rawServer((socket) =>
      socket.on('data', () => undefined).on('close', () => closed.push(true)),
    );
    const { transport } = transportTo(port);
    const result = await transport.request(post(150));
    expect(result).toEqual({ kind: 'lost', why: 'no answer within 150 ms' });
    await expect.poll(() => closed.length).toBe(1);
  });

  test('is lost when the answer comes one byte at a time (F10)', async () => {
    const port = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const { transport } = transportTo(port);
    expect(await transport.request(post(300))).toMatchObject({ kind: 'lost' });
  });

  test('is lost when its answer is cut at any byte (O67, F3)', async () => {
    const whole =
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"status":"x"';
    const answer = `${whole.slice(0, -13)}{"ok":"yes!"}`;
    let cutAt = 0;
    let seen = 0;
    const port = await rawServer((socket) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (!isWhole(text)) return;
        seen++;
        socket.end(answer.slice(0, cutAt));
      });
    });
    const { transport } = transportTo(port);
    for (cutAt = 0; cutAt < answer.length; cutAt += 3) {
      const before = seen;
      expect([cutAt, (await transport.request(post())).kind]).toEqual([cutAt, 'lost']);
      expect(seen - before).toBe(1);
    }
    cutAt = answer.length;
    expect(await transport.request(post())).toMatchObject({ kind: 'answer', body: '{"ok":"yes!"}' });
  });

  test('is sent once when the server resets the socket behind it, at any byte of the request (O71, F2, F11)', async () => {
    for (const take of [1, 20, 60, 500]) {
      let requests = 0;
      const port = await rawServer((socket) => {
        let count = 0;
        socket.on('data', (chunk) => {
          count += chunk.length;
          if (chunk.toString().startsWith('POST')) requests++;
          if (count >= Math.min(take, chunk.length)) socket.resetAndDestroy();
        });
      });
      const { transport } = transportTo(port);
      expect(await transport.request(post())).toMatchObject({ kind: 'lost' });
      expect(requests).toBeLessThanOrEqual(1);
    }
  });

  test('is not sent after a redirect (O70, F13)', async () => {
    let posts = 0;
    const port = await httpServer((request, response) => {
      posts++;
      request.resume();
      response.writeHead(307, { location: '/v1/orders' }).end();
    });
    const { transport } = transportTo(port);
    expect(await transport.request(post())).toMatchObject({ kind: 'answer', status: 307 });
    expect(posts).toBe(1);
  });

  test('is lost when the answer is longer than 8 MiB or no UTF-8 (F10, F12)', async () => {
    const bodies = [Buffer.alloc(9 * 1024 * 1024, 0x20), Buffer.from([0x22, 0xff, 0x22])];
    const port = await httpServer((_request, response) => response.end(bodies.shift()));
    const { transport } = transportTo(port);
    expect(await transport.request(get())).toMatchObject({ kind: 'lost' });
    expect(await transport.request(get())).toMatchObject({
      kind: 'lost',
      why: expect.stringMatching(/UTF-8/),
    });
  });

  test('goes over sockets that are kept, one at a time on each', async () => {
    const sockets = new Set<unknown>();
    const port = await httpServer((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    const { transport } = transportTo(port);
    for (let i = 0; i < 20; i++) await transport.request(post());
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe('a socket over the network', () => {
  interface Heard {
    readonly events: string[];
    readonly atMs: number[];
  }

  function listenerOf(heard: Heard) {
    return {
      onOpen: () => heard.events.push('open'),
      onFrame: (text: string, receivedAtMs: number) => {
        heard.events.push(`frame ${text}`);
        heard.atMs.push(receivedAtMs);
      },
      onClose: (why: string) => heard.events.push(`close ${why}`),
    };
  }

  async function wsServer(serve: (socket: import('ws').WebSocket) => void, path = '/v1/ws'): Promise<number> {
    const server = createHttpServer();
    const sockets = new WebSocketServer({ server, path });
    sockets.on('connection', (socket) => {
      socket.on('error', () => socket.terminate());
      serve(socket);
    });
    return await listen(server, () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    });
  }

  test('carries text both ways, stamped on arrival', async () => {
    const heard: Heard = { events: [], atMs: [] };
    const port = await wsServer((socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
    const { transport } = transportTo(port);
    const socket = transport.open(listenerOf(heard));
    socket.send('too early');
    await expect.poll(() => heard.events).toEqual(['open']);
    const fromMs = clock.nowMs();
    socket.send('{"method":"ping"}');
    await expect.poll(() => heard.events.length).toBe(2);
    expect(heard.events[1]).toBe('frame echo {"method":"ping"}');
    expect(heard.atMs[0]).toBeGreaterThanOrEqual(fromMs);
    socket.close('done');
    socket.close('again');
    expect(heard.events.slice(2)).toEqual(['close done']);
  });

  test('counts a binary frame and goes on (O85, F25)', async () => {
    const heard: Heard = { events: [], atMs: [] };
    const port = await wsServer((socket) => {
      socket.send(Buffer.from([1, 2, 3]));
      socket.send('text');
    });
    const { transport, counts } = transportTo(port);
    transport.open(listenerOf(heard));
    await expect.poll(() => heard.events).toEqual(['open', 'frame text']);
    expect(counts.get('stream_binary_frames_total')).toBe(1);
  });

  test('ends at a frame above 1 MiB (F25)', async () => {
    const heard: Heard = { events: [], atMs: [] };
    const port = await wsServer((socket) => socket.send('x'.repeat(1024 * 1024 + 1)));
    const { transport } = transportTo(port);
    transport.open(listenerOf(heard));
    await expect.poll(() => heard.events.at(-1)).toMatch(/^close/);
    expect(heard.events.filter((event) => event.startsWith('close'))).toHaveLength(1);
  });

  test('offers no compression and follows no redirect', async () => {
    const offers: (string | undefined)[] = [];
    const port = await httpServer((_request, response) => response.end());
    const redirecting = createHttpServer();
    redirecting.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      offers.push(request.headers['sec-websocket-extensions']);
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1:${port}/v1/ws\r\ncontent-length: 0\r\n\r\n`);
    });
    const redirectingPort = await listen(redirecting, () => redirecting.closeAllConnections());
    const heard: Heard = { events: [], atMs: [] };
    const statuses: number[] = [];
    const { transport } = transportTo(redirectingPort);
    transport.open(listenerOf(heard), (status) => statuses.push(status));
    await expect.poll(() => heard.events).toEqual(['close the upgrade was refused with status 302']);
    expect(statuses).toEqual([302]);
    expect(offers).toEqual([undefined]);
  });

  test('tells the end once when the server is not there', async () => {
    const port = await rawServer(() => undefined);
    await endings.pop()?.();
    const heard: Heard = { events: [], atMs: [] };
    transportTo(port).transport.open(listenerOf(heard));
    await expect.poll(() => heard.events.length).toBe(1);
    expect(heard.events[0]).toMatch(/^close .*ECONNREFUSED/);
  });
});
