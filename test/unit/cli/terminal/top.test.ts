/** `ballast top`: the lines of a view in the room of a terminal, and a terminal that is given back however it ends. */
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { viewOf } from '../../../../src/bot/dashboard/view.ts';
import type { FeedMessage } from '../../../../src/bot/operator/index.ts';
import { riskLimits } from '../../../../src/bot/risk/index.ts';
import { openScreen, type ScreenProcess } from '../../../../src/cli/terminal/screen.ts';
import { topLines } from '../../../../src/cli/terminal/top-view.ts';
import { VirtualClock } from '../../../../src/core/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aRig, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, START_MS, usd } from '../../../support/trading-builders.ts';

const SIZE = { columns: 80, rows: 24 };
const maker = strategyOf((context) => ({
  onBook: (view) =>
    context.quote(view.symbol, {
      bids: [{ priceTicks: ticks((view.bestBidTicks ?? 0) - 100), sizeLots: lots(10) }],
      asks: [],
    }),
}));

function aMessage(changes: Partial<FeedMessage> = {}): FeedMessage {
  const rig = aRig(maker);
  rig.book(999_990, 1_000_010);
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', { actor: 'ann', reason: 'a drill' });
  const limits = riskLimits({ capital: usd(100_000), symbols: [BTC] });
  return {
    run: { runId: 'run-1', name: 'maker', mode: 'sim', environment: 'sim', startedAtMs: 1 },
    ...{ atMs: START_MS, view: viewOf({ bot: rig.bot, limits }), events: [], lines: [] },
    ...changes,
  };
}

describe('the lines', () => {
  test('have the figures in 24 rows, with what is wrong before what is fine', () => {
    const lines = topLines(aMessage(), SIZE);
    expect(lines.length).toBeLessThanOrEqual(SIZE.rows);
    const text = lines.join('\n');
    for (const words of [
      'maker',
      'profit',
      'equity',
      'switch',
      'health',
      'MARKET',
      'STRATEGY',
      'LIMIT',
      'q ends',
    ])
      expect(text).toContain(words);
    expect(text.indexOf(`HALTED ${BTC}`)).toBeLessThan(text.indexOf('MARKET'));
    expect(text).toContain(`HALTED ${BTC} by operator: ann: a drill`);
  });

  test('fit into few rows, and always end with how to leave', () => {
    for (const rows of [1, 2, 5, 10]) {
      const lines = topLines(aMessage(), { columns: 40, rows });
      expect(lines.length).toBeLessThanOrEqual(Math.max(2, rows));
      expect(lines.at(-1)).toContain('q ends');
    }
  });

  test('of a run that starts or does not answer say so', () => {
    const { run, atMs, events, lines } = aMessage();
    expect(topLines({ run, atMs, events, lines }, SIZE).join('\n')).toContain('the run starts');
    expect(topLines(aMessage(), SIZE, 7_400).join('\n')).toContain('no answer for 7 s');
  });

  test('steer no terminal, whatever a name or a reason holds', () => {
    const hostile = 'a\u001b[2J\u001b]0;x\u0007\u202eb\nc';
    const entry = { n: 1, atMs: 1, level: 'warn', text: hostile, detail: hostile } as const;
    const message = aMessage({ lines: [entry] });
    const lines = topLines({ ...message, run: { ...message.run, name: hostile } }, { columns: 80, rows: 60 });
    expect(lines.join('')).toContain('\\u001b[2J');
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

/** A process with a terminal that a test looks at. */
class FakeProcess extends EventEmitter {
  readonly written: string[] = [];
  readonly killed: unknown[] = [];
  readonly pid = 7;
  isRaw = false;
  readonly stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => {
      this.isRaw = isRaw;
    },
    pause: () => undefined,
  });
  readonly stdout = Object.assign(new EventEmitter(), {
    ...{ columns: 20, rows: 3, writableNeedDrain: false },
    write: (text: string) => this.written.push(text),
  });
  kill(pid: number, signal: string): boolean {
    this.killed.push([pid, signal]);
    return true;
  }
}

function aScreen() {
  const owner = new FakeProcess();
  return { owner, screen: openScreen(owner as unknown as ScreenProcess) };
}

const LEFT = '\u001b[?25h\u001b[?1049l';

describe('the screen', () => {
  test('is drawn in place, each line cut to the room of the terminal', () => {
    const { owner, screen } = aScreen();
    expect(owner.isRaw).toBe(true);
    screen.draw(['x'.repeat(50), 'b', 'c', 'd']);
    const [, drawn = ''] = owner.written;
    expect(drawn).toBe(`\u001b[H${'x'.repeat(19)}…\u001b[K\r\nb\u001b[K\r\nc\u001b[K\u001b[J`);
    owner.stdout.writableNeedDrain = true;
    screen.draw(['never']);
    expect(owner.written).toHaveLength(2);
    screen.close();
  });

  test.each(['q', 'Q', '\u0003', '\u0004'])(
    'ends by the key %j at once, and the terminal is given back',
    async (key) => {
      const { owner, screen } = aScreen();
      const waits = screen.waited(new VirtualClock(START_MS), 1e9, () => undefined);
      owner.stdin.emit('data', Buffer.from('x'));
      expect(screen.isEnded()).toBe(false);
      owner.stdin.emit('data', Buffer.from(key));
      await waits;
      expect(screen.isEnded()).toBe(true);
      screen.close();
      screen.close();
      expect(owner.written.filter((text) => text === LEFT)).toHaveLength(1);
      expect(owner.isRaw).toBe(false);
      expect([...owner.eventNames(), ...owner.stdin.eventNames(), ...owner.stdout.eventNames()]).toEqual([]);
    },
  );

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'gives the terminal back before %s ends the process',
    (signal) => {
      const { owner } = aScreen();
      owner.emit(signal, signal);
      expect(owner.written.at(-1)).toBe(LEFT);
      expect(owner.isRaw).toBe(false);
      expect(owner.killed).toEqual([[7, signal]]);
      expect(owner.eventNames()).toEqual([]);
    },
  );

  test('gives the terminal back when the process exits, and is drawn again for another size', async () => {
    const { owner, screen } = aScreen();
    let drawn = 0;
    void screen.waited(new VirtualClock(START_MS), 1e9, () => drawn++);
    owner.stdout.emit('resize');
    expect(drawn).toBe(1);
    owner.emit('exit');
    expect(owner.written.at(-1)).toBe(LEFT);
  });
});
