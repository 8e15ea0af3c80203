/**
 * @module
 * What was executed, by the exchange's log, held against what the lanes say of it. It knows nothing of lanes: it sees
 * facts, lost requests and the log.
 */

import type { ReceiptQuery } from '../../../src/bot/execution/index.ts';
import type { Clock } from '../../../src/core/index.ts';
import type { Fact, RequestId, TradingCommand } from '../../../src/domain/index.ts';
import type { Exchange } from '../../../src/exchange/index.ts';

/** What a segment showed. Times in virtual ms. */
export interface SegmentVerdict {
  /** Trading writes. */
  readonly writes: number;
  /** Requests, nonces or intents that were executed more than once. */
  readonly duplicates: number;
  /** Writes and intents without a terminal state. */
  readonly unterminated: number;
  /** Intents whose told end is not the one the exchange has. */
  readonly misjudged: number;
  /** Writes that were closed because a fence spent their nonce. */
  readonly fenced: number;
  /** Of vanished writes: from the first receipt that could be had to their end. */
  readonly fenceMs: readonly number[];
  /** Of writes that arrived without an answer, or late: likewise. */
  readonly resolveMs: readonly number[];
  readonly isBookEmpty: boolean;
}

type End = 'executed' | 'not executed';

interface Lost {
  readonly isVanished: boolean;
  heardAtMs: number | undefined;
}

/** See the module. */
export class Judge {
  readonly #clock: Clock;
  readonly #executed = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #nonces = new Map<string, bigint>();
  readonly #sent = new Set<string>();
  /** Scope and nonce of requests whose receipt was asked for. */
  readonly #keys = new Map<string, string>();
  readonly #lost = new Map<string, Lost>();
  /** The end of each intent as the lanes told it; `undefined`: not yet. */
  readonly #intents = new Map<string, End | undefined>();
  readonly #fenceMs: number[] = [];
  readonly #resolveMs: number[] = [];
  #duplicates = 0;
  #fenced = 0;

  constructor(exchange: Exchange, clock: Clock) {
    this.#clock = clock;
    exchange.control.watch(({ receipt }) => {
      if (receipt === undefined || !receipt.nonceConsumed) return;
      const { scope, request } = receipt;
      if (this.#executed.has(request.requestId)) this.#duplicates++;
      this.#executed.add(request.requestId);
      const before = this.#nonces.get(scope);
      if (before !== undefined && request.nonce <= before) this.#duplicates++;
      this.#nonces.set(scope, request.nonce);
      for (const item of receipt.items) {
        const label = item.kind === 'place' ? request.clientOrderIds[item.inputIndex] : undefined;
        if (label === undefined || item.state !== 'accepted') continue;
        if (this.#accepted.has(label)) this.#duplicates++;
        this.#accepted.add(label);
      }
    });
  }

  /** A command was handed to a lane. */
  submitted(command: TradingCommand): void {
    if (command.kind === 'setLeverage') return;
    for (const order of command.orders) this.#intents.set(String(order.clientOrderId), undefined);
  }

  /** A write got no answer. */
  lost(body: string, isVanished: boolean): void {
    const { nonce, signer } = JSON.parse(body) as { readonly nonce: string; readonly signer: string };
    const key = keyOf(`agent:${signer.toLowerCase()}`, nonce);
    // Not the fence that was lost in its turn: the write that it fences is what counts.
    if (!this.#lost.has(key)) this.#lost.set(key, { isVanished, heardAtMs: undefined });
  }

  /** A receipt was asked for. Once one is answered a lost write can be resolved. */
  asked({ requestId, scope, nonce }: ReceiptQuery, isAnswered: boolean): void {
    const key = keyOf(scope, nonce);
    const lost = this.#lost.get(key);
    if (lost === undefined) return;
    this.#keys.set(requestId, key);
    if (isAnswered) lost.heardAtMs ??= this.#clock.monotonicMs();
  }

  /** What the lanes tell. */
  hear(fact: Fact): void {
    switch (fact.type) {
      case 'WriteSent':
        this.#sent.add(fact.requestId);
        return;
      case 'OrderAccepted':
        this.#intents.set(String(fact.spec.clientOrderId), 'executed');
        return;
      case 'OrderRejected':
      case 'OrderNotExecuted':
        this.#intents.set(String(fact.spec.clientOrderId), 'not executed');
        return;
      case 'WriteResolved':
        this.#sent.delete(fact.requestId);
        this.#close(fact.requestId, fact.outcome);
        return;
      default:
        return;
    }
  }

  /** Everything is over. */
  verdict({
    writes,
    isBookEmpty,
  }: {
    readonly writes: number;
    readonly isBookEmpty: boolean;
  }): SegmentVerdict {
    const ends = [...this.#intents];
    const wrong = ends.filter(
      ([label, end]) => end !== undefined && (end === 'executed') !== this.#accepted.has(label),
    );
    return {
      writes,
      duplicates: this.#duplicates,
      unterminated: this.#sent.size + ends.filter(([, end]) => end === undefined).length,
      misjudged: wrong.length,
      fenced: this.#fenced,
      fenceMs: this.#fenceMs,
      resolveMs: this.#resolveMs,
      isBookEmpty,
    };
  }

  /** All that was signed for a nonce ends at once, the write that was lost first. */
  #close(requestId: RequestId, outcome: string): void {
    const key = this.#keys.get(requestId) ?? '';
    const lost = this.#lost.get(key);
    this.#keys.delete(requestId);
    if (lost === undefined) return;
    this.#lost.delete(key);
    if (outcome === 'superseded') this.#fenced++;
    const nowMs = this.#clock.monotonicMs();
    (lost.isVanished ? this.#fenceMs : this.#resolveMs).push(nowMs - (lost.heardAtMs ?? nowMs));
  }
}

function keyOf(scope: string, nonce: bigint | string): string {
  return `${scope} ${nonce}`;
}
