import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  formatEntry,
  type LogEntry,
  parseEntry,
  type RunLogHeader,
  type RunLogWriter,
  reRun,
} from '../../src/bot/replay/index.ts';
import { reRunOptionsOf } from '../../src/bot/replay/replay.ts';
import { RunLog } from '../../src/bot/replay/run-log.ts';
import { type PreparedStrategy, prepareStrategies } from '../../src/bot/setup/index.ts';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { must } from '../../src/core/index.ts';
import type { StrategyId } from '../../src/domain/index.ts';
import { whatIfOf } from '../../src/research/backtest/what-if.ts';

const CONFIG = join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml');

/** A log that stays in memory, but passes through its lines. */
function memoryLog() {
  const log = new RunLog();
  let header: RunLogHeader | undefined;
  const writer: RunLogWriter = {
    log,
    begin: (begun) => {
      header = begun;
    },
    waiting: 0,
    flush: async () => undefined,
    close: async () => undefined,
  };
  return {
    writer,
    header: () => must(header, 'a header'),
    entries: () => log.take().map((entry) => parseEntry(formatEntry(entry))),
  };
}

async function recordedRun(forMs: number) {
  const source = loadConfig(CONFIG);
  const strategies = await prepareStrategies(source);
  const kept = memoryLog();
  const run = await runInProcess({ source, strategies, seed: 7, forMs, runLog: kept.writer });
  return { run, source, strategies, header: kept.header(), entries: kept.entries() };
}

const isDecision = (entry: LogEntry): boolean => entry.event.kind === 'decision';

describe('a re-run from the log of a whole run', () => {
  test('makes every decision again, through signatures, streams, timers and the end', async () => {
    const { run, source, strategies, header, entries } = await recordedRun(20_000);
    const decisions = entries.filter(isDecision).length;
    expect(run.fills.length).toBeGreaterThan(5);
    expect(decisions).toBeGreaterThan(80);
    const again = await reRun(entries, reRunOptionsOf(header, source, strategies));
    expect(again.divergence).toBeUndefined();
    expect(again.decisions).toBe(decisions);
  });

  test('says from when to when it cannot judge where the log has a gap, wherever that is, and never a difference', async () => {
    const { source, strategies, header, entries } = await recordedRun(3_000);
    const lastMs = entries.findLast(({ at }) => at !== undefined)?.at?.nowMs;
    for (let from = 5; from < entries.length - 5; from += Math.ceil(entries.length / 40)) {
      const gap: LogEntry = { at: undefined, event: { kind: 'gap', events: 3 } };
      const torn = [...entries.slice(0, from), gap, ...entries.slice(from + 3)];
      const again = await reRun(torn, reRunOptionsOf(header, source, strategies));
      expect(again.divergence, `a gap at entry ${from}`).toBeUndefined();
      const beforeMs = entries.slice(0, from).findLast(({ at }) => at !== undefined)?.at?.nowMs;
      expect(again).toMatchObject({ missing: 3, unjudged: { fromMs: beforeMs, toMs: lastMs } });
    }
  });

  test('names the first decision that differs when a parameter is another', async () => {
    const { source, strategies, header, entries } = await recordedRun(2_000);
    const [first] = strategies;
    const changed = {
      ...must(first, 'a strategy'),
      parameters: { ...(must(first, 'a strategy').parameters as object), size: '0.002' },
    } satisfies PreparedStrategy;
    const again = await reRun(entries, reRunOptionsOf(header, source, [changed]));
    expect(again.divergence?.recorded.what).toBe('intent');
    expect(again.divergence?.decided.what).toBe('intent');
    expect(again.divergence?.decided.text).not.toBe(again.divergence?.recorded.text);
    expect(again.divergence?.inputs.length).toBeGreaterThan(0);
  });
});

describe('a what-if replay', () => {
  test('is told beside what did, whose books are those of the run to the last unit', async () => {
    const { run, source, strategies, header, entries } = await recordedRun(12_000);
    const setups = strategies.map(({ name, definition, parameters, symbols }) => ({
      ...{
        id: name as StrategyId,
        definition,
        parameters,
        symbols,
        lane: must(header.operatorLane, 'a lane'),
      },
    }));
    const { actual, simulated } = whatIfOf({
      ...{ header, entries: () => entries, source, prepared: strategies, strategies: setups },
    });
    expect(actual.fills.map(({ orderId, priceTicks, sizeLots }) => [orderId, priceTicks, sizeLots])).toEqual(
      run.fills.map(({ orderId, priceTicks, sizeLots }) => [orderId, priceTicks, sizeLots]),
    );
    expect(actual.residual).toBe(0n);
    expect(actual.counts.intents).toBeGreaterThan(20);
    expect(actual.byStrategy[0]?.strategyId).toBe('ladder');
    expect(simulated.residual).toBe(0n);
    expect(simulated.fills.length).toBeGreaterThan(2);
    expect(simulated.assumptions.join(' ')).toMatch(/fills: queue-power/);
  });
});
