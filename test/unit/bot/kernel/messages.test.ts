/** @module Messages between strategies of one run: who gets them, when and in which order, and what is refused. */
import { describe, expect, test } from 'vitest';
import {
  defineStrategy,
  order,
  param,
  type StrategyContext,
  type StrategyDefinition,
  type StrategyHandlers,
  type StrategyMessage,
  topic,
} from '../../../../src/bot/strategy/index.ts';
import type { StrategyId } from '../../../../src/domain/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, setupOf } from '../../../support/bot-rig.ts';
import { BTC } from '../../../support/trading-builders.ts';

const score = topic('score', param.object({ points: param.integer() }));
const other = topic('other', param.object({ points: param.integer() }));

/** So many messages in a row may answer each other, and so many come in one turn. */
const [MESSAGE_HOPS_MAX, MESSAGES_PER_TURN_MAX] = [16, 10_000];

type Part = (context: StrategyContext) => StrategyHandlers;

const publisher = (make: Part): StrategyDefinition =>
  defineStrategy({
    name: 'publisher',
    parameters: param.object({}),
    publishes: [score, other],
    create: make,
  });
const hearer = (make: Part): StrategyDefinition =>
  defineStrategy({ name: 'hearer', parameters: param.object({}), hears: [score], create: make });
const both = (make: Part): StrategyDefinition =>
  defineStrategy({
    ...{ name: 'both', parameters: param.object({}), publishes: [score, other], hears: [score, other] },
    create: make,
  });

/** A rig of strategies by their ids, in this order. */
function rigOf(
  strategies: Readonly<Record<string, StrategyDefinition>>,
  options: Parameters<typeof aRig>[1] = {},
): Rig {
  return aRig(
    Object.entries(strategies).map(([id, definition]) => setupOf(definition, { id: id as StrategyId })),
    options,
  );
}

const pointsOf = ({ value }: StrategyMessage): unknown => (value as { readonly points: number }).points;

function delivered(rig: Rig): readonly (readonly unknown[])[] {
  return rig.audit
    .typesOf('MessageDelivered')
    .map(({ fields }) => [fields['strategy'], fields['topic'], fields['json'], fields['to']]);
}

const stateOf = (rig: Rig, id: string) => rig.bot.status().strategies.find((one) => one.id === id);

describe('messages of one fact', () => {
  test('come after every handler of it, in order of publication, to strategies in order of the configuration', () => {
    const seen: string[] = [];
    const listener = (name: string) =>
      hearer(() => ({
        onBook: () => void seen.push(`${name} book`),
        onMessage: (message) => void seen.push(`${name} ${String(pointsOf(message))} of ${message.from}`),
      }));
    const rig = rigOf({
      last: listener('last'),
      sender: publisher((context) => ({
        onBook() {
          context.publish(score, { points: 1 });
          context.publish(score, { points: 2 });
          seen.push('sender book');
        },
      })),
      first: listener('first'),
    });
    rig.book(999_990, 1_000_010);
    expect(seen).toEqual([
      ...['last book', 'sender book', 'first book'],
      ...['last 1 of sender', 'first 1 of sender', 'last 2 of sender', 'first 2 of sender'],
    ]);
  });

  test('that answer others come after those that were published before, and never to their sender', () => {
    const seen: unknown[] = [];
    const rig = rigOf({
      a: both((context) => ({
        onBook() {
          context.publish(score, { points: 1 });
          context.publish(score, { points: 2 });
        },
        onMessage: (message) => void seen.push(['a', message.topic, pointsOf(message)]),
      })),
      b: both((context) => ({
        onMessage(message) {
          seen.push(['b', message.topic, pointsOf(message)]);
          if (message.topic === 'score') context.publish(other, { points: 10 * Number(pointsOf(message)) });
        },
      })),
    });
    rig.book(999_990, 1_000_010);
    expect(seen).toEqual([
      ['b', 'score', 1],
      ['b', 'score', 2],
      ['a', 'other', 10],
      ['a', 'other', 20],
    ]);
  });

  test('can be traded on: what the receiver asks for leaves in the same turn', () => {
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, { points: 1 }) })),
      trader: hearer((context) => ({
        onMessage() {
          context.place(
            order.postOnly({ symbol: BTC, side: 'buy', priceTicks: ticks(999_900), sizeLots: lots(10) }),
          );
        },
      })),
    });
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toMatchObject([{ command: { kind: 'place', orders: [{ side: 'buy' }] } }]);
  });

  test('are told of in the audit with those who heard them; nobody is no error', () => {
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(other, { points: 3 }) })),
    });
    rig.book(999_990, 1_000_010);
    expect(delivered(rig)).toEqual([['sender', 'other', '{"points":3}', []]]);
    expect(stateOf(rig, 'sender')?.state).toBe('running');
  });

  test('that were published for a denied order are delivered before the turn ends', () => {
    const seen: unknown[] = [];
    const rig = rigOf({
      sender: publisher((context) => ({
        onBook() {
          context.place(order.limit({ symbol: BTC, side: 'buy', price: '1.00000001', size: '1' }));
        },
        onDenied: () => context.publish(score, { points: 5 }),
      })),
      receiver: hearer(() => ({ onMessage: (message) => void seen.push(pointsOf(message)) })),
    });
    rig.book(999_990, 1_000_010);
    expect(seen).toEqual([5]);
  });
});

describe('a value', () => {
  test('is the copy that was published, frozen for everyone', () => {
    const seen: unknown[] = [];
    const shared = { points: 1 };
    const rig = rigOf({
      sender: publisher((context) => ({
        onBook() {
          context.publish(score, shared);
          shared.points = 9;
        },
      })),
      writer: hearer(() => ({
        onMessage({ value }) {
          (value as { points: number }).points = 7;
        },
      })),
      reader: hearer(() => ({ onMessage: (message) => void seen.push(message) })),
    });
    rig.book(999_990, 1_000_010);
    expect(seen).toEqual([{ topic: 'score', value: { points: 1 }, from: 'sender', atMs: rig.clock.nowMs() }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(stateOf(rig, 'writer')?.state).toBe('failed');
  });

  test('that the schema of one receiver refuses comes to the others, and the reason is kept', () => {
    const narrow = defineStrategy({
      ...{ name: 'narrow', parameters: param.object({}) },
      hears: [topic('score', param.object({ points: param.integer({ max: 5 }) }))],
      create: () => ({ onMessage: () => void seen.push('narrow') }),
    });
    const seen: unknown[] = [];
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, { points: 6 }) })),
      narrow,
      wide: hearer(() => ({ onMessage: () => void seen.push('wide') })),
    });
    rig.book(999_990, 1_000_010);
    expect(seen).toEqual(['wide']);
    expect(rig.audit.typesOf('MessageDelivered')).toMatchObject([
      {
        fields: {
          to: ['wide'],
          refused: [{ by: 'narrow', problem: 'value.points: expected an integer up to 5' }],
        },
      },
    ]);
  });

  test.each([
    ['what the schema refuses', { points: 'many' }, /score of sender: value.points: expected an integer/],
    ['a field that is not declared', { points: 1, more: 2 }, /value.more: expected no such value/],
    ['what is no JSON', { points: 1n }, /expected plain data \(JSON\), but .*BigInt/],
    ['nothing', undefined, /expected plain data \(JSON\), got nothing/],
    ['too long a text', { points: 'x'.repeat(10_000) }, /at most 10000 characters of JSON, got 10013/],
  ])('is refused where it is published: %s', (_what, value, reason) => {
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, value as { points: number }) })),
    });
    rig.book(999_990, 1_000_010);
    expect(stateOf(rig, 'sender')).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) });
    expect(delivered(rig)).toEqual([]);
  });
});

describe('a topic', () => {
  test('that the strategy does not declare is named with the nearest', () => {
    const scores = topic('scores', param.object({ points: param.integer() }));
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(scores, { points: 1 }) })),
    });
    rig.book(999_990, 1_000_010);
    expect(stateOf(rig, 'sender')?.reason).toMatch(
      /expected a topic that sender publishes \(score, other\), got scores \(did you mean score\?\)/,
    );
  });
});

describe('a strategy', () => {
  test('that publishes before it starts is refused at the start', () => {
    const early = publisher((context) => {
      context.publish(score, { points: 1 });
      return {};
    });
    expect(() => rigOf({ early })).toThrow(/early to publish from onStart on/);
  });

  test('hears what another publishes in onStart, whichever of them is started first', () => {
    const seen: unknown[] = [];
    const rig = rigOf({
      sender: publisher((context) => ({ onStart: () => context.publish(score, { points: 1 }) })),
      receiver: hearer(() => ({
        onStart: () => void seen.push('start'),
        onMessage: (message) => void seen.push(pointsOf(message)),
      })),
    });
    expect(seen).toEqual(['start', 1]);
    expect(delivered(rig)).toEqual([['sender', 'score', '{"points":1}', ['receiver']]]);
  });

  test('whose trading is halted still hears, and its orders are denied', () => {
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, { points: 1 }) })),
      trader: hearer((context) => ({
        onMessage() {
          context.place(
            order.postOnly({ symbol: BTC, side: 'buy', priceTicks: ticks(999_900), sizeLots: lots(10) }),
          );
        },
      })),
    });
    const scope = { kind: 'strategy', strategyId: 'trader' as StrategyId } as const;
    rig.bot.setTrading(scope, 'halted', { actor: 'ann', reason: 'drill' });
    rig.book(999_990, 1_000_010);
    expect(delivered(rig)).toEqual([['sender', 'score', '{"points":1}', ['trader']]]);
    expect(rig.audit.typesOf('IntentDenied').length).toBe(1);
    expect(rig.venue.submitted).toEqual([]);
  });

  test('that has ended hears nothing, and after its restart what is published then', () => {
    const seen: unknown[] = [];
    let points = 0;
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, { points: ++points }) })),
      receiver: hearer(() => ({
        onMessage(message) {
          if (pointsOf(message) === 1) throw new Error('a bug');
          seen.push(pointsOf(message));
        },
      })),
    });
    rig.book(999_990, 1_000_010);
    rig.book(999_990, 1_000_011);
    rig.clock.advance(1_500);
    keepArmed(rig);
    rig.book(999_990, 1_000_012);
    expect(seen).toEqual([3]);
    expect(delivered(rig).map((one) => one[3])).toEqual([['receiver'], [], ['receiver']]);
    rig.bot.stopStrategy('receiver' as StrategyId, { actor: 'ann', reason: 'drill' });
    rig.book(999_990, 1_000_013);
    expect(delivered(rig).at(-1)?.[3]).toEqual([]);
  });

  test('that publishes on and on in one call is stopped, as with intents', () => {
    const rig = rigOf({
      sender: publisher((context) => ({
        onBook() {
          for (;;) context.publish(score, { points: 1 });
        },
      })),
    });
    rig.book(999_990, 1_000_010);
    expect(stateOf(rig, 'sender')?.reason).toMatch(/at most 250 intents and messages in one call/);
  });
});

describe('a ring of messages', () => {
  const answers = () =>
    both((context) => ({
      onMessage(message) {
        context.publish(score, { points: Number(pointsOf(message)) + 1 });
      },
    }));
  const begins = () =>
    both((context) => ({
      onBook: () => context.publish(score, { points: 1 }),
      onMessage(message) {
        context.publish(score, { points: Number(pointsOf(message)) + 1 });
      },
    }));

  test('ends at its named maximum with the strategy that went past it; the other goes on', () => {
    const rig = rigOf({ ping: begins(), pong: answers() });
    rig.book(999_990, 1_000_010);
    expect(delivered(rig).length).toBe(MESSAGE_HOPS_MAX);
    expect([stateOf(rig, 'ping')?.state, stateOf(rig, 'pong')?.state].sort()).toEqual(['failed', 'running']);
    expect(rig.audit.typesOf('StrategyFailed')).toMatchObject([
      {
        fields: {
          reason: expect.stringMatching(
            /at most 16 messages in a row that answer each other, got one more: score/,
          ),
        },
      },
    ]);
  });

  test('of many that fan out ends as well', () => {
    const rig = rigOf({ a: begins(), b: answers(), c: answers(), d: answers() });
    rig.book(999_990, 1_000_010);
    expect(delivered(rig).length).toBeLessThanOrEqual(MESSAGES_PER_TURN_MAX);
    expect(rig.audit.typesOf('StrategyFailed')[0]).toMatchObject({
      fields: { reason: expect.stringMatching(/at most 10000 messages in one turn/) },
    });
  });

  test('over a denial ends too', () => {
    const rig = rigOf({
      a: both((context) => {
        const ask = () => {
          context.place(order.limit({ symbol: BTC, side: 'buy', price: '1.00000001', size: '1' }));
        };
        return { onBook: ask, onDenied: () => context.publish(score, { points: 1 }), onMessage: ask };
      }),
      b: answers(),
    });
    rig.book(999_990, 1_000_010);
    expect(rig.audit.typesOf('StrategyFailed')).toMatchObject([
      { fields: { reason: expect.stringMatching(/at most 16 messages in a row/) } },
    ]);
  });

  test('is counted within one fact: an answer to each of many facts is none', () => {
    const rig = rigOf({
      sender: publisher((context) => ({ onBook: () => context.publish(score, { points: 1 }) })),
      receiver: hearer(() => ({ onMessage: () => undefined })),
    });
    for (let at = 0; at < 5 * MESSAGE_HOPS_MAX; at++) rig.book(999_990, 1_000_010 + at);
    expect(delivered(rig).length).toBe(5 * MESSAGE_HOPS_MAX);
    expect(rig.audit.typesOf('StrategyFailed')).toEqual([]);
  });
});
