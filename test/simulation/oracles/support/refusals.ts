/**
 * @module
 * What a 429 of the exchange asks for, and until when a life must keep silent for it, or for the little that it was told
 * is left of a window.
 */
import type { Sight } from '../../types.ts';
import { parseObject } from './write-book.ts';

/** The budgets of the interface document (Limits). */
export type Bucket = 'ip' | 'account';

/** A 429 of the exchange. */
export interface Refusal {
  readonly bucket: Bucket;
  /** The wait that is told, in ms; what cannot be read asks for nothing that could be held against the client. */
  readonly waitMs: number;
  /**
   * The wait that a client keeps that goes by the letter: without one that can be read, until the window ends; until a
   * date, as long as a wait can be, since it may know no clock but its machine's.
   */
  readonly fullWaitMs: number;
  /** Told as a date, which is as sure as the clock that the exchange tells. */
  readonly isUntilDate: boolean;
}

type AnswerSight = Extract<Sight, { kind: 'answer' }>;

/** A wait is capped (obligation O117); no window is longer. */
const WAIT_MS_MAX = 60_000;

/** Reads a refusal; `undefined`: it is none, or a page of somebody who knows no budget. `nowMs`: the exchange's clock. */
export function refusalOf({ status, headers, body }: AnswerSight, nowMs: number): Refusal | undefined {
  if (status !== 429) return undefined;
  const error = parseObject(body)?.['error'];
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, details } = error as {
    readonly code?: unknown;
    readonly details?: { readonly bucket?: unknown };
  };
  const bucket = details?.bucket;
  if (typeof code !== 'string' || (bucket !== 'ip' && bucket !== 'account')) return undefined;
  const told = waitOf(headers['retry-after'], nowMs);
  const isUntilDate = told?.isUntilDate === true;
  const capped = (waitMs: number): number => Math.min(WAIT_MS_MAX, waitMs);
  return {
    bucket,
    waitMs: capped(told?.ms ?? 0),
    fullWaitMs: isUntilDate ? WAIT_MS_MAX : capped(told?.ms ?? windowOf(headers)),
    isUntilDate,
  };
}

/** Seconds or a date. */
function waitOf(
  value: unknown,
  nowMs: number,
): { readonly ms: number; readonly isUntilDate: boolean } | undefined {
  const text = String(value ?? '');
  if (/^[0-9]+$/.test(text)) return { ms: Number(text) * 1_000, isUntilDate: false };
  const dateMs = Date.parse(text);
  if (Number.isNaN(dateMs) || !/[A-Za-z]{3}/.test(text)) return undefined;
  return { ms: Math.max(0, dateMs - nowMs), isUntilDate: true };
}

function windowOf(headers: AnswerSight['headers']): number {
  const seconds = /;t=([0-9]+)$/.exec(String(headers['ratelimit'] ?? ''))?.[1];
  return seconds === undefined ? WAIT_MS_MAX : Number(seconds) * 1_000;
}

/** What an answer tells of a budget. */
export interface Report {
  readonly remaining: number;
  readonly untilEndMs: number;
  /** Weight of a whole window; `undefined`: not told. */
  readonly quota: number | undefined;
}

/** The share of a window that is kept for what takes risk away: nothing else may use it (obligation O116). */
export const RESERVE_SHARE = 0.15;
/** What the dearest requests of this exchange cost: histories and sockets. The interface tells no weights. */
const DEAREST = 5;

/** Reads what an answer tells of a budget; `undefined`: nothing. */
export function reportOf({ headers }: Pick<AnswerSight, 'headers'>, bucket: Bucket): Report | undefined {
  const isIp = bucket === 'ip';
  const told = /;r=([0-9]+);t=([0-9]+)$/.exec(
    String(headers[isIp ? 'ratelimit' : 'x-ratelimit-account'] ?? ''),
  );
  if (told === null) return undefined;
  const quota = isIp ? /;q=([0-9]+)/.exec(String(headers['ratelimit-policy'] ?? ''))?.[1] : undefined;
  return {
    remaining: Number(told[1]),
    untilEndMs: Number(told[2]) * 1_000,
    quota: quota === undefined ? undefined : Number(quota),
  };
}

/**
 * When the window ends of which one life was told that others, or a smaller budget, had left no more than the reserve. It
 * is told by answers to requests from before the healing and by the first after it: later ones tell what the life itself
 * has used.
 */
class SpentWindow {
  readonly #bucket: Bucket;
  #mostLeft = 0;
  #isFixed = false;
  untilMs = Number.NEGATIVE_INFINITY;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  take(answer: AnswerSight, isUnhealed: boolean): void {
    const report = reportOf(answer, this.#bucket);
    if (report === undefined || this.#isFixed) return;
    this.#isFixed = !isUnhealed;
    // Where no quota is told, the most that was ever left is all that can be known of it.
    this.#mostLeft = Math.max(this.#mostLeft, report.remaining);
    const reserve = Math.ceil((report.quota ?? this.#mostLeft) * RESERVE_SHARE);
    const isSpent = report.remaining < reserve + DEAREST;
    this.untilMs = isSpent ? answer.atMs + report.untilEndMs : Math.min(this.untilMs, answer.atMs);
  }
}

/** The longest wait that each life was told by answers to requests from before the healing. */
export class ToldWaits {
  #lastRequest = 0;
  #lastUnhealed = Number.POSITIVE_INFINITY;
  #life = 0;
  #untilMs = Number.NEGATIVE_INFINITY;
  #windows: readonly SpentWindow[] = [];

  /** Takes a sight; `nowMs`: the exchange's clock. */
  take(sight: Sight, nowMs: number): void {
    if (sight.kind === 'request') this.#lastRequest = sight.id;
    else if (sight.kind === 'healed') this.#lastUnhealed = this.#lastRequest;
    else if (sight.kind === 'answer') {
      this.#follow(sight.life);
      const isUnhealed = sight.id <= this.#lastUnhealed;
      for (const window of this.#windows) window.take(sight, isUnhealed);
      const refusal = isUnhealed ? refusalOf(sight, nowMs) : undefined;
      if (refusal !== undefined) this.#untilMs = Math.max(this.#untilMs, sight.atMs + refusal.fullWaitMs);
    }
  }

  /** When the last of its waits is over; -Infinity: it was told none. */
  untilMs(life: number): number {
    return life === this.#life ? this.#untilMs : Number.NEGATIVE_INFINITY;
  }

  /** When there is room for all again: those waits are over, and the windows that were spent before the healing. */
  untilRoomMs(life: number): number {
    if (life !== this.#life) return Number.NEGATIVE_INFINITY;
    return Math.max(this.#untilMs, ...this.#windows.map(({ untilMs }) => untilMs));
  }

  #follow(life: number): void {
    if (life === this.#life) return;
    this.#life = life;
    this.#untilMs = Number.NEGATIVE_INFINITY;
    this.#windows = [new SpentWindow('ip'), new SpentWindow('account')];
  }
}
