/**
 * @module
 * The commands about orders that wait for a trigger, and what becomes of those that are due or swept away. TWAP and
 * TP/SL pairs are not offered by this venue.
 */
import type { CanonicalCommand } from '../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { placeOrder, refuseTerms } from '../orders/placement.ts';
import type { TriggerOrder } from '../orders/trigger-orders.ts';
import type { VenueState } from '../state.ts';
import { type Result, rejected } from './outcome.ts';

type CommandOf<K extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: K }>;

const RECORDS_MAX = 0x1_0000;

/** Puts an order aside until the index price reaches its trigger. */
export function runPlaceConditional(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'PlaceConditional'>,
): Result {
  const market = state.markets.get(command.market);
  if (market === undefined) return rejected('UnknownMarket');
  const malformed = refuseTerms(market, command);
  if (malformed !== undefined) return rejected(malformed);
  const { triggerPrice: triggerTicks, triggerAbove: isAbove, goodTilMs } = command;
  if (triggerTicks <= 0) return rejected('InvalidConditional');
  if (state.triggers.of(account).length >= state.settings.openOrdersMax)
    return rejected('EquityTierLimitExceeded');
  const recordSub = state.log.takeRecordSubs(1);
  const orderSeq = BigInt(state.log.at.seq * RECORDS_MAX + recordSub);
  state.triggers.add({ account, market, orderSeq, order: command, goodTilMs, triggerTicks, isAbove });
  const told = { account: account.number, market: market.number, orderSeq };
  state.log.emit({ kind: 'ConditionalPlaced', ...told, triggerTicks, isAbove });
  const item = { inputIndex: 0, recordSub, market: market.number, orderSeq, lots: command.lots };
  return {
    status: 'executed',
    items: [{ ...item, kind: 'place', state: 'accepted', filledLots: 0n, isResting: false }],
  };
}

/** Takes one back. */
export function runCancelConditional(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'CancelConditional'>,
): Result {
  const waiting = state.triggers.take(account, command.orderId);
  if (waiting === undefined) return rejected('UnknownOrder');
  const recordSub = state.log.takeRecordSubs(1);
  tellCanceled(state, waiting, 'Requested');
  const { market, orderSeq } = command.orderId;
  const item = { inputIndex: 0, recordSub, market, orderSeq, canceledLots: waiting.order.lots };
  return { status: 'executed', items: [{ ...item, kind: 'cancel', state: 'canceled' }] };
}

/** Cancel-all and the switch take these orders with them, unless the venue spares them (ambiguity A13). */
export function sweepTriggers(
  state: VenueState,
  account: AccountState,
  reason: 'Requested' | 'ScheduleCancel',
): void {
  if (state.settings.sparesTriggerOrders === true) return;
  for (const waiting of state.triggers.of(account)) {
    const { market, orderSeq } = waiting;
    state.triggers.take(account, { market: market.number, orderSeq });
    tellCanceled(state, waiting, reason);
  }
}

/** Those that are due become plain orders, or are gone when they may not. */
export function fireTriggers(state: VenueState): void {
  for (const waiting of state.triggers.takeDue()) {
    const { account, market, orderSeq, order, goodTilMs } = waiting;
    state.log.emit({ kind: 'ConditionalFired', account: account.number, market: market.number, orderSeq });
    const placed = placeOrder(state, account, order, { orderSeq, goodTilMs, nowMs: 0 });
    if (typeof placed === 'string') tellCanceled(state, waiting, placed);
  }
}

function tellCanceled(state: VenueState, waiting: TriggerOrder, reason: string): void {
  const { account, market, orderSeq } = waiting;
  const told = { account: account.number, market: market.number, orderSeq };
  state.log.emit({ kind: 'ConditionalCanceled', ...told, reason });
}
