import { createConnection, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Valve } from '../../../scripts/prove/force/valve.ts';
import { until } from '../../support/processes.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that keeps what it gets and says it again, a valve before it, and a client of the valve. */
async function aPipe() {
  const got: string[] = [];
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      got.push(bytes.toString());
      socket.write(bytes);
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  const valve = await Valve.before(`http://127.0.0.1:${address.port}/base`);
  const client = await connected(new URL(valve.url));
  client.on('data', (bytes) => heard.push(bytes.toString()));
  ends.push(
    () => client.destroy(),
    () => void valve.close(),
    () => server.close(),
  );
  const says = (text: string) =>
    until(text, () => heard.join('').includes(text), { withinMs: 2_000, everyMs: 5 });
  return { valve, client, got, heard, says };
}

async function connected(url: URL): Promise<Socket> {
  const socket = createConnection({ host: url.hostname, port: Number(url.port) });
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return socket;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('a valve', () => {
  test('keeps the path of what it stands before, and passes bytes both ways', async () => {
    const { valve, client, says } = await aPipe();
    expect(new URL(valve.url).pathname).toBe('/base');
    client.write('one');
    await says('one');
  });

  test('passes nothing while it is shut and tells nobody; opened, it passes all of it late', async () => {
    const { valve, client, got, says } = await aPipe();
    client.write('one');
    await says('one');
    valve.shut();
    client.write('two');
    const late = await connected(new URL(valve.url));
    ends.push(() => late.destroy());
    late.write('three');
    await moment();
    expect(got).toEqual(['one']);
    expect([client.closed, late.closed]).toEqual([false, false]);
    valve.open();
    await says('two');
    await until('the other connection', () => got.includes('three'), { withinMs: 2_000, everyMs: 5 });
  });

  test('opened again, it has lost its connections and what they held', async () => {
    const { valve, client, got, says } = await aPipe();
    client.on('error', () => undefined);
    client.write('one');
    await says('one');
    valve.shut();
    client.write('two');
    await moment();
    valve.openAgain();
    await until('the end of the connection', () => client.closed, { withinMs: 2_000, everyMs: 5 });
    const again = await connected(new URL(valve.url));
    ends.push(() => again.destroy());
    again.write('three');
    await until('a connection that works', () => got.includes('three'), { withinMs: 2_000, everyMs: 5 });
    expect(got).toEqual(['one', 'three']);
  });
});
