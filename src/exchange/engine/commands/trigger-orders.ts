/**
 * @module The commands about orders that wait for a trigger, and the outcome of those that are due or swept away.
 */
import type { CanonicalCommand, CanonicalOrderId } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import { placeOrder, refuseTerms } from '../orders/placement.ts';
import { isDue, type TriggerOrder, triggerView, waitingLots } from '../orders/trigger-orders.ts';
import type { CancelReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import type { VenueOrder } from '../types.ts';
import { cancelItem, type Result, rejected, singleResult } from './outcome.ts';
import { RECORDS_MAX, waitingCount } from './waiting.ts';

type CommandOf<K extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: K }>;

/** Puts an order aside until the index price reaches its trigger. */
export function runPlaceConditional(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'PlaceConditional'>,
): Result {
  const market = state.markets.get(command.market);
  if (market === undefined) return rejected('UnknownMarket');
  const { price, reduceOnly } = command;
  const malformed = refuseTerms(market, { price, lots: Number(command.lots), reduceOnly });
  if (malformed !== undefined) return rejected(malformed);
  const { triggerPrice: triggerTicks, triggerAbove: isAbove, goodTilMs } = command;
  if (triggerTicks <= 0) return rejected('InvalidConditional');
  if (waitingCount(state, account) >= state.settings.openOrdersMax)
    return rejected('EquityTierLimitExceeded');
  const recordSub = state.log.takeRecordSubs(1);
  const orderSeq = BigInt(state.log.at.seq * RECORDS_MAX + recordSub);
  const { blockAtMs: createdAtMs, seq } = state.log.at;
  const terms = { account, market, orderSeq, order: command, goodTilMs, createdAtMs };
  const waiting: TriggerOrder = { ...terms, triggerTicks, isAbove, seq };
  state.triggers.add(waiting);
  const view = triggerView(waiting, 'open', seq);
  state.log.emit({ kind: 'ConditionalPlaced', order: view, triggerTicks, isAbove });
  const item = { inputIndex: 0, recordSub, market: market.number, orderSeq, lots: Number(command.lots) };
  return {
    status: 'executed',
    items: [{ ...item, kind: 'place', state: 'accepted', filledLots: 0, isResting: false }],
  };
}

/** Takes one back. */
export function runCancelConditional(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'CancelConditional'>,
): Result {
  const { market, orderSeq } = command.orderId;
  const recordSub = state.log.takeRecordSubs(1);
  const canceled = cancelTrigger(state, account, command.orderId);
  return singleResult(cancelItem({ inputIndex: 0, recordSub, market }, orderSeq, canceled));
}

/** Takes one back. Gives its lots, `undefined` when the account has none of that number. */
export function cancelTrigger(
  state: VenueState,
  account: AccountState,
  id: CanonicalOrderId,
  reason: CancelReason = 'Requested',
): number | undefined {
  const waiting = state.triggers.take(account, id);
  if (waiting === undefined) return undefined;
  const view = tellCanceled(state, waiting, reason);
  return view.lots;
}

/** Cancel-all and the switch take these orders with them, unless the venue spares them (ambiguity A13). */
export function sweepTriggers(
  state: VenueState,
  account: AccountState,
  reason: 'Requested' | 'ScheduleCancel' | 'Liquidation',
): void {
  if (state.settings.sparesTriggerOrders === true && reason !== 'Liquidation') return;
  for (const waiting of state.triggers.of(account)) {
    const { market, orderSeq } = waiting;
    state.triggers.take(account, { market: market.number, orderSeq });
    tellCanceled(state, waiting, reason);
  }
}

/** Those that are due become plain orders, or are gone when they may not. A leg that fires takes its twin away. */
export function fireTriggers(state: VenueState): void {
  for (const waiting of state.triggers.all()) {
    const { account, market, orderSeq, goodTilMs, leg } = waiting;
    const isThere = state.triggers.get(orderSeq) === waiting;
    if (!isThere || !isDue(waiting)) continue;
    const order = { ...waiting.order, lots: BigInt(waitingLots(waiting)) };
    state.triggers.take(account, { market: market.number, orderSeq });
    state.log.emit({ kind: 'ConditionalFired', order: triggerView(waiting, 'open', state.log.at.seq) });
    if (leg?.twinSeq !== undefined) cancelTwin(state, waiting, leg.twinSeq);
    const placed = placeOrder(state, account, order, { orderSeq, goodTilMs, nowMs: 0 });
    if (typeof placed === 'string') tellCanceled(state, waiting, placed);
  }
}

function cancelTwin(state: VenueState, { account, market }: TriggerOrder, orderSeq: bigint): void {
  const twin = state.triggers.take(account, { market: market.number, orderSeq });
  if (twin !== undefined) tellCanceled(state, twin, 'OtherLegFired');
}

/** Legs that close nothing and never will are gone: their parent left without a fill, or the position is closed. */
export function sweepLegs(state: VenueState): void {
  for (const waiting of state.triggers.all()) {
    const { account, market, orderSeq, order, leg } = waiting;
    if (leg === undefined || leg.parent?.status === 'open') continue;
    const holding = account.holdings.get(market.number);
    const hasPosition = holding !== undefined && closableLots(holding, order.side) > 0;
    const isUnfilled = leg.parent !== undefined && waitingLots(waiting) === 0;
    if (hasPosition && !isUnfilled) continue;
    state.triggers.take(account, { market: market.number, orderSeq });
    tellCanceled(state, waiting, isUnfilled ? 'ParentCanceled' : 'PositionClosed');
  }
}

function tellCanceled(state: VenueState, waiting: TriggerOrder, reason: string): VenueOrder {
  const order = triggerView(waiting, 'canceled', state.log.at.seq);
  state.log.emit({ kind: 'ConditionalCanceled', order, reason });
  return order;
}
