/**
 * @module
 * The second half of I14: when the wait after a 429 is over one request probes, and until it, or one from before, has come
 * back without a 429, no other goes beside it (obligation O115).
 */
import type { Sight } from '../../types.ts';
import { type Bucket, type Refusal, refusalOf } from './refusals.ts';

/** A bucket whose wait was told, until something has succeeded in it again. */
interface Probing {
  readonly life: number;
  readonly untilMs: number;
  /** What went behind the wait and has not ended. */
  readonly out: Set<string>;
}

/** What left, or has ended. */
interface Going {
  readonly key: string;
  readonly life: number;
  readonly atMs: number;
}

type Timed = Sight & { readonly atMs: number };

const OF_READS: readonly Bucket[] = ['ip'];
const OF_WRITES: readonly Bucket[] = ['ip', 'account'];

/** An upgrade that was refused otherwise than by a budget has come back all the same. */
const ANSWERED_UPGRADE = /refused with status (?!429)[0-9]{3}$/;

/** Finds requests that go beside a probe. The opening of a socket is a request too, and may be the probe. */
export class Probes {
  readonly #clockErrorMs: number;
  readonly #probing = new Map<Bucket, Probing>();
  /** What is under way, with the buckets that it is charged to. */
  readonly #buckets = new Map<string, readonly Bucket[]>();

  /** @param clockErrorMs How wrong the clock may be that the bot holds a date against. */
  constructor(clockErrorMs: number) {
    this.#clockErrorMs = clockErrorMs;
  }

  /** The buckets in which this sight is a second probe. `nowMs`: the exchange's clock. */
  see(sight: Timed, nowMs: number): readonly Bucket[] {
    const { atMs } = sight;
    switch (sight.kind) {
      case 'request': {
        const buckets = sight.method === 'POST' ? OF_WRITES : OF_READS;
        return this.#sent({ key: `${sight.id}`, life: sight.life, atMs }, buckets);
      }
      case 'opening':
        return this.#sent({ key: `socket ${sight.socket}`, life: sight.life, atMs }, OF_READS);
      case 'opened':
      case 'closed': {
        const isAnswered = sight.kind === 'opened' || ANSWERED_UPGRADE.test(sight.why ?? '');
        this.#ended({ key: `socket ${sight.socket}`, life: sight.life, atMs }, isAnswered);
        return [];
      }
      case 'answer': {
        const refused = refusalOf(sight, nowMs);
        this.#ended({ key: `${sight.id}`, life: sight.life, atMs }, true, refused?.bucket);
        if (refused !== undefined) this.#refused(refused, sight);
        return [];
      }
      case 'noAnswer':
        this.#ended({ key: `${sight.id}`, life: sight.life, atMs }, false);
        return [];
      default:
        return [];
    }
  }

  #sent({ key, life, atMs }: Going, buckets: readonly Bucket[]): readonly Bucket[] {
    this.#buckets.set(key, buckets);
    return buckets.filter((bucket) => {
      const probing = this.#probing.get(bucket);
      if (probing === undefined || probing.life !== life || atMs < probing.untilMs) return false;
      const isSecond = probing.out.size > 0;
      probing.out.add(key);
      if (isSecond) this.#probing.delete(bucket);
      return isSecond;
    });
  }

  #ended({ key, life, atMs }: Going, isAnswered: boolean, refusedIn?: Bucket): void {
    for (const bucket of this.#buckets.get(key) ?? []) {
      const probing = this.#probing.get(bucket);
      probing?.out.delete(key);
      const isSuccess = isAnswered && refusedIn !== bucket;
      if (isSuccess && probing?.life === life && atMs >= probing.untilMs) this.#probing.delete(bucket);
    }
    this.#buckets.delete(key);
  }

  #refused({ bucket, waitMs, isUntilDate }: Refusal, { life, atMs }: Pick<Going, 'life' | 'atMs'>): void {
    const before = this.#probing.get(bucket);
    // At the earliest: a client that waits for longer sends nothing meanwhile.
    const toldMs = atMs + waitMs - (isUntilDate ? this.#clockErrorMs : 0);
    const untilMs = Math.max(toldMs, before?.life === life ? before.untilMs : 0);
    this.#probing.set(bucket, { life, untilMs, out: new Set() });
  }
}
