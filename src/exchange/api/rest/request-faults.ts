/**
 * @module
 * Disturbances of single requests, put in by tests: answers that get lost or come late, requests that never arrive or
 * arrive after their sender gave up, answers of another origin. Nothing here knows what a request means.
 */

import type { ForcedRejection } from '../../state/index.ts';
import {
  type ExchangeAnswer,
  type ExchangeReply,
  type ExchangeRequest,
  NO_RESPONSE,
  type Refusal,
} from './answer.ts';
import type { BoundedWait } from './bounded-wait.ts';

/** What happens to a request. `answer` is an answer that another machine gives. */
export type RequestFault =
  /** It never arrives; the pipe is cut. */
  | { readonly kind: 'dropRequest' }
  /** It is executed; its answer is lost. */
  | { readonly kind: 'dropResponse' }
  /** The pipe is cut now, and the request arrives `delayMs` later all the same. */
  | { readonly kind: 'deliverAfterTimeout'; readonly delayMs: number }
  | { readonly kind: 'delayRequest'; readonly delayMs: number }
  | { readonly kind: 'delayResponse'; readonly delayMs: number }
  /** An intermediary delivers it twice; the second answer is given. */
  | { readonly kind: 'deliverTwice' }
  /** Not executed; this is the answer. */
  | { readonly kind: 'answer'; readonly answer: ExchangeAnswer }
  /** Executed; the answer is rewritten on its way out. */
  | { readonly kind: 'edit'; readonly edit: (answer: ExchangeAnswer) => ExchangeAnswer }
  /**
   * A write is rejected for no reason in it. With `laterMs` its bytes, when they did not cost their nonce, are put into
   * the log all the same so much later.
   */
  | { readonly kind: 'reject'; readonly forced: ForcedRejection; readonly laterMs?: number }
  /** The gateway refuses it before the sequencer, such as with 412, 421 or 429. */
  | { readonly kind: 'httpError'; readonly refusal: Refusal }
  /** Executed; this is the answer instead of the true one. */
  | { readonly kind: 'replaceResponse'; readonly answer: ExchangeAnswer };

/** Which requests a fault hits, and how many of them. */
export interface FaultRule {
  /** A function is asked once for each request that is hit. */
  readonly fault: RequestFault | ((request: ExchangeRequest) => RequestFault);
  /** Default: every POST. */
  readonly matches?: (request: ExchangeRequest) => boolean;
  /** Default: 1. */
  readonly times?: number;
}

/** What an undisturbed exchange does with requests. */
export interface RequestPaths {
  /** Answers a request without a fault. */
  handle(request: ExchangeRequest): ExchangeReply | Promise<ExchangeReply>;
  /** The answer of a refusal before the sequencer. */
  refuse(request: ExchangeRequest, refusal: Refusal): ExchangeAnswer;
  /** Rejects a write with a given reason. */
  reject(request: ExchangeRequest, forced: ForcedRejection): ExchangeReply | Promise<ExchangeReply>;
}

/** The faults that wait for a request. */
export class RequestFaults {
  readonly #boundedWait: BoundedWait;
  #rules: { readonly rule: FaultRule; timesLeft: number }[] = [];

  constructor(boundedWait: BoundedWait) {
    this.#boundedWait = boundedWait;
  }

  /** True while no request is to be disturbed. */
  get isQuiet(): boolean {
    return this.#rules.length === 0;
  }

  /** Adds a rule; of several that match a request the oldest hits. The function it returns takes it away. */
  add(rule: FaultRule): () => void {
    this.#rules.push({ rule, timesLeft: rule.times ?? 1 });
    return () => {
      this.#rules = this.#rules.filter((other) => other.rule !== rule);
    };
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** Passes a request on, disturbed by the rule it matches. */
  async pass(request: ExchangeRequest, paths: RequestPaths): Promise<ExchangeReply> {
    const handle = (passed: ExchangeRequest) => paths.handle(passed);
    const fault = this.#take(request);
    switch (fault?.kind) {
      case undefined:
        return handle(request);
      case 'dropRequest':
        return NO_RESPONSE;
      case 'dropResponse':
        await handle(request);
        return NO_RESPONSE;
      case 'deliverAfterTimeout':
        void this.#boundedWait.pause(fault.delayMs).then(() => handle(request));
        return NO_RESPONSE;
      case 'delayRequest':
        await this.#boundedWait.pause(fault.delayMs);
        return handle(request);
      case 'delayResponse': {
        const reply = await handle(request);
        await this.#boundedWait.pause(fault.delayMs);
        return reply;
      }
      case 'deliverTwice':
        await handle(request);
        return handle(request);
      case 'answer':
        return fault.answer;
      case 'edit': {
        const reply = await handle(request);
        return reply === NO_RESPONSE ? reply : fault.edit(reply);
      }
      case 'reject':
        if (fault.laterMs !== undefined)
          void this.#boundedWait.pause(fault.laterMs).then(() => handle(request));
        return paths.reject(request, fault.forced);
      case 'httpError':
        return paths.refuse(request, fault.refusal);
      case 'replaceResponse':
        await handle(request);
        return fault.answer;
    }
  }

  #take(request: ExchangeRequest): RequestFault | undefined {
    for (const entry of this.#rules) {
      const matches = entry.rule.matches ?? isPost;
      if (!matches(request)) continue;
      entry.timesLeft--;
      if (entry.timesLeft <= 0) this.#rules = this.#rules.filter((other) => other !== entry);
      const { fault } = entry.rule;
      return typeof fault === 'function' ? fault(request) : fault;
    }
    return undefined;
  }
}

function isPost({ method }: ExchangeRequest): boolean {
  return method === 'POST';
}
