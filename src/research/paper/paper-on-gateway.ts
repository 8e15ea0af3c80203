/**
 * @module
 * A paper run on the streams of a gateway: real markets in real time, orders that exist only here. What is read is
 * public; no key is loaded, no account is named, nothing signed leaves.
 *
 *   streams ─► facts ─┬─► rows, at the time of receipt ─► local venue ─► facts about own orders ─┐
 *                     └──────────────────────────────────────────────────────────────────────────┴─► bot
 */

import { diffQuotes } from '../../bot/execution/index.ts';
import { type Bot, createFactRouter, listenerFor } from '../../bot/kernel/index.ts';
import type { RunRecording, RunReport } from '../../bot/live/index.ts';
import {
  bandTextOf,
  behindDoor,
  checkMarkets,
  describeStop,
  type Environment,
  feedNamesOf,
  instanceOf,
  keepTidy,
  letActionsIn,
  openEnvironment,
  openRecording,
  readingOf,
  routeOf,
  runDoorOf,
  runIdOf,
  runStatusOf,
  type SharedBudget,
  showCandleHistory,
  startConfiguredFeeds,
  watchEnvironment,
  withSeat,
} from '../../bot/live/index.ts';
import { DecisionHash, makeBot } from '../../bot/replay/index.ts';
import { createRiskGate } from '../../bot/risk/index.ts';
import { hashesOf, limitsOf, monitorLimitsOf, prepareStrategies, setupsOf } from '../../bot/setup/index.ts';
import { freshSeed, messageOf, type Random, seededRandom, silentAudit } from '../../core/index.ts';
import { type CountedMetrics, createMetrics } from '../../core/telemetry/index.ts';
import { type Fact, type LaneId, MARKET_FACT_TYPES, type Market } from '../../domain/index.ts';
import { createRunCollector } from '../../report/collect/index.ts';
import { createFactColumns, tapeMarketOf } from '../../tape/recorder/index.ts';
import { loadCrypto } from '../../wire/crypto/index.ts';
import type { Transport } from '../../wire/gateway/index.ts';
import { createMarketStream } from '../../wire/stream/index.ts';
import {
  assumptionsOf,
  bandedRecord,
  type Calibrated,
  calibratedModels,
  type LocalModels,
  localModelsOf,
  readCalibration,
} from '../backtest/index.ts';
import { createLocalVenue } from '../venue/index.ts';
import { PaperBooks } from './paper-books.ts';
import { keptLogOf, type PaperRun, type TapePaperOptions } from './paper-on-tape.ts';
import { beatSwitch, paperReportOf } from './paper-report.ts';
import { TimedVenue } from './timed-venue.ts';

/** What a paper run on a gateway is started with. */
export interface LivePaperOptions
  extends Omit<TapePaperOptions, 'tape' | 'speed' | 'fromMs' | 'toMs' | 'onWorld'> {
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Instead of the network. */
  readonly transport?: Transport;
  /** What drives the market. */
  readonly market: RunReport['market'];
}

const PAPER_LANE = 'paper' as LaneId;
const POLL_MS = 20;
/** How long answers that are under way at the end are waited for. */
const ANSWERS_MS_MAX = 2_000;

/** Runs until the stop is asked for. @throws what keeps a run from starting. */
export async function paperOnGateway(given: LivePaperOptions): Promise<PaperRun> {
  // What is wrong with a strategy is said before anything is opened.
  const strategies = await prepareStrategies(given.source);
  const runId = runIdOf(given.clock, freshSeed());
  const { lockFolder, transport: machine } = given;
  const name = instanceOf(given.source.config);
  const door = runDoorOf({ ...given, mode: 'paper', lockFolder, machine }, { runId, name });
  const options = door === undefined ? given : { ...given, log: door.log };
  return await behindDoor(
    door,
    () =>
      withSeat({ ...options, mode: 'paper', machine }, runId, (sharing) =>
        runOpened(options, { strategies, runId, door, sharing }),
      ),
    ({ report }) => report,
    given,
  );
}

async function runOpened(
  options: LivePaperOptions,
  { strategies, runId, door, sharing }: Pick<Opened, 'strategies' | 'runId' | 'door' | 'sharing'>,
): Promise<PaperRun> {
  const { source, clock, log, baseUrl } = options;
  const calibrated = readCalibration(options.calibration);
  const seed = options.seed ?? freshSeed();
  const recording = openRecording({ ...options, mode: 'paper' }, runId);
  const endKeeping = keepTidy({ ...options, machine: options.transport }, runId);
  const meter = createMetrics();
  try {
    const environment = await openEnvironment({
      baseUrl,
      headerPrefix: source.config.environment.headerPrefix,
      ...(options.transport === undefined
        ? { route: routeOf(source.config.environment) }
        : { transport: options.transport }),
      ...{ clock, log, meter, crypto: await loadCrypto() },
      ...{ sharing, onAnswer: recording?.onAnswer },
      random: seededRandom(`${seed} gateway`),
    });
    try {
      const symbols = source.config.markets.map(({ symbol }) => symbol);
      const markets = checkMarkets(environment, symbols);
      const opened = {
        ...{ environment, markets, strategies, calibrated, seed, runId },
        ...{ recording, meter, door, sharing },
      };
      return await new LivePaper(options, opened).run();
    } finally {
      await environment.gateway.close();
    }
  } finally {
    endKeeping();
    await recording?.close();
  }
}

interface Opened {
  readonly environment: Environment;
  readonly markets: readonly Market[];
  readonly strategies: Awaited<ReturnType<typeof prepareStrategies>>;
  readonly calibrated: Calibrated | undefined;
  readonly seed: number;
  readonly runId: string;
  readonly recording: RunRecording | undefined;
  readonly meter: CountedMetrics;
  /** Who uses the request budget of this machine, too; `undefined`: nobody. */
  readonly sharing: SharedBudget | undefined;
  /** Where a person reaches the run; `undefined`: nowhere. */
  readonly door: ReturnType<typeof runDoorOf>;
}

/** One run, so that its parts can name each other. */
class LivePaper {
  readonly #options: LivePaperOptions;
  readonly #opened: Opened;
  readonly #books: PaperBooks;
  readonly #venue: TimedVenue;
  readonly #columns: ReturnType<typeof createFactColumns>;
  readonly #models: LocalModels;
  #bot: Bot | undefined;

  constructor(options: LivePaperOptions, opened: Opened) {
    const { clock, source } = options;
    const { config } = source;
    const { environment, markets, calibrated, seed } = opened;
    this.#options = options;
    this.#opened = opened;
    this.#books = new PaperBooks(clock);
    this.#models = calibratedModels(localModelsOf(config, environment.info.collateralDecimals), calibrated);
    const { fillModel, latency, venue } = this.#models;
    this.#venue = new TimedVenue(clock, (sink) =>
      createLocalVenue({
        ...{ ...venue, fillModel, latency, markets, sink },
        lanes: [PAPER_LANE],
        random: seededRandom(seed).fork('venue'),
      }),
    );
    const rows = markets.map(tapeMarketOf);
    this.#columns = createFactColumns({ write: (row) => this.#venue.onRow(row) }, rows);
  }

  async run(): Promise<PaperRun> {
    const { clock, stop, beganAtMs, source, show } = this.#options;
    const { seed, environment, markets, strategies, runId, meter, door } = this.#opened;
    const { collateralDecimals } = environment.info;
    const runLog = this.#opened.recording?.openLog();
    const parts = { seed, collateralDecimals };
    const kept = runLog && keptLogOf(this.#options, { runLog, strategies, parts });
    const decisions = new DecisionHash({
      now: () => clock.nowMs(),
      intentOf: (orderId) => this.#bot?.account.ownerOf(orderId)?.intentId,
    });
    const collector = this.#openCollector(runId);
    const limits = limitsOf(source.config, collateralDecimals);
    const { bot } = makeBot(
      {
        ...{
          runId,
          clock,
          log: this.#options.log,
          meter,
          audit: door === undefined ? silentAudit : { record: (event) => door.keep(event) },
          auditLevel: door === undefined ? 'off' : 'decisions',
        },
        random: this.#chance(),
        risk: createRiskGate(limits),
        monitor: monitorLimitsOf(source.config, limits, { venue: 'paper', collateralDecimals }),
        venue: this.#venue.port,
        reconcileQuotes: diffQuotes,
        strategies: setupsOf(strategies, { byWallet: new Map(), first: PAPER_LANE }),
        operatorLane: PAPER_LANE,
        ...{ collector, decisions },
        onNoStrategyLeft: ({ code, message }) => stop.request({ by: 'halt', why: message, code }),
        onCrash: (thrown) => stop.request({ by: 'halt', why: `a bug in the kernel: ${messageOf(thrown)}` }),
      },
      kept,
    );
    this.#bot = bot;
    const end = await this.#open(bot, decisions);
    letActionsIn(door, {
      ...{ bot, strategies, meter, limits, progress: collector.progress, sharing: this.#opened.sharing },
      queueOf: (orderId) => this.#venue.local.queueOf(orderId),
    });
    const takeDown = show(() => runStatusOf(bot, clock.monotonicMs() - beganAtMs));
    try {
      const stopReason = describeStop(await stop.requested);
      const { isEmpty } = await bot.stop(stopReason);
      await this.#answers(bot);
      const report = paperReportOf({
        ...{ config: source.config, bot, venue: this.#venue.local, books: this.#books, markets },
        ...{ collateralDecimals, seed, beganAtMs, isEmpty, stopReason, market: this.#options.market },
        durationMs: clock.monotonicMs() - beganAtMs,
        metrics: meter.snapshot(),
      });
      const decisionHash = decisions.hex();
      const record = bandedRecord(collector.finish(), this.#opened.calibrated);
      return {
        report: { ...report, ...bandTextOf(record) },
        record,
        fills: this.#books.fills,
        decisionHash,
        runId,
      };
    } finally {
      takeDown();
      end();
      await runLog?.close();
    }
  }

  /** Streams, the account, the switch; the function it returns ends them. */
  async #open(bot: Bot, decisions: DecisionHash): Promise<() => void> {
    const { clock, log, stop, source } = this.#options;
    const { environment, markets, seed, recording, meter } = this.#opened;
    const { gateway, context } = environment;
    recording?.begin(markets, feedNamesOf(source.config));
    const reading = readingOf(
      markets.map(({ symbol }) => symbol),
      this.#opened.strategies,
      recording !== undefined,
    );
    const ofVenue = createFactRouter([
      { name: 'books', facts: 'all', take: (fact) => this.#books.take(fact) },
      listenerFor('decisions', ['FillRecorded'], ({ fill }) => decisions.fill(fill)),
      { name: 'bot', facts: 'all', take: bot.sink },
    ]);
    // The venue learns of a market fact before the bot does; what it says to it comes after that fact.
    const held: Fact[] = [];
    let isHolding = false;
    this.#venue.sink = (fact) => {
      if (isHolding) held.push(fact);
      else ofVenue(fact);
    };
    const take = createFactRouter([
      { name: 'recording', facts: 'all', take: (fact) => recording?.take(fact) },
      listenerFor('venue', MARKET_FACT_TYPES, (fact) => {
        isHolding = true;
        this.#columns.take(fact, clock.nowMs());
        isHolding = false;
      }),
      { name: 'bot', facts: 'all', take: bot.sink },
      listenerFor('facts of the venue', MARKET_FACT_TYPES, () => {
        for (const fact of held.splice(0)) ofVenue(fact);
      }),
    ]);
    const stream = createMarketStream({
      ...{ clock, log, meter, sockets: gateway.sockets, history: gateway.history },
      random: seededRandom(`${seed} streams`),
      subscriptions: reading.market,
      traded: reading.traded,
      markets: context,
      sink: take,
      ...(recording === undefined ? {} : { tap: (text, atMs) => recording.tap(text, atMs) }),
      onPong: (pong) => gateway.serverClock.observe(pong),
      exchangeTime: gateway.serverClock,
      quoteAgeMsMax: source.config.risk.maxMarketDataAge,
    });
    stream.start();
    bot.start();
    await showCandleHistory({ environment, log }, reading.candles, take);
    this.#venue.open();
    const { heartbeat, timeout } = source.config.deadMansSwitch;
    const beat = (): void => beatSwitch(bot, clock.nowMs(), (atMs) => this.#venue.arm(atMs), timeout);
    beat();
    const beats = clock.every(heartbeat, beat);
    const environmentWatch = watchEnvironment({
      ...{ environment, markets, clock, log },
      onMarket: (market) => take({ type: 'MarketChanged', market }),
      onHalt: (why, code) => stop.request({ by: 'halt', why, code }),
    });
    const endFeeds = startConfiguredFeeds({ config: source.config, clock, log }, take);
    return () => {
      endFeeds();
      environmentWatch.end();
      beats.cancel();
      stream.stop();
      this.#venue.close();
    };
  }

  /** Answers that are under way belong to the run. */
  async #answers(bot: Bot): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + ANSWERS_MS_MAX;
    while (bot.account.pendingWrites().length > 0 && clock.monotonicMs() < untilMs) {
      await new Promise<void>((resolve) => {
        clock.after(POLL_MS, resolve);
      });
    }
  }

  #chance(): Random {
    return seededRandom(this.#opened.seed).fork('bot');
  }

  #openCollector(runId: string) {
    const { clock, source } = this.#options;
    const { environment, seed, strategies } = this.#opened;
    return createRunCollector({
      clock,
      identity: {
        ...{ runId, ...hashesOf(source, strategies, 'paper'), mode: 'paper', tapes: [], seed },
        collateralDecimals: environment.info.collateralDecimals,
        assumptions: assumptionsOf({ ...this.#models, feed: 'unknown' }),
      },
      samplePeriodMs: source.config.paper.sampleInterval,
      queueOf: (orderId) => this.#venue.local.queueOf(orderId),
    });
  }
}
