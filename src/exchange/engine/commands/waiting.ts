/** @module What all orders have in common that wait outside the book: their number, their count, their views. */
import type { AccountState } from '../accounts/account.ts';
import { triggerView } from '../orders/trigger-orders.ts';
import type { VenueState } from '../state.ts';
import type { VenueOrder } from '../types.ts';

/** Records of one log entry at most: order number = seq x this + record (exchange.md#order-numbers). */
export const RECORDS_MAX = 0x1_0000;

/** How many of an account wait: for a price, or for the time of a slice. */
export function waitingCount(state: VenueState, account: AccountState): number {
  return state.triggers.of(account).length + state.twaps.of(account).length;
}

/** All of an account that wait, those for a price first, then by age. */
export function waitingViews(state: VenueState, account: AccountState): readonly VenueOrder[] {
  return [
    ...state.triggers.of(account).map((waiting) => triggerView(waiting, 'open', waiting.seq)),
    ...state.twaps.of(account).map((order) => order.snapshot()),
  ];
}

/** The one of this number, of any account. */
export function waitingView(state: VenueState, market: number, orderSeq: bigint): VenueOrder | undefined {
  const trigger = state.triggers.get(orderSeq);
  const view = trigger ? triggerView(trigger, 'open', trigger.seq) : state.twaps.get(orderSeq)?.snapshot();
  return view?.market === market ? view : undefined;
}
