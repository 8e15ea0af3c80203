/**
 * @module
 * A bot on a gateway: environment, lanes, streams and kernel joined, from preflight to the first quote and from the last
 * quote to the proof that no order is open. Demo, sim and live differ only in where environment and wallets come from.
 *
 *   preflight ─▶ reconcile ─▶ found orders ─▶ arm ─▶ leverage, history ─▶ strategies quote
 *   stop ─▶ no new orders ─▶ cancel ─▶ no open orders, proven ─▶ accounts compared with the exchange
 */
import type { Config } from '../../config/index.ts';
import {
  type AuditEvent,
  type BotError,
  type Clock,
  type Log,
  type Metrics,
  must,
  type Random,
  type UnixMs,
} from '../../core/index.ts';
import type { AccountSelection, Fact, FactSink, Market, MarketSymbol } from '../../domain/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { readAgents } from '../../wire/gateway/index.ts';
import { createStream, type Stream } from '../../wire/stream/index.ts';
import { diffQuotes, type OpenOrdersProof } from '../execution/index.ts';
import { type Bot, type BotOptions, createFactRouter, redReasons } from '../kernel/index.ts';
import { type KeptLog, type LoggedBot, makeBot } from '../replay/index.ts';
import { createRiskGate, type RiskGate, type RiskLimits } from '../risk/index.ts';
import { limitsOf, monitorLimitsOf, type PreparedStrategy, setupsOf } from '../setup/index.ts';
import type { Environment } from './connect/environment.ts';
import { type EnvironmentWatch, watchEnvironment } from './connect/environment-watch.ts';
import { feedNamesOf, startConfiguredFeeds } from './connect/feeds.ts';
import { type Reading, readingOf, showCandleHistory } from './connect/initial-data.ts';
import { type Lanes, openLanes } from './connect/lanes.ts';
import type { SimulatedMachine } from './connect/machine.ts';
import { type CheckedGrant, checkAccount, checkGrant, checkMarkets } from './connect/preflight.ts';
import type { LoadedWallet } from './connect/wallets.ts';
import type { RunGuard } from './guard.ts';
import { liveListeners } from './listeners.ts';
import type { RunRecording } from './output/run-recording.ts';
import { CarriedHoldingsKeeper } from './start/carried-holdings.ts';
import { historyContradicted, isRunLost, lanesLost, SIGNATURE_REFUSED } from './start/fatal-halts.ts';
import { setLeverages } from './start/leverage.ts';
import { cancelFound, cancelIncomplete, resolveOrphanOrders } from './start/orphan-orders.ts';
import { readOtherJournals } from './start/other-journals.ts';
import { nameOpenByOtherWallets } from './start/other-wallets.ts';
import { earlierRecords, strategyStoreOf } from './start/previous-runs.ts';
import { notReconciled } from './start/reconciled-account.ts';
import { StartGate } from './start/start-gate.ts';
import { StartWrites } from './start/startup-writes.ts';
import { switchNotArmed } from './start/switch-refusals.ts';
import { explainPositions } from './start/unexplained-positions.ts';
import { waitFor } from './start/wait-for.ts';
import { GoneGrounds } from './watch/gone-grounds.ts';
import { firstGrantEnd, watchGrants } from './watch/grant-watch.ts';
import { watchHalts } from './watch/halt-watch.ts';
import { type HealthFiguresReader, watchHealth } from './watch/health-metrics.ts';
import { lookForOrders } from './watch/unknown-orders.ts';
import { type WriteCounts, zeroCounts } from './watch/write-counts.ts';

/** What a bot is started with. */
export interface LiveBotOptions extends Pick<BotOptions, 'collector'> {
  readonly config: Config;
  readonly environment: Environment;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
  readonly selection: AccountSelection;
  readonly wallets: readonly LoadedWallet[];
  readonly strategies: readonly PreparedStrategy[];
  /** Names the run: intent ids begin with it. */
  readonly runId: string;
  /** Names the bot: with environment and account it names the journal. */
  readonly instance: string;
  /** Name under which its journal was before; absent: the same. */
  readonly formerInstance?: string | undefined;
  /** Folder of the journals. */
  readonly journalFolder: string;
  /** Folder of the locks of nonce scopes; `undefined`: the user's own folder. */
  readonly lockFolder: string | undefined;
  /** Log position of each wallet's approval, by wallet name. */
  readonly approvedAtSeq: ReadonlyMap<string, bigint>;
  /** Absent: this machine. */
  readonly machine?: SimulatedMachine | undefined;
  /** A position that is of no strategy is accepted as nobody's, this once. */
  readonly acceptsDifference?: boolean | undefined;
  /** Keeps every raw frame, and the markets as the kernel sees them. */
  readonly recording?: RunRecording;
  /** Keeps what reaches the kernel and what it decides. */
  readonly keptLog?: KeptLog | undefined;
  /** Cancels what the run leaves when it does not end itself. */
  readonly guard?: RunGuard | undefined;
  /** Name by which commands reach the run; absent: they do not. */
  readonly reachedAs?: string | undefined;
  /** Sees each row of the journal that explains a decision. */
  readonly onAudit?: ((event: AuditEvent) => void) | undefined;
  /** The run must end: a bug, or a lane that is lost. */
  onHalt(why: string, code?: string): void;
}

/** A running bot. */
export interface LiveBot {
  readonly bot: Bot;
  readonly lanes: Lanes;
  readonly limits: RiskLimits;
  /** Writes of the run so far. */
  readonly counts: Readonly<WriteCounts>;
  readonly symbols: readonly MarketSymbol[];
  /** No new orders, everything canceled, no open orders, proven. The streams continue until {@link close}. */
  stop(reason: string): Promise<OpenOrdersProof>;
  /** Ends streams, journal and locks. */
  close(): Promise<void>;
}

const POLL_MS = 10;

/** Starts a bot: returns when strategies may quote. @throws BotError `PREFLIGHT_...`, ConfigError, with nothing left open. */
export async function startLiveBot(options: LiveBotOptions): Promise<LiveBot> {
  const { environment, selection, wallets, config } = options;
  const symbols = config.markets.map((market) => market.symbol);
  const markets = checkMarkets(environment, symbols);
  const signingAccountId = await checkAccount(environment, selection);
  const grants = [];
  for (const wallet of wallets)
    grants.push(
      await checkGrant(environment, selection, wallet, {
        signingAccountId,
        approvedAtSeq: options.approvedAtSeq.get(wallet.name),
        leftMsMin: config.risk.minGrantTimeLeft,
      }),
    );
  const start = new BotStart(options, { markets, signingAccountId, grants });
  try {
    return await Promise.race([start.run(), start.halted]);
  } catch (error) {
    await start.abandon();
    throw error;
  }
}

/** What preflight found. */
interface Checked {
  readonly markets: readonly Market[];
  readonly signingAccountId: number;
  readonly grants: readonly CheckedGrant[];
}

/** One start, so that what was opened can be closed wherever it fails. */
class BotStart {
  readonly #options: LiveBotOptions;
  readonly #checked: Checked;
  readonly #counts = zeroCounts();
  readonly #gate = new StartGate();
  readonly #risk: RiskGate;
  readonly #writes = new StartWrites();
  readonly #grounds = new GoneGrounds();
  /** Where all facts of the run go. */
  readonly #sink: FactSink;
  #bot: Bot | undefined;
  #made: Omit<LoggedBot, 'madeAt'> | undefined;
  #lanes: Lanes | undefined;
  #holdings: CarriedHoldingsKeeper | undefined;
  #stream: Stream | undefined;
  #environmentWatch: EnvironmentWatch | undefined;
  #grantUntilMs: number;
  #health: HealthFiguresReader | undefined;
  /** Ends what looks and listens beside the streams. */
  readonly #ends: (() => void)[] = [];
  #halt: BotError | undefined;
  #onHalted: (why: BotError) => void = () => undefined;
  /** Rejects when what no waiting fixes happens before strategies may quote. */
  readonly halted = new Promise<never>((_resolve, reject) => {
    this.#onHalted = reject;
  });

  constructor(options: LiveBotOptions, checked: Checked) {
    this.#options = options;
    this.#checked = checked;
    this.#grantUntilMs = firstGrantEnd(checked.grants);
    this.#risk = createRiskGate(limitsOf(options.config, options.environment.info.collateralDecimals));
    this.#sink = createFactRouter(
      liveListeners({
        ...{ clock: options.clock, recording: options.recording },
        ...{ counts: this.#counts, writes: this.#writes, gate: this.#gate },
        executor: () => this.#lanes?.executor,
        bot: () => this.#bot,
        suspectMarkets: () => this.#environmentWatch?.suspect(),
        lookForOrder: lookForOrders({ ...options, bot: () => this.#bot, stream: () => this.#stream }),
        keepHoldings: () => this.#holdings?.keep(),
        endOnLostLanes: (fact) => this.#endOnLostLanes(fact),
        endOnJournalFailure: () => this.#endOnJournalFailure(),
      }),
    );
  }

  async run(): Promise<LiveBot> {
    const { config, environment, selection } = this.#options;
    const records = earlierRecords(this.#options);
    // The scopes are locked first: orders of a bot that runs are not taken for found ones.
    const lanes = await this.#openLanes();
    nameOpenByOtherWallets(lanes, this.#options.log);
    const scopes = lanes.executor.lanes().map(({ scope }) => scope);
    const others = readOtherJournals({ ...this.#options, scopes });
    const found = await resolveOrphanOrders({
      ...{ environment, selection, clock: this.#options.clock },
      records: () => [...(records?.() ?? []), ...others()],
      policy: config.account.orphanOrders,
    });
    const bot = this.#makeBot(lanes);
    this.#options.machine?.onBot?.(bot, lanes.executor);
    this.#options.recording?.begin(this.#checked.markets, feedNamesOf(config));
    const { markets } = this.#checked;
    const onMarket = (market: Market): void => this.#sink({ type: 'MarketChanged', market });
    for (const market of markets) onMarket(market);
    // From now on, not from the first quote on: a start may be long.
    this.#environmentWatch = watchEnvironment({ ...this.#options, markets, onMarket });
    this.#ends.push(() => this.#environmentWatch?.end());
    must(this.#made, 'the bot').recallOwners(lanes.journal.placedOrders(), lanes.journal.carried());
    lanes.executor.reportOpen();
    this.#holdings = new CarriedHoldingsKeeper(lanes.journal, bot.account);
    this.#watchHealth();
    const stream = this.#openStream();
    stream.start();
    await this.#until(
      () => bot.account.sync.kind === 'synced',
      () => notReconciled(stream.state()),
    );
    // Before the first write, unless one of a previous run could still own a fill.
    const isOpen = bot.account.pendingWrites().length > 0;
    if (!isOpen) await this.#explain(bot, lanes);
    bot.start();
    await lanes.executor.start();
    await cancelFound(found, {
      log: this.#options.log,
      working: () => this.#symbols().flatMap((symbol) => bot.account.workingOrders(symbol)),
      send: (command) => lanes.executor.submitSafety(command),
      until: (holds) => this.#until(holds, cancelIncomplete),
    });
    await this.#until(
      () => lanes.executor.isArmed(1000),
      () => switchNotArmed(redReasons(bot.health()), this.#writes.lastEnds()),
    );
    if (isOpen) await this.#explain(bot, lanes);
    await setLeverages({
      ...{ config, lanes, bot, clock: this.#options.clock, budget: environment.gateway.budget },
      risk: must(this.#made, 'the bot').risk,
      nowMs: () => this.#serverNowMs(),
      writes: this.#writes,
    });
    await showCandleHistory(this.#options, this.#reading().candles, bot.sink);
    await this.#options.guard?.ready();
    this.#options.guard?.arm();
    this.#gate.open(bot.sink);
    this.#ends.push(
      watchHalts({ ...this.#options, file: config.file, name: this.#options.reachedAs }, bot),
      startConfiguredFeeds(this.#options, this.#sink),
      watchGrants({
        ...{ ...this.#options, grants: this.#checked.grants, leftMsMin: config.risk.minGrantTimeLeft },
        list: () => readAgents(environment.gateway.reader, this.#options.selection),
        onGrants: (grants) => {
          this.#grantUntilMs = firstGrantEnd(grants);
        },
        audit: lanes.journal.audit,
        serverNowMs: () => this.#serverNowMs(),
        onHalt: ({ code, reason }) => this.#options.onHalt(reason, code),
      }),
    );
    return this.#running(bot, lanes);
  }

  /** @throws BotError `PREFLIGHT_ORPHAN_POSITION`. */
  #explain({ account }: Bot, { journal }: Lanes): Promise<void> {
    return explainPositions({ ...this.#options, symbols: this.#symbols(), account, journal });
  }

  /** Takes everything back after a start that failed. */
  async abandon(): Promise<void> {
    for (const end of this.#ends) end();
    this.#lanes?.executor.dispose();
    this.#stream?.stop();
    this.#health?.stop();
    await this.#lanes?.close();
  }

  #running(bot: Bot, lanes: Lanes): LiveBot {
    return {
      bot,
      lanes,
      limits: this.#risk.limits,
      counts: this.#counts,
      symbols: this.#symbols(),
      stop: async (reason) => {
        await bot.stop(reason);
        return await lanes.executor.stop();
      },
      close: () => this.abandon(),
    };
  }

  async #openLanes(): Promise<Lanes> {
    const { config } = this.#options;
    this.#lanes = await openLanes({
      ...this.#options,
      signingAccountId: this.#checked.signingAccountId,
      journalReserveBytes: config.journal.minFreeDiskMb * 1024 * 1024,
      switch: { periodMs: config.deadMansSwitch.heartbeat, timeoutMs: config.deadMansSwitch.timeout },
      sink: this.#sink,
      onEpoch: (epoch) => this.#stream?.noteEpoch(epoch),
      health: () => redReasons(must(this.#bot, 'the bot').health()),
      onBug: (error) => this.#options.onHalt(`a bug in execution: ${String(error)}`),
    });
    return this.#lanes;
  }

  #makeBot(lanes: Lanes): Bot {
    const { config, strategies, wallets } = this.#options;
    const trading = wallets.find((wallet) => wallet.role === 'trading');
    const first = must(lanes.byWallet.get(trading?.name ?? ''), 'a wallet of role trading');
    const options: BotOptions = {
      ...this.#options,
      audit: { record: (event) => this.#audit(lanes, event) },
      risk: this.#risk,
      monitor: monitorLimitsOf(config, this.#risk.limits, {
        venue: 'exchange',
        collateralDecimals: this.#options.environment.info.collateralDecimals,
      }),
      venue: lanes.executor,
      reconcileQuotes: diffQuotes,
      store: this.#grounds.over(strategyStoreOf(this.#options, lanes.journal.path)),
      strategies: setupsOf(strategies, { byWallet: lanes.byWallet, first }),
      outsideInputs: () => must(this.#health, 'the inputs of the health').read(),
      serverNowMs: () => this.#serverNowMs(),
      operatorLane: first,
      proveNoOpenOrders: () => lanes.executor.stop(),
      onNoStrategyLeft: ({ code, message }) => this.#options.onHalt(message, code),
      onCrash: (thrown) => this.#options.onHalt(`a bug in the kernel: ${String(thrown)}`),
    };
    this.#made = makeBot(options, this.#options.keptLog);
    this.#bot = this.#made.bot;
    return this.#bot;
  }

  /** Keeps an audit event, and says a denial: what a strategy asked for and did not get. */
  #audit(lanes: Lanes, event: AuditEvent): void {
    lanes.journal.audit.record(event);
    this.#options.onAudit?.(event);
    if (event.type === 'IntentDenied') this.#options.log.debug('intent denied', event.fields);
  }

  #watchHealth(): void {
    const { clock, environment, config } = this.#options;
    this.#health = watchHealth({
      clock,
      environment,
      journal: () => this.#lanes?.journal,
      stream: () => this.#stream,
      recording: this.#options.recording,
      grantUntilMs: () => this.#grantUntilMs,
      switchTimeoutMs: config.deadMansSwitch.timeout,
      isOnVirtualTime: this.#options.machine !== undefined,
    });
  }

  #openStream(): Stream {
    const { environment, selection, clock, random, log, meter, recording } = this.#options;
    const { gateway, context } = environment;
    const { traded, market, unread } = this.#reading();
    this.#stream = createStream({
      ...{ clock, random, log, meter, sockets: gateway.sockets, history: gateway.history },
      effects: must(this.#holdings, 'the holdings').effects(),
      subscriptions: {
        selection,
        market: this.#options.machine?.subscriptions ?? market,
        unread,
      },
      traded,
      markets: context,
      sink: this.#sink,
      ...(recording === undefined ? {} : { tap: (text, atMs) => recording.tap(text, atMs) }),
      onPong: (pong) => gateway.serverClock.observe(pong),
      exchangeTime: gateway.serverClock,
      onUnfounded: (why, { fills }) => {
        this.#grounds.take(fills, must(this.#lanes, 'the lanes').journal.effects().fills);
        this.#end(historyContradicted(why), why);
      },
      quoteAgeMsMax: this.#options.machine?.quoteAgeMsMax ?? this.#risk.limits.dataAgeMsMax,
    });
    return this.#stream;
  }

  /** What no waiting fixes ends the run: a journal that failed, or no lane left that may write. */
  #endOnLostLanes({ code, reason }: Extract<Fact, { type: 'LaneHalted' }>): void {
    if (code === SIGNATURE_REFUSED) this.#environmentWatch?.suspect();
    const { wallets } = this.#options;
    const trading = wallets.filter(({ role }) => role === 'trading');
    const own = new Set(trading.map(({ name }) => this.#lanes?.byWallet.get(name)));
    if (!isRunLost(code, this.#lanes?.executor.lanes() ?? [], own)) return;
    this.#end(lanesLost(code, reason), reason);
  }

  /** A journal that failed takes nothing any more. With a red health no lane writes, so none would notice it. */
  #endOnJournalFailure(): void {
    const failure = this.#lanes?.journal.status().failure;
    if (failure !== undefined) this.#end(failure, failure.message);
  }

  #end(halt: BotError, reason: string): void {
    this.#halt ??= halt;
    this.#onHalted(this.#halt);
    this.#options.onHalt(`${halt.code}: ${reason}`, halt.code);
  }

  #symbols(): readonly MarketSymbol[] {
    return this.#checked.markets.map((market) => market.symbol);
  }

  #reading(): Reading {
    const { strategies, recording } = this.#options;
    return readingOf(this.#symbols(), strategies, recording !== undefined);
  }

  #serverNowMs(): UnixMs {
    return this.#options.environment.gateway.serverClock.serverNowMs();
  }

  /** Waits for a condition that facts bring about. */
  async #until(holds: () => boolean, late: () => BotError): Promise<void> {
    const { clock, environment } = this.#options;
    const look = (): boolean => {
      const isThere = holds();
      const failure = this.#halt ?? this.#lanes?.journal.status().failure;
      if (failure !== undefined && !isThere) throw failure;
      return isThere;
    };
    const ports = { clock, budget: environment.gateway.budget };
    if (!(await waitFor(ports, { holds: look, pollMs: POLL_MS }))) throw late();
  }
}
