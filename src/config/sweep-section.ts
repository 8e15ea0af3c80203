/**
 * @module
 * The section `sweep`: which parameters of strategies are tried with which values, and what is wanted of the results.
 */
import { z } from 'zod';
import { choice, decimalUpTo, integer } from './scalars.ts';

const PATH = 'a strategy and one of its parameters, like ladder.skewPpm';
const AXIS = '`values`, or `from`, `to` and `step`';
/** Values of one parameter at most. */
const AXIS_VALUES_MAX = 1_000_000;
const PLAIN = 'a plain decimal like 100, -3 or 0.25';

const number = z
  .string({ error: PLAIN })
  .regex(/^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?$/, { error: PLAIN })
  .meta({ title: PLAIN, type: ['number', 'string'] });

const list = z
  .strictObject({
    values: z
      .array(z.string({ error: 'a value' }).meta({ title: 'a value', type: ['string', 'number', 'boolean'] }))
      .min(1, { error: 'at least one value' })
      .describe('The values, as in the section strategies.'),
  })
  .describe('A list.');
const steps = z
  .strictObject({
    from: number.describe('The first value.'),
    to: number.describe('The last value, included where a multiple of the step reaches it.'),
    step: number.describe('From one value to the next.'),
  })
  .superRefine(({ from, to, step }, context) => {
    const fault = faultOfSteps(Number(from), Number(to), Number(step));
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['step'], message: fault });
  })
  .describe('Equal steps.');

/** The values of one parameter. */
const axis = z
  .union([list, steps], { error: AXIS })
  .describe('The values of one parameter: `values`, or `from`, `to` and `step`.');

function faultOfSteps(from: number, to: number, step: number): string | undefined {
  if (from !== to && step === 0) return 'a step that is not 0';
  if ((to - from) * step < 0) return `a step that leads from ${from} to ${to}`;
  if (step !== 0 && (to - from) / step >= AXIS_VALUES_MAX)
    return `a step that makes at most ${AXIS_VALUES_MAX} values`;
  return undefined;
}

/** What a result can be ranked by. */
const SWEEP_STATISTICS = [
  'pnl',
  'maxDrawdown',
  'sharpe',
  'sortino',
  'calmar',
  'turnover',
  'returnOnTurnoverBps',
  'fills',
  'meanInventory',
] as const;

/** One of {@link SWEEP_STATISTICS}. */
export type SweepStatistic = (typeof SWEEP_STATISTICS)[number];

const statistic = choice(...SWEEP_STATISTICS);

/** See the module. */
export const sweepSection = z
  .strictObject({
    method: choice('grid', 'random', 'nsga2')
      .default('grid')
      .describe(
        'grid: every combination. random: `trials` random combinations. nsga2: the optimizer NSGA-II searches for the best compromises of the objectives in `trials` backtests.',
      ),
    trials: integer(1, 1_000_000).prefault('100').describe('Backtests of random and nsga2, for each window.'),
    seed: integer(0, 4_294_967_295).prefault('1').describe('Seed of random and nsga2.'),
    population: integer(4, 1000)
      .prefault('20')
      .describe('Of nsga2: combinations of one generation; an even number.'),
    parameters: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,39}(?:\.[A-Za-z0-9_]+)+$/, { error: PATH }), axis)
      .refine((axes) => Object.keys(axes).length > 0, { error: 'at least one parameter' })
      .describe('What is varied: `<strategy>.<parameter>`, and its values.'),
    objectives: z
      .array(statistic)
      .min(1, { error: 'at least one objective' })
      .default(['pnl', 'maxDrawdown'])
      .describe(
        'Objectives, the most important first: more pnl, sharpe, sortino, calmar, turnover, returnOnTurnoverBps and fills; less maxDrawdown and meanInventory.',
      ),
    windows: integer(1, 1000)
      .prefault('1')
      .describe(
        'Walk-forward: the tape is cut into this number of equal windows, each a training span followed by a test span.',
      ),
    trainFraction: decimalUpTo('0.95')
      .prefault('0.7')
      .describe('Fraction of a window that parameters are chosen on; with one window and 0 the full tape.'),
  })
  .describe('Parameters that `ballast sweep` tries.');
