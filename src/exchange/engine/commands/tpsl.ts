/**
 * @module Take-profit and stop-loss: two trigger orders of which one at most fires (exchange.md#fields). They close a
 * position and are reduce-only. Without a parent they follow the position, whatever its size becomes, and are swept
 * when it is closed; with one they close what of it has traded, and leave when it ends without a fill.
 *
 * Own choices where the source is silent: a leg fires as a resting order (GTC) at its limit; both legs of a pair may
 * not be due at the same price; the outcome of the parent or the position is looked at with the next block.
 */
import type { CanonicalCommand, CanonicalOrder } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import type { OrderState } from '../orders/order-state.ts';
import { refuseTerms } from '../orders/placement.ts';
import { type Leg, type TriggerOrder, triggerView } from '../orders/trigger-orders.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { RejectReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import type { ItemOutcome } from '../types.ts';
import { type Result, rejected } from './outcome.ts';
import { RECORDS_MAX, waitingCount } from './waiting.ts';

type PlacePair = Extract<CanonicalCommand, { kind: 'PlaceTpslPair' }>;

/** A leg that is to be built. */
interface WantedLeg {
  readonly kind: Leg['kind'];
  readonly triggerTicks: number;
  readonly price: number;
  readonly isAbove: boolean;
}

/** Puts the legs aside: an item for each that is built, take-profit first. */
export function runPlaceTpsl(state: VenueState, account: AccountState, command: PlacePair): Result {
  const market = state.markets.get(command.market);
  if (market === undefined) return rejected('UnknownMarket');
  if (!market.isTradable) return rejected('MarketNotTrading');
  const legs = legsOf(command);
  const parent = parentOf(state, account, command);
  const lots = typeof parent === 'string' ? parent : lotsOf(account, market, command);
  if (typeof parent === 'string') return rejected(parent);
  if (typeof lots === 'string') return rejected(lots);
  const refusal = refuseLegs(market, command, legs, lots);
  if (refusal !== undefined) return rejected(refusal);
  if (waitingCount(state, account) + legs.length > state.settings.openOrdersMax)
    return rejected('EquityTierLimitExceeded');
  const { seq, blockAtMs: createdAtMs } = state.log.at;
  const first = state.log.takeRecordSubs(legs.length);
  const numberOf = (index: number) => BigInt(seq * RECORDS_MAX + first + index);
  const items = legs.map((wanted, index): ItemOutcome => {
    const { triggerTicks, isAbove, kind } = wanted;
    const twinSeq = legs.length > 1 ? numberOf(1 - index) : undefined;
    const orderSeq = numberOf(index);
    const order = orderOf(market, command, wanted);
    const leg: Leg = { kind, twinSeq, parent };
    const base = { account, market, orderSeq, order, goodTilMs: 0, createdAtMs, seq };
    const waiting: TriggerOrder = { ...base, triggerTicks, isAbove, leg };
    state.triggers.add(waiting);
    const view = triggerView(waiting, 'open', seq);
    state.log.emit({ kind: 'ConditionalPlaced', order: view, triggerTicks, isAbove });
    return {
      inputIndex: index,
      kind: 'place',
      market: market.number,
      state: 'accepted',
      orderSeq,
      recordSub: first + index,
      lots: view.lots,
      filledLots: 0,
      isResting: false,
    };
  });
  return { status: 'executed', items };
}

/** A leg with trigger 0 is not built. A profit is taken on the far side of the index price, a loss stopped on the near. */
function legsOf({ closeSide, tpTrigger, tpPrice, slTrigger, slPrice }: PlacePair): readonly WantedLeg[] {
  const isLong = closeSide === 'sell';
  const legs: WantedLeg[] = [
    { kind: 'takeProfit', triggerTicks: tpTrigger, price: tpPrice, isAbove: isLong },
    { kind: 'stopLoss', triggerTicks: slTrigger, price: slPrice, isAbove: !isLong },
  ];
  return legs.filter(({ triggerTicks }) => triggerTicks !== 0);
}

/** The parent order, `undefined` when the pair follows the position, or what is wrong with what is asked. */
function parentOf(
  state: VenueState,
  account: AccountState,
  { positionTpsl, parentOrderId, closeSide }: PlacePair,
): OrderState | undefined | RejectReason {
  if (positionTpsl !== (parentOrderId === undefined)) return 'InvalidConditional';
  if (parentOrderId === undefined) return undefined;
  const order = state.orders.get(Number(parentOrderId.orderSeq));
  if (order?.holding.account !== account || order.holding.market.number !== parentOrderId.market)
    return 'UnknownOrder';
  return order.terms.side === closeSide || order.terms.reduceOnly ? 'InvalidConditional' : order;
}

/** Lots that the legs are checked with: those of the position when they follow it. */
function lotsOf(account: AccountState, market: MarketState, command: PlacePair): bigint | RejectReason {
  if (command.parentOrderId !== undefined) {
    return command.parentOrderId.market === market.number ? command.lots : 'InvalidConditional';
  }
  const holding = account.holdings.get(market.number);
  if (holding === undefined || holding.lots === 0) return 'ReduceOnlyNoPosition';
  const lots = closableLots(holding, command.closeSide);
  return lots === 0 ? 'ReduceOnlyWrongSide' : BigInt(lots);
}

/** What is wrong with the legs: none at all, no limit price, terms that no order may have, or both due at one price. */
function refuseLegs(
  market: MarketState,
  command: PlacePair,
  legs: readonly WantedLeg[],
  lots: bigint,
): RejectReason | undefined {
  if (legs.length === 0 || legs.some(({ price }) => price === 0)) return 'InvalidConditional';
  const { closeSide, tpTrigger, slTrigger } = command;
  const isCrossed = closeSide === 'sell' ? tpTrigger <= slTrigger : tpTrigger >= slTrigger;
  if (legs.length > 1 && isCrossed) return 'InvalidConditional';
  for (const leg of legs) {
    const malformed = refuseTerms(market, { price: leg.price, lots: Number(lots), reduceOnly: true });
    if (malformed !== undefined) return malformed;
  }
  return undefined;
}

function orderOf(market: MarketState, { closeSide, lots }: PlacePair, { price }: WantedLeg): CanonicalOrder {
  return { market: market.number, side: closeSide, price, lots, tif: 'gtc', reduceOnly: true };
}
