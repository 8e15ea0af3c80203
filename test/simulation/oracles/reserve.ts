/**
 * @module
 * Part of I26 (obligation O116): no placement leaves while the last answer said that no more than the reserve is left of a
 * window. What is left then is for receipts, cancels and the switch.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Bucket, RESERVE_SHARE, type Report, reportOf } from './support/refusals.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I26'], begin }];

const PLACING: ReadonlySet<string> = new Set(['/v1/orders', '/v1/orders/replace']);
const BUCKETS: readonly Bucket[] = ['ip', 'account'];
/** Windows are told in whole seconds, and two answers may differ by a little in when theirs ends. */
const WINDOW_SLACK_MS = 4_000;
/** Who has just heard an answer may have decided before. */
const DECIDED_MS = 100;

interface Heard {
  readonly atMs: number;
  readonly report: Report;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const budgets = new Budgets();
  // A process that stands still, or goes by a clock that was set, hears and sends at other times than it seems.
  const isTimely = !scene.plans('F52', 'F53', 'F54');
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') budgets.begin();
      else if (sight.kind === 'answer') budgets.hear(sight);
      else if (sight.kind === 'request' && sight.method === 'POST' && isTimely) {
        const path = sight.path.split('?')[0] ?? '';
        if (!PLACING.has(path)) return;
        for (const bucket of BUCKETS) {
          const left = budgets.reservedAt(bucket, sight.atMs);
          if (left !== undefined)
            world.violate('I26', `${path} leaves while ${left} of bucket ${bucket} are left: its reserve`);
        }
      }
    },
  };
}

/** What one life was told of its budgets. */
class Budgets {
  readonly #last = new Map<Bucket, Heard>();
  readonly #mostLeft = new Map<Bucket, number>();

  begin(): void {
    this.#last.clear();
    this.#mostLeft.clear();
  }

  hear(answer: Extract<Sight, { kind: 'answer' }>): void {
    for (const bucket of BUCKETS) {
      const report = reportOf(answer, bucket);
      if (report === undefined) continue;
      this.#last.set(bucket, { atMs: answer.atMs, report });
      this.#mostLeft.set(bucket, Math.max(this.#mostLeft.get(bucket) ?? 0, report.remaining));
    }
  }

  /** What is left of a bucket whose window goes on, when that is no more than its reserve. */
  reservedAt(bucket: Bucket, nowMs: number): number | undefined {
    const heard = this.#last.get(bucket);
    if (heard === undefined || nowMs - heard.atMs < DECIDED_MS) return undefined;
    const { remaining, untilEndMs, quota } = heard.report;
    if (nowMs >= heard.atMs + untilEndMs - WINDOW_SLACK_MS) return undefined;
    // Where no quota is told, the most that was ever left is all that can be known of it.
    const reserve = Math.ceil((quota ?? this.#mostLeft.get(bucket) ?? 0) * RESERVE_SHARE);
    return remaining - 1 < reserve ? remaining : undefined;
  }
}
