/**
 * @module
 * What a 429 of the exchange asks for, and until when a life must keep silent for it.
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
  /** The wait that a client keeps that goes by the letter: without one that can be read, until the window ends. */
  readonly fullWaitMs: number;
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
  const toldMs = waitOf(headers['retry-after'], nowMs);
  const capped = (waitMs: number): number => Math.min(WAIT_MS_MAX, waitMs);
  return { bucket, waitMs: capped(toldMs ?? 0), fullWaitMs: capped(toldMs ?? windowOf(headers)) };
}

/** Seconds or a date. */
function waitOf(value: unknown, nowMs: number): number | undefined {
  const text = String(value ?? '');
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) || !/[A-Za-z]{3}/.test(text) ? undefined : Math.max(0, dateMs - nowMs);
}

function windowOf(headers: AnswerSight['headers']): number {
  const seconds = /;t=([0-9]+)$/.exec(String(headers['ratelimit'] ?? ''))?.[1];
  return seconds === undefined ? WAIT_MS_MAX : Number(seconds) * 1_000;
}

/** The longest wait that each life was told by answers to requests from before the healing. */
export class ToldWaits {
  #lastRequest = 0;
  #lastUnhealed = Number.POSITIVE_INFINITY;
  #life = 0;
  #untilMs = Number.NEGATIVE_INFINITY;

  /** Takes a sight; `nowMs`: the exchange's clock. */
  take(sight: Sight, nowMs: number): void {
    if (sight.kind === 'request') this.#lastRequest = sight.id;
    else if (sight.kind === 'healed') this.#lastUnhealed = this.#lastRequest;
    else if (sight.kind === 'answer' && sight.id <= this.#lastUnhealed) {
      const refusal = refusalOf(sight, nowMs);
      if (refusal !== undefined) this.#keep(sight, refusal.fullWaitMs);
    }
  }

  /** When the last of its waits is over; -Infinity: it was told none. */
  untilMs(life: number): number {
    return life === this.#life ? this.#untilMs : Number.NEGATIVE_INFINITY;
  }

  #keep({ life, atMs }: AnswerSight, waitMs: number): void {
    this.#untilMs = Math.max(this.untilMs(life), atMs + waitMs);
    this.#life = life;
  }
}
