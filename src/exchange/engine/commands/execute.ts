/** @module Leads each command to what carries it out. */
import { assertNever } from '../../../core/index.ts';
import type { CanonicalCommand } from '../../../domain/index.ts';
import { HOUSE_ACCOUNT } from '../accounts/account.ts';
import { setScheduleCancel } from '../schedule-cancel.ts';
import type { VenueState } from '../state.ts';
import { runBatch, runCancelAll, runCancelOrder, runModifyOrder, runPlaceOrder } from './orders.ts';
import { type Result, rejected } from './outcome.ts';
import { runSetLeverage } from './set-leverage.ts';
import { runPlaceTpsl } from './tpsl.ts';
import { runCancelConditional, runPlaceConditional } from './trigger-orders.ts';
import { runCancelTwap, runPlaceTwap } from './twap.ts';

/** Carries out a command. */
export function executeCommand(state: VenueState, command: CanonicalCommand): Result {
  const account = command.account === HOUSE_ACCOUNT ? undefined : state.accounts[command.account];
  if (account === undefined) return rejected('UnknownAccount');
  switch (command.kind) {
    case 'PlaceOrder':
      return runPlaceOrder(state, account, command);
    case 'CancelOrder':
      return runCancelOrder(state, account, command);
    case 'ModifyOrder':
      return runModifyOrder(state, account, command);
    case 'BatchPlace':
      return runBatch(state, account, { cancels: [], orders: command.orders, nowMs: command.nowMs });
    case 'BatchCancel':
      return runBatch(state, account, { cancels: command.orderIds, orders: [], nowMs: 0 });
    case 'BatchReplace':
      return runBatch(state, account, command);
    case 'CancelAll':
      return runCancelAll(state, account);
    case 'SetLeverage':
      return runSetLeverage(state, account, command);
    case 'ScheduleCancel': {
      const reason = setScheduleCancel(state, account, command);
      return reason === undefined ? { status: 'executed', items: [] } : rejected(reason);
    }
    case 'PlaceConditional':
      return runPlaceConditional(state, account, command);
    case 'CancelConditional':
      return runCancelConditional(state, account, command);
    case 'PlaceTwap':
      return runPlaceTwap(state, account, command);
    case 'CancelTwap':
      return runCancelTwap(state, account, command);
    case 'PlaceTpslPair':
      return runPlaceTpsl(state, account, command);
    default:
      return assertNever(command);
  }
}
