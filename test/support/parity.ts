/**
 * @module
 * One strategy over one stretch of a recorded market in two ways: as a backtest and as a paper run. What must be equal is
 * put side by side (peers-and-features N4). Used by the test of a few minutes and by the script of the whole hour.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backtestOptionsOf } from '../../src/app/backtest.ts';
import { prepareStrategies } from '../../src/app/index.ts';
import { PaperBooks } from '../../src/app/paper-books.ts';
import { PaperWorld } from '../../src/app/paper-world.ts';
import { runBacktest } from '../../src/backtest/index.ts';
import { type ConfigSource, parseConfig } from '../../src/config/index.ts';
import { type Random, seededRandom, VirtualClock } from '../../src/core/index.ts';
import type { RunRecord } from '../../src/domain/index.ts';
import { importTape } from '../../src/tape/index.ts';
import { sharedPath } from './shared.ts';

/** The recorded hour. */
export const PARITY_TAPE = ['data', 'standx-btcusd-20260106'] as const;
const HOUR = '2026-01-06_08';
const CONFIGS = join(import.meta.dirname, '..', '..', 'configs');

/** What two ways of one run must share. */
export interface Outcome {
  /** Of every intent, denial, command and fill with its time. */
  readonly decisionHash: string;
  readonly record: RunRecord;
}

/** Imports the hour into a folder of its own; `remove` takes it away. */
export async function importHour(): Promise<{ readonly tape: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'parity-'));
  const tape = join(folder, 'standx');
  const paths = [`book_${HOUR}.csv.gz`, `trades_${HOUR}.csv.gz`].map((file) =>
    sharedPath(...PARITY_TAPE, file),
  );
  await importTape({ format: 'standx', paths, out: tape, locked: 'separate' });
  return { tape, remove: () => rmSync(folder, { recursive: true }) };
}

/** The bundled configurations whose strategies trade on the recorded market alone, by name. */
export function parityConfigs(): readonly string[] {
  return readdirSync(CONFIGS)
    .filter((file) => file.endsWith('.yaml') && file !== 'live-example.yaml')
    .filter((file) => !readFileSync(join(CONFIGS, file), 'utf8').includes('ETH-USD'))
    .map((file) => file.replace(/\.yaml$/, ''));
}

/**
 * The strategies of a bundled configuration on the recorded market: late data, latency, fees, a queue model. Latencies are
 * eighths of a millisecond, which binary numbers hold and no recorded time falls on, alone or as a way there and back: what
 * comes in the same instant comes in an order of its own in each world. No continuous control steps in: its guard
 * looks every half second from the begin of the bot on, over the wire six round trips before the strategies begin.
 */
export function paritySource(name: string): ConfigSource {
  const file = join(CONFIGS, `${name}.yaml`);
  const strategies = /^strategies:\n(?:[ #].*\n|\n)*/m.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const text = `environment: {name: sim, seed: 7}
markets: [{symbol: BTC-USD}]
${strategies}
risk: {capital: 10000, marketDataAgeMax: 5s, replacesPerSecondMax: 100, ordersPerTradeMax: 100000}
paper:
  collateral: 1000000
  fillModel: queue-power
  entryLatency: 48500us
  responseLatency: 51625us
  makerFee: 0.0001
  takerFee: 0.0004
  markets: [{symbol: BTC-USD, minNotional: 0}]
`;
  return parseConfig(text, file);
}

/** A stretch of the tape from its beginning, in minutes. */
export interface Stretch {
  readonly tape: string;
  readonly fromMs: number;
  readonly minutes: number;
}

/** As a backtest. */
export async function asBacktest(source: ConfigSource, stretch: Stretch): Promise<Outcome> {
  const { record, decisionHash } = runBacktest(await optionsOf(source, stretch));
  return { record, decisionHash };
}

/** As a paper run, whose time passes in stretches of any length. */
export async function asPaper(source: ConfigSource, stretch: Stretch): Promise<Outcome> {
  const options = await optionsOf(source, stretch);
  const world = new PaperWorld({
    ...options,
    books: new PaperBooks(new VirtualClock(0)),
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
  return { record: world.finish(), decisionHash: world.decisionHash };
}

/** The options of a backtest of a stretch. */
export async function optionsOf(source: ConfigSource, { tape, fromMs, minutes }: Stretch) {
  const strategies = await prepareStrategies(source);
  return backtestOptionsOf({ source, tape, toMs: fromMs + minutes * 60_000 }, strategies);
}

/** What differs between two outcomes, in words; empty: nothing. */
export function differencesOf(a: Outcome, b: Outcome): readonly string[] {
  const differences: string[] = [];
  const compare = (what: string, first: unknown, second: unknown): void => {
    const [one, two] = [textOf(first), textOf(second)];
    if (one !== two) differences.push(`${what}: ${one.slice(0, 200)} against ${two.slice(0, 200)}`);
  };
  compare('decisions', a.decisionHash, b.decisionHash);
  compare('counts', a.record.counts, b.record.counts);
  compare('fills', a.record.fills.map(fillOf), b.record.fills.map(fillOf));
  compare('profit', a.record.pnl, b.record.pnl);
  compare('equity', a.record.equityEnd, b.record.equityEnd);
  compare('residual', [a.record.residual, b.record.residual], [0n, 0n]);
  return differences;
}

function fillOf({ atMs, side, role, priceTicks, sizeLots, fee }: RunRecord['fills'][number]): unknown {
  return [atMs, side, role, priceTicks, sizeLots, fee];
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}
