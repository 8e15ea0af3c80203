import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isProven } from '../../src/bot/live/index.ts';
import { stopAfter } from '../../src/bot/live/stop-signal.ts';
import { replayRun } from '../../src/bot/replay/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { Decimal, silentLog, VirtualClock } from '../../src/core/index.ts';
import { hostExchange } from '../../src/exchange/host/index.ts';
import { inProcessTransport } from '../../src/exchange/index.ts';
import { paperOnGateway } from '../../src/research/paper/index.ts';
import type { Transport } from '../../src/wire/gateway/index.ts';

const CONFIG = join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml');

/** What a paper run asks an exchange for, in its own words: method and path, and what is subscribed to. */
function watched(transport: Transport, asked: Set<string>): Transport {
  return {
    request(request) {
      asked.add(`${request.method} ${request.path.split('?')[0]}`);
      return transport.request(request);
    },
    open(listener) {
      const socket = transport.open(listener);
      return {
        send(text) {
          asked.add(`frame ${/"channel":"(\w+)"/.exec(text)?.[1] ?? 'other'}`);
          socket.send(text);
        },
        close: (why) => socket.close(why),
      };
    },
  };
}

test('paper on live streams quotes, is filled and stops proven, and sends nothing but reads', async () => {
  const clock = new VirtualClock(1_767_700_020_000);
  const hosted = await hostExchange({
    ...{ clock, log: silentLog, seed: 7, accounts: 0, tape: undefined, symbol: undefined, isQuiet: false },
  });
  const recordFolder = mkdtempSync(join(tmpdir(), 'paper-'));
  const asked = new Set<string>();
  const stop = stopAfter(clock, 30_000);
  const carried = inProcessTransport(hosted.exchange, {
    ...{ clock, requestLatencyMs: 3, answerLatencyMs: 3, frameLatencyMs: 2 },
  });
  const running = paperOnGateway({
    ...{ source: loadConfig(CONFIG), clock, log: silentLog, seed: 7, stop, beganAtMs: 0, recordFolder },
    ...{ baseUrl: 'http://in.process', market: 'synthetic', show: () => () => undefined },
    transport: watched(carried, asked),
  });
  let isOver = false;
  void running.finally(() => {
    isOver = true;
  });
  while (!isOver && clock.monotonicMs() < 60_000) {
    await clock.advanceAsync(100);
  }
  const run = await running;
  await hosted.stop();
  expect(isProven(run.report)).toBe(true);
  expect(run.report.fills).toBeGreaterThan(20);
  expect(run.report.switch).toMatchObject({ fired: 0 });
  expect(run.report.switch.armed).toBeGreaterThan(5);
  expect(run.record.residual).toBe(0n);
  const own = Object.values(run.report.strategies).map((strategy) => new Decimal(strategy.pnl));
  expect(Decimal.sum(...own).toFixed()).toBe(new Decimal(run.report.pnl).toFixed());
  expect([...asked].filter((what) => !what.startsWith('GET ') && !what.startsWith('frame '))).toEqual([]);
  expect([...asked].filter((what) => /account|orders|fills|ledger|positions/.test(what))).toEqual([]);
  const again = await replayRun({ folder: join(recordFolder, readdirSync(recordFolder)[0] ?? '') });
  expect(again).toMatchObject({ divergence: undefined, isComplete: true, missing: 0 });
  expect(again.decisions).toBeGreaterThan(100);
  rmSync(recordFolder, { recursive: true });
});
