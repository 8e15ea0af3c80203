/**
 * Symptom: frames of quotes that were held back for seconds counted as fresh when they arrived, and the bot quoted on them;
 * and a pong that was held back was taken for the answer to a later ping, so that the clock of the exchange seemed to have
 * jumped by the delay, and old frames seemed new (F20, I25).
 */
import { expect, test } from 'vitest';
import { silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { ServerClock } from '../../src/wire/gateway/server-clock.ts';
import { Heartbeat, TICK_MS } from '../../src/wire/stream/heartbeat.ts';
import { planOf, withFaults } from '../simulation/plan.ts';
import { loadRegistry } from '../simulation/registry.ts';
import { runSimulation } from '../simulation/run.ts';

const LATE_MS = 4_565;

test('pongs that are all late by the same time do not move the clock of the exchange', () => {
  const clock = new VirtualClock(1_767_700_020_000);
  const server = new ServerClock({ clock, log: silentLog, meter: silentMeter });
  const startMs = clock.nowMs();
  server.observe({ serverMs: startMs, sentAtMs: 0, receivedAtMs: 10 });
  const heartbeat = new Heartbeat(0);
  for (let atMs = TICK_MS; atMs <= 60_000; atMs += TICK_MS) {
    clock.advance(TICK_MS);
    if (heartbeat.tick(atMs) !== 'ping') continue;
    clock.after(LATE_MS, () => {
      const receivedAtMs = clock.monotonicMs();
      const sentAtMs = heartbeat.answered();
      if (sentAtMs !== undefined)
        server.observe({ serverMs: startMs + receivedAtMs - LATE_MS, sentAtMs, receivedAtMs });
    });
  }
  expect(Math.abs(server.serverNowMs() - clock.nowMs())).toBeLessThanOrEqual(10);
});

test('seeds in which frames are held back place nothing on them', async () => {
  const { faults } = await loadRegistry();
  for (const seed of [1, 10, 16]) {
    const plan = withFaults(planOf(seed, faults), ['F20']);
    const run = await runSimulation({
      ...plan,
      faults: { F20: 2 },
      faultsForMs: 180_000,
      healedForMs: 60_000,
    });
    expect(run.violations).toEqual([]);
    expect(run.hits['F20']).toBeGreaterThan(0);
    expect(run.writes).toBeGreaterThan(10);
  }
});
