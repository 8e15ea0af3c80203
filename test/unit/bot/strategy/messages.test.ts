/** @module Topics as a plugin declares them, and messages of a scripted run. */
import { describe, expect, test } from 'vitest';
import signalTrader from '../../../../docs/guides/examples/signal-trader.ts';
import signaler from '../../../../docs/guides/examples/signaler.ts';
import {
  defineStrategy,
  misspeltTopics,
  param,
  type Topic,
  topic,
} from '../../../../src/bot/strategy/index.ts';
import { expectPlaced, expectPublished, scriptedMarket, scriptedRun } from '../../../../src/testing/index.ts';

const values = param.object({ points: param.integer() });
const score = topic('score', values);

const aMarket = () => scriptedMarket({ bids: [['99990.0', '0.5']], asks: [['100010.0', '0.5']] });

function defined(
  parts: { readonly publishes?: readonly Topic[]; readonly hears?: readonly Topic[] },
  handlers = {},
) {
  return defineStrategy({ name: 'one', parameters: param.object({}), ...parts, create: () => handlers });
}

describe('a topic', () => {
  test.each(['', 'Score', 'a b', 'x'.repeat(65)])('error: refuses the name %j', (name) => {
    expect(() => topic(name, values)).toThrow(/expected the name of a topic as up to 64 lower-case letters/);
  });

  test('error: refuses a schema that is none, and names a wrong field', () => {
    expect(() => topic('score', {} as typeof values)).toThrow(
      /expected values of topic score made by param.object/,
    );
    expect(() => topic('score', param.object({ points: param.integer({ min: 5, max: 1 }) }))).toThrow(
      /points/,
    );
  });

  test('error: a strategy declares each once, in a list of topics', () => {
    expect(() => defined({ publishes: [score, topic('score', values)] })).toThrow(/got score twice/);
    expect(() => defined({ publishes: ['score' as unknown as Topic] })).toThrow(/got "score"/);
    expect(() => defined({ hears: score as unknown as readonly Topic[] })).toThrow(
      /hears of strategy one as a list/,
    );
  });

  test('error: a strategy that hears has onMessage, and one that has it hears', () => {
    const make = (one: ReturnType<typeof defined>) => () => scriptedRun(one, {}, aMarket());
    expect(make(defined({ hears: [score] }))).toThrow(/strategy one to have onMessage, since it hears score/);
    expect(make(defined({}, { onMessage: () => undefined }))).toThrow(
      /topics of its onMessage, got none in hears/,
    );
  });

  test.each([
    [['signal'], ['signl'], [{ at: 1, heard: 'signl', meant: 'signal' }]],
    [['fair-price'], ['fair.price'], [{ at: 1, heard: 'fair.price', meant: 'fair-price' }]],
    [['fair-price'], ['fairprice'], [{ at: 1, heard: 'fairprice', meant: 'fair-price' }]],
    [['signal', 'signl'], ['signl'], []],
    [['signal'], ['signal', 'signl'], []],
    [['signal'], ['news'], []],
  ])('of %j, hearing %j is misspelt: %j', (published, heard, expected) => {
    const topics = (names: readonly string[]) => names.map((name) => topic(name, values));
    expect(misspeltTopics([{ publishes: topics(published) }, { hears: topics(heard) }])).toEqual(expected);
  });
});

describe('a scripted run', () => {
  test('keeps what was published', () => {
    const market = aMarket();
    const run = scriptedRun(signaler, { movePpm: 500 }, market).start();
    run.play(
      { book: 'BTC-USD', bids: [['99990.0', '1']], asks: [['100010.0', '1']] },
      { book: 'BTC-USD', bids: [['100090.0', '1']], asks: [['100110.0', '1']] },
      { book: 'BTC-USD', bids: [['100091.0', '1']], asks: [['100111.0', '1']] },
    );
    expectPublished(run, [['signal', { symbol: 'BTC-USD', side: 'buy' }]]);
    expect(() => expectPublished(run, [])).toThrow();
  });

  test('sends a message to the strategy', () => {
    const run = scriptedRun(signalTrader, { size: '0.010' }, aMarket()).start();
    run.send('signal', { symbol: 'BTC-USD', side: 'buy' });
    run.play({ message: 'signal', value: { symbol: 'BTC-USD', side: 'sell' }, from: 'trend' });
    expectPlaced(run, ['buy 0.010 @ 100010.0 ioc', 'sell 0.010 @ 99990.0 ioc']);
  });

  test('error: a message of a topic that the strategy does not hear, or of another form', () => {
    const run = scriptedRun(signalTrader, { size: '0.010' }, aMarket()).start();
    expect(() => run.send('signl', {})).toThrow(/hears \(signal\), got signl \(did you mean signal\?\)/);
    expect(() => run.send('signal', { symbol: 'BTC-USD', side: 'long' })).toThrow(
      /value.side: expected one of buy, sell/,
    );
    expectPlaced(run, []);
  });
});
