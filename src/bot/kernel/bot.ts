/**
 * @module
 * The bot: one single-threaded kernel with all its parts joined. Facts go in through `sink`, approved commands come out
 * at the venue port, synchronously. The same bot runs live, on paper, in simulation and in backtests.
 *
 *   facts ─► turn ─► state ─► strategies ─► intents ─► order diff ─► risk ─► venue port
 *                     └─► monitors, lifecycle, audit           └─► denials back to strategies
 */
import { type Log, observedLog, type UnixMs } from '../../core/index.ts';
import {
  AccountState,
  type FactSink,
  type FactsSink,
  type Fill,
  type MarketSink,
  MarketState,
  type StrategyId,
} from '../../domain/index.ts';
import {
  RiskMonitor,
  type RiskView,
  type TradingScope,
  type TradingState,
  TradingStates,
} from '../risk/index.ts';
import { Recorder } from './audit-recorder.ts';
import type { BotOptions } from './bot-options.ts';
import { Canceler } from './canceler.ts';
import { TappedVenue } from './decisions.ts';
import { DenialQueue } from './denial-queue.ts';
import { Dispatcher } from './dispatch.ts';
import { Ending, type StopReport } from './ending.ts';
import { Flattener } from './flattener.ts';
import { GUARD_PERIOD_MS, Guard } from './guard.ts';
import { evaluateHealth, type Health, NOTHING_OUTSIDE } from './health.ts';
import { Inbox } from './inbox.ts';
import { IntentIds } from './intent-ids.ts';
import { IntentRouter } from './intent-router.ts';
import { KeptHalts } from './kept-halts.ts';
import { Kernel } from './kernel.ts';
import { type Instruction, KillSwitch, type WholeScope } from './kill-switch.ts';
import { Lifecycle } from './lifecycle.ts';
import { inMemoryStrategyStore, noStrategyLeft, type StrategyStore } from './ports.ts';
import { Scheduler } from './scheduler.ts';
import { type BotStatus, haltsOf, statusOf } from './status.ts';
import { StrategyHost, type StrategyHostEvents, type StrategySetup } from './strategy-host.ts';
import { RESTART_DELAYS_MS, StrategySupervisor } from './strategy-supervisor.ts';
import { Turn } from './turn.ts';
import { viewsOf } from './views.ts';

/** How many of the last fills the status shows. */
const RECENT_FILLS_MAX = 50;

/** A bot, as the composition root and the operator's tools see it. */
export interface Bot {
  /** Where all facts go. */
  readonly sink: FactSink;
  /** As `sink`, of several that come together. */
  readonly sinkAll: FactsSink;
  /** As `sink`, of what recorded markets are full of. */
  readonly marketSink: MarketSink;
  readonly account: AccountState;
  readonly markets: MarketState;
  /** Makes the strategies and waits for the account. @throws ConfigError for invalid parameters. */
  start(): void;
  /**
   * Ends the run: strategies stop, everything is canceled. Resolves with the proof that no order is open; without one when
   * nothing is out, or after `timeoutMs`.
   */
  stop(reason: string, timeoutMs?: number): Promise<StopReport>;
  /** The market has ended: strategies get their last call, and nothing that they ask for in it is taken in. */
  end(reason: string): void;
  status(): BotStatus;
  health(): Health;
  /** See {@link KillSwitch}. */
  setTrading(scope: TradingScope, state: TradingState, order: Instruction): void;
  /** Stops one strategy and cancels its orders. False: there is none of that name. */
  stopStrategy(strategyId: StrategyId, order: Instruction): boolean;
  halt(order: Instruction): void;
  /** Halts and closes the positions of the account or of one market. False: the run has no lane for it. */
  flatten(order: Instruction, scope?: WholeScope): boolean;
  /** Of the account unless a scope is named. */
  cancelAll(order: Instruction, scope?: TradingScope): void;
  /** Gives a running strategy new parameters; what is wrong with them otherwise. */
  setParameters(strategyId: StrategyId, raw: unknown, order: Instruction): readonly string[];
}

/** How long a stop waits until no order is open. */
const STOP_TIMEOUT_MS = 5_000;

/** A bot. Nothing happens before `start`. */
export function createBot(options: BotOptions): Bot {
  return new BotParts(options).bot();
}

/** The parts of one bot, joined. */
class BotParts {
  readonly #options: BotOptions;
  readonly #account = new AccountState();
  readonly #markets = new MarketState();
  readonly #trading = new TradingStates();
  /** What risk sees: one object, brought up to date with each look. No caller keeps it. */
  readonly #riskView = {
    nowMs: 0 as UnixMs,
    serverNowMs: 0 as UnixMs,
    account: this.#account,
    markets: this.#markets,
    trading: this.#trading,
  };
  readonly #hosts = new Map<StrategyId, StrategyHost>();
  readonly #recorder: Recorder;
  readonly #turn: Turn;
  readonly #kernel: Kernel;
  readonly #router: IntentRouter;
  readonly #denials: DenialQueue;
  readonly #supervisor: StrategySupervisor;
  readonly #lifecycle: Lifecycle;
  readonly #scheduler: Scheduler;
  readonly #monitor: RiskMonitor | undefined;
  readonly #keptHalts: KeptHalts;
  readonly #flattener: Flattener | undefined;
  readonly #guard: Guard;
  readonly #killSwitch: KillSwitch;
  readonly #ending: Ending;
  readonly #recentFills: { readonly fill: Fill; readonly strategyId: StrategyId | undefined }[] = [];
  #guardTimer: { cancel(): void } | undefined;
  #wakeAtMs: number | undefined;
  /** Ends a stop that is under way: after a crash no turn will. */
  #giveUp: (() => void) | undefined;

  constructor(options: BotOptions) {
    const { clock, log, meter, risk, decisions: tap } = options;
    const venue = tap === undefined ? options.venue : new TappedVenue(options.venue, tap);
    this.#options = options;
    const [account, markets, trading, hosts] = [this.#account, this.#markets, this.#trading, this.#hosts];
    const now = () => clock.nowMs();
    const intentIds = new IntentIds(options.runId);
    const nextIntentId = () => intentIds.next();
    const view = () => this.#view();
    const recorder = new Recorder(options.audit, clock, options.auditLevel ?? 'decisions');
    this.#recorder = recorder;
    this.#denials = new DenialQueue(recorder, tap, options.collector?.course);
    const canceler = new Canceler({ account, venue, recorder });
    const wake = (delayMs: number) => this.#wake(delayMs);
    const { reconcileQuotes } = options;
    const denials = this.#denials;
    const monotonicMs = () => clock.monotonicMs();
    const parts = { account, markets, risk, venue, reconcileQuotes, recorder, canceler, denials, tap };
    const { collector } = options;
    this.#router = new IntentRouter({ ...parts, collector, now, monotonicMs, view, intentIds, wake, hosts });
    this.#monitor = options.monitor && new RiskMonitor(options.monitor, { account, markets });
    const lane = options.operatorLane;
    const flattenerPorts = { account, markets, risk, venue, recorder, view, nextIntentId };
    this.#flattener = lane === undefined ? undefined : new Flattener({ ...flattenerPorts, lane });
    this.#scheduler = new Scheduler(clock, (fact) => this.#turn.take(fact));
    this.#lifecycle = new Lifecycle((change) => this.#kernel.onLifecycle(change));
    for (const setup of options.strategies) this.#host(setup);
    const store = options.store ?? inMemoryStrategyStore();
    this.#supervisor = this.#makeSupervisor(store);
    this.#keptHalts = new KeptHalts({ trading, losses: this.#monitor?.losses, store });
    this.#ending = new Ending({ account, canceler, clock, prove: options.proveNoOpenOrders });
    this.#kernel = new Kernel({
      ...{ account, markets, trading, risk, hosts, canceler, recorder, log, meter, now },
      collector,
      monitor: this.#monitor,
      dispatcher: new Dispatcher(hosts),
      router: this.#router,
      supervisor: this.#supervisor,
      lifecycle: this.#lifecycle,
      ending: this.#ending,
      serverNow: () => this.#serverNow(),
      onCrash: (thrown) => {
        options.onCrash?.(thrown);
        this.#giveUp?.();
      },
      onFill: (fill, strategyId) => this.#keepFill(fill, strategyId),
    });
    this.#observe();
    const [router, flattener] = [this.#router, this.#flattener];
    this.#killSwitch = new KillSwitch({
      account,
      trading,
      router,
      canceler,
      flattener,
      hosts,
      recorder,
      course: collector?.course,
      changed: () => this.#keptHalts.keep(now()),
      resumed: (scope) => this.#monitor?.rebase(scope),
    });
    this.#guard = new Guard({
      ...{ account, markets, risk, trading, canceler, flattener, now },
      monitor: this.#monitor,
      kernel: this.#kernel,
      lifecycle: this.#lifecycle,
      supervisor: this.#supervisor,
      keptHalts: this.#keptHalts,
    });
    this.#turn = new Turn(this.#kernel, {
      clock,
      isDeferred: options.isDeferred ?? false,
      inbox: new Inbox(options.inboxFactsMax),
    });
  }

  #observe(): void {
    const { collector, strategies } = this.#options;
    const [account, markets, hosts, denials] = [this.#account, this.#markets, this.#hosts, this.#denials];
    collector?.join({
      ...{ account, markets, denials: () => denials.count },
      strategies: [...hosts.keys()],
      symbols: strategies.flatMap(({ symbols }) => symbols),
      hosts: () =>
        Array.from(hosts.values(), ({ id, setup, handlerNames }) => ({
          ...{ id, symbols: setup.symbols, handlerNames },
        })),
    });
  }

  bot(): Bot {
    const kill = this.#killSwitch;
    return {
      sink: (fact) => this.#turn.take(fact),
      sinkAll: (facts, from, to) => this.#turn.takeAll(facts, from, to),
      marketSink: this.#turn,
      account: this.#account,
      markets: this.#markets,
      start: () => this.#start(),
      stop: (reason, timeoutMs = STOP_TIMEOUT_MS) => this.#stop(reason, timeoutMs),
      end: (reason) =>
        this.#turn.do(() => {
          this.#router.close();
          this.#supervisor.stop(reason);
        }),
      status: () => this.#status(),
      health: () => this.#health(),
      setTrading: (scope, state, order) => this.#turn.do(() => kill.setTrading(scope, state, order)),
      stopStrategy: (strategyId, order) => {
        this.#turn.do(() => kill.stopStrategy(strategyId, order));
        return this.#hosts.has(strategyId);
      },
      halt: (order) => this.#turn.do(() => kill.halt(order)),
      flatten: (order, scope) => {
        this.#turn.do(() => kill.flatten(order, scope));
        return this.#flattener !== undefined;
      },
      cancelAll: (order, scope) => this.#turn.do(() => kill.cancelAll(order, scope)),
      setParameters: (strategyId, raw, order) => this.#setParameters(strategyId, raw, order),
    };
  }

  #start(): void {
    this.#supervisor.create();
    this.#lifecycle.begin();
    const { clock, risk } = this.#options;
    const scopes = { strategies: this.#hosts, symbols: risk.limits.allowedSymbols };
    const held = this.#keptHalts.load(scopes, clock.nowMs());
    this.#guard.begin();
    this.#guardTimer = clock.every(GUARD_PERIOD_MS, () => this.#lookAfter());
    this.#turn.do(() => {
      this.#kernel.apply(held);
      this.#kernel.review();
      this.#kernel.gaps.begin();
    });
  }

  #lookAfter(): void {
    this.#turn.do(() => {
      this.#guard.look();
      this.#turn.inbox.beginPeak();
      this.#options.meter.gauge('inbox_depth_peak', this.#turn.inbox.depth.size);
    });
  }

  #stop(reason: string, timeoutMs: number): Promise<StopReport> {
    return new Promise((resolve) => {
      this.#giveUp = () => resolve(this.#ending.report());
      if (this.#turn.isCrashed) this.#giveUp();
      this.#turn.do(() => {
        this.#lifecycle.stop(reason);
        this.#supervisor.stop(reason);
        this.#keptHalts.save(this.#options.clock.nowMs());
        this.#router.flush();
        this.#router.close();
        this.#scheduler.clear();
        const done = (report: StopReport, why: string): void => {
          this.#guardTimer?.cancel();
          this.#lifecycle.end(why);
          this.#kernel.gaps.end();
          this.#recorder.record('RunStopped', { ...report, why });
          resolve(report);
        };
        const proof = this.#ending.begin({ reason, timeoutMs, done });
        proof?.catch((thrown: unknown) => this.#kernel.crashed(thrown));
      });
    });
  }

  #host(setup: StrategySetup): void {
    // Part of what its context shows.
    Object.freeze(setup.symbols);
    const { clock, risk } = this.#options;
    const hostLog = this.#logOf(setup.id);
    const views = viewsOf(setup, {
      markets: this.#markets,
      account: this.#account,
      clock,
      risk,
      log: hostLog,
    });
    const events: StrategyHostEvents = { ended: (host, end) => this.#supervisor.ended(host, end) };
    this.#hosts.set(setup.id, new StrategyHost(setup, { views, log: hostLog, events }));
  }

  /** The log of a strategy, of which the observer keeps what people ask for. */
  #logOf(id: StrategyId): Log {
    const { log, collector } = this.#options;
    return observedLog(log.child({ strategy: id }), (level, message, fields) =>
      collector?.course.log(id, level, message, fields),
    );
  }

  #makeSupervisor(store: StrategyStore): StrategySupervisor {
    const { clock, log, meter, random, restartDelaysMs, collector, decisions: tap } = this.#options;
    return new StrategySupervisor({
      ...{ hosts: this.#hosts, account: this.#account, router: this.#router, scheduler: this.#scheduler },
      ...{ store, clock, log, meter, tap, recorder: this.#recorder },
      asked: () => this.#kernel.touch(),
      restartDelaysMs: restartDelaysMs ?? RESTART_DELAYS_MS,
      noneLeft: (why) => {
        const left = noStrategyLeft(why);
        this.#lifecycle.reason('strategies', left.message);
        this.#options.onNoStrategyLeft?.(left);
      },
      course: collector?.course,
      do: (task) => this.#turn.do(task),
      contextPorts: (host) => ({
        account: this.#account,
        markets: this.#markets,
        scheduler: this.#scheduler,
        random: random.fork(host.id),
        log: this.#logOf(host.id),
        now: () => clock.nowMs(),
        intents: this.#router,
        stopLater: (asking, instanceId, reason) => this.#kernel.stopLater(asking, instanceId, reason),
      }),
    });
  }

  #setParameters(strategyId: StrategyId, raw: unknown, order: Instruction): readonly string[] {
    const host = this.#hosts.get(strategyId);
    if (host === undefined) return [`no strategy ${strategyId}`];
    let problems: readonly string[] = [];
    this.#turn.do(() => {
      const before = host.parameters;
      problems = host.setParameters(raw);
      const { actor, reason } = order;
      this.#recorder.record('ParametersChanged', {
        strategy: strategyId,
        actor,
        reason,
        before,
        after: raw,
        problems,
      });
    });
    return problems;
  }

  /** A turn after `delayMs`, to send what the write budget holds back; one at a time, the earliest. */
  #wake(delayMs: number): void {
    const atMs = this.#options.clock.monotonicMs() + delayMs;
    if (this.#wakeAtMs !== undefined && this.#wakeAtMs <= atMs) return;
    this.#wakeAtMs = atMs;
    this.#options.clock.after(delayMs, () => {
      if (this.#wakeAtMs === atMs) this.#wakeAtMs = undefined;
      this.#turn.do(() => this.#router.woke());
    });
  }

  #serverNow(): UnixMs {
    return this.#options.serverNowMs?.() ?? this.#options.clock.nowMs();
  }

  #view(): RiskView {
    const nowMs = this.#options.clock.nowMs();
    const view = this.#riskView;
    view.nowMs = nowMs;
    view.serverNowMs = this.#options.serverNowMs?.() ?? nowMs;
    return view;
  }

  #keepFill(fill: Fill, strategyId: StrategyId | undefined): void {
    this.#recentFills.unshift({ fill, strategyId });
    if (this.#recentFills.length > RECENT_FILLS_MAX) this.#recentFills.pop();
  }

  #health(): Health {
    const nowMs = this.#options.clock.nowMs();
    const oldest = this.#account.pendingWrites()[0];
    const ownersWithoutPulse = Array.from(this.#hosts.values())
      .filter((host) => host.state === 'failed')
      .filter(
        (host) =>
          this.#supervisor.isNoneLeft ||
          host.setup.symbols.some((symbol) => this.#account.workingOrders(symbol, host.id).length > 0),
      )
      .map((host) => host.id);
    const outside = this.#options.outsideInputs?.() ?? NOTHING_OUTSIDE;
    return evaluateHealth({
      ...outside,
      queues: [{ name: 'inbox', ...this.#turn.inbox.depth }, ...outside.queues],
      maxQueueUtilization: this.#options.monitor?.maxQueueUtilization ?? 1,
      // Writes carry the exchange's time; this machine's clock may be wrong.
      unresolvedWriteMs: oldest === undefined ? 0 : this.#serverNow() - oldest.sentAtMs,
      riskTickAgeMs: nowMs - this.#guard.lookedAtMs,
      ownersWithoutPulse,
      mismatchedMarkets: this.#monitor?.mismatchedMarkets ?? [],
      halts: haltsOf(this.#trading).map(({ control, scope }) => `${scope} by ${control}`),
    });
  }

  #status(): BotStatus {
    return statusOf({
      runId: this.#options.runId,
      account: this.#account,
      markets: this.#markets,
      trading: this.#trading,
      limits: this.#options.risk.limits,
      losses: this.#monitor?.losses,
      hosts: this.#hosts,
      gaps: this.#kernel.gaps.gaps(),
      health: this.#health(),
      state: this.#lifecycle.state,
      reasons: this.#lifecycle.reasons,
      recentFills: this.#recentFills,
      denials: this.#denials.count,
      facts: this.#recorder.factCount,
      nowMs: this.#options.clock.nowMs(),
      serverNowMs: this.#serverNow(),
    });
  }
}
