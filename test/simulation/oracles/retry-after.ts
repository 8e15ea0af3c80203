/**
 * @module
 * I14 and I26: after a 429 nothing is asked of that bucket until `retry-after` has passed, and one probe at most after
 * it; where nobody touches the budgets the client's own estimate keeps it from ever being refused.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { Probes } from './support/probes.ts';
import { type Bucket, refusalOf } from './support/refusals.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I14', 'I26'], begin }];

/** Whole seconds are told, and the clock that counts them may drift. */
const SLACK_MS = 60;
/**
 * What the exchange tells of its clock may be wrong by this much (F49), and with it what a date means to who heard it; that
 * clock is known only to a part of the way there and back.
 */
const CLOCK_ERROR_MS_MAX = 5_000;

interface Wait {
  readonly life: number;
  readonly untilMs: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const waits = new Map<Bucket, Wait>();
  /** Requests under way, and whether they left when faults and the windows of their time had passed. */
  const underWay = new Map<number, { readonly isCalm: boolean }>();
  const { requestMs, answerMs } = world.plan.latency;
  const clockErrorMs = scene.plans('F49') ? CLOCK_ERROR_MS_MAX : requestMs + answerMs;
  const check = (
    bucket: Bucket,
    sight: { readonly atMs: number; readonly life: number },
    what: string,
  ): void => {
    const wait = waits.get(bucket);
    if (wait === undefined || wait.life !== sight.life || sight.atMs >= wait.untilMs - SLACK_MS) return;
    world.violate(
      'I14',
      `${what} ${Math.round(wait.untilMs - sight.atMs)} ms before the wait of bucket ${bucket} was over`,
    );
    waits.delete(bucket);
  };
  const probes = new Probes(clockErrorMs);
  return {
    onSight: (sight) => {
      scene.see(sight);
      for (const bucket of probes.see(sight, world.clock.nowMs()))
        world.violate('I14', `a second request goes in bucket ${bucket} before its probe has come back`);
      if (sight.kind === 'request') {
        underWay.set(sight.id, { isCalm: scene.isCalmAgain });
        const what = `${sight.method} ${sight.path.split('?')[0]}`;
        check('ip', sight, what);
        if (sight.method === 'POST') check('account', sight, what);
      } else if (sight.kind === 'opening') check('ip', sight, 'a stream was opened');
      else if (sight.kind === 'answer') {
        const refused = refusalOf(sight, world.clock.nowMs());
        const isCalm = underWay.get(sight.id)?.isCalm === true;
        underWay.delete(sight.id);
        if (refused === undefined) return;
        const untilMs = sight.atMs + refused.waitMs - (refused.isUntilDate ? clockErrorMs : 0);
        const before = waits.get(refused.bucket);
        if (before === undefined || before.life !== sight.life || before.untilMs < untilMs)
          waits.set(refused.bucket, { life: sight.life, untilMs });
        // Other bots of the wallet spend the same budget (F71), operators change it (F35), proxies have their own (F12).
        if (isCalm || !scene.plans('F12', 'F14', 'F35', 'F69', 'F70', 'F71'))
          world.violate('I26', `the budget of bucket ${refused.bucket} was overdrawn`);
      }
    },
  };
}
