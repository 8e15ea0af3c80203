/** The scenarios under configs/scenarios in virtual time: what each is there to show, seen through the interface. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog, VirtualClock } from '../../src/core/index.ts';
import { type HostedExchange, hostExchange } from '../../src/exchange/host/index.ts';
import { loadScenario } from '../../src/exchange/index.ts';
import { START_MS } from '../support/test-exchange.ts';

const folder = join(import.meta.dirname, '..', '..', 'configs', 'scenarios');

interface Harness {
  readonly clock: VirtualClock;
  readonly hosted: HostedExchange;
  readonly warnings: string[];
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  get(path: string, headers?: Record<string, string>): Promise<{ status: number | 'lost'; json: any }>;
  frames(params: object): string[];
}

async function open(name: string): Promise<Harness> {
  const clock = new VirtualClock(START_MS);
  const warnings: string[] = [];
  const scenario = loadScenario(join(folder, `${name}.yaml`));
  const hosted = await hostExchange({
    clock,
    log: { ...silentLog, warn: (message: string) => void warnings.push(message) },
    seed: scenario.seed ?? 7,
    accounts: 0,
    tape: undefined,
    symbol: undefined,
    isQuiet: false,
    scenario,
  });
  const { exchange } = hosted;
  return {
    clock,
    hosted,
    warnings,
    async get(path, headers = {}) {
      const asked = Promise.resolve(
        exchange.handle({ method: 'GET', path, headers, body: '', ip: '10.0.0.1' }),
      );
      await clock.advanceAsync(1_000);
      const reply = await asked;
      return reply === 'lost'
        ? { status: 'lost', json: undefined }
        : { status: reply.status, json: JSON.parse(reply.body) };
    },
    frames(params) {
      const texts: string[] = [];
      const opened = exchange.openStream('10.0.0.2', {
        send: (text) => void texts.push(text),
        isReady: () => true,
        close: (code) => void texts.push(`closed ${code}`),
      });
      if ('session' in opened) opened.session.receive(JSON.stringify({ method: 'subscribe', params, id: 1 }));
      return texts;
    },
  };
}

const SHOWN: Readonly<Record<string, (harness: Harness) => Promise<void>>> = {
  'builder-dex': async ({ clock, get }) => {
    await clock.advanceAsync(30_000);
    const { json: dex } = await get('/v1/dexes/ether');
    expect(dex).toMatchObject({ symbols: ['ETH-USD'], deployerFeePpm: 40 });
    const { json: fees } = await get('/v1/fees');
    expect(fees.tiers.map(({ tier }: { tier: number }) => tier)).toEqual([1, 2]);
    const { json: deployer } = await get(`/v1/account?address=${dex.deployer}`);
    expect(Number(deployer.collateral)).toBeGreaterThan(0);
  },
  calm: async ({ clock, hosted, get }) => {
    expect(hosted.accounts.map(({ name, apiWallets }) => [name, apiWallets.length])).toEqual([
      ['maker', 2],
      ['taker', 1],
    ]);
    const { json: before } = await get('/v1/prices');
    await clock.advanceAsync(120_000);
    const { json: after } = await get('/v1/prices');
    const move = Math.abs(after.prices[0].indexPrice / before.prices[0].indexPrice - 1);
    expect(move).toBeGreaterThan(0);
    expect(move).toBeLessThan(0.003);
    expect((await get('/v1/markets/BTC-USD/trades')).json.trades.length).toBeGreaterThan(20);
  },
  crash: async ({ clock, get }) => {
    await clock.advanceAsync(37_000);
    const { json } = await get('/v1/prices');
    expect(Number(json.prices[0].indexPrice)).toBeLessThan(91_500);
    const status = async () => (await get('/v1/markets/BTC-USD')).json.status;
    expect(await status()).toBe('Paused');
    await clock.advanceAsync(8_000);
    expect(await status()).toBe('CancelOnly');
    await clock.advanceAsync(10_000);
    expect(await status()).toBe('Active');
    await clock.advanceAsync(10_000);
    const book = (await get('/v1/markets/BTC-USD/book')).json;
    // Its makers have followed: nobody quotes at the old price.
    expect(Number(book.bids[0][0])).toBeLessThan(92_500);
    expect(Number(book.asks[0][0])).toBeLessThan(93_000);
  },
  'lossy-network': async ({ clock, frames, get }) => {
    const texts = frames({ channel: 'prices' });
    const statuses: (number | 'lost')[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await get('/v1/time')).status);
    await clock.advanceAsync(10_000);
    expect(texts.some((text) => text.includes('"lagged"'))).toBe(true);
    expect(texts.at(-1)).toBe('closed 1012');
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
    // Replicas of three ages answer.
    const seqs = new Set<number>();
    for (let i = 0; i < 30; i++) {
      const { json, status } = await get('/v1/prices');
      if (status === 200) seqs.add(Math.round((clock.nowMs() - START_MS) / 100) - json.seq);
    }
    expect(seqs.size).toBeGreaterThan(2);
  },
  'epoch-change': async ({ clock, hosted, get }) => {
    const page = `/v1/account/fills?address=${hosted.accounts[0]?.address}`;
    const { epoch } = (await get(page)).json;
    await clock.advanceAsync(20_000);
    expect((await get('/v1/time')).status).toBe('lost');
    await clock.advanceAsync(20_000);
    const { json } = await get(page);
    expect(json.epoch).not.toBe(epoch);
    await clock.advanceAsync(12_000);
    expect((await get('/v1/events')).status).toBe(503);
    await clock.advanceAsync(30_000);
    expect((await get('/v1/events')).status).toBe(200);
  },
};

describe('bundled scenarios', () => {
  test('each has a test', () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(SHOWN)
        .map((name) => `${name}.yaml`)
        .sort(),
    );
  });

  test.each(Object.entries(SHOWN))('%s shows what it says', async (name, shown) => {
    const harness = await open(name);
    await shown(harness);
    await harness.hosted.stop();
    expect(harness.warnings).toEqual([]);
  });
});
