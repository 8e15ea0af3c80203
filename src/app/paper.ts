/**
 * @module
 * A paper run over a tape, at recorded speed, at a multiple of it, or as fast as it goes. The result is a function of
 * tape, configuration, seed and code; the speed is only for who watches. No key is loaded and nothing is signed.
 */
import { join } from 'node:path';
import type { FeedLatency, ReplaySource } from '../backtest/index.ts';
import { type Clock, freshSeed, messageOf } from '../core/index.ts';
import type { LaneId, Market, MarketSymbol } from '../domain/index.ts';
import type { DecisionTap, RunCollector } from '../runtime/index.ts';
import { openTape } from '../tape/index.ts';
import type { LocalVenue } from '../venue/index.ts';
import {
  collateralDecimalsOf,
  fillModelOf,
  latencyOf,
  localMarketsOf,
  localTermsOf,
  orderLatencyOf,
} from './local-market.ts';
import type { KeptLog } from './made-bot.ts';
import { PaperBooks } from './paper-books.ts';
import { PaperWorld } from './paper-world.ts';
import { limitsOf, monitorLimitsOf } from './risk-limits.ts';
import { describeStop, type RunOptions, runIdOf } from './run.ts';
import { openRunLog, type RunLogWriter } from './run-log-file.ts';
import { type RunReport, strategiesOf } from './run-report.ts';
import { statusOf } from './run-status.ts';
import { prepareStrategies, setupsOf } from './strategies.ts';

/** What a paper run is started with. */
export interface TapePaperOptions
  extends Pick<
    RunOptions,
    'source' | 'clock' | 'log' | 'seed' | 'stop' | 'beganAtMs' | 'show' | 'recordFolder'
  > {
  /** Folder of the tape, or one that is open. */
  readonly tape: string | PaperTape;
  /** How many seconds of the tape pass in one. */
  readonly speed: number | 'max';
  /** Default: as the section `switch` says. */
  readonly isSwitchRenewed?: boolean;
  readonly decisions?: DecisionTap;
  readonly collector?: (parts: CollectorParts) => RunCollector;
  /** Shown the world before time passes in it. */
  readonly onWorld?: (world: PaperWorld) => void;
}

/** A tape as paper reads it. */
export type PaperTape = Omit<ReplaySource, 'markets'> & Parameters<typeof localMarketsOf>[1];

/** What a collector of a paper run is made of. */
export interface CollectorParts {
  readonly clock: Clock;
  readonly runId: string;
  readonly seed: number;
  readonly tape: ReplaySource;
  readonly collateralDecimals: number;
  readonly queueOf: LocalVenue['queueOf'];
}

/** The lane of paper orders, whatever wallets the configuration names. */
const PAPER_LANE = 'paper' as LaneId;
/** Time of the tape that passes at a stretch, so that the machine's own timers are not late. */
const STRETCH_US_MAX = 10_000_000;
const PACE_MS = 20;
/** So many entries of the log may wait before the run waits for the disk. */
const LOG_WAITING_MAX = 20_000;

/** Runs until the tape or the time is over. @throws what keeps a run from starting. */
export async function paperOnTape(options: TapePaperOptions): Promise<RunReport> {
  const { source, clock, log, stop } = options;
  const { config } = source;
  const strategies = await prepareStrategies(source);
  const seed = options.seed ?? freshSeed();
  const runId = runIdOf(clock, seed);
  const file = typeof options.tape === 'string' ? openTape(options.tape) : options.tape;
  const collateralDecimals = collateralDecimalsOf(file.markets);
  const tape: ReplaySource = {
    ...{ name: file.name, hash: file.hash, rows: file.rows, fromUs: file.fromUs, toUs: file.toUs },
    markets: localMarketsOf(config, file, collateralDecimals),
    batches: () => file.batches(),
  };
  const runLog = openLog(options, runId);
  const books = new PaperBooks(clock);
  const { collector } = options;
  const limits = limitsOf(config, collateralDecimals);
  const world = new PaperWorld({
    tape,
    strategies: setupsOf(strategies, { byWallet: new Map(), first: PAPER_LANE }),
    limits,
    monitor: monitorLimitsOf(config, limits),
    seed,
    feed: feedOf(options),
    venue: {
      ...localTermsOf(config, collateralDecimals),
      fillModel: fillModelOf(config),
      latency: {
        entry: orderLatencyOf(config.paper.entryLatency),
        response: orderLatencyOf(config.paper.responseLatency),
      },
    },
    runId,
    log,
    books,
    switch:
      options.isSwitchRenewed === false
        ? undefined
        : { periodMs: config.switch.heartbeat, timeoutMs: config.switch.trigger },
    keptLog: runLog && keptLogOf(options, { writer: runLog, strategies, seed, collateralDecimals }),
    decisions: options.decisions,
    collector:
      collector &&
      ((virtual, venue) =>
        collector({
          clock: virtual,
          runId,
          seed,
          tape,
          collateralDecimals,
          queueOf: (orderId) => venue().queueOf(orderId),
        })),
    onCrash: (thrown) => stop.request({ by: 'halt', why: `a bug in the kernel: ${messageOf(thrown)}` }),
  });
  options.onWorld?.(world);
  world.start();
  const takeDown = options.show(() => statusOf(world.bot, world.clock.monotonicMs()));
  try {
    const isThrough = await play(world, options, runLog);
    const reason = stop.reason;
    const why = isThrough || reason === undefined ? 'end of the tape' : describeStop(reason);
    const isEmpty = await world.stop(why);
    return reportOf({ options, world, books, tape, seed, why, isEmpty, collateralDecimals });
  } finally {
    takeDown();
    await runLog?.close();
  }
}

/** Lets the tape pass; true: it is through. */
async function play(
  world: PaperWorld,
  { clock, stop, speed }: TapePaperOptions,
  runLog: RunLogWriter | undefined,
): Promise<boolean> {
  const beganAtMs = clock.monotonicMs();
  let us = world.startUs;
  while (stop.reason === undefined) {
    const dueUs =
      speed === 'max'
        ? Number.POSITIVE_INFINITY
        : world.startUs + (clock.monotonicMs() - beganAtMs) * speed * 1_000;
    us = Math.min(dueUs, us + STRETCH_US_MAX);
    if (!world.advanceTo(us)) return true;
    if (runLog !== undefined && runLog.log.size > LOG_WAITING_MAX) await runLog.flush();
    await new Promise<void>((resolve) => {
      if (us < dueUs) clock.soon(resolve);
      else clock.after(PACE_MS, resolve);
    });
  }
  return false;
}

function feedOf({ source }: TapePaperOptions): FeedLatency {
  const { feedLatency, feedShift } = source.config.paper;
  if (feedLatency.kind === 'in-data') return { kind: 'in-data', shiftUs: feedShift * 1_000 };
  return latencyOf(feedLatency);
}

function openLog({ source, recordFolder, clock, log }: TapePaperOptions, runId: string) {
  if (!source.config.record.isOn || recordFolder === undefined) return undefined;
  return openRunLog({ folder: join(recordFolder, runId), clock, log });
}

function keptLogOf(
  { source }: TapePaperOptions,
  parts: Pick<KeptLog, 'writer' | 'strategies'> & {
    readonly seed: number;
    readonly collateralDecimals: number;
  },
): KeptLog {
  const { writer, strategies, seed, collateralDecimals } = parts;
  const config = { file: source.config.file, text: source.text };
  return { writer, strategies, about: { mode: 'paper', seed: `${seed}/bot`, collateralDecimals, config } };
}

function reportOf(parts: {
  readonly options: TapePaperOptions;
  readonly world: PaperWorld;
  readonly books: PaperBooks;
  readonly tape: ReplaySource;
  readonly seed: number;
  readonly why: string;
  readonly isEmpty: boolean;
  readonly collateralDecimals: number;
}): RunReport {
  const { options, world, books, tape, seed, why, isEmpty, collateralDecimals } = parts;
  const { config } = options.source;
  const { counts } = books;
  const markets = new Map<MarketSymbol, Market>(tape.markets.map((market) => [market.symbol, market]));
  const symbols = config.markets.map(({ symbol }) => symbol);
  return {
    schema: 1,
    mode: 'paper',
    environment: config.environment.name,
    market: 'recorded',
    durationMs: Math.round(world.clock.monotonicMs()),
    firstQuoteMs:
      counts.firstQuoteAtMs === undefined ? null : Math.round(counts.firstQuoteAtMs - options.beganAtMs),
    replaces: counts.replaces,
    ordersPlaced: counts.ordersPlaced,
    ordersCanceled: counts.ordersCanceled,
    ...books.prove({ bot: world.bot, venue: world.venue, markets, symbols, collateralDecimals }),
    emptyBook: isEmpty ? 'proven' : 'orders or intents are still out',
    unresolved: world.bot.account.pendingWrites().length,
    switch: { armed: counts.armed, fired: counts.fired },
    signer: 'none',
    seed,
    strategies: strategiesOf(world.bot),
    stoppedBy: why,
  };
}
