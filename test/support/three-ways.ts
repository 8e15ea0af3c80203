/**
 * @module
 * One bundled configuration three ways over the same stretch of the recorded markets, with latencies of one seed, held
 * against each other: over the wire first, which says when its strategies began, then on paper and as a backtest from
 * that instant.
 */
import type { RunCounts } from '../../src/domain/index.ts';
import {
  asBacktest,
  asPaper,
  differencesOf,
  optionsOf,
  paritySource,
  type Stretch,
  TAIL_MS,
} from './parity.ts';
import { partingOf } from './run-story.ts';
import { overTheWire, type WireRun } from './wire-parity.ts';

/** The bot over the wire needs some time before its strategies begin. */
const OPENING_MS = 1_000;

/** What came of the three. */
export interface Comparison {
  readonly name: string;
  readonly counts: RunCounts;
  readonly wire: WireRun;
  /** Where they part, in words; empty: nowhere. */
  readonly differences: readonly string[];
}

/**
 * Compares for `minutes` from the beginning of `hour`. With a `latencySeed` of its own the wire's latencies are others;
 * `changed`: with another text of the configuration.
 */
export async function compareWays(
  name: string,
  hour: Stretch,
  {
    minutes,
    latencySeed,
    changed,
  }: {
    readonly minutes: number;
    readonly latencySeed?: number;
    readonly changed?: (text: string) => string;
  },
): Promise<Comparison> {
  const source = paritySource(name, changed);
  const { tape, fromMs } = hour;
  const forMs = Math.min(minutes * 60_000, hour.untilMs - fromMs - TAIL_MS - OPENING_MS);
  const options = await optionsOf(source, hour);
  const wire = await overTheWire(source, options, {
    fromMs,
    forMs,
    latencySeed: latencySeed ?? options.seed,
  });
  const stretch = { tape, fromMs: wire.beganAtMs, untilMs: wire.beganAtMs + forMs + TAIL_MS };
  const paper = await asPaper(source, stretch);
  const backtest = await asBacktest(source, stretch);
  const differences = [
    ...differencesOf(backtest, paper).map((text) => `backtest and paper, ${text}`),
    ...partingOf(paper.story, wire.story).map((text) => `paper and wire, ${text}`),
    ...(wire.isReconciled ? [] : ['wire: the books of the bot and of the exchange differ at the end']),
  ];
  return { name, counts: backtest.record.counts, wire, differences };
}
