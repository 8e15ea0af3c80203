/**
 * @module
 * Continuous controls (denials.md): what the account has done, not what an order would do. Fed with changes and looked
 * after at each guard tick; answers with trading states to set. Pure but for the windows it keeps. What this does not
 * do: canceling, stopping; the runtime carries verdicts out.
 */
import {
  type AccountChange,
  type AccountView,
  type MarketState,
  type MarketSymbol,
  notionalOf,
  type PositionMismatch,
  type Quantums,
  type Seq,
  type StrategyId,
} from '../../domain/index.ts';
import { money } from './check.ts';
import { LossMonitor } from './loss-monitor.ts';
import type { LossLimits, LossReaction } from './losses.ts';
import { MarketRefusals } from './market-refusals.ts';
import { type PositionControlLimits, PositionControls } from './position-controls.ts';
import { type QuotingLoopLimits, QuotingLoops, type SentWrite } from './quoting-loops.ts';
import type { TradingScope } from './trading-state.ts';
import type { Verdict } from './verdict.ts';

/** Limits of the continuous controls. */
export interface MonitorLimits extends PositionControlLimits, QuotingLoopLimits {
  /** M1: fills on one side, and notional traded, per market in {@link fillWindowMs}. */
  readonly fillsPerSideMax: number;
  readonly tradedNotionalMax: Quantums;
  readonly fillWindowMs: number;
  /** M3: how long the position may differ from the published one, and how long a changed one may wait to be published. */
  readonly mismatchMsMax: number;
  /** How long fills may differ from the published position, ms. */
  readonly unpublishedMsMax: number;
  /** M4: what the account may lose, what each market, and what single strategies. */
  readonly accountLosses: LossLimits;
  readonly marketLosses: LossLimits | undefined;
  readonly strategyLosses: ReadonlyMap<StrategyId, LossLimits>;
  readonly lossReaction: LossReaction;
  /** M5: business rejections of one strategy in {@link rejectWindowMs}, and how long it then pauses. */
  readonly rejectsMax: number;
  /** M5: orders that were rejected since they would have taken, as post-only orders must be, count too. */
  readonly isPostOnlyRejectCounted: boolean;
  readonly rejectWindowMs: number;
  readonly rejectPauseMs: number;
  /** M12: firings of the dead man's switch within {@link firingWindowMs}; more halt the account until a person resumes. */
  readonly switchFiringsMax: number;
  readonly firingWindowMs: number;
  /** M14: the fraction of a queue's capacity above which the health is red. */
  readonly maxQueueUtilization: number;
}

/** The default limits of the continuous controls for a capital in a collateral of so many decimals. */
export function monitorLimits(capital: Quantums, collateralDecimals: number): MonitorLimits {
  const share = (ppm: bigint) => ((capital * ppm) / 1_000_000n) as Quantums;
  return {
    fillsPerSideMax: 20,
    tradedNotionalMax: share(500_000n),
    fillWindowMs: 10_000,
    mismatchMsMax: 2_000,
    unpublishedMsMax: 10_000,
    accountLosses: { dailyMax: share(30_000n), drawdownMax: share(50_000n), minuteMax: share(10_000n) },
    marketLosses: undefined,
    strategyLosses: new Map(),
    lossReaction: { haltRatioPpm: undefined, cooldownMs: undefined, collateralDecimals },
    rejectsMax: 5,
    isPostOnlyRejectCounted: true,
    rejectWindowMs: 10_000,
    rejectPauseMs: 60_000,
    switchFiringsMax: 1,
    firingWindowMs: 3_600_000,
    maxQueueUtilization: 0.8,
    replacesPerSMax: 5,
    maxOrderToTradeRatio: 500,
    inventoryNotionalMax: share(400_000n),
    inventoryMsMax: 600_000,
    fundingMax: share(1_000n),
  };
}

interface FillMark {
  readonly atMs: number;
  readonly symbol: MarketSymbol;
  readonly isBuy: boolean;
  readonly notional: bigint;
}

/** The reason of the exchange for a post-only order that would have taken. */
const POST_ONLY_REJECTED = 'PostOnlyWouldCross';
/** A trigger that was confirmed late may fire after another of the same outage: together they count once. */
const OUTAGE_MS = 30_000;

/** The continuous controls of a run. */
export class RiskMonitor {
  readonly #limits: MonitorLimits;
  readonly #account: AccountView;
  readonly #markets: MarketState;
  #fills: FillMark[] = [];
  readonly #rejects = new Map<StrategyId, number[]>();
  readonly #pausedUntilMs = new Map<StrategyId, number>();
  readonly #mismatches = new Map<
    MarketSymbol,
    { readonly atMs: number; readonly unpublishedSince: Seq | undefined }
  >();
  readonly #haltedMarkets = new Set<MarketSymbol>();
  readonly #losses: LossMonitor;
  #firedAtMs: readonly number[] = [];
  readonly #positions: PositionControls;
  readonly #loops: QuotingLoops;
  readonly #refusals = new MarketRefusals();

  constructor(
    limits: MonitorLimits,
    sources: { readonly account: AccountView; readonly markets: MarketState },
  ) {
    this.#limits = limits;
    this.#account = sources.account;
    this.#markets = sources.markets;
    this.#positions = new PositionControls(limits, sources);
    this.#loops = new QuotingLoops(limits, sources.account);
    this.#losses = new LossMonitor(limits, sources);
  }

  /** Markets whose position differs from the published one for longer than allowed (H7). */
  get mismatchedMarkets(): readonly MarketSymbol[] {
    return [...this.#haltedMarkets];
  }

  /** Takes in what happened, and checks what must not wait. */
  observe(change: AccountChange, nowMs: number): readonly Verdict[] {
    this.#loops.observe(change, nowMs);
    switch (change.type) {
      case 'FillApplied':
        return this.#observeFill(change, nowMs);
      case 'OrderChanged':
        return change.status === 'rejected' ? this.#observeRejected(change, nowMs) : [];
      case 'AnomalySeen':
        return change.kind === 'switchFired' ? this.#observeFiring(nowMs) : anomalyVerdicts(change);
      default:
        return [];
    }
  }

  /** Takes in a write of ours, when the account knows of it. */
  sent(write: SentWrite, nowMs: number): void {
    this.#loops.sent(write, nowMs);
  }

  /** M4: what has been lost, by scope. */
  get losses(): LossMonitor {
    return this.#losses;
  }

  /** A person lets a scope continue: its losses, and firings of the switch, are counted from here. */
  rebase(scope: TradingScope): void {
    if (scope.kind === 'account') this.#firedAtMs = [];
    this.#losses.rebase(scope);
  }

  /** Looks after everything that depends on time: once a guard tick. */
  tick(nowMs: number): readonly Verdict[] {
    const verdicts: Verdict[] = [];
    this.#checkPositions(nowMs, verdicts);
    this.#losses.tick(nowMs, verdicts);
    this.#checkPauses(nowMs, verdicts);
    this.#refusals.tick(nowMs, verdicts);
    this.#positions.tick(nowMs, verdicts);
    this.#loops.tick(nowMs, verdicts);
    return verdicts;
  }

  /** M1: repeated automated execution. */
  #observeFill(change: Extract<AccountChange, { type: 'FillApplied' }>, nowMs: number): readonly Verdict[] {
    // What a restart shows again was executed in a previous run.
    if (this.#account.sync.kind === 'starting') return [];
    const { symbol, side, priceTicks, sizeLots } = change.fill;
    const market = this.#markets.get(symbol)?.market;
    if (market === undefined) return [];
    const { fillWindowMs, fillsPerSideMax, tradedNotionalMax } = this.#limits;
    this.#fills = this.#fills.filter((fill) => nowMs - fill.atMs < fillWindowMs);
    this.#fills.push({
      atMs: nowMs,
      symbol,
      isBuy: side === 'buy',
      notional: notionalOf(market, priceTicks, sizeLots),
    });
    const inMarket = this.#fills.filter((fill) => fill.symbol === symbol);
    const onSide = inMarket.filter((fill) => fill.isBuy === (side === 'buy')).length;
    const traded = inMarket.reduce((sum, fill) => sum + fill.notional, 0n);
    if (onSide <= fillsPerSideMax && traded <= tradedNotionalMax) return [];
    const reason = `${onSide} fills on one side, ${money(market, traded)} traded within ${fillWindowMs} ms`;
    return [halting('M1', { kind: 'market', symbol }, reason)];
  }

  /** What the state of its market explains is no fault of a strategy (M17); the rest is counted (M5). */
  #observeRejected(
    change: Extract<AccountChange, { type: 'OrderChanged' }>,
    nowMs: number,
  ): readonly Verdict[] {
    const { symbol, reason, strategyId } = change;
    const ofMarket = this.#refusals.observe(symbol, reason, nowMs);
    if (ofMarket !== undefined) return ofMarket;
    return strategyId === undefined || !this.#isCounted(change) ? [] : this.#observeReject(strategyId, nowMs);
  }

  /** M5: a post-only order that would take is what its maker asked for. */
  #isCounted({ reason }: Extract<AccountChange, { type: 'OrderChanged' }>): boolean {
    return this.#limits.isPostOnlyRejectCounted || reason !== POST_ONLY_REJECTED;
  }

  /** M5: reject rate. */
  #observeReject(strategyId: StrategyId, nowMs: number): readonly Verdict[] {
    const { rejectsMax, rejectWindowMs, rejectPauseMs } = this.#limits;
    const recent = (this.#rejects.get(strategyId) ?? []).filter((atMs) => nowMs - atMs < rejectWindowMs);
    recent.push(nowMs);
    this.#rejects.set(strategyId, recent);
    if (recent.length < rejectsMax) return [];
    this.#rejects.delete(strategyId);
    this.#pausedUntilMs.set(strategyId, nowMs + rejectPauseMs);
    const reason = `${recent.length} rejections within ${rejectWindowMs} ms`;
    return [halting('M5', { kind: 'strategy', strategyId }, reason)];
  }

  /** M12: the switch fired. What lets it fire again and again is not fixed by quoting on. */
  #observeFiring(nowMs: number): readonly Verdict[] {
    const { switchFiringsMax, firingWindowMs } = this.#limits;
    if (nowMs - (this.#firedAtMs.at(-1) ?? Number.NEGATIVE_INFINITY) < OUTAGE_MS) return [];
    this.#firedAtMs = [...this.#firedAtMs.filter((atMs) => nowMs - atMs < firingWindowMs), nowMs];
    const count = this.#firedAtMs.length;
    if (count <= switchFiringsMax) return [];
    const reason = `the dead man's switch fired ${count} times within ${firingWindowMs / 60_000} minutes`;
    return [halting('M12', { kind: 'account' }, reason)];
  }

  #checkPauses(nowMs: number, verdicts: Verdict[]): void {
    for (const [strategyId, untilMs] of this.#pausedUntilMs) {
      if (nowMs < untilMs) continue;
      this.#pausedUntilMs.delete(strategyId);
      verdicts.push(lettingGo('M5', { kind: 'strategy', strategyId }));
    }
  }

  /** M3: the position by fills against the published one. */
  #checkPositions(nowMs: number, verdicts: Verdict[]): void {
    const mismatches = this.#account.positionMismatches();
    if (mismatches.length === 0 && this.#mismatches.size === 0) return;
    for (const mismatch of mismatches) {
      const { symbol, unpublishedSince } = mismatch;
      const lastMs = nowMs - this.#mismatchSinceMs(mismatch, nowMs);
      const { mismatchMsMax, unpublishedMsMax } = this.#limits;
      const isLasting = lastMs > (unpublishedSince === undefined ? mismatchMsMax : unpublishedMsMax);
      if (!isLasting || this.#haltedMarkets.has(symbol)) continue;
      this.#haltedMarkets.add(symbol);
      verdicts.push(halting('M3', { kind: 'market', symbol }, mismatchReason(mismatch, lastMs)));
    }
    for (const symbol of [...this.#mismatches.keys()]) {
      if (mismatches.some((mismatch) => mismatch.symbol === symbol)) continue;
      this.#mismatches.delete(symbol);
      if (this.#haltedMarkets.delete(symbol)) verdicts.push(lettingGo('M3', { kind: 'market', symbol }));
    }
  }

  /** Since when it is the same difference: a fill that waits after one that was published since is another one. */
  #mismatchSinceMs({ symbol, unpublishedSince }: PositionMismatch, nowMs: number): number {
    const known = this.#mismatches.get(symbol);
    if (known !== undefined && known.unpublishedSince === unpublishedSince) return known.atMs;
    this.#mismatches.set(symbol, { atMs: nowMs, unpublishedSince });
    return nowMs;
  }
}

/** M2 and M10: fills without an own order, orders no command asked for. */
function anomalyVerdicts(change: Extract<AccountChange, { type: 'AnomalySeen' }>): readonly Verdict[] {
  switch (change.kind) {
    case 'fillWithoutOrder':
    case 'overfill': {
      const { kind, filled, detail } = change;
      const verdict = halting('M2', { kind: 'account' }, detail);
      const trading = { ...verdict.trading, grounds: filled && [{ kind, orderId: filled }] };
      return [{ ...verdict, trading }];
    }
    case 'positionUnsettled':
      if (change.symbol === undefined) return [];
      return [halting('M2', { kind: 'market', symbol: change.symbol }, change.detail)];
    case 'unknownOrder':
      return [halting('M10', { kind: 'account' }, change.detail)];
    default:
      return [];
  }
}

function mismatchReason(mismatch: PositionMismatch, lastMs: number): string {
  const { fillLots, publishedLots, unpublishedSince } = mismatch;
  const difference = `position by fills ${fillLots} lots, published ${publishedLots} lots for ${lastMs} ms`;
  return unpublishedSince === undefined ? difference : `${difference}: none since place ${unpublishedSince}`;
}

function halting(control: Verdict['control'], scope: TradingScope, reason: string): Verdict {
  return { control, scope, trading: { state: 'halted', reason: `${control}: ${reason}` }, isCanceling: true };
}

function lettingGo(control: Verdict['control'], scope: TradingScope): Verdict {
  return { control, scope, trading: { state: 'active', reason: '' }, isCanceling: false };
}
