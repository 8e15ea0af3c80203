/**
 * A bot that is killed at random, over a gateway that does its worst: whatever happens, the invariants of nonces and
 * proofs hold, judged on the exchange's side (obligations I5, I7, I8, I30).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { decodeRecord, type JournalRow } from '../../src/bot/journal/records.ts';
import { approve, type IntentId } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, type Bench, type Fate, refusal, TRADER } from '../unit/bot/execution/support.ts';

const fateArb: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>({ kind: 'executed' }) },
  { weight: 3, arbitrary: fc.constant<Fate>({ kind: 'answerLost' }) },
  { weight: 3, arbitrary: fc.constant<Fate>({ kind: 'requestLost' }) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 6000 }).map((afterMs): Fate => ({ kind: 'late', afterMs })),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 3000 }).map((pendingMs): Fate => ({ kind: 'sequenced', pendingMs })),
  },
  { weight: 1, arbitrary: fc.constant<Fate>({ kind: 'business', reason: 'InsufficientMargin' }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        refusal(400, 'InvalidPrecision'),
        refusal(412, 'ReplicaBehind'),
        refusal(429, 'RateLimited', {}, { retryAfterMs: 300 }),
        refusal(429, 'RateLimited', {}, { retryAfterMs: 5000 }),
        refusal(422, 'AuthUnavailable', { nonceConsumed: false }),
        refusal(503, 'Unavailable'),
        refusal(403, 'Forbidden'),
        { kind: 'notSent', why: 'connection refused' } as const,
      )
      .map((answer): Fate => ({ kind: 'answer', answer })),
  },
);

type Step =
  | { readonly kind: 'place'; readonly fates: readonly Fate[] }
  | { readonly kind: 'cancelAll' }
  | { readonly kind: 'run'; readonly ms: number }
  | { readonly kind: 'crash'; readonly keep: number }
  | { readonly kind: 'outage'; readonly ms: number };

const stepArb: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fateArb, { maxLength: 3 }).map((fates): Step => ({ kind: 'place', fates })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'cancelAll' }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4000 }).map((ms): Step => ({ kind: 'run', ms })) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 }).map((keep): Step => ({ kind: 'crash', keep })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }).map((ms): Step => ({ kind: 'outage', ms })) },
);

/** Runs the steps over as many lives as they have crashes, then lets everything heal. */
async function play(steps: readonly Step[], isShared: boolean): Promise<Bench[]> {
  let bench = aBench({ isShared });
  const lives = [bench];
  void bench.executor.start();
  await bench.run(100);
  for (const step of steps) {
    if (step.kind === 'run') await bench.run(step.ms);
    else if (step.kind === 'cancelAll') bench.executor.submitSafety({ kind: 'cancelAll' });
    else if (step.kind === 'outage') {
      bench.gateway.isDown = true;
      await bench.run(step.ms);
      bench.gateway.isDown = false;
    } else if (step.kind === 'place' && bench.executor.isReady(TRADER)) {
      bench.gateway.fates.push(...step.fates);
      bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    } else if (step.kind === 'crash') {
      const rows = bench.journal.crash(Math.min(step.keep, bench.journal.status().pending));
      bench.executor.dispose();
      const memory = createInMemoryJournal({ rows, commit: { clock: bench.clock, delayMs: 1 } });
      bench = aBench({ isShared, memory, clock: bench.clock, gateway: bench.gateway });
      lives.push(bench);
      void bench.executor.start();
      await bench.run(30_000);
    }
  }
  bench.gateway.fates.length = 0;
  await bench.run(30_000);
  // A heartbeat may be under way at this very instant.
  const isBusy = () =>
    bench.executor.unresolved() + bench.journal.openWrites().length + bench.journal.status().pending;
  for (let n = 0; n < 20 && isBusy() > 0; n++) await bench.run(20);
  return lives;
}

function check(lives: readonly Bench[]): void {
  const last = lives.at(-1);
  if (last === undefined) throw new Error('expected a life');
  const { gateway, journal, executor } = last;
  for (const life of lives) expect(life.bugs).toEqual([]);
  expect(gateway.posts.filter((post) => !post.isRecorded)).toEqual([]);
  for (const signer of [last.trader, last.safety]) {
    const own = gateway.posts.filter((post) => post.signer === signer.address);
    const spent = gateway.nextNonce(signer);
    expect(own.every((post) => post.nonce <= spent)).toBe(true);
    const executed = gateway.executed.filter((post) => post.signer === signer.address);
    expect(new Set(executed.map((post) => post.nonce)).size).toBe(executed.length);
  }
  checkPayloads(journal.rows());
  // Each request was written down, and its text never changed.
  const texts = new Map<string, string>();
  for (const post of gateway.posts) {
    expect(texts.get(post.requestId) ?? post.body).toBe(post.body);
    texts.set(post.requestId, post.body);
  }
  const halted = executor.lanes().flatMap((lane) => lane.haltCode ?? []);
  for (const code of halted) expect(code).toBe('EXECUTION_REPEATED_REJECTS');
  if (halted.length > 0) return;
  expect(executor.unresolved()).toBe(0);
  expect(journal.openWrites()).toEqual([]);
  checkProofs(lives);
}

/** A second payload is signed for a nonce only as a fence, or after a refusal that did not consume it (invariant I7). */
function checkPayloads(rows: readonly JournalRow[]): void {
  const refused = new Set<string>();
  const signed = new Map<string, string[]>();
  for (const row of rows) {
    const record = decodeRecord(row);
    if (record.type === 'outcome' && !record.value.nonceConsumed) refused.add(record.value.requestId);
    if (record.type !== 'write') continue;
    const { scope, nonce, requestId, kind } = record.value;
    const before = signed.get(`${scope} ${nonce}`) ?? [];
    if (kind === 'write') expect(before.filter((id) => !refused.has(id))).toEqual([]);
    signed.set(`${scope} ${nonce}`, [...before, requestId]);
  }
}

/** What was told of each intent agrees with what the exchange executed. */
function checkProofs(lives: readonly Bench[]): void {
  const accepted = new Set<IntentId>();
  const never = new Set<IntentId>();
  for (const life of lives) {
    for (const fact of life.of('OrderAccepted')) accepted.add(fact.spec.intentId);
    for (const fact of life.of('OrderNotExecuted')) never.add(fact.spec.intentId);
  }
  for (const intentId of never) expect(accepted.has(intentId)).toBe(false);
  const { gateway } = lives[0] as Bench;
  const placements = gateway.executed.filter((post) => post.kind === 'PlaceOrder').length;
  expect(accepted.size).toBe(placements);
}

const WAYS = [
  'fence won',
  'fence lost',
  'refused bytes superseded',
  'resolved by a receipt',
  'resolved after a crash',
];

function note(seen: Map<string, number>, lives: readonly Bench[]): void {
  const count = (way: string, isSeen: boolean) => seen.set(way, (seen.get(way) ?? 0) + (isSeen ? 1 : 0));
  const { gateway, journal } = lives.at(-1) as Bench;
  const executed = new Set(gateway.executed.map((post) => post.requestId));
  const rows = journal.rows().map((row) => row.body);
  const fences = rows.filter((body) => body.includes('"kind":"fence"'));
  const isDone = (body: string) => executed.has(JSON.parse(body).requestId);
  count('fence won', fences.some(isDone));
  count(
    'fence lost',
    fences.some((body) => !isDone(body)),
  );
  count(
    'refused bytes superseded',
    rows.some((body) => body.includes('"outcome":"refused"')),
  );
  count(
    'resolved by a receipt',
    rows.some((body) => body.includes('"proof":"receipt"')),
  );
  const later = lives.slice(1);
  count(
    'resolved after a crash',
    later.some((life) => life.of('WriteUnresolved').some((fact) => fact.why.includes('last run'))),
  );
}

describe('a lane over a gateway that does its worst', () => {
  test.each([false, true])(
    'at most one payload of a nonce executes, nothing is lost and nothing is guessed (one wallet: %s)',
    async (isShared) => {
      const seen = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(fc.array(stepArb, { minLength: 1, maxLength: 14, size: 'max' }), async (steps) => {
          const lives = await play(steps, isShared);
          check(lives);
          note(seen, lives);
        }),
        { numRuns: 500, interruptAfterTimeLimit: 25_000 },
      );
      // The rare ways were taken (reachability).
      for (const way of WAYS)
        expect([way, seen.get(way) ?? 0]).toEqual([way, expect.toSatisfy((n) => n >= 5)]);
    },
  );

  test('the same steps leave the same journal, byte by byte (invariant I19)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArb, { minLength: 1, maxLength: 6 }), async (steps) => {
        const without = steps.filter((step) => step.kind !== 'place');
        const heads = [];
        for (let n = 0; n < 2; n++) heads.push((await play(without, false)).at(-1)?.journal.head());
        expect(heads[0]).toBe(heads[1]);
      }),
      { numRuns: 20 },
    );
  });
});
