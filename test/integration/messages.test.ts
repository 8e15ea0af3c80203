/**
 * One strategy signals and another trades on its messages: over a tape, on the exchange in the box, replayed from the log of
 * its run, with a restart in between, and explained.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explain } from '../../src/bot/explain/index.ts';
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
import { type ConfigSource, parseConfig } from '../../src/config/index.ts';
import { must } from '../../src/core/index.ts';
import { runOnTape } from '../../src/testing/index.ts';
import { explainedRun } from '../support/explained-run.ts';
import { ROOT } from '../tidy/source.ts';

const CONFIG = join(ROOT, 'docs', 'guides', 'examples', 'signals.yaml');
/** The exchange in the box moves less than the tape. */
const LIVELY = readFileSync(CONFIG, 'utf8').replace(/movePpm: \d+/, 'movePpm: 10');

/** A run of `source` on the exchange in the box, and its log, which has passed through its lines. */
async function recorded(source: ConfigSource, strategies: readonly PreparedStrategy[], forMs: number) {
  const log = new RunLog();
  let header: RunLogHeader | undefined;
  const runLog: RunLogWriter = {
    log,
    begin: (begun) => {
      header = begun;
    },
    waiting: 0,
    flush: async () => undefined,
    close: async () => undefined,
  };
  const run = await runInProcess({ source, strategies, seed: 7, forMs, runLog });
  const entries = log.take().map((entry) => parseEntry(formatEntry(entry)));
  const again = (given: readonly LogEntry[] = entries, prepared = strategies) =>
    reRun(given, reRunOptionsOf(must(header, 'a header'), source, prepared));
  return { run, entries, again };
}

function messagesOf(entries: readonly LogEntry[]): readonly string[] {
  return entries.flatMap(({ event }) =>
    event.kind === 'decision' && event.what === 'message' ? [event.text] : [],
  );
}

describe('a strategy that signals and one that trades on it', () => {
  test('come to the same result over a tape each time, and to another one with another signal', async () => {
    const [first, second, third] = [
      await runOnTape(CONFIG),
      await runOnTape(CONFIG),
      await runOnTape(CONFIG, { set: ['signaler.movePpm=401'] }),
    ];
    expect(first.record.residual).toBe(0n);
    expect(first.record.fills.length).toBeGreaterThan(10);
    expect(new Set(first.record.byStrategy.map((one) => one.strategyId))).toContain('trader');
    expect(second.decisionHash).toBe(first.decisionHash);
    expect(third.decisionHash).not.toBe(first.decisionHash);
  });

  test('decide the same again from the log of a whole run, messages included', async () => {
    const source = parseConfig(LIVELY, CONFIG);
    const { run, entries, again } = await recorded(source, await prepareStrategies(source), 20_000);
    const messages = messagesOf(entries);
    expect(messages.length).toBeGreaterThan(5);
    expect(messages[0]).toMatch(/^signaler to trader: signal \{"symbol":"BTC-USD","side":"(buy|sell)"\}$/);
    expect(run.fills.length).toBeGreaterThan(0);
    const same = await again();
    expect(same.divergence).toBeUndefined();
    expect(same.decisions).toBe(entries.filter(({ event }) => event.kind === 'decision').length);
  });

  test('are found to differ by a message: another one in the log, one that is missing, another parameter', async () => {
    const source = parseConfig(LIVELY, CONFIG);
    const strategies = await prepareStrategies(source);
    const { entries, again } = await recorded(source, strategies, 5_000);
    const at = entries.findIndex(({ event }) => event.kind === 'decision' && event.what === 'message');
    const { event } = must(entries[at], 'a message');
    const text = event.kind === 'decision' ? event.text : '';
    const turned = text.includes('buy') ? text.replace('buy', 'sell') : text.replace('sell', 'buy');
    const changed: LogEntry = { at: undefined, event: { kind: 'decision', what: 'message', text: turned } };
    const other = await again([...entries.slice(0, at), changed, ...entries.slice(at + 1)]);
    expect(other.divergence).toMatchObject({
      recorded: { what: 'message', text: turned },
      decided: { what: 'message', text },
    });
    const without = await again([...entries.slice(0, at), ...entries.slice(at + 1)]);
    expect(without.divergence).toMatchObject({ decided: { what: 'message', text } });
    const slower = strategies.map((one) =>
      one.name === 'signaler' ? { ...one, parameters: { movePpm: 20 } } : one,
    );
    expect((await again(entries, slower)).divergence).toMatchObject({ recorded: { what: 'message' } });
  });

  test('hear what is published after a restart, and a replay of it decides the same', async () => {
    const source = parseConfig(LIVELY, CONFIG);
    const strategies = (await prepareStrategies(source)).map((one) =>
      one.name === 'trader' ? failingOnce(one) : one,
    );
    const { entries, again } = await recorded(source, strategies, 20_000);
    const heard = messagesOf(entries).map((text) => text.split(':')[0]);
    const gone = heard.indexOf('signaler to nobody');
    expect(gone).toBeGreaterThan(0);
    expect(heard.lastIndexOf('signaler to trader')).toBeGreaterThan(gone);
    expect((await again()).divergence).toBeUndefined();
  });

  test('are explained with the message that an order came from', async () => {
    const lively = LIVELY.replaceAll('./sign', '../docs/guides/examples/sign');
    const world = await explainedRun({ seed: 7, forMs: 20_000, edit: () => lively });
    try {
      const [order = ''] = world.records.orders;
      const { steps } = explain(world.files, { what: 'order', id: order });
      expect(steps.slice(0, 3).map(({ step }) => step)).toEqual(['event', 'message', 'intent']);
      expect(steps[1]?.text).toMatch(/^signaler to trader: signal /);
    } finally {
      world.remove();
    }
  });
});

/** The strategy, whose first instance throws at its second message, as its second one does at none. */
function failingOnce(prepared: PreparedStrategy): PreparedStrategy {
  const { definition } = prepared;
  let instances = 0;
  return {
    ...prepared,
    definition: {
      ...definition,
      create(context, raw) {
        const isFirst = instances++ % 2 === 0;
        const made = definition.create(context, raw);
        let heard = 0;
        return {
          ...made,
          handlers: {
            ...made.handlers,
            onMessage(message) {
              if (isFirst && ++heard === 2) throw new Error('a bug');
              made.handlers.onMessage?.(message);
            },
          },
        };
      },
    },
  };
}
