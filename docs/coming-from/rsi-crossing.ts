/** A rule over bars: in when the RSI crosses its lower level and the fast mean is above the slow one, out at the upper level. */
import {
  type BarMarket,
  type BarRule,
  BarRuleRunner,
  type Bars,
  barParams,
  defineStrategy,
  Ema,
  param,
} from 'ballast/strategy';

const parameters = param.object({
  position: param.decimal({ above: '0' }),
  rsiBars: param.integer({ min: 2, max: 1_000 }).prefault(14),
  buyAbove: param.integer({ min: 1, max: 99 }).prefault(30),
  sellAbove: param.integer({ min: 1, max: 99 }).prefault(70),
  fastBars: param.integer({ min: 1, max: 1_000 }).prefault(5),
  slowBars: param.integer({ min: 2, max: 10_000 }).prefault(20),
  stopPpm: param.ppm({ min: 1 }).prefault(10_000),
  takeProfitPpm: param.ppm({ min: 1 }).prefault(20_000),
  ...barParams(),
});

type Parameters = ReturnType<typeof parameters.parse>;

/** Relative strength of closes, 0 to 100, with the smoothing of Wilder. */
class Rsi {
  readonly #length: number;
  #last: number | undefined;
  #count = 0;
  #gain = 0;
  #loss = 0;

  constructor(length: number) {
    this.#length = length;
  }

  /** Takes a close in; `undefined` while the first window is not full. */
  observe(close: number): number | undefined {
    const change = close - (this.#last ?? close);
    if (this.#last !== undefined) this.#count++;
    this.#last = close;
    const weight = 1 / Math.max(1, Math.min(this.#count, this.#length));
    this.#gain += weight * (Math.max(0, change) - this.#gain);
    this.#loss += weight * (Math.max(0, -change) - this.#loss);
    if (this.#count < this.#length) return undefined;
    const sum = this.#gain + this.#loss;
    return sum === 0 ? 50 : (100 * this.#gain) / sum;
  }
}

class RsiCrossing implements BarRule {
  readonly #values: Parameters;
  readonly #positionLots: number;
  readonly #rsi: Rsi;
  readonly #fast: Ema;
  readonly #slow: Ema;
  #before: number | undefined;

  constructor(market: BarMarket, values: Parameters) {
    this.#values = values;
    this.#positionLots = market.lotsOf(values.position);
    this.#rsi = new Rsi(values.rsiBars);
    this.#fast = new Ema(values.fastBars);
    this.#slow = new Ema(values.slowBars);
  }

  targetLots({ close }: Bars, at: number, heldLots: number): number {
    const price = close[at] ?? Number.NaN;
    const [before, now] = [this.#before, this.#rsi.observe(price)];
    const [fast, slow] = [this.#fast.observe(price), this.#slow.observe(price)];
    this.#before = now;
    if (before === undefined || now === undefined || this.#slow.count < this.#values.slowBars) return heldLots;
    const crosses = (level: number): boolean => before <= level && now > level;
    if (crosses(this.#values.buyAbove) && fast > slow) return this.#positionLots;
    return crosses(this.#values.sellAbove) ? 0 : heldLots;
  }

  stopTicks(_bars: Bars, _at: number, _heldLots: number, averageEntryTicks: number): number {
    return averageEntryTicks * (1 - this.#values.stopPpm / 1_000_000);
  }

  takeTicks(_bars: Bars, _at: number, _heldLots: number, averageEntryTicks: number): number {
    return averageEntryTicks * (1 + this.#values.takeProfitPpm / 1_000_000);
  }
}

const ruleOf = (market: BarMarket, values: Parameters): BarRule => new RsiCrossing(market, values);

export default defineStrategy({
  name: 'rsi-crossing',
  summary: 'Long when the RSI comes up in a rising market, out when it is high, at a stop or at a profit.',
  parameters,
  create: (context, initial) => new BarRuleRunner(context, initial, ruleOf).handlers,
  bars: ruleOf,
});
