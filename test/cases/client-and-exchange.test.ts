/** @module Cases of the client and the exchange in the box: each command of a case gives what its page expects. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { makeRequestIdOf } from '../../src/wire/protocol/index.ts';
import { ENVIRONMENT, startBallast } from '../support/ballast-process.ts';
import { aCase } from '../support/case-folder.ts';
import { hasShared } from '../support/shared.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);

/** The first line of `ballast sim --json`. */
interface Sim {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly line: string;
}

/** An exchange until the test ends. */
async function sim(...args: readonly string[]): Promise<Sim> {
  const process_ = await startBallast(['sim', '--port', '0', '--json', ...args]);
  onTestFinished(async () => {
    await process_.stop();
  });
  return { ...(JSON.parse(process_.firstLine) as Omit<Sim, 'line'>), line: process_.firstLine };
}

async function read(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(8_000) });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

/** Runs the script of W2 beside a linked ballast; its lines by the name of the trial. */
async function typo(): Promise<ReadonlyMap<string, string>> {
  const { folder } = aCase('W2');
  const { line } = await sim('--seed', '7');
  writeFileSync(join(folder, 'sim.json'), `${line}\n`);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'ballast'));
  const { stdout } = await run(process.execPath, ['--conditions=ballast-source', 'typo.mjs', 'sim.json'], {
    cwd: folder,
    env: ENVIRONMENT,
  });
  const names = [
    'reduceonly',
    'expireAt',
    'adress',
    'account as text',
    'leverage as text',
    'reduceOnly 1',
    'right',
  ];
  return new Map(
    names.map((name) => [
      name,
      stdout
        .split('\n')
        .find((one) => one.startsWith(`${name} `))
        ?.slice(name.length + 1) ?? '',
    ]),
  );
}

describe.skipIf(!hasShared('cases'))('cases of the client and the exchange', () => {
  test('W1: the published funding rate is the one that is charged', async () => {
    const { baseUrl, controlUrl, accounts } = await sim('--no-participants');
    const control = (action: string, parameters: object) =>
      read(`${controlUrl}/${action}`, { method: 'POST', body: JSON.stringify(parameters) });
    const [long, short] = accounts.map(({ privateKey }) => createClient({ baseUrl, wallet: privateKey }));
    await control('price', { symbol: 'BTC-USD', price: '100000' });
    const order = { symbol: 'BTC-USD', price: '100000', size: '1' } as const;
    await short?.orders.place({ ...order, side: 'sell' });
    await long?.orders.place({ ...order, side: 'buy' });
    await control('settle-funding', {});
    await control('blocks', { count: 1 }).catch(() => undefined);
    await expect
      .poll(async () => (await long?.markets.funding({ symbol: 'BTC-USD' }))?.length, { timeout: 10_000 })
      .toBe(1);
    const [settled] = (await long?.markets.funding({ symbol: 'BTC-USD' })) ?? [];
    const [position] = (await long?.account.positions()) ?? [];
    const charged = position?.size
      .times(settled?.indexPrice ?? 0)
      .times(settled?.ratePpm ?? 0)
      .div(-1_000_000);
    expect(settled?.ratePpm).toBeGreaterThan(0);
    expect(position?.accruedFunding?.toFixed(6)).toBe(charged?.toFixed(6));
    await Promise.all([long?.close(), short?.close()]);
  });

  test('W2, W3, W9: the client refuses what it does not know, and takes an account as text', async () => {
    const said = await typo();
    for (const [name, near] of [
      ['reduceonly', 'reduceOnly'],
      ['expireAt', 'expiresAt'],
      ['adress', 'address'],
    ] as const)
      expect(said.get(name)).toMatch(new RegExp(`^ClientUsageError CLIENT_FIELD_UNKNOWN .*${near}`));
    expect(said.get('leverage as text')).toMatch(/^ClientUsageError .*leverage/);
    expect(said.get('reduceOnly 1')).toMatch(/^ClientUsageError .*reduceOnly/);
    expect(said.get('account as text')).toMatch(/^TAKEN .*"accountId":2/);
    expect(said.get('right')).toMatch(/^TAKEN /);
  });

  test('W5: a text id on the WebSocket is echoed, also by errors', async () => {
    const { wsUrl } = await sim();
    const socket = new WebSocket(wsUrl);
    const frames: Record<string, unknown>[] = [];
    socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))));
    await new Promise((done) => socket.addEventListener('open', done));
    const params = { channel: 'book', symbol: 'BTC-USD' };
    socket.send(JSON.stringify({ method: 'subscribe', params, id: 'text' }));
    socket.send(JSON.stringify({ method: 'subscribe', params: { channel: 'none' }, id: 'wrong' }));
    await expect.poll(() => frames.filter(({ id }) => id !== undefined).length).toBe(2);
    expect(frames.filter(({ id }) => id !== undefined).map(({ channel, id }) => [channel, id])).toEqual([
      ['subscribed', 'text'],
      ['error', 'wrong'],
    ]);
    socket.close();
  });

  test('W6: queries are closed as bodies are', async () => {
    const { baseUrl } = await sim();
    expect((await read(`${baseUrl}/v1/markets?foo=1`)).status).toBe(400);
    expect((await read(`${baseUrl}/v1/markets/BTC-USD/book?depth=1&depth=2`)).status).toBe(400);
    const { status, json } = await read(`${baseUrl}/v1/events?symbol=BTC-USD&limit=50`);
    const symbols = (json['data'] as readonly { readonly data: { readonly symbol: string } }[]).map(
      ({ data }) => data.symbol,
    );
    expect([status, [...new Set(symbols)]]).toEqual([200, ['BTC-USD']]);
  });

  test('W7: a min-seq that is not reached ends with 412 on the manual clock', async () => {
    const { baseUrl } = await sim('--clock', 'manual');
    const headers = { 'x-svc-min-seq': '99999' };
    expect((await read(`${baseUrl}/v1/time`, { headers })).status).toBe(412);
    expect((await read(`${baseUrl}/v1/orders`, { method: 'POST', headers, body: '{}' })).status).toBe(412);
  });

  test('W8: a digest of another length has no request id', async () => {
    const requestIdOf = makeRequestIdOf(await loadCrypto(), `0x${'1'.repeat(40)}`);
    for (const length of [0, 31, 33, 64])
      expect(() => requestIdOf(new Uint8Array(length))).toThrow('a digest of 32 bytes');
  });

  test('N5: a key file as ethers writes it is read', async () => {
    for (const file of ['ethers-v5.json', 'lower.json']) {
      const { folder, run: ballast } = aCase('N5');
      const { baseUrl, accounts } = await sim();
      for (const name of ['ethers-v5.json', 'lower.json', 'password']) chmodSync(join(folder, name), 0o600);
      const page = join(folder, 'keystore.yaml');
      const text = readFileSync(page, 'utf8')
        .replace('http://127.0.0.1:8787', baseUrl)
        .replace(`0x${'0'.repeat(40)}`, accounts[0]?.address ?? '')
        .replace('ethers-v5.json', file);
      writeFileSync(page, text);
      const { stderr } = await ballast('run', 'keystore.yaml', '--mode', 'live');
      expect(stderr, file).toContain('PREFLIGHT_GRANT_MISSING');
    }
  });

  test('N7: what a refused replacement leaves is written where replacing is explained', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/exchange.md'), 'utf8');
    expect(page.replaceAll('\n', ' ')).toMatch(
      /post-only order is replaced at a price that would cross, .* gone/,
    );
  });

  test('F24: the example of the client says which Node it needs', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/client.md'), 'utf8');
    expect(guide).toMatch(/^npx node --conditions=ballast-source docs\/guides\/examples\/client\.mjs/m);
    expect(guide).toContain('needs Node 24.12 or later');
  });
});
