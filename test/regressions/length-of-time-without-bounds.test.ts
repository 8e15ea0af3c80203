/**
 * Symptoms: `--duration 597h` was over at once, as each timer of the machine above 2^31-1 ms; a period of 0s passed
 * `config check` and ended as a bug, or read a feed hundreds of times a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import sinon from 'sinon';
import { describe, expect, onTestFinished, test } from 'vitest';
import { param } from '../../src/bot/strategy/index.ts';
import { duration } from '../../src/cli/terminal/options.ts';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { parseConfig } from '../../src/config/index.ts';
import { durationFrom, SystemClock } from '../../src/core/index.ts';

const DAY_MS = 86_400_000;
const WRONG = [
  '0s',
  '0ms',
  '-5s',
  '5',
  '1.5s',
  '5 s',
  's',
  '',
  '1d',
  '87601h',
  '999999999h',
  'NaN',
  'Infinity',
];

const configuration = (lines: string): string => `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: a, module: ./a.ts, markets: [BTC-USD] }]
risk: { capital: 10000 }
${lines}
`;

describe('a timer of the machine', () => {
  test.each([24 * DAY_MS, 25 * DAY_MS, 60 * DAY_MS, 3_650 * DAY_MS])('waits for %s ms', (delayMs) => {
    const timers = sinon.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'],
    });
    onTestFinished(() => timers.restore());
    const fired: string[] = [];
    const clock = new SystemClock();
    clock.after(delayMs, () => fired.push('after'));
    const every = clock.every(delayMs, () => fired.push('every'));
    clock.after(delayMs, () => fired.push('canceled')).cancel();
    timers.tick(delayMs - 1);
    expect(fired).toEqual([]);
    timers.tick(1);
    expect(fired.sort()).toEqual(['after', 'every']);
    timers.tick(delayMs);
    expect(fired).toEqual(['after', 'every', 'every']);
    every.cancel();
    timers.tick(2 * delayMs);
    expect(fired).toHaveLength(3);
  });

  test('of a deadline that has passed is due at once; one of no time is a bug', async () => {
    const clock = new SystemClock();
    let count = 0;
    clock.after(-5, () => count++);
    await new Promise<void>((resolve) => void clock.after(2, resolve));
    await nextTurn();
    expect(count).toBe(1);
    for (const wrong of [Number.NaN, 0, -1])
      expect(() => clock.every(wrong, () => undefined)).toThrow(/above zero/);
    expect(() => clock.after(Number.NaN, () => undefined)).toThrow(/a delay/);
  });
});

describe('a length of time', () => {
  test.each(WRONG)('of "%s" is refused on the command line, by the name of its option', (text) => {
    expect(() => duration('duration')(text)).toThrow(
      `--duration: expected a duration from 1ms to 87600h, got "${text}"`,
    );
  });

  test.each(['1ms', '596h', '597h', '87600h'])('of %s is taken', (text) => {
    expect(duration('duration')(text)).toBe(durationFrom().read(text));
    expect(
      parseConfig(configuration(`paper: { sampleInterval: ${text === '1ms' ? '10ms' : text} }`), '/a.yaml'),
    ).toBeDefined();
  });

  test.each([
    ['paper: { sampleInterval: @ }', 'paper.sampleInterval'],
    ['feeds: [{ name: a, kind: http, url: "http://a.example", pollInterval: @ }]', 'feeds[0].pollInterval'],
    ['feeds: [{ name: a, kind: file, file: a, pollInterval: @ }]', 'feeds[0].pollInterval'],
    ['feeds: [{ name: a, kind: ws, url: "ws://a.example", idleTimeout: @ }]', 'feeds[0].idleTimeout'],
    ['deadMansSwitch: { heartbeat: @ }', 'deadMansSwitch.heartbeat'],
    ['deadMansSwitch: { timeout: @ }', 'deadMansSwitch.timeout'],
    ['paper: { fundingInterval: @ }', 'paper.fundingInterval'],
  ])('without bounds is a finding with its line: %s', (line, key) => {
    for (const text of WRONG)
      expect(() => parseConfig(configuration(line.replace('@', `"${text}"`)), '/a.yaml')).toThrow(
        new RegExp(`a\\.yaml:5:[0-9]+: ${key.replace(/[[\].]/g, '\\$&')}: expected `),
      );
  });

  test.each(['-5ms', '5m', '1h', '5', '3601s', '1.5ms', ''])('of "%s" is no latency', (text) => {
    for (const key of ['feedLatency', 'entryLatency', 'responseLatency'])
      expect(() => parseConfig(configuration(`paper: { ${key}: "${text}" }`), '/a.yaml')).toThrow(
        `paper.${key}: expected a duration of at most 1h`,
      );
  });

  test('of nothing is a latency, and a file is one', () => {
    const { config } = parseConfig(
      configuration('paper: { feedLatency: 0ms, entryLatency: 5ms.csv }'),
      '/a.yaml',
    );
    expect(config.paper.feedLatency).toEqual({ kind: 'constant', us: 0 });
    expect(config.paper.entryLatency).toEqual({ kind: 'file', path: '/5ms.csv' });
  });

  test.each(WRONG)('of "%s" is a finding in a mapping', (text) => {
    const mapping = (gap: string, interval: string) =>
      `gapAfter: "${gap}"\nfiles: [{ name: "*", rows: candles, time: { column: t }, columns: {}, interval: "${interval}" }]\n`;
    expect(() => parseImportMapping(mapping(text, '1m'), 'm.yaml')).toThrow(
      /m\.yaml:1:11: gapAfter: expected a duration/,
    );
    expect(() => parseImportMapping(mapping('1m', text), 'm.yaml')).toThrow(
      /m\.yaml:2:\d+: files\[0\]\.interval: expected a duration/,
    );
  });

  test('of a parameter has the bounds of its author, and those of all', () => {
    const pause = param.durationMs({ above: '0s', max: '1h' });
    expect(pause.parse('1h')).toBe(3_600_000);
    for (const text of ['0s', '61m', '-1s']) expect(pause.safeParse(text).success).toBe(false);
    expect(param.durationMs().safeParse('87601h').success).toBe(false);
  });
});
