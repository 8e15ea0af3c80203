/**
 * @module
 * Orders that the exchange does not know, by its answer to a cancel: they have ended, and mostly the stream tells how a
 * moment later. Where it does not, the end was lost, and an audit of the account finds it.
 */
import type { Clock } from '../../../core/index.ts';
import type { OrderId } from '../../../domain/index.ts';
import type { Stream } from '../../../wire/stream/index.ts';
import type { Bot } from '../../kernel/index.ts';

/** How long the end of an order may take to come by the stream, ms. */
const END_MS_MAX = 2_000;

/** What it looks with; both are made while facts come already. */
export interface UnknownOrderPorts {
  readonly clock: Clock;
  bot(): Pick<Bot, 'account'> | undefined;
  stream(): Pick<Stream, 'suspect'> | undefined;
}

/** Takes orders that the exchange does not know. */
export function lookForOrders({ clock, bot, stream }: UnknownOrderPorts): (orderId: OrderId) => void {
  return (orderId) => {
    clock.after(END_MS_MAX, () => {
      if (bot()?.account.isUnknown(orderId) === true) stream()?.suspect();
    });
  };
}
