/** The page at `/`: what it says, that it takes nothing from elsewhere, and that it shows nothing to strangers. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock, silentLog } from '../../src/core/index.ts';
import { type ServedExchange, serveExchange } from '../../src/exchange/host/index.ts';
import { allControlActions, QUIRK_IDS } from '../../src/exchange/index.ts';
import { CHANNELS, ENDPOINTS } from '../../src/wire/protocol/index.ts';

let served: ServedExchange;
let page: string;

beforeAll(async () => {
  served = await serveExchange({
    clock: new SystemClock(),
    log: silentLog,
    seed: 5,
    accounts: 2,
    tape: undefined,
    symbol: undefined,
    isQuiet: true,
    port: 0,
    clockMode: 'manual',
    quirks: ['A4=full'],
  });
  served.api.exchange.control.account({ name: '<b>&"\'', balance: '1', apiWallets: 1, validUntilMs: 0 });
  const { status, headers, body } = await get('/');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  page = body;
});
afterAll(async () => {
  await served.stop();
});

function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: served.server.port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const code = (text: string): string => `<code>${text}</code>`;

describe('the page of an exchange', () => {
  test('lists every endpoint, channel, action and open question', () => {
    for (const { path } of ENDPOINTS) expect(page).toContain(code(path));
    for (const channel of CHANNELS) expect(page).toMatch(new RegExp(`<code>${channel}</code></td><td>\\w`));
    for (const { name } of allControlActions()) expect(page).toContain(code(name));
    for (const id of QUIRK_IDS) expect(page).toContain(`<td>${id}</td>`);
  });

  test('says where to go, which markets there are, and makes answers that were chosen stand out', () => {
    expect(page).toContain(code(served.server.baseUrl));
    expect(page).toContain(code(served.server.wsUrl));
    expect(page).toContain('<td><code>BTC-USD</code></td><td>Active</td><td>100000.0</td>');
    expect(page).toContain(`<strong>${code('full')}</strong>`);
    expect(page).not.toContain(`<strong>${code('digest')}</strong>`);
  });

  test('shows the ephemeral keys of every account', () => {
    expect(served.api.accounts).toHaveLength(3);
    for (const { address, privateKey, apiWallets } of served.api.accounts) {
      expect(page).toContain(`${code(address)}</td><td>${code(privateKey)}`);
      for (const wallet of apiWallets) expect(page).toContain(code(wallet.privateKey));
    }
  });

  test('takes names as text', () => {
    expect(page).toContain('&#60;b&#62;&#38;&#34;&#39;');
    expect(page).not.toContain('<b>');
  });

  test('is whole on its own: no script, nothing from elsewhere, readable in light and dark', async () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(/);
    const elsewhere = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].filter(
      ([, target = '']) => !target.startsWith('/') && !target.startsWith(served.server.baseUrl),
    );
    expect(elsewhere).toEqual([]);
    expect(page).toContain('prefers-color-scheme: dark');
    expect((await get('/')).headers['content-security-policy']).toContain("default-src 'none'");
    const opened = [...page.matchAll(/<(section|table|tr|td|th|div|p|h[123]|code|main|pre)[ >]/g)].length;
    const closed = [...page.matchAll(/<\/(section|table|tr|td|th|div|p|h[123]|code|main|pre)>/g)].length;
    expect(opened).toBe(closed);
  });

  test('is for this machine alone', async () => {
    const stranger = await get('/', { host: 'evil.example' });
    expect(stranger.status).toBe(403);
    expect(stranger.body).not.toContain('privateKey');
  });
});
