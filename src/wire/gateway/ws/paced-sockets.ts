/**
 * @module
 * Sockets whose upgrades wait for capacity of the request budget, since each one is charged like a request (obligation O112).
 */
import { endpointOf } from '../../protocol/index.ts';
import type { RateTicket, RequestBudget } from '../rest/request-budget.ts';
import type { SocketListener, StreamSocket, Transport } from '../transport.ts';

/** How long an upgrade waits for capacity. */
const BUDGET_WAIT_MS = 60_000;

/** A factory of sockets: satisfies `SocketFactory` of `stream/ports`. */
export function createSocketFactory(
  transport: Transport,
  budget: RequestBudget,
): { open(listener: SocketListener): StreamSocket } {
  return { open: (listener) => new PacedSocket(transport, budget, listener) };
}

class PacedSocket implements StreamSocket {
  readonly #listener: SocketListener;
  #socket: StreamSocket | undefined;
  #ticket: RateTicket | undefined;
  #isClosed = false;

  constructor(transport: Transport, budget: RequestBudget, listener: SocketListener) {
    this.#listener = listener;
    const rate = { name: 'ws', isWrite: false, isUrgent: false, weight: endpointOf('ws').weight };
    void budget.acquire(rate, BUDGET_WAIT_MS).then((ticket) => this.#connect(transport, ticket));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(why: string): void {
    if (this.#socket !== undefined) this.#socket.close(why);
    else this.#end(why);
  }

  #connect(transport: Transport, ticket: RateTicket | undefined): void {
    if (ticket === undefined) {
      this.#end('no room in the request budget');
      return;
    }
    if (this.#isClosed) {
      ticket.settle('notSent');
      return;
    }
    this.#ticket = ticket;
    this.#socket = transport.open(
      {
        onOpen: () => {
          this.#settle({ status: 101, headers: {} });
          this.#listener.onOpen();
        },
        onFrame: (text, receivedAtMs) => this.#listener.onFrame(text, receivedAtMs),
        onClose: (why) => this.#end(why),
      },
      (status, headers) => this.#settle({ status, headers }),
    );
  }

  #settle(answer: Parameters<RateTicket['settle']>[0]): void {
    this.#ticket?.settle(answer);
    this.#ticket = undefined;
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#settle(undefined);
    this.#listener.onClose(why);
  }
}
