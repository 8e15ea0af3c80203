/** @module The sources of custom feeds on real sockets and files. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { createFileFeed } from '../../src/bot/live/index.ts';
import { SystemClock } from '../../src/core/index.ts';
import { createHttpFeed, createWsFeed } from '../../src/wire/gateway/index.ts';

const PERIOD_MS = 20;
const clock = new SystemClock();

/** Opens a source until the test ends, and keeps what it tells. */
function heard(source: ReturnType<typeof createHttpFeed>) {
  const texts: string[] = [];
  const faults: string[] = [];
  const end = source.open({
    onText: (text) => void texts.push(text),
    onFault: (why) => void faults.push(why),
  });
  onTestFinished(end);
  return { texts, faults, end };
}

describe('createHttpFeed', () => {
  test('tells a body when it is another than before, and a status that is not 200', async () => {
    const answers: (readonly [number, string])[] = [
      [200, '{"a":1}'],
      [200, '{"a":1}'],
      [503, 'busy'],
      [200, '{"a":2}'],
    ];
    let asked = 0;
    const server = createServer((request, response) => {
      const [status, body] = answers[Math.min(asked++, answers.length - 1)] ?? [500, ''];
      response.writeHead(request.url === '/score?of=btc' ? status : 404).end(body);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/score?of=btc`;
    const { texts, faults, end } = heard(createHttpFeed({ url, periodMs: PERIOD_MS, clock }));
    await vi.waitUntil(() => asked >= 6, { timeout: 5_000 });
    end();
    expect(texts).toEqual(['{"a":1}', '{"a":2}']);
    expect(faults).toEqual(['expected status 200, got 503']);
  });
});

describe('createWsFeed', () => {
  test('subscribes, tells each frame and connects again after a break and after a silence', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => void server.close());
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const asked: string[] = [];
    let connections = 0;
    server.on('connection', (socket) => {
      connections++;
      const isFirst = connections === 1;
      socket.on('message', (data) => {
        asked.push(String(data));
        socket.send(JSON.stringify({ connection: connections }));
        if (isFirst) socket.terminate();
      });
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { texts, faults } = heard(
      createWsFeed({ url, subscribe: ['{"op":"sub"}'], silenceMs: 200, clock }),
    );
    await vi.waitUntil(() => texts.length >= 3, { timeout: 8_000 });
    expect(texts.slice(0, 3)).toEqual(['{"connection":1}', '{"connection":2}', '{"connection":3}']);
    expect(asked.slice(0, 3)).toEqual(['{"op":"sub"}', '{"op":"sub"}', '{"op":"sub"}']);
    expect(faults[1]).toBe('no frame for 200 ms');
  });
});

describe('createFileFeed', () => {
  test('begins with the last line, goes on with appended ones, and begins again when the file is replaced', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'feed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'mood.jsonl');
    const { texts, faults } = heard(createFileFeed({ path, periodMs: PERIOD_MS, clock }));
    await vi.waitUntil(() => faults.length > 0, { timeout: 5_000 });
    writeFileSync(path, '{"a":1}\n{"a":2}\n{"a":');
    await vi.waitUntil(() => texts.length === 1, { timeout: 5_000 });
    appendFileSync(path, '3}\n');
    await vi.waitUntil(() => texts.length === 2, { timeout: 5_000 });
    writeFileSync(path, '{"b":1}\n');
    await vi.waitUntil(() => texts.length === 3, { timeout: 5_000 });
    expect(texts).toEqual(['{"a":2}', '{"a":3}', '{"b":1}']);
  });
});
