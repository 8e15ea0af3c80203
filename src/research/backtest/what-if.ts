/**
 * @module
 * A recorded run simulated: its market once more, with other parameters, other code or the same, orders matched by the
 * local venue's fill model; beside it the actual run, from its own facts.
 *
 *   log of a run ─┬─ all facts ───────► a bot that only keeps books ─────────────► RunRecord, actual
 *                 └─ market facts ─┬──► local venue ─► facts about own orders ─┐
 *                                  └───────────────────────────────────────────┴─► bot ─► RunRecord, simulated
 */

import { diffQuotes } from '../../bot/execution/index.ts';
import { type Bot, type BotOptions, createBot, type StrategySetup } from '../../bot/kernel/index.ts';
import {
  callBot,
  type LogEntry,
  LoggedBooks,
  type ReplayOptions,
  type RunLogHeader,
  readRunLog,
  reRunOptionsOf,
  sourceOfRun,
  withParameters,
} from '../../bot/replay/index.ts';
import { createRiskGate } from '../../bot/risk/index.ts';
import {
  hashesOf,
  limitsOf,
  monitorLimitsOf,
  type PreparedStrategy,
  prepareStrategies,
} from '../../bot/setup/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import {
  BotError,
  must,
  seededRandom,
  silentAudit,
  silentLog,
  silentMeter,
  unixMs,
  VirtualClock,
} from '../../core/index.ts';
import {
  type AccountSummary,
  type Fact,
  MARKET_FACT_TYPES,
  type Market,
  type MarketFact,
  type MarketSymbol,
  type RunRecord,
  type VenuePort,
} from '../../domain/index.ts';
import { createRunCollector, type RunIdentity } from '../../report/collect/index.ts';
import { createFactColumns, tapeMarketOf } from '../../tape/recorder/index.ts';
import { createLocalVenue, type LocalVenue } from '../venue/index.ts';
import { assumptionsOf } from './assumptions.ts';
import { bandedRecord, type Calibrated, calibratedModels, readCalibration } from './calibration-file.ts';
import { localModelsOf } from './paper-settings.ts';
import { countedByVenue } from './tape-world.ts';

/** A run as it was, and as it was simulated. */
export interface WhatIfReplay {
  /** Record of the real run. */
  readonly actual: RunRecord;
  /** Record of the simulated run. */
  readonly simulated: RunRecord;
}

/** What a what-if replay is made of. */
export interface WhatIfParts {
  /** Header of the run log. */
  readonly header: RunLogHeader;
  /** Reads the log from its beginning. */
  entries(): Iterable<LogEntry>;
  /** Configuration of the simulated run; its section `paper` says how orders are matched. */
  readonly source: ConfigSource;
  /** Strategies with checked parameters. */
  readonly prepared: readonly PreparedStrategy[];
  /** Strategies with their markets. */
  readonly strategies: readonly StrategySetup[];
  /** Its models match the orders instead of the configured ones. */
  readonly calibrated?: Calibrated | undefined;
}

const US_PER_MS = 1_000;
const SETTLE_MS = 5_000;
const DEAF: VenuePort = { isReady: () => false, submit: () => undefined, submitSafety: () => undefined };
const MARKET_FACTS: ReadonlySet<string> = new Set(MARKET_FACT_TYPES);

/** Runs both. @throws BotError `REPLAY_EMPTY` for a run whose strategies never began. */
export function whatIfOf(parts: WhatIfParts): WhatIfReplay {
  return { actual: actualRun(parts), simulated: new SimulatedRun(parts).run() };
}

/** The accounts of the run from its own facts: strategies sit still, nothing is sent. */
function actualRun(parts: WhatIfParts): RunRecord {
  const { header, strategies } = parts;
  const clock = new VirtualClock(header.madeAt.nowMs);
  const collector = createRunCollector({ clock, identity: identityOf(parts, header.mode, []) });
  const idle = strategies.map((setup) => ({ ...setup, definition: still(setup.definition) }));
  const bot = createBot({ ...botOptionsOf(parts, clock, idle), venue: DEAF, collector });
  const books = new LoggedBooks();
  let intents = 0;
  let denied = 0;
  for (const { at, event } of parts.entries()) {
    if (event.kind === 'gap') break;
    if (at !== undefined)
      clock.advance(Math.max(0, sinceStart(header, at.monotonicMs) - clock.monotonicMs()));
    if (event.kind === 'fact') bot.sink(event.fact);
    else if (event.kind === 'book') {
      const book = books.show(event.book);
      if (event.isShown) bot.sink({ type: 'BookUpdated', book });
    } else if (event.kind === 'call' && (event.name === 'start' || event.name === 'recallOwners'))
      callBot(bot, event);
    else if (event.kind === 'decision') {
      if (event.what === 'intent') intents++;
      if (event.what === 'denied') denied++;
    }
  }
  const record = collector.finish();
  return { ...record, counts: { ...record.counts, intents, denied } };
}

/** The same strategy for the books, that never does a thing. */
function still(definition: StrategySetup['definition']): StrategySetup['definition'] {
  return { ...definition, create: () => ({ handlers: {}, setParameters: () => [] }) };
}

/** The run between its recorded market and the local venue. */
class SimulatedRun {
  readonly #parts: WhatIfParts;
  readonly #clock: VirtualClock;
  readonly #startUs: number;
  readonly #books = new LoggedBooks();
  readonly #known = new Map<MarketSymbol, Market>();
  /** Facts of markets before the account was opened. */
  #early: MarketFact[] = [];
  #summary: AccountSummary | undefined;
  #world: World | undefined;

  constructor(parts: WhatIfParts) {
    this.#parts = parts;
    this.#clock = new VirtualClock(parts.header.madeAt.nowMs);
    this.#startUs = parts.header.madeAt.nowMs * US_PER_MS;
  }

  run(): RunRecord {
    for (const { at, event } of this.#parts.entries()) {
      if (event.kind === 'gap') break;
      if (at !== undefined) this.#advanceTo(sinceStart(this.#parts.header, at.monotonicMs));
      if (event.kind === 'book') {
        const book = this.#books.show(event.book);
        if (event.isShown) this.#take({ type: 'BookUpdated', book });
      } else if (event.kind === 'fact') this.#take(event.fact);
      else if (event.kind === 'call' && event.name === 'stop') break;
    }
    const world = this.#world;
    if (world === undefined) throw notBegun(this.#parts.header.runId);
    void world.bot.stop('end of the run');
    this.#advanceTo(this.#clock.monotonicMs() + SETTLE_MS);
    const record = countedByVenue(world.collector.finish(), world.venue);
    return bandedRecord(record, this.#parts.calibrated);
  }

  #take(fact: Fact): void {
    if (fact.type === 'MarketChanged') this.#known.set(fact.market.symbol, fact.market);
    else if (fact.type === 'AccountUpdated') this.#summary = fact.account;
    else if (fact.type === 'LaneReady') this.#world ??= this.#open();
    // Custom feeds are as much of the world as markets are.
    if (fact.type === 'FeedReceived') this.#world?.bot.sink(fact);
    if (!MARKET_FACTS.has(fact.type)) return;
    const market = fact as MarketFact;
    if (this.#world === undefined) this.#early.push(market);
    else this.#world.take(market, this.#nowUs);
  }

  /** The account begins with the equity of the run; what was known of the markets is known. */
  #open(): World {
    const world = new World(this.#parts, this.#clock, {
      markets: [...this.#known.values()],
      summary: must(this.#summary, 'the account of the run'),
    });
    world.bot.start();
    for (const fact of this.#early) world.take(fact, this.#nowUs);
    this.#early = [];
    world.venue.nowUs = this.#nowUs;
    world.venue.open(this.#nowUs);
    return world;
  }

  get #nowUs(): number {
    return this.#startUs + Math.floor(this.#clock.monotonicMs() * US_PER_MS);
  }

  /** Timers of the bot and what the venue has to do, up to then; at one time the venue first. */
  #advanceTo(monotonicMs: number): void {
    for (;;) {
      const timerMs = this.#clock.nextAtMs() ?? Number.POSITIVE_INFINITY;
      const venueMs = ((this.#world?.venue.dueUs ?? Number.POSITIVE_INFINITY) - this.#startUs) / US_PER_MS;
      const nextMs = Math.min(timerMs, venueMs);
      if (nextMs > monotonicMs) break;
      this.#moveTo(nextMs);
      if (venueMs <= timerMs) this.#world?.venue.advance(this.#world.venue.dueUs);
      else this.#clock.step(this.#clock.monotonicMs());
    }
    this.#moveTo(monotonicMs);
  }

  #moveTo(monotonicMs: number): void {
    if (monotonicMs > this.#clock.monotonicMs()) this.#clock.moveTo(monotonicMs);
    if (this.#world !== undefined) this.#world.venue.nowUs = Math.max(this.#world.venue.nowUs, this.#nowUs);
  }
}

/** Venue, bot and collector of the simulated run. */
class World {
  readonly bot: Bot;
  readonly venue: LocalVenue;
  readonly collector: ReturnType<typeof createRunCollector>;
  readonly #columns: ReturnType<typeof createFactColumns>;

  constructor(
    parts: WhatIfParts,
    clock: VirtualClock,
    { markets, summary }: { readonly markets: readonly Market[]; readonly summary: AccountSummary },
  ) {
    const { header, source, strategies, calibrated } = parts;
    const configured = localModelsOf(source.config, header.collateralDecimals);
    const { fillModel, latency, venue } = calibratedModels(configured, calibrated);
    const terms = {
      ...venue,
      collateral: summary.equity,
      fees: { makerPpm: summary.makerFeePpm, takerPpm: summary.takerFeePpm },
    };
    this.venue = createLocalVenue({
      ...{ ...terms, fillModel, latency, markets },
      lanes: [...new Set(strategies.map(({ lane }) => lane))],
      random: seededRandom(`${header.seed}/venue`),
      sink: (fact) => this.bot.sink(fact),
    });
    this.collector = createRunCollector({
      clock,
      identity: identityOf(parts, header.mode, [
        ...assumptionsOf({ fillModel, latency, venue: terms, feed: 'unknown' }),
        'the run began flat with the equity it had; recorded books and trades hold what its own orders did',
      ]),
      queueOf: (orderId) => this.venue.queueOf(orderId),
    });
    this.bot = createBot({
      ...botOptionsOf(parts, clock, strategies),
      venue: this.venue,
      collector: this.collector,
    });
    const write = (row: {
      kind: number;
      flags: number;
      market: number;
      price: number;
      size: number;
      id: number;
    }) => this.venue.onRow(row.kind, row.flags, row.market, this.venue.nowUs, row.price, row.size, row.id);
    this.#columns = createFactColumns({ write }, markets.map(tapeMarketOf));
  }

  /** Shows a fact of the market to the venue, then to the bot. */
  take(fact: MarketFact, us: number): void {
    this.venue.nowUs = Math.max(this.venue.nowUs, us);
    this.#columns.take(fact, unixMs(Math.floor(us / US_PER_MS)));
    this.bot.sink(fact);
  }
}

function botOptionsOf(
  { header, source }: WhatIfParts,
  clock: VirtualClock,
  strategies: readonly StrategySetup[],
): Omit<BotOptions, 'venue'> {
  const limits = limitsOf(source.config, header.collateralDecimals);
  return {
    ...{ runId: header.runId, clock, log: silentLog, meter: silentMeter, audit: silentAudit, strategies },
    auditLevel: 'off',
    random: seededRandom(header.seed),
    risk: createRiskGate({ ...limits, isSwitchRequired: false }),
    monitor: monitorLimitsOf(source.config, limits, {
      venue: 'paper',
      collateralDecimals: header.collateralDecimals,
    }),
    reconcileQuotes: diffQuotes,
  };
}

function identityOf(
  { header, source, prepared }: WhatIfParts,
  mode: RunIdentity['mode'],
  assumptions: readonly string[],
): RunIdentity {
  const { runId, seed, collateralDecimals } = header;
  return {
    ...{ mode, runId, ...hashesOf(source, prepared, 'paper'), tapes: [], collateralDecimals, assumptions },
    seed: typeof seed === 'number' ? seed : Number.parseInt(seed, 10),
  };
}

/** Time since the bot was made, ms. */
function sinceStart({ madeAt }: RunLogHeader, monotonicMs: number): number {
  return monotonicMs - madeAt.monotonicMs;
}

function notBegun(runId: string): BotError {
  return new BotError({
    code: 'REPLAY_EMPTY',
    message: `expected strategies of run ${runId} to have begun, they never did`,
    remedy: 'A run that ended before its first quote has nothing to compare.',
  });
}

/** Simulates a run with what is changed, beside the actual one. @throws as {@link replayRun}, BotError `REPLAY_EMPTY`. */
export async function replayWhatIf(options: ReplayOptions): Promise<WhatIfReplay> {
  const reader = readRunLog(options.folder);
  const { header } = reader;
  const source = sourceOfRun(header, { ...options, onCode: undefined });
  const prepared = withParameters(await prepareStrategies(source), options.set ?? []);
  const { strategies } = reRunOptionsOf(header, source, prepared);
  const calibrated = readCalibration(options.calibration);
  const entries = () => reader.entries();
  return whatIfOf({ header, entries, source, prepared, strategies, calibrated });
}
