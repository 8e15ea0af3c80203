/**
 * @module
 * The gate: which intents may leave, and why the others are denied. Pure and synchronous but for the write budget,
 * which is a matter of time. Everything that leaves is an `Approved` command, made here and nowhere else (rule R9).
 *
 *   request ──► write budget (P11) ──► each order by all checks ──► approved command without its denied orders
 *                                                              └──► denials
 *
 * Cancels inside a replace are never denied: an order that may not be placed is left out, what it was to replace still
 * goes. What this does not do: routing, queueing, asking again.
 */
import { added, assert } from '../../core/index.ts';
import {
  type Approved,
  approve,
  type Denial,
  type LaneId,
  type MarketSymbol,
  type OrderRef,
  type OrderSpec,
  type RoutedCommand,
  type SetLeverage,
  type StrategyId,
  type TradingCommand,
} from '../../domain/index.ts';
import type { OrderCheck } from './check.ts';
import { ORDER_CHECKS } from './checks/index.ts';
import { DENIAL_CODES, type DenialCode } from './codes.ts';
import { Headroom, SUM_CHECKS } from './headroom.ts';
import { type RiskLimits, type WholeLimits, wholeLimits } from './limits.ts';
import { RateLimiter } from './rate-limiter.ts';
import { type Refusal, ReviewContext } from './review-context.ts';
import type { RiskRequest, RiskView } from './view.ts';

const NO_CANCELS: readonly OrderRef[] = [];
const NONE_DENIED: readonly Denial[] = [];
const NONE_APPROVED: readonly Approved<RoutedCommand<TradingCommand>>[] = [];

/** The most orders one review looks at: a flood is denied whole before it costs time. */
const REVIEW_ORDERS_MAX = 1_000;

/** The result of a review. A replace without orders left is approved for its cancels. */
export interface Review {
  /** Approved commands in order. */
  readonly approved: readonly Approved<RoutedCommand<TradingCommand>>[];
  readonly denied: readonly Denial[];
}

/** Decides which commands may leave. */
export interface RiskGate {
  readonly limits: RiskLimits;
  /** Checks commands in order, each with all earlier ones counted. */
  review(requests: readonly RiskRequest[], view: RiskView): Review;
  /** How long a write would have to wait for the write budget (P11) and the pace of its strategy (M8); 0: it may go now. */
  waitMs(lane: LaneId, strategyId: StrategyId, view: Pick<RiskView, 'nowMs' | 'trading'>): number;
}

/** A gate with `limits`. `checks` are all of them but in tests of the gate itself. */
export function createRiskGate(limits: RiskLimits, checks: readonly OrderCheck[] = ORDER_CHECKS): RiskGate {
  return new Gate(limits, checks);
}

class Gate implements RiskGate {
  readonly limits: RiskLimits;
  readonly #checks: readonly OrderCheck[];
  readonly #throttle: RateLimiter;
  readonly #wholeLimits: WholeLimits;
  readonly #headroom: Headroom;
  /** From here on there are only checks of sums, which need not be asked of an order that is far from all limits. */
  readonly #sumsFrom: number;
  /** That of the last review: the next one uses it again. */
  #scene: ReviewContext | undefined;
  /** Of the review under way. */
  #denied = NONE_DENIED;

  constructor(limits: RiskLimits, checks: readonly OrderCheck[]) {
    this.limits = limits;
    this.#checks = checks;
    this.#throttle = new RateLimiter(limits);
    this.#wholeLimits = wholeLimits(limits);
    this.#headroom = new Headroom(this.#wholeLimits);
    this.#sumsFrom = checks.findLastIndex((check) => !SUM_CHECKS.includes(check)) + 1;
  }

  waitMs(
    lane: LaneId,
    strategyId: StrategyId,
    { nowMs, trading }: Pick<RiskView, 'nowMs' | 'trading'>,
  ): number {
    return this.#throttle.writer(lane, strategyId, nowMs).waitMs(nowMs, trading.isSlowed(strategyId));
  }

  review(requests: readonly RiskRequest[], view: RiskView): Review {
    this.#scene ??= new ReviewContext(this.#wholeLimits, view);
    this.#scene.open(view);
    let approved = NONE_APPROVED;
    this.#denied = NONE_DENIED;
    for (const request of requests) {
      const command = this.#reviewOne(request, this.#scene);
      if (command !== undefined) approved = added(approved, approve({ lane: request.lane, command }));
    }
    return { approved, denied: this.#denied };
  }

  #reviewOne(request: RiskRequest, scene: ReviewContext): TradingCommand | undefined {
    const { command, lane, strategyId } = request;
    const { nowMs, trading } = scene.view;
    const writer = this.#throttle.writer(lane, strategyId, nowMs);
    const isSlowed = trading.isSlowed(strategyId) && !isReducing(command);
    const refusal = writer.review(nowMs, isSlowed);
    if (command.kind === 'setLeverage') {
      const problem = refusal ?? checkLeverage(command, scene);
      if (problem === undefined) writer.take(nowMs);
      else this.#deny(request, command.symbol, problem);
      return problem === undefined ? command : undefined;
    }
    const { orders } = command;
    if (orders.length > REVIEW_ORDERS_MAX)
      assert(false, `at most ${REVIEW_ORDERS_MAX} orders in one command`);
    const cancels = command.kind === 'replace' ? command.cancels : NO_CANCELS;
    scene.begin(cancels, command.kind === 'place' && orders.length === 1);
    const passedBefore = scene.approved.length;
    for (const spec of orders) {
      const problem = refusal ?? this.#review(spec, scene);
      if (problem === undefined) scene.admit(spec);
      else this.#deny(spec, spec.symbol, problem);
    }
    const passedCount = scene.approved.length - passedBefore;
    if (passedCount > 0) writer.take(nowMs);
    if (passedCount === orders.length) return passedCount > 0 || cancels.length > 0 ? command : undefined;
    if (passedCount === 0 && cancels.length === 0) return undefined;
    return { ...command, orders: scene.approved.slice(passedBefore) };
  }

  #deny(
    { intentId, strategyId }: Pick<Denial, 'intentId' | 'strategyId'>,
    symbol: MarketSymbol,
    { code, message }: Refusal<DenialCode>,
  ): void {
    const denial = { intentId, strategyId, symbol, code, message, remedy: DENIAL_CODES[code].remedy };
    this.#denied = added(this.#denied, denial);
  }

  #review(spec: OrderSpec, scene: ReviewContext): Refusal<DenialCode> | undefined {
    scene.look(spec);
    const checks = this.#checks;
    for (let at = 0; at < checks.length; at++) {
      if (at === this.#sumsFrom && this.#headroom.isFar(spec, scene)) return undefined;
      const refusal = checks[at]?.review(spec, scene);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }
}

function isReducing(command: TradingCommand): boolean {
  if (command.kind === 'setLeverage') return false;
  for (const { reduceOnly } of command.orders) if (!reduceOnly) return false;
  return true;
}

/** P8 for the leverage itself: it only raises the initial margin, never lowers it (exchange.md#fields). */
function checkLeverage(command: SetLeverage, scene: ReviewContext): Refusal<DenialCode> | undefined {
  const { symbol, leverage } = command;
  const market = scene.view.markets.get(symbol)?.market;
  if (market === undefined)
    return { code: 'RISK_MARKET_UNKNOWN', message: `expected a known market, got ${symbol}` };
  if (!scene.limits.allowedSymbols.has(symbol))
    return { code: 'RISK_MARKET_NOT_ALLOWED', message: `expected an allowed market, got ${symbol}` };
  const leverageMax = Math.floor(1_000_000 / market.initialMarginPpm);
  if (Number.isInteger(leverage) && leverage >= 1 && leverage <= leverageMax) return undefined;
  return {
    code: 'RISK_LEVERAGE_SETTING_INVALID',
    message: `expected an integer leverage from 1 to ${leverageMax} for ${symbol}, got ${leverage}`,
  };
}
