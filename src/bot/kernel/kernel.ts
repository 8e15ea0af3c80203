/**
 * @module
 * What one turn does: update state first, then notify strategies, then route what they asked for (path of a frame, step 7). Also
 * the reasons for which the run is ready or degraded, and what follows from a change of that.
 */
import { type Log, type Metrics, messageOf, stackOf, type UnixMs } from '../../core/index.ts';
import {
  type AccountChange,
  type AccountState,
  type Book,
  type Fact,
  type Fill,
  formatSize,
  isOver,
  isTradable,
  type MarketState,
  type MarketSymbol,
  type StrategyId,
  type Trade,
} from '../../domain/index.ts';
import type { RiskGate, RiskMonitor, TradingStates, Verdict } from '../risk/index.ts';
import { type Recorder, recordChange, recordWrite } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import type { Dispatcher } from './dispatch.ts';
import type { Ending } from './ending.ts';
import { GapWatch } from './gap-watch.ts';
import { HaltedLanes } from './halted-lanes.ts';
import type { IntentRouter } from './intent-router.ts';
import type { Lifecycle } from './lifecycle.ts';
import { heldOf, type RunObserver } from './ports.ts';
import type { StrategyHost } from './strategy-host.ts';
import type { StrategySupervisor } from './strategy-supervisor.ts';
import type { TurnWork } from './turn.ts';

/** The parts a kernel joins. */
export interface KernelParts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly trading: TradingStates;
  readonly risk: RiskGate;
  /** The continuous controls; `undefined`: the run has none. */
  readonly monitor: RiskMonitor | undefined;
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly dispatcher: Dispatcher;
  readonly router: IntentRouter;
  readonly canceler: Canceler;
  readonly supervisor: StrategySupervisor;
  readonly lifecycle: Lifecycle;
  readonly ending: Ending;
  readonly recorder: Recorder;
  /** Collects what reports need; `undefined`: no report. */
  readonly collector: RunObserver | undefined;
  readonly log: Log;
  readonly meter: Metrics;
  /** The local time, Unix ms. */
  now(): UnixMs;
  /** The exchange's time, Unix ms. */
  serverNow(): UnixMs;
  /** Called with what a defect of ballast threw. */
  onCrash(thrown: unknown): void;
  /** A fill was applied; newest of all. */
  onFill(fill: Fill, strategyId: StrategyId | undefined): void;
}

/** See the module. */
export class Kernel implements TurnWork {
  /** Why sides have no orders. */
  readonly gaps: GapWatch;
  readonly #parts: KernelParts;
  /** Parts that every row of a market and every fact about the account needs. */
  readonly #recorder: Recorder;
  readonly #markets: MarketState;
  readonly #dispatcher: Dispatcher;
  readonly #router: IntentRouter;
  readonly #ending: Ending;
  readonly #account: AccountState;
  readonly #canceler: Canceler;
  readonly #lifecycle: Lifecycle;
  readonly #collector: RunObserver | undefined;
  readonly #isSwitchRequired: boolean;
  readonly #haltedLanes: HaltedLanes;
  readonly #staleMarkets = new Map<MarketSymbol, { readonly sinceMs: number; readonly reason: string }>();
  readonly #stops: { readonly host: StrategyHost; readonly instanceId: number; readonly reason: string }[] =
    [];
  #isStartDue = false;
  /** Something is to be carried out beside what the router was asked for: a state of the run, a cancel, a stop. */
  #isTouched = true;
  #degradedSinceMs: number | undefined;
  /** The state of the account's sync that {@link review} has seen. */
  #reviewedSync: AccountState['sync'] | undefined;
  readonly #onChange = (change: AccountChange): void => this.#changed(change);

  constructor(parts: KernelParts) {
    this.#parts = parts;
    this.#recorder = parts.recorder;
    this.#markets = parts.markets;
    this.#dispatcher = parts.dispatcher;
    this.#router = parts.router;
    this.#ending = parts.ending;
    this.#account = parts.account;
    this.#canceler = parts.canceler;
    this.#lifecycle = parts.lifecycle;
    this.#collector = parts.collector;
    this.#haltedLanes = new HaltedLanes(parts);
    const { isSwitchRequired, dataAgeMsMax } = parts.risk.limits;
    this.#isSwitchRequired = isSwitchRequired;
    const [staleMarkets, course] = [this.#staleMarkets, parts.collector?.course];
    this.gaps = new GapWatch({ ...parts, staleMarkets, dataAgeMsMax, course, now: () => parts.now() });
  }

  /** Markets whose data is not trusted, with the time since when. */
  get staleMarkets(): ReadonlyMap<MarketSymbol, { readonly sinceMs: number }> {
    return this.#staleMarkets;
  }

  /** Since when the run is degraded. */
  get degradedSinceMs(): number | undefined {
    return this.#degradedSinceMs;
  }

  take(fact: Fact): void {
    // Read once: facts are of many kinds, and what is the same property of all is looked for in each.
    const { type } = fact;
    if (type === 'BookUpdated') {
      this.takeBook(fact.book);
      return;
    }
    this.#recorder.countFact();
    switch (type) {
      case 'BboUpdated':
        this.#markets.fold(fact);
        this.#refresh(fact.bbo.symbol);
        this.#dispatcher.fact(fact);
        return;
      case 'TradePrinted':
      case 'PricesUpdated':
      case 'CandleUpdated':
      case 'FundingSettled':
        this.#markets.fold(fact);
        this.#dispatcher.fact(fact);
        return;
      case 'TimerFired':
      case 'EquityMarked':
        this.#dispatcher.fact(fact);
        return;
      case 'EpochChanged':
        this.#collector?.leaveEpoch();
        break;
      default:
    }
    this.#takeAccount(fact);
    if (this.#canceler.isAsked || !this.#lifecycle.isSettled(this.#account.hasQuotes)) this.#isTouched = true;
  }

  takeBook(book: Book): void {
    this.#recorder.countFact();
    this.#markets.foldBook(book);
    this.#refresh(book.symbol);
    this.#dispatcher.book(book);
  }

  takeTrade(trade: Trade): void {
    this.#recorder.countFact();
    this.#markets.foldTrade(trade);
    this.#dispatcher.trade(trade);
  }

  isSettled(): boolean {
    return !this.#isTouched && !this.#router.isAsked && !this.#ending.isWaiting && !this.gaps.isDue;
  }

  touch(): void {
    this.gaps.touchAll();
    this.#isTouched = true;
  }

  settle(): boolean {
    const hasMore = this.#carryOut();
    this.#ending.look();
    if (!hasMore && this.gaps.isDue) this.gaps.settle();
    return hasMore;
  }

  #carryOut(): boolean {
    if (!this.#isTouched && !this.#router.isAsked) return false;
    this.#lifecycle.settle(this.#account.hasQuotes);
    const isStarting = this.#isStartDue;
    if (isStarting) {
      this.#isStartDue = false;
      this.#collector?.begin();
      this.#parts.supervisor.start();
    }
    const { messages } = this.#parts.supervisor;
    messages.deliver();
    const hasStops = this.#stops.length > 0;
    if (hasStops)
      for (const { host, instanceId, reason } of this.#stops.splice(0))
        if (host.instanceId === instanceId) host.stop(reason);
    this.#isTouched = isStarting || hasStops;
    if (this.#router.isAsked || this.#canceler.isAsked) this.#router.flush();
    // What was sent has changed what is out: one more look, where the run is in another state by that.
    if (!this.#lifecycle.isSettled(this.#account.hasQuotes)) this.#isTouched = true;
    const hasMore = isStarting || hasStops || messages.isWaiting;
    if (!hasMore) messages.settled();
    return hasMore;
  }

  overflowed(): void {
    this.#isTouched = true;
    this.#parts.meter.count('inbox_overflow_total');
    this.#parts.recorder.record('InboxOverflowed', {});
    this.#parts.log.error('facts about own orders came faster than they could be handled');
    this.#parts.lifecycle.reason('inbox', 'the bot cannot keep up with its own orders and fills');
  }

  crashed(thrown: unknown): void {
    const { log, lifecycle, canceler, recorder, onCrash } = this.#parts;
    log.error(`the run stops: ${messageOf(thrown)}`, { stack: stackOf(thrown) });
    recorder.record('KernelCrashed', { what: messageOf(thrown) });
    lifecycle.stop(`crashed: ${messageOf(thrown)}`);
    try {
      canceler.send({ kind: 'cancelAll' }, 'the kernel crashed');
    } catch (second) {
      log.error(`cancel-all after the crash failed too: ${messageOf(second)}`);
    }
    onCrash(thrown);
  }

  /** A strategy asked to be stopped; done when its handler has returned. */
  stopLater(host: StrategyHost, instanceId: number, reason: string): void {
    this.#stops.push({ host, instanceId, reason });
    this.#isTouched = true;
  }

  /** Marks a market as not to be trusted, and pulls its quotes. */
  degradeMarket(symbol: MarketSymbol, reason: string): void {
    if (this.#staleMarkets.has(symbol)) return;
    this.#staleMarkets.set(symbol, { sinceMs: this.#parts.now(), reason });
    this.#parts.recorder.record('MarketDegraded', { symbol, reason });
    this.#parts.router.pull(symbol, reason);
    this.#parts.dispatcher.toTraders(symbol, 'onDegraded', { symbol, reason });
  }

  /** Carries out verdicts of the continuous controls. */
  apply(verdicts: readonly Verdict[]): void {
    const { trading, recorder, log } = this.#parts;
    for (const { control, scope, trading: decided, isCanceling } of verdicts) {
      const before = trading.ofScope(scope);
      // A control that finds the same again, with other values, is no news.
      if (!trading.set(scope, control, decided)) continue;
      this.gaps.touchAll();
      const { state, reason } = decided;
      recorder.record('TradingStateChanged', { control, scope, state, reason });
      this.#collector?.course.trading({ control, state, ...heldOf(scope) });
      if (decided.state !== 'active') log.warn(`${control}: trading is ${decided.state}: ${decided.reason}`);
      const isStricter = before.state !== decided.state && decided.state !== 'active';
      if (isCanceling && isStricter) this.#clearScope(scope, decided.reason);
      // Its quotes were pulled: without a word its strategies would wait for the next book.
      if (
        control === 'M17' &&
        state === 'active' &&
        scope.kind === 'market' &&
        !this.#staleMarkets.has(scope.symbol)
      )
        this.#parts.dispatcher.toTraders(scope.symbol, 'onResumed', scope.symbol);
    }
  }

  /** Looks at what makes the run ready or not. */
  review(): void {
    const { sync } = this.#account;
    if (sync !== this.#reviewedSync) {
      this.#reviewedSync = sync;
      this.#lifecycle.reason(
        'account',
        sync.kind === 'synced'
          ? undefined
          : `account: ${sync.kind === 'starting' ? 'no complete state yet' : sync.reason}`,
      );
    }
    if (this.#isSwitchRequired) this.#lifecycle.reason('switch', this.#switchProblem());
  }

  /** What follows from a change of the run's state. */
  onLifecycle(change: { readonly from: string; readonly to: string; readonly reason: string }): void {
    const { recorder, log, router, dispatcher, now } = this.#parts;
    recorder.record('LifecycleChanged', change);
    this.gaps.touchAll();
    log.info(`run is ${change.to}: ${change.reason}`);
    if (change.from === 'reconciling' && change.to === 'armed') this.#isStartDue = true;
    if (change.to === 'degraded') {
      this.#degradedSinceMs = now();
      router.pull(undefined, change.reason);
      dispatcher.toTraders(undefined, 'onDegraded', { symbol: undefined, reason: change.reason });
    }
    if (change.from !== 'degraded') return;
    this.#degradedSinceMs = undefined;
    if (change.to !== 'armed' && change.to !== 'quoting') return;
    // A strategy whose lane has halted stays degraded.
    for (const host of this.#parts.hosts.values())
      if (!this.#haltedLanes.has(host.setup.lane)) host.call('onResumed', undefined);
  }

  #takeAccount(fact: Fact): void {
    const account = this.#account;
    if (this.#recorder.hasInputs) this.#recorder.record('FactTaken', { fact: fact.type });
    account.fold(fact);
    if (this.#recorder.isOn) recordWrite(this.#recorder, fact);
    switch (fact.type) {
      case 'WriteSent':
        this.#collector?.observe(fact);
        this.#parts.monitor?.sent(fact, this.#parts.now());
        return;
      case 'LaneReady':
        this.#haltedLanes.free(fact.lane);
        return;
      case 'OrderAccepted':
      case 'WriteResolved':
      case 'AccountSynced':
        this.#collector?.observe(fact);
        account.drainChanges(this.#onChange);
        break;
      case 'MarketChanged':
        this.#markets.fold(fact);
        if (isTradable(fact.market)) this.#refresh(fact.market.symbol);
        else this.degradeMarket(fact.market.symbol, `market ${fact.market.symbol} is ${fact.market.status}`);
        return;
      case 'MarketStale':
        this.#markets.fold(fact);
        this.degradeMarket(fact.symbol, fact.reason);
        return;
      case 'LaneHalted':
        this.#haltedLanes.halt(fact.lane, `${fact.code}: ${fact.reason}`);
        return;
      case 'AccountUpdated':
      case 'FeedReceived':
        account.drainChanges(this.#onChange);
        this.#dispatcher.fact(fact);
        break;
      case 'SwitchFired':
        account.drainChanges(this.#onChange);
        this.#reportBarePositions();
        break;
      case 'EpochChanged':
        account.drainChanges(this.#onChange);
        this.#parts.monitor?.losses.carryOver();
        this.#beginEpoch(fact.epoch);
        break;
      // All else is reported as what it has changed.
      default:
        account.drainChanges(this.#onChange);
    }
    this.review();
  }

  /**
   * Orders of the ledger before may rest in the new one and belong to no strategy there: they go before anything is quoted.
   * Before the first quote of a run the start-up check has checked them.
   */
  #beginEpoch(epoch: string): void {
    const { lifecycle, router, canceler } = this.#parts;
    if (!lifecycle.wasArmed || lifecycle.isEnding) return;
    const why = `the exchange began a new ledger: epoch ${epoch}`;
    router.pull(undefined, why);
    canceler.beginEpoch(why);
  }

  /** The switch has taken every order away, protective ones too: a position is reported to the operator (obligation O84). */
  #reportBarePositions(): void {
    const { account, markets, log, recorder } = this.#parts;
    for (const symbol of markets.symbols()) {
      const held = account.positionLots(symbol);
      const market = markets.get(symbol)?.market;
      if (held === 0 || market === undefined) continue;
      const position = formatSize(market, held);
      log.error('the switch fired and a position is open without orders', { symbol, position });
      recorder.record('PositionBare', { symbol, position });
    }
  }

  #changed(change: AccountChange): void {
    const { monitor } = this.#parts;
    this.#collector?.change(change);
    const { type } = change;
    if (type === 'OrderChanged') this.#follow(change);
    else if (type === 'FillApplied') this.#parts.onFill(change.fill, change.strategyId);
    else if (type === 'PositionSettled') this.#parts.log.info('an inventory was settled', { ...change });
    if (this.#recorder.isOn) recordChange(this.#recorder, change);
    if (monitor !== undefined) this.apply(monitor.observe(change, this.#parts.now()));
    this.#dispatcher.change(change);
  }

  /** Keeps cancels and single orders in step with the outcome of orders. */
  #follow(change: Extract<AccountChange, { type: 'OrderChanged' }>): void {
    const canceler = this.#canceler;
    const { status, intentId, orderId, symbol, strategyId } = change;
    const owner = this.#dispatcher.hostOf(strategyId);
    if (owner !== undefined) this.#router.quoteState(owner, symbol)?.follow(change);
    if (status === 'working' && orderId !== undefined) {
      canceler.onWorking(intentId, symbol, orderId);
      const isOrphan = owner?.state === 'failed' || owner?.state === 'stopped';
      if (isOrphan) canceler.cancel({ symbol, orderId }, `strategy ${owner.id} is ${owner.state}`);
    } else if (status === 'cancelRejected') canceler.onCancelRejected(orderId);
    else if (isOver(status) && change.proof?.by !== 'refusal') {
      this.#router.onEnded(intentId);
      canceler.onEnded(intentId, orderId);
    }
  }

  #refresh(symbol: MarketSymbol): void {
    if (this.gaps.isWaitingForData) this.gaps.touchMarket(symbol);
    if (this.#staleMarkets.size === 0) return;
    const record = this.#parts.markets.get(symbol);
    if (record?.staleReason !== undefined || (record?.market !== undefined && !isTradable(record.market)))
      return;
    if (!this.#staleMarkets.delete(symbol)) return;
    this.#parts.recorder.record('MarketResumed', { symbol });
    this.#parts.dispatcher.toTraders(symbol, 'onResumed', symbol);
  }

  #clearScope(scope: Verdict['scope'], reason: string): void {
    const { router, canceler, hosts } = this.#parts;
    switch (scope.kind) {
      case 'account':
        router.pull(undefined, reason);
        canceler.send({ kind: 'cancelAll' }, reason);
        break;
      case 'market':
        router.pull(scope.symbol, reason);
        break;
      case 'strategy': {
        const host = hosts.get(scope.strategyId);
        if (host !== undefined) router.cancelAll(host, reason);
      }
    }
  }

  #switchProblem(): string | undefined {
    const { account, risk } = this.#parts;
    if (account.switchHeldReasons.length > 0)
      return `switch held back: ${account.switchHeldReasons.join(', ')}`;
    const { armedUntilMs } = account;
    if (armedUntilMs === undefined) return 'the switch is not armed';
    const leftMs = armedUntilMs - this.#parts.serverNow();
    return leftMs >= risk.limits.switchRemainingMsMin ? undefined : `the switch fires in ${leftMs} ms`;
  }
}
