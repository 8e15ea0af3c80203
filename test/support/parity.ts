/**
 * @module
 * A bundled configuration over a stretch of the recorded markets as a backtest and as a paper run, with the latencies of
 * `drawn-ways`, and what differs between the two. The third way is in `wire-parity`, all three in `three-ways`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLog } from '../../src/bot/replay/run-log.ts';
import { prepareStrategies } from '../../src/bot/setup/index.ts';
import { type ConfigSource, parseConfig } from '../../src/config/index.ts';
import { type Random, seededRandom, VirtualClock } from '../../src/core/index.ts';
import type { RunRecord } from '../../src/domain/index.ts';
import { type BacktestOptions, runBacktest } from '../../src/research/backtest/index.ts';
import { backtestOptionsOf } from '../../src/research/backtest/run-backtest.ts';
import { PaperBooks } from '../../src/research/paper/paper-books.ts';
import { PaperWorld } from '../../src/research/paper/paper-world.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { DRAWN } from './drawn-ways.ts';
import { writeParityTape } from './parity-tape.ts';
import { type Story, storyOf } from './run-story.ts';

const US_PER_MS = 1_000;
/** The last of a stretch is not compared: where a tape ends no timer fires any more, and a gateway goes on. */
export const TAIL_MS = 2_000;

const ROOT = join(import.meta.dirname, '..', '..');
const CONFIGS = join(ROOT, 'configs');

/** What two ways of one run must share. */
export interface Outcome {
  /** Of every intent, denial, command and fill with its time. */
  readonly decisionHash: string;
  readonly record: RunRecord;
}

/** Makes the tape of the hour in a folder of its own; `remove` takes it away. */
export async function openHour(): Promise<{ readonly stretch: Stretch; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'parity-'));
  const tape = await writeParityTape(folder);
  const { fromUs, toUs } = openTape(tape);
  const [fromMs, untilMs] = [Math.ceil(fromUs / US_PER_MS), Math.floor(toUs / US_PER_MS)];
  return { stretch: { tape, fromMs, untilMs }, remove: () => rmSync(folder, { recursive: true }) };
}

/** Strategies whose orders wait outside the book, which those of no shipped configuration do: sections by name. */
const WAITING: Readonly<Record<string, string>> = {
  triggers: strategyText('test/simulation/strategies/triggers.ts', '{size: 0.0001, every: 1s}'),
  brackets: strategyText(
    'docs/guides/examples/buy-in-brackets.ts',
    '{size: 0.0001, stopPpm: 200, takeProfitPpm: 200, period: 1s}',
  ),
  exits: strategyText(
    'test/simulation/strategies/exits-and-slices.ts',
    '{size: 0.0001, every: 1s}',
    'BTC-USD, ETH-USD',
  ),
};

function strategyText(module: string, parameters: string, markets = 'BTC-USD'): string {
  return `strategies:
  - name: waiting
    module: ${join(ROOT, module)}
    markets: [${markets}]
    parameters: ${parameters}
`;
}

/** True for a configuration whose orders wait outside the book. */
export function isWaiting(name: string): boolean {
  return WAITING[name] !== undefined;
}

/**
 * The shipped configurations of strategies, by name: all but the example of a live run, which runs one of them; and
 * those whose orders wait outside the book.
 */
export function parityConfigs(): readonly string[] {
  const shipped = readdirSync(CONFIGS)
    .filter((file) => file.endsWith('.yaml') && file !== 'live-example.yaml')
    .map((file) => file.replace(/\.yaml$/, ''));
  return [...shipped, ...Object.keys(WAITING)];
}

/**
 * The strategies of a bundled configuration on the recorded markets: fees, a queue model, and wallets as they name them. No
 * continuous control steps in: its guard looks every half second from the begin of the bot on, over the wire some round
 * trips before the strategies begin.
 */
export function paritySource(name: string, changed: (text: string) => string = (text) => text): ConfigSource {
  const waiting = WAITING[name];
  const file = join(CONFIGS, `${waiting === undefined ? name : 'demo'}.yaml`);
  const shipped = waiting ?? readFileSync(file, 'utf8');
  const section = (key: string): string =>
    new RegExp(`^${key}:\\n(?:[ #].*\\n|\\n)*`, 'm').exec(shipped)?.[0] ?? '';
  const text = `environment: {name: sim, seed: 7}
markets: [{symbol: BTC-USD}, {symbol: ETH-USD}]
${section('wallets')}
${section('strategies')}
risk:
  {capital: 10000, maxMarketDataAge: 5s, maxReplacesPerSecond: 100, maxOrderToTradeRatio: 100000, postOnly: ${waiting === undefined}}
paper:
  collateral: 1000000
  fillModel: queue-power
  makerFeeBps: 1
  takerFeeBps: 4
  markets: [{symbol: BTC-USD, minNotional: 0}, {symbol: ETH-USD, minNotional: 0}]
`;
  return parseConfig(changed(text), file);
}

/** A part of the tape, Unix ms. */
export interface Stretch {
  readonly tape: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** As a backtest. */
export async function asBacktest(source: ConfigSource, stretch: Stretch): Promise<Outcome> {
  const { record, decisionHash } = runBacktest(await optionsOf(source, stretch));
  return { record, decisionHash };
}

/** As a paper run, whose time passes in stretches of any length; `changed`: with other options. */
export async function asPaper(
  source: ConfigSource,
  stretch: Stretch,
  changed: (options: BacktestOptions) => BacktestOptions = (options) => options,
): Promise<Outcome & { readonly story: Story }> {
  const options = changed(await optionsOf(source, stretch));
  const log = new RunLog();
  const strategies = await prepareStrategies(source);
  const writer = {
    log,
    begin: () => undefined,
    waiting: 0,
    flush: async () => undefined,
    close: async () => undefined,
  };
  const about = { mode: 'paper', seed: 7, collateralDecimals: 6, config: { file: '', text: '' } } as const;
  const world = new PaperWorld({
    ...options,
    ...{ books: new PaperBooks(new VirtualClock(0)), keptLog: { writer, about, strategies } },
    onCrash: (thrown) => {
      throw thrown;
    },
  });
  world.start();
  const lengths: Random = seededRandom('lengths');
  let us = world.startUs;
  do us += lengths.integer(1, 3_000_000);
  while (world.advanceTo(us));
  world.settle();
  const { runId } = options.identity;
  const untilMs = stretch.untilMs - TAIL_MS;
  const story = storyOf(log.take(), { runId, beganAtMs: stretch.fromMs, untilMs });
  return { record: world.finish(), decisionHash: world.decisionHash, story };
}

/** The options of a backtest of a stretch, with the latencies that all ways draw. */
export async function optionsOf(
  source: ConfigSource,
  { tape, fromMs, untilMs }: Stretch,
): Promise<BacktestOptions> {
  const strategies = await prepareStrategies(source);
  const options = backtestOptionsOf({ source, tape, fromMs, toMs: untilMs }, strategies);
  return { ...options, latency: DRAWN.order, feed: DRAWN.feed };
}

/** What differs between two outcomes, each with where it begins, in words; empty: nothing. */
export function differencesOf(a: Outcome, b: Outcome): readonly string[] {
  const differences: string[] = [];
  const compare = (what: string, first: unknown, second: unknown): void => {
    const [one, two] = [textOf(first), textOf(second)];
    if (one !== two) differences.push(`${what}: ${one} against ${two}`);
  };
  const compareEach = (what: string, first: readonly unknown[], second: readonly unknown[]): void => {
    const length = Math.max(first.length, second.length);
    const at = Array.from({ length }, (_, place) => place).find(
      (place) => textOf(first[place]) !== textOf(second[place]),
    );
    if (at !== undefined) compare(`${what} ${at}`, first[at], second[at]);
  };
  compare('decisions', a.decisionHash, b.decisionHash);
  compareEach('orders', a.record.quotes.map(quoteOf), b.record.quotes.map(quoteOf));
  compareEach('fills', a.record.fills.map(fillOf), b.record.fills.map(fillOf));
  compare('counts', a.record.counts, b.record.counts);
  compare('profit', a.record.pnl, b.record.pnl);
  compare('equity', a.record.equityEnd, b.record.equityEnd);
  compare('residual', [a.record.residual, b.record.residual], [0n, 0n]);
  return differences;
}

function fillOf(fill: RunRecord['fills'][number]): unknown {
  const { atMs, symbol, side, role, priceTicks, sizeLots, fee } = fill;
  return [atMs, symbol, side, role, priceTicks, sizeLots, fee];
}

function quoteOf(quote: RunRecord['quotes'][number]): unknown {
  const { atMs, symbol, side, priceTicks, sizeLots, event } = quote;
  return [atMs, symbol, side, priceTicks, sizeLots, event];
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}
