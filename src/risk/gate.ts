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
import { assert } from '../core/index.ts';
import {
  type Approved,
  approve,
  type Denial,
  type LaneId,
  type OrderSpec,
  type RoutedCommand,
  type SetLeverage,
  type StrategyId,
  type TradingCommand,
} from '../domain/index.ts';
import type { OrderCheck } from './check.ts';
import { ORDER_CHECKS } from './checks/index.ts';
import { DENIAL_CODES, type DenialCode } from './codes.ts';
import type { RiskLimits } from './limits.ts';
import { type Refusal, Scene } from './scene.ts';
import { Throttle } from './throttle.ts';
import type { RiskRequest, RiskView } from './view.ts';

/** The most orders one review looks at: a flood is denied whole before it costs time. */
export const REVIEW_ORDERS_MAX = 1_000;

/** What a review came to. A replace without orders left is approved for its cancels. */
export interface Review {
  readonly approved: readonly Approved<RoutedCommand<TradingCommand>>[];
  readonly denied: readonly Denial[];
}

/** Decides which commands may leave. */
export interface RiskGate {
  readonly limits: RiskLimits;
  /** Judges commands in order, each with all earlier ones counted. */
  review(requests: readonly RiskRequest[], view: RiskView): Review;
  /** How long a write would have to wait for the write budget (P11) and the pace of its strategy (M8); 0: it may go now. */
  waitMs(lane: LaneId, strategyId: StrategyId, view: Pick<RiskView, 'nowMs' | 'trading'>): number;
}

/** A gate with `limits`. `checks` are all of them but in tests of the gate itself. */
export function createRiskGate(limits: RiskLimits, checks: readonly OrderCheck[] = ORDER_CHECKS): RiskGate {
  const throttle = new Throttle(limits);
  return {
    limits,
    waitMs: (lane, strategyId, { nowMs, trading }) =>
      throttle.waitMs({ lane, strategyId, isSlowed: trading.isSlowed(strategyId) }, nowMs),
    review(requests, view) {
      const scene = new Scene(limits, view);
      const approved: Approved<RoutedCommand<TradingCommand>>[] = [];
      const denied: Denial[] = [];
      for (const request of requests) {
        const command = reviewOne({ request, scene, checks, throttle, denied });
        if (command !== undefined) approved.push(approve({ lane: request.lane, command }));
      }
      return { approved, denied };
    },
  };
}

interface Hearing {
  readonly request: RiskRequest;
  readonly scene: Scene;
  readonly checks: readonly OrderCheck[];
  readonly throttle: Throttle;
  readonly denied: Denial[];
}

function reviewOne(hearing: Hearing): TradingCommand | undefined {
  const { request, scene, throttle, denied } = hearing;
  const { command, lane, strategyId } = request;
  const { nowMs, trading } = scene.view;
  const isReducing = command.kind !== 'setLeverage' && command.orders.every(({ reduceOnly }) => reduceOnly);
  const writer = { lane, strategyId, isSlowed: !isReducing && trading.isSlowed(strategyId) };
  const refusal = throttle.judge(writer, nowMs);
  if (command.kind === 'setLeverage') {
    const problem = refusal ?? judgeLeverage(command, scene);
    if (problem === undefined) throttle.take(writer, nowMs);
    else denied.push({ ...identityOf(request, command), ...worded(problem) });
    return problem === undefined ? command : undefined;
  }
  const { orders } = command;
  if (orders.length > REVIEW_ORDERS_MAX) assert(false, `at most ${REVIEW_ORDERS_MAX} orders in one command`);
  const cancels = command.kind === 'replace' ? command.cancels : [];
  scene.begin(cancels, command.kind === 'place' && orders.length === 1);
  const passed: OrderSpec[] = [];
  for (const spec of orders) {
    const problem = refusal ?? judgeOrder(spec, hearing);
    if (problem !== undefined) {
      denied.push({ ...identityOf(spec, spec), ...worded(problem) });
      continue;
    }
    scene.admit(spec);
    passed.push(spec);
  }
  if (passed.length > 0) throttle.take(writer, nowMs);
  if (passed.length === 0 && cancels.length === 0) return undefined;
  return passed.length === orders.length ? command : { ...command, orders: passed };
}

function judgeOrder(spec: OrderSpec, hearing: Hearing): Refusal<DenialCode> | undefined {
  for (const check of hearing.checks) {
    const refusal = check.judge(spec, hearing.scene);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** P8 for the leverage itself: it only raises the initial margin, never lowers it (wire-facts 2.2). */
function judgeLeverage(command: SetLeverage, scene: Scene): Refusal<DenialCode> | undefined {
  const { symbol, leverage } = command;
  const market = scene.market(symbol);
  if (market === undefined)
    return { code: 'RISK_MARKET_UNKNOWN', message: `expected a known market, was ${symbol}` };
  if (!scene.limits.allowedSymbols.has(symbol))
    return { code: 'RISK_MARKET_NOT_ALLOWED', message: `expected an allowed market, was ${symbol}` };
  const leverageMax = Math.floor(1_000_000 / market.initialMarginPpm);
  if (Number.isInteger(leverage) && leverage >= 1 && leverage <= leverageMax) return undefined;
  return {
    code: 'RISK_LEVERAGE_SETTING_INVALID',
    message: `expected a whole leverage from 1 to ${leverageMax} for ${symbol}, was ${leverage}`,
  };
}

type Identity = Pick<Denial, 'intentId' | 'strategyId' | 'symbol'>;

function identityOf(
  by: Pick<Denial, 'intentId' | 'strategyId'>,
  of: Required<Pick<Denial, 'symbol'>>,
): Identity {
  return { intentId: by.intentId, strategyId: by.strategyId, symbol: of.symbol };
}

function worded(refusal: Refusal<DenialCode>): Pick<Denial, 'code' | 'message' | 'remedy'> {
  return { code: refusal.code, message: refusal.message, remedy: DENIAL_CODES[refusal.code].remedy };
}
