/**
 * @module
 * I14 and I26: after a 429 nothing is asked of that bucket until `retry-after` has passed, and one probe at most after
 * it; where nobody touches the budgets the client's own estimate keeps it from ever being refused.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';
import { parseObject } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I14', 'I26'], begin }];

type Bucket = 'ip' | 'account';

/** A wait is capped (obligation O117). */
const WAIT_MS_MAX = 60_000;
/** Whole seconds are told, and the clock that counts them may drift. */
const SLACK_MS = 60;

interface Wait {
  readonly life: number;
  readonly untilMs: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const waits = new Map<Bucket, Wait>();
  const isPost = new Map<number, boolean>();
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
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'request') {
        isPost.set(sight.id, sight.method === 'POST');
        const what = `${sight.method} ${sight.path.split('?')[0]}`;
        check('ip', sight, what);
        if (sight.method === 'POST') check('account', sight, what);
      } else if (sight.kind === 'opening') check('ip', sight, 'a stream was opened');
      else if (sight.kind === 'answer') {
        const refused = refusalOf(sight, world.clock.nowMs());
        isPost.delete(sight.id);
        if (refused === undefined) return;
        const untilMs = sight.atMs + refused.waitMs;
        const before = waits.get(refused.bucket);
        if (before === undefined || before.life !== sight.life || before.untilMs < untilMs)
          waits.set(refused.bucket, { life: sight.life, untilMs });
        // Other bots of the wallet spend the same budget (F71), operators change it (F35), proxies have their own (F12).
        if (!scene.plans('F12', 'F14', 'F35', 'F69', 'F70', 'F71'))
          world.violate('I26', `the budget of bucket ${refused.bucket} was overdrawn`);
      }
    },
  };
}

/** What a 429 of the exchange asks for; `undefined`: it is none. */
function refusalOf(
  { status, headers, body }: Extract<Sight, { kind: 'answer' }>,
  nowMs: number,
): { readonly bucket: Bucket; readonly waitMs: number } | undefined {
  if (status !== 429) return undefined;
  const error = parseObject(body)?.['error'];
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, details } = error as {
    readonly code?: unknown;
    readonly details?: { readonly bucket?: unknown };
  };
  const bucket = details?.bucket;
  if (typeof code !== 'string' || (bucket !== 'ip' && bucket !== 'account')) return undefined;
  return { bucket, waitMs: Math.min(WAIT_MS_MAX, waitOf(headers['retry-after'], nowMs)) };
}

/** Seconds or a date; what is neither asks for nothing that could be held against the client. */
function waitOf(value: unknown, nowMs: number): number {
  const text = String(value ?? '');
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) || !/[A-Za-z]{3}/.test(text) ? 0 : Math.max(0, dateMs - nowMs);
}
