/**
 * @module
 * One request of one life: out, in, back, or lost on the way. It settles once; what comes afterwards belongs to nobody.
 * A request that has left arrives even when its sender is dead (faults F1 to F9).
 */
import type { Timer } from '../../../src/core/index.ts';
import type { HttpAnswer, HttpRequest, NoAnswer } from '../../../src/wire/gateway/transport.ts';
import type { FakeAnswer, RequestFault, RequestSight } from '../types.ts';
import type { Freight } from './freight.ts';
import { type Arrival, BOT_IP, type LifeLine, type Wire } from './line.ts';

/** What a flight goes through. */
export interface FlightParts {
  readonly wire: Wire;
  readonly freight: Freight;
  readonly life: LifeLine;
  readonly request: HttpRequest;
  readonly sight: RequestSight;
  readonly fault: RequestFault | undefined;
  readonly settle: (result: HttpAnswer | NoAnswer) => void;
}

/** A lost answer ends with a reset as often as in silence. */
const RESET_CHANCE = 0.5;

/** See the module. */
export class Flight {
  readonly #parts: FlightParts;
  readonly #timer: Timer;
  #arrivals = 0;
  #isOver = false;

  constructor(parts: FlightParts) {
    this.#parts = parts;
    const { life, request } = parts;
    this.#timer = life.clock.after(request.timeoutMs, () =>
      this.#end({ kind: 'lost', why: `no answer within ${request.timeoutMs} ms` }),
    );
  }

  /** Nobody waits any more, and nobody is told: the process has died. */
  abandon(): void {
    this.#isOver = true;
    this.#timer.cancel();
  }

  /** The transport was closed. */
  lose(why: string): void {
    this.#end({ kind: 'lost', why });
  }

  /** Sends it. */
  leave(): void {
    const { fault } = this.#parts;
    const outMs = this.#outMs();
    switch (fault?.kind) {
      case 'refuseConnection':
        this.#hear(outMs, { kind: 'notSent', why: 'not sent: ECONNREFUSED' });
        break;
      case 'cutRequest':
        this.#hear(outMs, { kind: 'lost', why: `cut after ${fault.byte} bytes of the request` });
        break;
      case 'deliverAfterTimeout':
        this.#hear(outMs, { kind: 'lost', why: 'ECONNRESET' });
        this.#travel(outMs + fault.delayMs);
        break;
      case 'answerInstead':
        this.#parts.freight.carry(outMs, () => this.#goBack(fault.answer));
        break;
      case 'delayRequest':
        this.#travel(outMs + fault.delayMs);
        break;
      default:
        this.#travel(outMs);
    }
  }

  #travel(delayMs: number): void {
    const { freight, fault, wire, sight } = this.#parts;
    freight.carry(
      delayMs,
      () => {
        if (fault?.kind !== 'deliverTwice') {
          const take = (): void => this.#arrive((answer) => this.#return(answer));
          wire.arrive({ kind: 'request', about: () => this.#about(sight.body), take });
          return;
        }
        // Which of the two answers comes back is the intermediary's affair.
        const isSecond = wire.parts.random.chance(0.5);
        this.#arrive((answer) => isSecond || this.#return(answer));
        freight.carry(fault.delayMs, () => this.#arrive((answer) => !isSecond || this.#return(answer)));
      },
      () => !this.#isOver,
    );
  }

  #arrive(then: (answer: FakeAnswer | undefined) => void): void {
    const { wire, request, sight } = this.#parts;
    const { exchange } = wire.parts;
    this.#arrivals++;
    wire.tell({ kind: 'arrived', id: sight.id, times: this.#arrivals });
    const reply = exchange.handle({
      method: request.method,
      path: exchange.settings.basePath + request.path,
      headers: request.headers,
      body: sight.body,
      ip: BOT_IP,
    });
    // A promise would let other things run before an answer that is there already.
    if (reply instanceof Promise) void reply.then((late) => then(late === 'lost' ? undefined : late));
    else then(reply === 'lost' ? undefined : reply);
  }

  /** What the exchange gave: `undefined` when it cut the connection. */
  #return(answer: FakeAnswer | undefined): void {
    const { fault, wire } = this.#parts;
    if (answer === undefined) {
      this.#hear(this.#backMs(), { kind: 'lost', why: 'the connection was cut' });
      return;
    }
    switch (fault?.kind) {
      case 'dropResponse':
        if (wire.parts.random.chance(RESET_CHANCE))
          this.#hear(this.#backMs(), { kind: 'lost', why: 'ECONNRESET' });
        break;
      case 'cutAnswer':
        this.#hear(this.#backMs(), { kind: 'lost', why: `cut after ${fault.byte} bytes of the answer` });
        break;
      case 'replaceResponse':
        this.#goBack(fault.answer);
        break;
      case 'editAnswer':
        this.#goBack(fault.edit(answer));
        break;
      default:
        this.#goBack(answer, fault?.kind === 'delayResponse' ? fault.delayMs : 0);
    }
  }

  #goBack({ status, headers, body }: FakeAnswer, delayMs = 0): void {
    this.#hear(this.#backMs() + delayMs, { kind: 'answer', status, headers: lowerCase(headers), body });
  }

  #hear(delayMs: number, result: HttpAnswer | NoAnswer): void {
    const { freight, life, wire } = this.#parts;
    const take = (): void => life.clock.deliver(() => this.#end(result));
    const text = result.kind === 'answer' ? result.body : result.why;
    freight.carry(
      delayMs,
      () => wire.arrive({ kind: 'answer', about: () => this.#about(text), take }),
      () => !this.#isOver,
    );
  }

  #end(result: HttpAnswer | NoAnswer): void {
    if (this.#isOver) return;
    this.abandon();
    const { wire, sight, settle } = this.#parts;
    const { id, life } = sight;
    if (result.kind === 'answer') {
      const { status, headers, body } = result;
      wire.tell({ kind: 'answer', id, life, status, headers, body });
    } else {
      wire.tell({ kind: 'noAnswer', id, life, why: result.why });
    }
    settle(result);
  }

  #about(text: string): ReturnType<Arrival['about']> {
    const { id, method, path } = this.#parts.sight;
    return { what: `${method} ${path.split('?', 1)[0]}`, number: id, text };
  }

  #outMs(): number {
    return this.#parts.wire.hopMs(this.#parts.wire.parts.latency.requestMs);
  }

  #backMs(): number {
    return this.#parts.wire.hopMs(this.#parts.wire.parts.latency.answerMs);
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
