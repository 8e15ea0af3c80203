/** `ballast record` read at a gateway beside running bots and was none of those that share the budget of the machine. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordGateway } from '../../src/bot/live/index.ts';
import { listenForStop } from '../../src/bot/live/stop-signal.ts';
import { loadConfig } from '../../src/config/index.ts';
import { SystemClock, seededRandom, silentLog } from '../../src/core/index.ts';
import { createSyntheticParticipants, Exchange, startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { until } from '../support/processes.ts';

test('a recording has a seat among the bots of its machine while it goes on', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ballast-record-seat-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = new SystemClock();
  const exchange = new Exchange({ clock, random: seededRandom('seat'), crypto: await loadCrypto() });
  exchange.start();
  exchange.attachParticipants(createSyntheticParticipants());
  const server = await startServer(exchange, { port: 0 });
  onTestFinished(async () => {
    await server.close();
    exchange.stop();
  });
  const demo = loadConfig(join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml'));
  const environment = { ...demo.config.environment, name: 'test', baseUrl: server.baseUrl };
  const source = { ...demo, config: { ...demo.config, environment } };
  const stop = listenForStop(clock, { forMs: undefined });
  onTestFinished(() => stop.dispose());
  const running = recordGateway({
    ...{ source, clock, log: silentLog, stop, out: join(home, 'tape'), lockFolder: home },
  });
  const seats = (): readonly string[] => {
    const budgets = join(home, 'ballast', 'budgets');
    return existsSync(budgets)
      ? readdirSync(budgets).flatMap((name) => readdirSync(join(budgets, name)))
      : [];
  };
  await until('its seat', async () => seats().length === 1, { withinMs: 60_000 });
  stop.request({ by: 'time' });
  await running;
  expect(seats()).toEqual([]);
});
