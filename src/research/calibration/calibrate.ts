/**
 * @module
 * Finds the queue model with which a backtest of a run's own rules gives the fills that the run really had, on the
 * first part of its time, and says how wrong that model is on the rest, which it has not seen.
 *
 *   first part ─► fills of the run against fills of backtests, by exponent ─► the exponent
 *   second part ─► fills and markouts of the run against those of one backtest ─► the error out of sample ─► the band
 */

import { assert } from '../../core/index.ts';
import { MARKOUT_HORIZONS_MS, type RecordedFill } from '../../domain/index.ts';
import type { HeldErrors } from '../backtest/index.ts';
import type { FillModelSettings } from '../venue/index.ts';

/** What of a fill is compared. */
export type ComparedFill = Pick<
  RecordedFill,
  'atMs' | 'side' | 'role' | 'priceTicks' | 'sizeLots' | 'laterMidTicks'
>;

/** A span of time, Unix ms; end exclusive. */
export interface RunSpan {
  /** Start, Unix ms. */
  readonly fromMs: number;
  /** End, Unix ms. */
  readonly toMs: number;
}

/** What is calibrated. */
export interface CalibrationInput {
  /** Compared span of time. */
  readonly span: RunSpan;
  /** The fills that the run had. */
  readonly fills: readonly ComparedFill[];
  /** The run is cut in two in time, where it had this fraction of its fills as maker, 0 to 1. Default 0.5. */
  readonly trainedPart?: number;
  /** The fills of a backtest of the same rules with this model. */
  simulate(fillModel: FillModelSettings, span: RunSpan): readonly ComparedFill[];
}

/** A markout, mean over the lots that were filled; bps of the price. NaN: no fill has one. */
export interface MarkoutComparison {
  /** Time after the fill, ms. */
  readonly horizonMs: number;
  /** Markout of the run, in basis points. */
  readonly actualBps: number;
  /** Markout of the backtest, in basis points. */
  readonly predictedBps: number;
}

/** Fills as maker of the run and of the backtest over one span. */
export interface Comparison {
  /** Compared span of time. */
  readonly span: RunSpan;
  /** Fills of the run. */
  readonly actualFills: number;
  /** Fills of the backtest. */
  readonly predictedFills: number;
  /** Filled size of the run, in lots. */
  readonly actualLots: number;
  /** Filled size of the backtest, in lots. */
  readonly predictedLots: number;
  /** Markouts by horizon. */
  readonly markouts: readonly MarkoutComparison[];
}

/** How a model did on the part that is trained on. */
export interface TriedModel {
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Fills of the backtest. */
  readonly fills: number;
  /** Fills too many or too few in all, and in each piece of the time, as a fraction of the run's; 0: none. */
  readonly distance: number;
}

/** The result of a calibration. */
export interface QueueCalibration {
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Each model that was tried, on the first part. */
  readonly tried: readonly TriedModel[];
  /** Comparison on the training span. */
  readonly trained: Comparison;
  /** What counts: the part that was not trained on. */
  readonly held: Comparison;
}

const EXPONENTS = [0.25, 0.5, 1, 2, 4, 8];
/** Halvings between two exponents on both sides of the truth. */
const HALVINGS = 3;
const PART = 0.5;
/** Pieces of the time in which fills are counted: models of the same count differ by when they fill. */
const PIECES = 50;
const BPS = 10_000;

/** Calibrates. @throws AssertionError for a run without fills as maker. */
export function calibrateQueue(input: CalibrationInput): QueueCalibration {
  const { span, trainedPart = PART } = input;
  const splitMs = splitOf(input.fills, span, trainedPart);
  const first = { fromMs: span.fromMs, toMs: splitMs };
  const rest = { fromMs: splitMs, toMs: span.toMs };
  const search = new Search(input, first);
  const fillModel = search.best();
  return {
    fillModel,
    tried: search.tried,
    trained: compare(input, fillModel, first),
    held: compare(input, fillModel, rest),
  };
}

/** When the run had had this fraction of its fills as maker. */
function splitOf(fills: readonly ComparedFill[], span: RunSpan, part: number): number {
  const times = makersIn(fills, span)
    .map(({ atMs }) => atMs as number)
    .sort((a, b) => a - b);
  return times[Math.ceil(times.length * part)] ?? span.toMs;
}

/** Fills of a run against those of a backtest with this model. */
function compare(input: CalibrationInput, fillModel: FillModelSettings, span: RunSpan): Comparison {
  const actual = makersIn(input.fills, span);
  // From the beginning: the run came into the later part with the inventory that it had by then.
  const whole = { fromMs: input.span.fromMs, toMs: span.toMs };
  const predicted = makersIn(input.simulate(fillModel, whole), span);
  return {
    span,
    actualFills: actual.length,
    predictedFills: predicted.length,
    actualLots: lotsOf(actual),
    predictedLots: lotsOf(predicted),
    markouts: MARKOUT_HORIZONS_MS.map((horizonMs, place) => ({
      horizonMs,
      actualBps: markoutBps(actual, place),
      predictedBps: markoutBps(predicted, place),
    })),
  };
}

/** The search for the exponent: a coarse row first, then halving where the fills pass those of the run. */
class Search {
  readonly tried: TriedModel[] = [];
  readonly #input: CalibrationInput;
  readonly #span: RunSpan;
  readonly #actual: readonly ComparedFill[];

  constructor(input: CalibrationInput, span: RunSpan) {
    this.#input = input;
    this.#span = span;
    this.#actual = makersIn(input.fills, span);
    assert(this.#actual.length > 0, 'at least one fill as maker in the training span of the run');
  }

  best(): FillModelSettings {
    this.#try({ name: 'queue-risk-averse' });
    const errors = EXPONENTS.map((exponent) => this.#try({ name: 'queue-power', exponent }));
    for (let at = 0; at + 1 < EXPONENTS.length; at++) {
      const [low, high] = [EXPONENTS[at] ?? 0, EXPONENTS[at + 1] ?? 0];
      const [lowError, highError] = [errors[at] ?? 0, errors[at + 1] ?? 0];
      if (lowError !== 0 && lowError > 0 !== highError > 0) this.#halve({ low, high, lowError });
    }
    return this.tried.reduce((best, one) => (one.distance < best.distance ? one : best)).fillModel;
  }

  #halve(range: { low: number; high: number; readonly lowError: number }): void {
    let { low, high } = range;
    for (let step = 0; step < HALVINGS; step++) {
      const middle = Math.sqrt(low * high);
      const error = this.#try({ name: 'queue-power', exponent: Number(middle.toPrecision(4)) });
      if (error > 0 === range.lowError > 0) low = middle;
      else high = middle;
    }
  }

  /** Gives how many fills the model has more than the run. */
  #try(fillModel: FillModelSettings): number {
    const fills = makersIn(this.#input.simulate(fillModel, this.#span), this.#span);
    const excess = fills.length - this.#actual.length;
    const distance = (Math.abs(excess) + this.#apart(fills)) / this.#actual.length;
    this.tried.push({ fillModel, fills: fills.length, distance });
    return excess;
  }

  /** Fills too many and too few, piece by piece. */
  #apart(fills: readonly ComparedFill[]): number {
    const { fromMs, toMs } = this.#span;
    const excess = new Float64Array(PIECES);
    const place = (atMs: number) => Math.floor(((atMs - fromMs) / (toMs - fromMs)) * PIECES);
    for (const { atMs } of fills) excess[place(atMs)] = (excess[place(atMs)] ?? 0) + 1;
    for (const { atMs } of this.#actual) excess[place(atMs)] = (excess[place(atMs)] ?? 0) - 1;
    return excess.reduce((sum, one) => sum + Math.abs(one), 0);
  }
}

function makersIn(fills: readonly ComparedFill[], { fromMs, toMs }: RunSpan): readonly ComparedFill[] {
  return fills.filter(({ role, atMs }) => role === 'maker' && atMs >= fromMs && atMs < toMs);
}

function lotsOf(fills: readonly ComparedFill[]): number {
  return fills.reduce((sum, { sizeLots }) => sum + sizeLots, 0);
}

/** Mean over lots of how far the mid has moved in favor of the fill. */
function markoutBps(fills: readonly ComparedFill[], place: number): number {
  let sum = 0;
  let lots = 0;
  for (const { side, priceTicks, sizeLots, laterMidTicks } of fills) {
    const later = laterMidTicks[place] ?? Number.NaN;
    if (Number.isNaN(later)) continue;
    sum += ((side === 'buy' ? later - priceTicks : priceTicks - later) / priceTicks) * BPS * sizeLots;
    lots += sizeLots;
  }
  return sum / lots;
}

/** The horizons that count: what a maker loses shows itself within them. */
const HORIZONS_MS: readonly number[] = [1_000, 10_000];

/** The errors of a comparison. */
export function errorsOf({ actualLots, predictedLots, markouts }: Comparison): HeldErrors {
  const off = markouts
    .filter(({ horizonMs }) => HORIZONS_MS.includes(horizonMs))
    .map(({ actualBps, predictedBps }) => Math.abs(predictedBps - actualBps))
    .filter((error) => !Number.isNaN(error));
  return {
    sizePart: actualLots === 0 ? 1 : Math.abs(predictedLots - actualLots) / actualLots,
    markoutBps: off.length === 0 ? 0 : Math.max(...off),
  };
}
