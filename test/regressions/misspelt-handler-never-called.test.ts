/** A handler with a misspelt name was never called, and nothing said so: a strategy without `onBok` looked like a quiet one. */
import { expect, test } from 'vitest';
import { defineStrategy, HANDLER_NAMES, param, type StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { scriptedMarket, scriptedRun } from '../../src/testing/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';

const handlersOf = (name: string) => ({ [name]: () => undefined }) as StrategyHandlers;

test.each([
  ['onBok', 'onBook'],
  ['onbook', 'onBook'],
  ['OnFill', 'onFill'],
  ['on_trade', 'onTrade'],
  ['onOrders', 'onOrder'],
  ['noBook', 'onBook'],
  ['oTimer', 'onTimer'],
  ['onTimre', 'onTimer'],
  ['onDisconnected', 'onDegraded'],
])('%s is refused, and %s named', (name, nearest) => {
  const definition = strategyOf(() => handlersOf(name));
  expect(() => scriptedRun(definition, {}, scriptedMarket())).toThrow(`handler ${name}`);
  try {
    scriptedRun(definition, {}, scriptedMarket());
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'STRATEGY_NAME_MISSPELT' });
    if (name !== 'onDisconnected') expect(String(thrown)).toContain(`did you mean ${nearest}?`);
  }
});

test('a bot does not start with it, whatever runs the bot', () => {
  expect(() => aRig(strategyOf(() => handlersOf('onFil')))).toThrow('did you mean onFill?');
});

test('methods of a class are looked at as well', () => {
  class Maker {
    onBoook(): undefined {
      return undefined;
    }
  }
  expect(() => aRig(strategyOf(() => new Maker() as StrategyHandlers))).toThrow('did you mean onBook?');
});

test('each handler is taken, and methods that are meant as none', () => {
  const nothing = () => undefined;
  class Maker {
    only = nothing;
    once = nothing;
    start = nothing;
    stop = nothing;
    save = nothing;
    book = nothing;
    quoteAll = nothing;
  }
  expect(() => aRig(strategyOf(() => new Maker() as StrategyHandlers))).not.toThrow();
  // `onMessage` is taken of a strategy that hears a topic.
  for (const name of HANDLER_NAMES.filter((one) => one !== 'onSave' && one !== 'onMessage'))
    expect(() => aRig(strategyOf(() => handlersOf(name))), name).not.toThrow();
});

const { market } = scriptedMarket();
const bars = { market, barMs: 60_000, lotsOf: () => 0 as never, ticksOf: () => 0 as never };

test('a rule over bars has no misspelt method either, and a blueprint no unknown part', () => {
  const rule = { targetLots: () => 0, stopTick: () => 0 };
  const definition = defineStrategy({
    name: 'trend',
    parameters: param.object({}),
    create: () => ({}),
    bars: () => rule,
  });
  expect(() => definition.bars?.(bars, {})).toThrow('did you mean stopTicks?');
  const blueprint = { name: 'trend', parameters: param.object({}), create: () => ({}), bar: () => rule };
  expect(() => defineStrategy(blueprint)).toThrow('did you mean bars?');
});

test.each([
  ['takeProfitTicks', 'takeTicks'],
  ['stopLossTicks', 'stopTicks'],
  ['targetPositionLots', 'targetLots'],
])('a rule over bars with %s, which no one calls, is told of %s', (name, meant) => {
  const definition = defineStrategy({
    name: 'wordy',
    parameters: param.object({}),
    create: () => ({}),
    bars: () => ({ targetLots: () => 0, [name]: () => 0 }),
  });
  expect(() => definition.bars?.(bars, {})).toThrow(`did you mean ${meant}?`);
});

test('a rule over bars may have values and methods of its own that are no names of ours', () => {
  class Own {
    readonly stopDistanceTicks = 5;
    targetLots = () => 0;
    stopTicks = () => 0;
    lotsOfTarget = () => 0;
  }
  const definition = defineStrategy({
    name: 'own',
    parameters: param.object({}),
    create: () => ({}),
    bars: () => new Own(),
  });
  expect(definition.bars?.(bars, {})).toBeInstanceOf(Own);
});
