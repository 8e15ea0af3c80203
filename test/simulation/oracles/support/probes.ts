/**
 * @module
 * The second half of I14: when the wait after a 429 is over one request probes, and until it, or one from before, has come
 * back without a 429, no other goes beside it (obligation O115).
 */
import type { Sight } from '../../types.ts';
import { type Bucket, refusalOf } from './refusals.ts';

/** A bucket whose wait was told, until something has succeeded in it again. */
interface Probing {
  readonly life: number;
  readonly untilMs: number;
  /** Requests behind the wait that have not ended. */
  readonly out: Set<number>;
}

const BUCKETS: readonly Bucket[] = ['ip', 'account'];

/** Finds requests that go beside a probe. */
export class Probes {
  readonly #probing = new Map<Bucket, Probing>();
  readonly #isPost = new Map<number, boolean>();

  /** The buckets in which this sight is a second probe. `nowMs`: the exchange's clock. */
  see(sight: Sight & { readonly atMs: number }, nowMs: number): readonly Bucket[] {
    if (sight.kind === 'request') return this.#sent(sight);
    if (sight.kind === 'answer' || sight.kind === 'noAnswer') this.#ended(sight, nowMs);
    return [];
  }

  #sent(sight: Extract<Sight, { kind: 'request' }> & { readonly atMs: number }): readonly Bucket[] {
    this.#isPost.set(sight.id, sight.method === 'POST');
    return this.#bucketsOf(sight.id).filter((bucket) => {
      const probing = this.#probing.get(bucket);
      if (probing === undefined || probing.life !== sight.life || sight.atMs < probing.untilMs) return false;
      const isSecond = probing.out.size > 0;
      probing.out.add(sight.id);
      if (isSecond) this.#probing.delete(bucket);
      return isSecond;
    });
  }

  #ended(
    sight: Extract<Sight, { kind: 'answer' | 'noAnswer' }> & { readonly atMs: number },
    nowMs: number,
  ): void {
    const { id, life, atMs } = sight;
    const refused = sight.kind === 'answer' ? refusalOf(sight, nowMs) : undefined;
    for (const bucket of this.#bucketsOf(id)) {
      const probing = this.#probing.get(bucket);
      probing?.out.delete(id);
      const isSuccess = sight.kind === 'answer' && refused?.bucket !== bucket;
      if (isSuccess && probing?.life === life && atMs >= probing.untilMs) this.#probing.delete(bucket);
    }
    this.#isPost.delete(id);
    if (refused === undefined) return;
    const before = this.#probing.get(refused.bucket);
    const untilMs = Math.max(atMs + refused.waitMs, before?.life === life ? before.untilMs : 0);
    this.#probing.set(refused.bucket, { life, untilMs, out: new Set() });
  }

  #bucketsOf(id: number): readonly Bucket[] {
    return this.#isPost.get(id) === true ? BUCKETS : ['ip'];
  }
}
