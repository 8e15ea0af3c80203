/**
 * @module
 * G11: a crossing of price and moving average over bars through the whole runtime, beside grademark on the same bars with
 * the same trades. grademark enters and leaves at the next bar without a market, an account or a limit; ours sends orders
 * that a venue fills from a book. (performance B8, D)
 */
import { seededRandom } from '../../../src/core/index.ts';
import { lots, type Ticks, ticks } from '../../../src/domain/index.ts';
import type { StrategyContext, StrategyHandlers } from '../../../src/strategy/index.ts';
import { EVENT, type EventBatch, FLAG_END } from '../../../src/tape/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../../measure.ts';
import { installPeers, loadPeer } from '../../peers.ts';
import { showTable } from '../../show.ts';
import { emptyBatch, LOG_FROM_US } from './event-log.ts';
import { benchMarkets, runOver, sourceOf } from './whole-runtime.ts';

const BARS = 20_000;
const WINDOW = 30;
const BAR_MS = 60_000;
const ROUNDS_MAX = 5;
/** Rows of one bar: four of the bar, and a book of one level a side at its close. */
const BAR_ROWS = 7;
const BOOK_LOTS = 1_000_000;
const PEER = 'grademark.backtest';
const OURS = 'ballast';
const LIMIT: Limit = {
  id: 'G11',
  what: 'bars a second of a moving-average cross through the runtime, to grademark, same trades',
  limit: 2,
  better: 'higher',
};

interface Bars {
  /** In ticks. */
  readonly close: Float64Array;
  readonly average: Float64Array;
}

interface Grademark {
  backtest(strategy: object, frame: object): readonly object[];
}

interface DataForge {
  readonly DataFrame: new (rows: readonly object[]) => object;
}

/** Measures G11. */
export async function bars({ rounds }: Effort): Promise<GroupResult> {
  const absent = installPeers();
  if (absent !== undefined) return { goals: [missed(LIMIT, absent)], figures: {} };
  const { backtest } = await loadPeer<Grademark>('grademark');
  const { DataFrame } = await loadPeer<DataForge>('data-forge');
  const made = randomBars();
  const frame = new DataFrame(rowsOf(made));
  const peer = () => backtest(CROSS, frame).length;
  const source = sourceOf([batchOf(made)], benchMarkets(1));
  const ours = () => {
    const changes = { samplePeriodMs: BAR_MS, guardPeriodMs: BAR_MS };
    const { record } = runOver(source, (context) => new CrossTrader(context, made.average), changes);
    return { trades: Math.ceil(record.fills.length / 2), record };
  };
  const expected = peer();
  const { trades, record } = ours();
  if (trades !== expected || record.residual !== 0n)
    return { goals: [missed(LIMIT, `${trades} trades, the peer has ${expected}`)], figures: {} };
  const samples = new Samples();
  const runs = [
    [PEER, () => void peer()],
    [OURS, () => void ours()],
  ] as const;
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [name, run] of inTurn(runs, round)) samples.add(name, ((await timeMs(run, 1)) * 1000) / BARS);
  showTable(`G11 one bar (${BARS} bars, ${trades} trades both)`, samples.rows(PEER));
  return {
    goals: [reached(LIMIT, samples.ratio(PEER, OURS))],
    figures: Object.fromEntries(
      samples.names().map((name) => [`G11 ${name}, M bars/s`, rounded(1 / samples.median(name))]),
    ),
  };
}

/** Long above the average: seen at a bar, done at the next one. */
const CROSS = {
  entryRule: (enter: () => void, { bar }: { readonly bar: { close: number; average: number } }) => {
    if (bar.close > bar.average) enter();
  },
  exitRule: (exit: () => void, { bar }: { readonly bar: { close: number; average: number } }) => {
    if (bar.close < bar.average) exit();
  },
};

/** The same with orders. As in grademark a rule is not asked at the bar at which its order is carried out. */
class CrossTrader implements StrategyHandlers {
  readonly #context: StrategyContext;
  readonly #average: Float64Array;
  #bar = -1;
  #isLong = false;
  #isPaused = false;

  constructor(context: StrategyContext, average: Float64Array) {
    this.#context = context;
    this.#average = average;
  }

  onCandle: NonNullable<StrategyHandlers['onCandle']> = (view, { closeTicks }) => {
    const average = this.#average[++this.#bar]!;
    if (this.#isPaused) {
      this.#isPaused = false;
      return;
    }
    const isDue = this.#isLong ? closeTicks < average : closeTicks > average;
    if (!isDue) return;
    const side = this.#isLong ? 'sell' : 'buy';
    // A marketable price; the book fills at its own.
    const priceTicks = (side === 'buy' ? closeTicks + 50 : closeTicks - 50) as Ticks;
    this.#context.place({
      ...{ symbol: view.symbol, side, priceTicks, sizeLots: lots(1) },
      ...{ timeInForce: 'ioc', reduceOnly: this.#isLong },
    });
    this.#isLong = !this.#isLong;
    this.#isPaused = true;
  };
}

function randomBars(): Bars {
  const random = seededRandom('bars');
  const close = new Float64Array(BARS);
  const average = new Float64Array(BARS);
  let price = 1_000_000;
  let sum = 0;
  for (let at = 0; at < BARS; at++) {
    price *= 1 + (random.next() - 0.5) * 0.01;
    close[at] = ticks(Math.round(price));
    sum += close[at]! - (at >= WINDOW ? close[at - WINDOW]! : 0);
    average[at] = sum / Math.min(WINDOW, at + 1);
  }
  return { close, average };
}

function rowsOf({ close, average }: Bars): readonly object[] {
  return Array.from(close, (price, at) => ({
    time: new Date(LOG_FROM_US / 1_000 + at * BAR_MS),
    ...{ open: price, high: price, low: price, close: price, volume: 1, average: average[at]! },
  }));
}

/** A book at the close of each bar, then the bar. */
function batchOf({ close }: Bars): EventBatch {
  const batch = emptyBatch(BARS * BAR_ROWS);
  let row = 0;
  const write = (
    kind: number,
    at: number,
    values: { price?: number; size?: number; id?: number; isEnd?: boolean },
  ) => {
    batch.kind[row] = kind;
    batch.flags[row] = values.isEnd === true ? FLAG_END : 0;
    batch.exchangeUs[row] = LOG_FROM_US + (at + 1) * BAR_MS * 1_000;
    batch.price[row] = values.price ?? 0;
    batch.size[row] = values.size ?? 0;
    batch.id[row] = values.id ?? 0;
    row++;
  };
  for (const [at, price] of close.entries()) {
    write(EVENT.bookReset, at, {});
    write(EVENT.bidLevel, at, { price: price - 1, size: BOOK_LOTS });
    write(EVENT.askLevel, at, { price: price + 1, size: BOOK_LOTS, isEnd: true });
    write(EVENT.candleOpen, at, { price, id: BAR_MS });
    write(EVENT.candleHigh, at, { price, id: LOG_FROM_US / 1_000 + at * BAR_MS });
    write(EVENT.candleLow, at, { price });
    write(EVENT.candleClose, at, { price, size: 1, id: 1, isEnd: true });
  }
  return batch;
}
