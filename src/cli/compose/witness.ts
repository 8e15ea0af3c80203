/** @module What a run in one process is compared by: all that passed between bot and exchange, and the bot's orders. */
import { createHash } from 'node:crypto';
import type { VenueOrder } from '../../exchange/engine/index.ts';
import type { Exchange } from '../../exchange/kernel/index.ts';
import type { Transport } from '../../wire/gateway/index.ts';

/** Hashes what passes through a transport, in its order. */
export class Traffic {
  readonly #hash = createHash('sha256');
  count = 0;

  hash(): string {
    return this.#hash.copy().digest('hex');
  }

  watch(transport: Transport): Transport {
    return {
      request: async (request) => {
        this.#pass('>', request.method, request.path, JSON.stringify(request.headers), request.body ?? '');
        const answer = await transport.request(request);
        this.#pass('<', JSON.stringify(answer));
        return answer;
      },
      open: (listener) => {
        const socket = transport.open({
          onOpen: () => listener.onOpen(),
          onFrame: (text, receivedAtMs) => {
            this.#pass('frame', text);
            listener.onFrame(text, receivedAtMs);
          },
          onClose: (why) => {
            this.#pass('closed', why);
            listener.onClose(why);
          },
        });
        return {
          send: (text) => {
            this.#pass('sent', text);
            socket.send(text);
          },
          close: (why) => socket.close(why),
        };
      },
    };
  }

  #pass(...parts: readonly string[]): void {
    this.count++;
    this.#hash.update(`${parts.join('\n')}\n`);
  }
}

/** The bot's orders as the venue last had them, by number. */
export function watchOrders(exchange: Exchange, account: number): ReadonlyMap<string, VenueOrder> {
  const orders = new Map<string, VenueOrder>();
  const note = (order: VenueOrder): void => {
    if (order.account === account) orders.set(`${order.market}-${order.orderSeq}`, order);
  };
  exchange.control.watch(({ events }) => {
    for (const event of events) {
      switch (event.kind) {
        case 'OrderAccepted':
        case 'OrderCanceled':
        case 'OrderExpired':
          note(event.order);
          break;
        case 'Fill':
          note(event.makerOrder);
          note(event.takerOrder);
          break;
        default:
          break;
      }
    }
  });
  return orders;
}
