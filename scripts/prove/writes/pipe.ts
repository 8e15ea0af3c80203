/**
 * @module
 * The line between lanes and exchange in virtual time: answers of executed writes get lost, requests vanish, requests
 * arrive after their sender was told that the line broke. Reads get lost as often as answers.
 */

import type {
  NoAnswer,
  OutgoingWrite,
  RawAnswer,
  ReceiptQuery,
  WritePipe,
} from '../../../src/bot/execution/index.ts';
import type { Clock, Random } from '../../../src/core/index.ts';
import type { Address } from '../../../src/domain/index.ts';
import { type Exchange, type ExchangeReply, NO_RESPONSE } from '../../../src/exchange/index.ts';

/** How often something goes wrong, each a share of all requests. */
export interface Losses {
  readonly lostAnswers: number;
  readonly lateDeliveries: number;
  readonly vanished: number;
}

/** What a pipe is made of. */
export interface LossyPipeParts {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly random: Random;
  readonly address: Address;
  readonly losses: Losses;
  /** A write has no answer; `isVanished`: it will never arrive. */
  onLost(body: string, isVanished: boolean): void;
  /** A receipt was asked for, and answered or not. */
  onReceipt(query: ReceiptQuery, isAnswered: boolean): void;
}

type Answer = RawAnswer | NoAnswer;

const WAY_MS = { min: 1, max: 20 } as const;
/** When the line breaks, most of the time at once, sometimes nobody says so until the time is over. */
const CUT_MS_MAX = 50;
const SILENT_SHARE = 0.1;
const LATE_MS_MAX = 6_000;

/** See the module. */
export class LossyPipe implements WritePipe {
  readonly #parts: LossyPipeParts;
  readonly #account: string;
  #losses: Losses;
  readonly #counts = { lost: 0, late: 0, vanished: 0 };

  constructor(parts: LossyPipeParts) {
    this.#parts = parts;
    this.#losses = parts.losses;
    this.#account = `address=${parts.address}&subaccount=0`;
  }

  /** How many writes went wrong so far. */
  get counts(): Readonly<{ lost: number; late: number; vanished: number }> {
    return this.#counts;
  }

  /** From now on everything arrives, and is answered. */
  heal(): void {
    this.#losses = { lostAnswers: 0, lateDeliveries: 0, vanished: 0 };
  }

  async post(write: OutgoingWrite): Promise<Answer> {
    const { random } = this.#parts;
    const { lostAnswers, lateDeliveries, vanished } = this.#losses;
    const draw = random.next();
    if (draw < lostAnswers) {
      this.#counts.lost++;
      void this.#carry('POST', write.path, write);
      return await this.#broken(write, false);
    }
    if (draw < lostAnswers + lateDeliveries) {
      this.#counts.late++;
      this.#parts.clock.after(
        random.integer(1, LATE_MS_MAX),
        () => void this.#deliver('POST', write.path, write),
      );
      return await this.#broken(write, false);
    }
    if (draw < lostAnswers + lateDeliveries + vanished) {
      this.#counts.vanished++;
      return await this.#broken(write, true);
    }
    return await this.#carry('POST', write.path, write);
  }

  async receipt(query: ReceiptQuery, minSeq?: bigint): Promise<Answer> {
    const { requestId, scope, nonce, commandHash } = query;
    const parameters = `scope=${encodeURIComponent(scope)}&nonce=${nonce}&commandHash=${commandHash}`;
    const answer = await this.#read(`/v1/requests/${requestId}?${parameters}`, minSeq);
    this.#parts.onReceipt(query, answer.kind === 'answer');
    return answer;
  }

  nonce(signer: Address, minSeq?: bigint): Promise<Answer> {
    return this.#read(`/v1/account/nonce?${this.#account}&signer=${signer}`, minSeq);
  }

  openOrders(minSeq: bigint | undefined): Promise<Answer> {
    return this.#read(`/v1/account/orders?${this.#account}`, minSeq);
  }

  async #read(path: string, minSeq: bigint | undefined): Promise<Answer> {
    const { random } = this.#parts;
    if (random.chance(this.#losses.lostAnswers)) {
      await this.#wait(random.integer(1, CUT_MS_MAX));
      return { kind: 'lost', why: 'cut' };
    }
    return await this.#carry('GET', path, { minSeq });
  }

  /** The sender learns that nothing came back: at once, or when its patience is over. */
  async #broken({ body, timeoutMs }: OutgoingWrite, isVanished: boolean): Promise<NoAnswer> {
    const { random } = this.#parts;
    const isSilent = random.chance(SILENT_SHARE);
    await this.#wait(isSilent ? timeoutMs : random.integer(1, CUT_MS_MAX));
    this.#parts.onLost(body, isVanished);
    return { kind: 'lost', why: isSilent ? 'no answer in time' : 'cut' };
  }

  async #carry(
    method: 'GET' | 'POST',
    path: string,
    more: { readonly body?: string; readonly minSeq?: bigint | undefined },
  ): Promise<Answer> {
    const { random } = this.#parts;
    await this.#wait(random.integer(WAY_MS.min, WAY_MS.max));
    const reply = await this.#deliver(method, path, more);
    await this.#wait(random.integer(WAY_MS.min, WAY_MS.max));
    if (reply === NO_RESPONSE) return { kind: 'lost', why: 'cut' };
    const seq = reply.headers['x-svc-seq'];
    return {
      kind: 'answer',
      status: reply.status,
      body: reply.body,
      seq: seq === undefined ? undefined : BigInt(seq),
      retryAfterMs: undefined,
    };
  }

  #deliver(
    method: 'GET' | 'POST',
    path: string,
    { body = '', minSeq }: { readonly body?: string; readonly minSeq?: bigint | undefined },
  ): ExchangeReply | Promise<ExchangeReply> {
    const headers: Record<string, string> = minSeq === undefined ? {} : { 'x-svc-min-seq': String(minSeq) };
    return this.#parts.exchange.handle({ method, path, headers, body, ip: '10.0.0.1' });
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(delayMs, resolve));
  }
}
