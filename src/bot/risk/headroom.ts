/**
 * @module
 * Far from the limits: most orders are so small beside everything that is limited in sum that no check of sums has to add it
 * up to the digit. This says so of one order by plain numbers, which are off by far less than what is kept free for that.
 * What this does not do: it denies nothing. What is near a limit, or not known, is left to the checks.
 */
import { minus, type Whole } from '../../core/index.ts';
import { type Exposure, type OrderSpec, openOrdersOf } from '../../domain/index.ts';
import type { OrderCheck } from './check.ts';
import { leverage } from './checks/leverage.ts';
import { marginCover } from './checks/margin-cover.ts';
import { openNotional } from './checks/open-notional.ts';
import { openOrders } from './checks/open-orders.ts';
import { position } from './checks/position.ts';
import { strategyBudget } from './checks/strategy-budget.ts';
import type { WholeLimits } from './limits.ts';
import type { MarketReview } from './market-review.ts';
import type { ReviewContext } from './review-context.ts';

/** The checks that {@link Headroom} speaks for. */
export const SUM_CHECKS: readonly OrderCheck[] = [
  openOrders,
  openNotional,
  position,
  leverage,
  marginCover,
  strategyBudget,
];

/** The share of a limit that stays free: a million times what a dozen roundings of binary fractions come to. */
const FREE = 1e-9;
const MILLION = 1e6;
/** Beyond this a sum of lots is no integer any more. */
const LOTS_MAX = Number.MAX_SAFE_INTEGER;

/** See the module. */
export class Headroom {
  readonly #openInMarketMax: number;
  readonly #openMax: number;
  readonly #positionMax: number;
  readonly #grossMax: number;
  readonly #leverageMax: number;
  readonly #coverMin: number;
  readonly #freeMin: number;
  readonly #distanceMin: number;

  constructor(limits: WholeLimits) {
    this.#openInMarketMax = below(limits.openNotionalPerMarketMax);
    this.#openMax = below(limits.openNotionalMax);
    this.#positionMax = below(limits.positionNotionalMax);
    // What is netted is never more than what is added up.
    this.#grossMax = Math.min(below(limits.grossNotionalMax), below(limits.netNotionalMax));
    this.#leverageMax = limits.leveragePpmMax / MILLION;
    this.#coverMin = limits.maintenanceCoverPpmMin / MILLION;
    this.#freeMin = limits.freeCollateralPpmMin / MILLION;
    this.#distanceMin = limits.liquidationDistancePpmMin / MILLION;
  }

  /** True if it is certain that none of {@link SUM_CHECKS} denies the order under review. */
  isFar(spec: OrderSpec, scene: ReviewContext): boolean {
    const { here } = scene;
    const { valuationTicks, perTickLotNumber } = here;
    if (here.market === undefined || valuationTicks === undefined) return false;
    const perLot = valuationTicks * perTickLotNumber;
    const notional = spec.priceTicks * spec.sizeLots * perTickLotNumber;
    return (
      this.#hasRoom(spec, scene, notional) &&
      this.#hasMargin(spec, scene, perLot) &&
      hasBudget(spec, scene, { notional, perLot })
    );
  }

  /** P6 and P7: the number and the notional of open orders. */
  #hasRoom(spec: OrderSpec, scene: ReviewContext, notional: number): boolean {
    const { limits } = scene;
    const { all, canceled } = scene.here;
    const { isEmpty, totals } = scene.elsewhere();
    const { buyOrders, sellOrders } = all.ofAccount;
    const resting =
      spec.side === 'buy'
        ? buyOrders - canceled.ofAccount.buyOrders
        : sellOrders - canceled.ofAccount.sellOrders;
    const inAll = 1 + buyOrders + sellOrders - openOrdersOf(canceled.ofAccount) + totals.openOrders;
    if (!(1 + resting <= limits.openOrdersPerSideMax && inAll <= limits.openOrdersMax)) return false;
    const openNotional = notional + openNotionalOf(scene.here, all.ofAccount);
    const openInAll = isEmpty ? openNotional : openNotional + near(totals.openNotional);
    return openNotional <= this.#openInMarketMax && openInAll <= this.#openMax;
  }

  /** P5, P8 and P9: positions, and the margins they would need. */
  #hasMargin(spec: OrderSpec, scene: ReviewContext, perLot: number): boolean {
    const { market, all } = scene.here;
    const { positionLots, buyLots, sellLots } = all.ofAccount;
    const { isEmpty, totals } = scene.elsewhere();
    const isBuy = spec.side === 'buy';
    const longest = positionLots + buyLots + (isBuy ? spec.sizeLots : 0);
    const shortest = positionLots - sellLots - (isBuy ? 0 : spec.sizeLots);
    const largest = Math.max(longest, -shortest);
    const inMarket = largest * perLot;
    if (market === undefined || !(largest <= LOTS_MAX && inMarket <= this.#positionMax)) return false;
    let gross = inMarket;
    let initial = (inMarket * market.initialMarginPpm) / MILLION;
    let maintenance = (initial * market.maintenanceFractionPpm) / MILLION;
    if (!isEmpty) {
      if (totals.isUnpriced) return false;
      gross += near(totals.gross);
      initial += near(totals.initialMargin);
      maintenance += near(totals.maintenanceMargin);
    }
    const { equity } = scene;
    if (equity === undefined || equity <= 0 || !(gross <= this.#grossMax)) return false;
    // A quantum is what may be rounded up or down.
    const safe = near(equity) * (1 - FREE) - 1;
    return (
      gross <= safe * this.#leverageMax - 1 &&
      maintenance * this.#coverMin <= safe &&
      initial + safe * this.#freeMin <= safe - 1 &&
      gross * this.#distanceMin + maintenance <= safe
    );
  }
}

/** P18: what the strategy that asks may have open, hold and lose. */
function hasBudget(
  spec: OrderSpec,
  scene: ReviewContext,
  { notional, perLot }: { readonly notional: number; readonly perLot: number },
): boolean {
  const { all, canceled } = scene.here;
  const { isEmpty, restingOrders, restingNotional } = scene.elsewhere();
  const budget = scene.strategyLimits(spec.strategyId);
  const own = all.ofStrategy;
  const orders = 1 + openOrdersOf(own) - openOrdersOf(canceled.ofStrategy) + restingOrders;
  if (!(orders <= budget.ordersMax)) return false;
  const open = notional + openNotionalOf(scene.here, own) + (isEmpty ? 0 : near(restingNotional));
  if (!(open <= below(budget.openNotionalMax))) return false;
  const worst =
    spec.side === 'buy'
      ? own.positionLots + own.buyLots + spec.sizeLots
      : own.sellLots - own.positionLots + spec.sizeLots;
  if (!(worst <= LOTS_MAX && worst * perLot <= below(budget.positionNotionalMax))) return false;
  return minus(0, scene.profitOf(spec)) < budget.lossMax;
}

/** What is open at the orders' own prices. What the command cancels first is not taken off: to the safe side. */
function openNotionalOf({ perTickLotNumber }: MarketReview, { buyTickLots, sellTickLots }: Exposure): number {
  return (near(buyTickLots) + near(sellTickLots)) * perTickLotNumber;
}

/** A limit with what is kept free of it taken off. */
function below(limit: Whole): number {
  const most = near(limit);
  return most - Math.abs(most) * FREE;
}

/** An amount as near as a number comes to it. */
function near(amount: Whole): number {
  return typeof amount === 'number' ? amount : Number(amount);
}
