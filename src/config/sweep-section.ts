/**
 * @module
 * The section `sweep`: which parameters of strategies are tried with which values, and what is wanted of the results.
 */
import { z } from 'zod';
import { choice, decimalUpTo, integer } from './scalars.ts';

const PATH = 'a strategy and one of its parameters, like ladder.skewPpm';
const PLAIN = 'a plain decimal like 100, -3 or 0.25';

const number = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?$/, { error: PLAIN })
  .meta({ title: PLAIN, type: ['number', 'string'] });

/** The values of one parameter. */
const axis = z
  .union([
    z
      .strictObject({
        values: z
          .array(z.string().meta({ title: 'a value', type: ['string', 'number', 'boolean'] }))
          .min(1, { error: 'at least one value' })
          .describe('The values, as they would stand at the strategy.'),
      })
      .describe('A list.'),
    z
      .strictObject({
        from: number.describe('The first value.'),
        to: number.describe('The last value; it is one of them where whole steps lead to it.'),
        step: number.describe('From one value to the next.'),
      })
      .describe('Equal steps.'),
  ])
  .describe('The values of one parameter: `values`, or `from`, `to` and `step`.');

/** What a result can be judged by. */
const SWEEP_FIGURES = [
  'profit',
  'drawdown',
  'sharpe',
  'sortino',
  'calmar',
  'turnover',
  'profitBps',
  'fills',
  'inventory',
] as const;

/** One of {@link SWEEP_FIGURES}. */
export type SweepFigure = (typeof SWEEP_FIGURES)[number];

const figure = choice(...SWEEP_FIGURES);

/** See the module. */
export const sweepSection = z
  .strictObject({
    method: choice('grid', 'random', 'optimise')
      .default('grid')
      .describe(
        'grid: every combination. random: `runs` combinations drawn by chance. optimise: NSGA-II looks for the best compromises of the objectives in `runs` backtests.',
      ),
    runs: integer(1, 1_000_000)
      .prefault('100')
      .describe('Backtests of random and optimise, for each window.'),
    seed: integer(0, 4_294_967_295).prefault('1').describe('Seed of random and optimise.'),
    population: integer(4, 1000)
      .prefault('20')
      .describe('Of optimise: combinations of one generation; an even number.'),
    parameters: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,39}(?:\.[A-Za-z0-9_]+)+$/, { error: PATH }), axis)
      .refine((axes) => Object.keys(axes).length > 0, { error: 'at least one parameter' })
      .describe('What is varied: `<strategy>.<parameter>`, and its values.'),
    objectives: z
      .array(figure)
      .min(1, { error: 'at least one objective' })
      .default(['profit', 'drawdown'])
      .describe(
        'What is wanted, the most important first: more profit, sharpe, sortino, calmar, turnover, profitBps and fills; less drawdown and inventory.',
      ),
    windows: integer(1, 1000)
      .prefault('1')
      .describe(
        'Walk-forward: the tape in so many equal windows, each with a training part and a test part behind it.',
      ),
    trainShare: decimalUpTo('0.95')
      .prefault('0.7')
      .describe('Part of a window that parameters are chosen on; with one window and 0 the whole tape.'),
  })
  .describe('Parameters that `ballast sweep` tries.');
