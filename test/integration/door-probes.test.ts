/** What machines ask the door of a run: metrics, whether it lives, whether it is ready. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { metricNames } from '../../scripts/reference.ts';
import { operate, type RunFigures } from '../../src/bot/operator/index.ts';
import { METRICS, SystemClock, silentLog } from '../../src/core/index.ts';
import { createMetrics } from '../../src/core/telemetry/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { someFigures } from '../support/run-figures.ts';
import { BTC, LANE } from '../support/trading-builders.ts';

/** One bid, until it is told to fail. */
const maker = (ill: { isIll: boolean }) =>
  strategyOf((context) => ({
    onBook: (view) => {
      if (ill.isIll) throw new Error('ill');
      context.quote(view.symbol, {
        bids: [{ priceTicks: ticks((view.bestBidTicks ?? 0) - 100), sizeLots: lots(10) }],
        asks: [],
      });
    },
  }));

async function aDoor(
  options: {
    readonly isStarted?: boolean;
    readonly figures?: Partial<RunFigures>;
    readonly hosts?: readonly string[];
    readonly hasOpenProbes?: boolean;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-probes-'));
  const ill = { isIll: false };
  const rig = aRig(maker(ill), { operatorLane: LANE });
  const { hosts = [], hasOpenProbes = false, isStarted = true } = options;
  const operation = operate({
    about: {
      ...{ runId: 'run-1', name: 'maker', mode: 'sim', environment: 'sim', config: '/maker.yaml' },
      ...{ folder: join(folder, 'run-1'), processId: process.pid, startedAtMs: 1 },
    },
    ...{ clock: new SystemClock(), log: silentLog, runsFolder: join(folder, 'runs') },
    ...{ place: { port: 0, hosts, hasOpenProbes }, lowDiskBytes: 1_000 },
    stop: () => undefined,
  });
  await operation.open();
  onTestFinished(() => {
    operation.close({ reason: 'test', isProven: true });
    rmSync(folder, { recursive: true });
  });
  if (isStarted)
    operation.began({
      ...{ bot: rig.bot, audit: { record: () => undefined }, parametersOf: () => [] },
      figures: someFigures(options.figures),
    });
  const { baseUrl, token } = JSON.parse(readFileSync(join(folder, 'run-1', 'control.json'), 'utf8'));
  const port = Number(new URL(baseUrl).port);
  const ask = (path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
    new Promise<{ status: number | undefined; text: string; type: string | undefined }>((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status, headers: its } = response;
          resolve({ status, text: Buffer.concat(chunks).toString(), type: its['content-type'] });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  const ready = async () => {
    const { status, text } = await ask('/readyz');
    const reasons: { kind: string; about: string }[] = JSON.parse(text).reasons;
    return [status, ...reasons.map(({ kind, about }) => `${kind} ${about}`)];
  };
  return { rig, ill, operation, ask, ready, token };
}

/** Values by name and labels as they are written. */
function valuesIn(text: string): ReadonlyMap<string, number> {
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

test('probes need the token unless they are open, and the own host in any case', async () => {
  const shut = await aDoor();
  const open = await aDoor({ hosts: ['bot'], hasOpenProbes: true });
  for (const path of ['/metrics', '/healthz', '/readyz']) {
    expect((await shut.ask(path, {})).status).toBe(401);
    expect((await open.ask(path, {})).status).not.toBe(401);
    expect((await open.ask(path, { host: 'bot:9464' })).status).not.toBe(403);
    expect((await open.ask(path, { host: 'evil.example' })).status).toBe(403);
    expect((await open.ask(path, { origin: 'http://evil.example' })).status).toBe(403);
  }
  // Nothing else is open with them.
  for (const path of ['/status', '/openapi.json', '/control', '/metrics/', '/run'])
    expect((await open.ask(path, {})).status).toBe(401);
});

test('each documented metric is given under its name, and no other', async () => {
  const meter = createMetrics();
  meter.observe('gateway_write_duration_ms', 5);
  meter.observe('gateway_write_duration_ms', 7);
  for (const [name, { kind }] of Object.entries(METRICS))
    if (kind === 'gauge') meter.gauge(name as 'grant_time_left_ms', 7 * 86_400_000 + 1);
  meter.count('stream_lagged_total', 3);
  const { rig, ask } = await aDoor({
    figures: { counted: () => meter.snapshot(), freeDiskBytes: () => 5_000, guardian: () => 'watching' },
  });
  rig.book(999_990, 1_000_010);
  const { status, text, type } = await ask('/metrics');
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const given = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  expect(given.toSorted()).toEqual(metricNames().toSorted());
  const values = valuesIn(text);
  expect(values.get('ballast_gateway_write_duration_ms_count')).toBe(2);
  expect(values.get('ballast_gateway_write_duration_ms_sum')).toBe(12);
  expect(values.get('ballast_gateway_write_duration_ms_max')).toBe(7);
  expect(values.get('ballast_stream_lagged_total')).toBe(3);
  expect(values.get('ballast_journal_disk_free_bytes')).toBe(5_000);
  expect(values.get('ballast_guardian_watching')).toBe(1);
  expect(values.get('ballast_trading_state{scope="account"}')).toBe(0);
  expect(values.get(`ballast_market_orders{market="${BTC}"}`)).toBe(1);
  expect(values.get('ballast_strategy_running{strategy="maker"}')).toBe(1);
  rig.bot.setTrading({ kind: 'account' }, 'halted', { actor: 'ann', reason: 'drill' });
  const later = valuesIn((await ask('/metrics')).text);
  expect(later.get('ballast_trading_state{scope="account"}')).toBe(3);
  expect(later.get('ballast_halts')).toBe(1);
  expect(later.get('ballast_run_not_ready{reason="halted",about="account"}')).toBe(1);
  // A second reading counts nothing again.
  expect(later.get('ballast_stream_lagged_total')).toBe(3);
});

test('a run that starts lives, and is not ready', async () => {
  const { ask, ready } = await aDoor({ isStarted: false });
  expect((await ask('/healthz')).status).toBe(200);
  expect(await ready()).toEqual([503, 'starting run']);
  const values = valuesIn((await ask('/metrics')).text);
  expect(values.get('ballast_run_ready')).toBe(0);
  expect(values.get('ballast_run_state{state="starting"}')).toBe(1);
});

test('a run is ready until something is wrong with it, and says what', async () => {
  let guardian: 'watching' | 'gone' = 'watching';
  let freeBytes = 5_000;
  let leftMs = 30 * 86_400_000;
  const counted = () => ({ counters: {}, gauges: { grant_time_left_ms: leftMs }, summaries: {} });
  const { rig, ill, ready } = await aDoor({
    figures: { counted, freeDiskBytes: () => freeBytes, guardian: () => guardian },
  });
  rig.book(999_990, 1_000_010);
  rig.book(999_990, 1_000_010, rig.bot.status().markets[1]?.symbol as typeof BTC);
  const healthy = await ready();
  expect(healthy).not.toContain('halted account');
  const extra = async () => (await ready()).filter((one) => !healthy.includes(one));

  guardian = 'gone';
  expect(await extra()).toContain('guardian-gone guardian');
  guardian = 'watching';
  leftMs = 3_599_000;
  expect(await extra()).toContain('grant-hour grant');
  leftMs = 86_000_000;
  freeBytes = 10;
  // What only warns leaves it ready.
  expect(await extra()).toEqual([]);

  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'reducing', { actor: 'ann', reason: 'drill' });
  expect(await extra()).toContain(`reducing ${BTC}`);
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'active', { actor: 'ann', reason: 'drill' });
  expect(await extra()).toEqual([]);
  rig.bot.setTrading({ kind: 'account' }, 'halted', { actor: 'ann', reason: 'drill' });
  expect(await extra()).toContain('halted account');
  rig.bot.setTrading({ kind: 'account' }, 'active', { actor: 'ann', reason: 'drill' });
  ill.isIll = true;
  rig.book(999_980, 1_000_010);
  expect(await extra()).toContain('strategy-failed maker');
  await rig.bot.stop('end');
  expect(await extra()).toContain('ending run');
});
