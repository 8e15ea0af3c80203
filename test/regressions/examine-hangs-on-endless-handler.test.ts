/** A handler that never returned hung `ballast examine`. Now its scenario is ended after a limit, and names the event. */
import { afterEach, expect, test } from 'vitest';
import { defineStrategy, param, type StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { examine, subjectOf } from '../../src/research/examine/index.ts';

const LIMIT_MS = 400;
const { now } = Date;

const strategyOf = (handlers: StrategyHandlers) =>
  subjectOf(defineStrategy({ name: 'endless', parameters: param.object({}), create: () => handlers }), {});

/** Never ends, whatever is thrown into it. */
function endless(): void {
  let turns = 0;
  while (turns >= 0)
    try {
      turns = (turns + 1) % 1_000_000;
    } catch {
      turns = 0;
    }
}

afterEach(() => {
  expect(Date.now).toBe(now);
});

test('an endless handler is a finding with its event and its name, and other scenarios are played', () => {
  const subject = strategyOf({
    onBook(view) {
      if (view.externalAskTicks === undefined) endless();
    },
  });
  const only = ['calm-market', 'no-asks', 'flash-crash'];
  const results = examine(subject, { only, limitMs: LIMIT_MS * 20 });
  const broken = results.filter(({ finding }) => finding !== undefined);
  expect(results).toHaveLength(3);
  expect(broken.map(({ scenario }) => scenario.name)).toEqual(['no-asks']);
  const finding = broken[0]?.finding;
  expect(finding?.event.text).toContain('/ none');
  expect(finding?.got).toContain('onBook had not returned');
});

test('what a scenario had installed is removed, also after it was ended', () => {
  const [result] = examine(strategyOf({ onBook: endless }), { only: ['hidden-clock'], limitMs: LIMIT_MS });
  expect(result?.finding?.expected).toBe('handlers that return at once');
});

test('after three of them no more are played, and all of them count as not passed', () => {
  const results = examine(strategyOf({ onStart: endless }), { only: ['market'], limitMs: LIMIT_MS });
  expect(results.length).toBeGreaterThan(10);
  expect(results.every(({ finding }) => finding !== undefined)).toBe(true);
  expect(results.filter(({ finding }) => finding?.event.text === 'not played')).toHaveLength(
    results.length - 3,
  );
});
