/**
 * @module
 * Messages between strategies against a model, a queue in one loop: whatever strategies publish, answer and hear, each gets
 * the same messages in the same order, and the decisions of a second run are those of the first. A failure prints its seed.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DecisionHash } from '../../src/bot/replay/index.ts';
import { defineStrategy, param, topic } from '../../src/bot/strategy/index.ts';
import type { StrategyId } from '../../src/domain/index.ts';
import { aRig, setupOf } from '../support/bot-rig.ts';

const values = param.object({ left: param.integer(), by: param.integer() });
const TOPICS = [topic('first', values), topic('second', values), topic('third', values)] as const;
const topicAt = (at: number) => TOPICS[at] ?? TOPICS[0];
const place = fc.nat(TOPICS.length - 1);

/** What a strategy hears, what it answers to each topic, and what it publishes with each book. */
const strategy = fc.record({
  hears: fc.uniqueArray(place, { maxLength: TOPICS.length }),
  answers: fc.array(fc.array(place, { maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  books: fc.array(fc.array(place, { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
});
const scene = fc.record({
  strategies: fc.array(strategy, { minLength: 1, maxLength: 4 }),
  /** Before this book the strategy of this place is stopped. */
  stops: fc.array(fc.record({ before: fc.nat(5), who: fc.nat(3) }), { maxLength: 2 }),
  /** So often may messages of a book answer each other. */
  depth: fc.nat(3),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

const BOOKS = 6;

/** What each heard, by the model. */
function model({ strategies, stops, depth }: Scene): readonly string[] {
  const heard: string[] = [];
  const stopped = new Set<number>();
  for (let book = 0; book < BOOKS; book++) {
    for (const { before, who } of stops) if (before === book) stopped.add(who);
    const queue: { readonly from: number; readonly topicAt: number; readonly left: number }[] = [];
    for (const [from, one] of strategies.entries())
      if (!stopped.has(from))
        for (const at of one.books[book] ?? []) queue.push({ from, topicAt: at, left: depth });
    for (const { from, topicAt: at, left } of queue)
      for (const [to, one] of strategies.entries()) {
        if (to === from || stopped.has(to) || !one.hears.includes(at)) continue;
        heard.push(`s${to} ${topicAt(at).name} ${left} of s${from}`);
        if (left > 0)
          for (const answer of one.answers[at] ?? [])
            queue.push({ from: to, topicAt: answer, left: left - 1 });
      }
  }
  return heard;
}

/** What each heard, and the hash of all decisions. */
function played({ strategies, stops, depth }: Scene) {
  const heard: string[] = [];
  const hash = new DecisionHash({ now: () => rig.clock.nowMs(), intentOf: () => undefined });
  const setups = strategies.map(({ hears, answers, books }, by) => {
    let book = 0;
    const definition = defineStrategy({
      ...{ name: `s${by}`, parameters: param.object({}), publishes: TOPICS, hears: hears.map(topicAt) },
      create: (context) => ({
        onBook() {
          for (const at of books[book++] ?? []) context.publish(topicAt(at), { left: depth, by });
        },
        ...(hears.length === 0
          ? {}
          : {
              onMessage({ topic: name, value: { left }, from }) {
                heard.push(`s${by} ${name} ${left} of ${from}`);
                const at = TOPICS.findIndex((one) => one.name === name);
                if (left > 0)
                  for (const answer of answers[at] ?? [])
                    context.publish(topicAt(answer), { left: left - 1, by });
              },
            }),
      }),
    });
    return setupOf(definition, { id: `s${by}` as StrategyId });
  });
  const rig = aRig(setups, { decisions: hash });
  for (let book = 0; book < BOOKS; book++) {
    for (const { before, who } of stops)
      if (before === book) rig.bot.stopStrategy(`s${who}` as StrategyId, { actor: 'test', reason: 'drill' });
    rig.book(999_990, 1_000_010 + book);
  }
  const failed = rig.audit.typesOf('StrategyFailed');
  return { heard, failed, hash: hash.hex() };
}

test('every message comes to those who hear it in the order of a plain queue, and a second run is the same', () => {
  let count = 0;
  fc.assert(
    fc.property(scene, (drawn) => {
      const first = played(drawn);
      expect(first.failed).toEqual([]);
      expect(first.heard).toEqual(model(drawn));
      expect(played(drawn)).toEqual(first);
      count += first.heard.length;
    }),
    { numRuns: 150 },
  );
  expect(count).toBeGreaterThan(1_000);
});
