/** @module The form of a strategy and its parameters: what is wrong is named by path. */
import { describe, expect, test } from 'vitest';
import {
  defineStrategy,
  describeProblem,
  HANDLER_NAMES,
  isStrategyDefinition,
  param,
  type StrategyContext,
  type StrategyHandlers,
} from '../../../../src/bot/strategy/index.ts';
import { Decimal } from '../../../../src/core/index.ts';

const schema = param.object({
  size: param.decimal({ above: '0', max: '10' }),
  levels: param.integer({ min: 1, max: 5 }).prefault('3'),
  isWide: param.flag().prefault('false'),
  pause: param.durationMs({ min: '100ms' }).prefault('5s'),
  halfLife: param.durationMs({ above: '0s' }).prefault('1s'),
  widthPpm: param.ppm().prefault(100),
  mode: param.choice(['calm', 'eager']).prefault('calm'),
  hedge: param.symbol().optional(),
  steps: param.list(param.decimal()).prefault([]),
});
const definition = defineStrategy({ name: 'form', parameters: schema, create: () => ({}) });
const problemsOf = (raw: unknown) => {
  const checked = definition.check(raw);
  return checked.isValid
    ? []
    : checked.problems.map((problem) => describeProblem(problem, 'strategies[0].parameters'));
};

describe('parameters', () => {
  test('text of a configuration becomes exact values, defaults included', () => {
    expect(
      definition.check({ size: '0.10', levels: '2', isWide: 'true', pause: '250ms', steps: ['1.5'] }),
    ).toEqual({
      isValid: true,
      values: {
        size: new Decimal('0.10'),
        levels: 2,
        isWide: true,
        pause: 250,
        halfLife: 1_000,
        widthPpm: 100,
        mode: 'calm',
        steps: [new Decimal('1.5')],
      },
    });
  });

  test('code may give whole numbers and booleans as they are', () => {
    expect(definition.check({ size: '1', levels: 4, isWide: true })).toMatchObject({
      values: { levels: 4, isWide: true, pause: 5_000 },
    });
  });

  test.each([
    [{}, 'size: expected a plain decimal above 0 up to 10'],
    [{ size: 0.1 }, 'size: expected a plain decimal above 0 up to 10 in quotes'],
    [{ size: '1e1' }, 'size: expected a plain decimal above 0 up to 10'],
    [{ size: '0' }, 'size: expected a plain decimal above 0 up to 10'],
    [{ size: '10.1' }, 'size: expected a plain decimal above 0 up to 10'],
    [{ size: '1', levels: '2.5' }, 'levels: expected an integer from 1 to 5'],
    [{ size: '1', levels: Number.POSITIVE_INFINITY }, 'levels: expected an integer from 1 to 5'],
    [{ size: '1', levels: ' 1' }, 'levels: expected an integer from 1 to 5'],
    [{ size: '1', isWide: 'yes' }, 'isWide: expected true or false'],
    [{ size: '1', pause: '5' }, 'pause: expected a duration from 100ms to 87600h'],
    [{ size: '1', pause: '99ms' }, 'pause: expected a duration from 100ms to 87600h'],
    [{ size: '1', halfLife: '0m' }, 'halfLife: expected a duration from 1ms to 87600h'],
    [{ size: '1', widthPpm: 100_001 }, 'widthPpm: expected an integer from 0 to 100000'],
    [{ size: '1', mode: 'mad' }, 'mode: expected one of calm, eager'],
    [{ size: '1', hedge: 'A B' }, 'hedge: expected a market symbol'],
    [{ size: '1', steps: ['1', 'x'] }, 'steps[1]: expected a plain decimal'],
    [{ size: '1', sise: '1' }, 'sise: expected no such parameter'],
  ])('%j is refused: %s', (raw, expected) => {
    expect(problemsOf(raw)).toEqual([`strategies[0].parameters.${expected}`]);
  });

  test('every problem is named at once', () => {
    expect(problemsOf({ size: '-1', levels: 'x', mode: '' })).toHaveLength(3);
  });

  test('error: making an instance with invalid parameters names them', () => {
    const make = () => definition.create({} as StrategyContext, { size: 'x' });
    expect(make).toThrow(
      'expected valid parameters of strategy form, got parameters.size: expected a plain decimal',
    );
  });

  test('have a JSON Schema for editors', () => {
    expect(definition.jsonSchema()).toMatchObject({ type: 'object', required: ['size'] });
  });
});

describe('defineStrategy', () => {
  test('marks what it makes, and nothing else passes for it', () => {
    expect(isStrategyDefinition(definition)).toBe(true);
    for (const other of [undefined, null, {}, { ...definition, name: 'x' }.name, () => definition])
      expect(isStrategyDefinition(other)).toBe(false);
  });

  test('error: refuses a malformed name', () => {
    expect(() => defineStrategy({ name: 'No Good', parameters: schema, create: () => ({}) })).toThrow(
      /got "No Good"/,
    );
  });

  test('the list of handlers is the list of the type', () => {
    const all: Record<keyof StrategyHandlers, true> = {
      onStart: true,
      onBook: true,
      onBbo: true,
      onTrade: true,
      onPrices: true,
      onCandle: true,
      onFunding: true,
      onOrder: true,
      onFill: true,
      onPosition: true,
      onAccount: true,
      onLedger: true,
      onTimer: true,
      onFeed: true,
      onMessage: true,
      onDenied: true,
      onDegraded: true,
      onResumed: true,
      onParameters: true,
      onSave: true,
      onLoad: true,
      onStop: true,
    };
    expect([...HANDLER_NAMES].sort()).toEqual(Object.keys(all).sort());
  });
});
