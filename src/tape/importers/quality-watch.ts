/**
 * @module Watches an import for its data quality: each record as it is read, each gap, each frame as it is written. One
 * mechanism for all formats; what a reader drops or repairs it reports to ImportCounts by reason.
 */
import { formatScaled, ProtocolError } from '../../core/index.ts';
import type { DataQuality, EventKind, EventName, TapeMarket } from '../format/index.ts';
import { EVENT } from '../format/index.ts';
import { type Frame, RANK } from './frame.ts';
import type { ImportCounts, ImportTally } from './import-counts.ts';
import { meaningOf } from './quality-meaning.ts';
import type { Recorded } from './recorded.ts';

const RANKS = Object.keys(RANK).length;
/** Fewer rows than these show no step. */
const STEP_ROWS_MIN = 30;
/** Fewer changes of a value than these show no step. */
const STEP_CHANGES_MIN = 20;
/** Times in steps of this or more are coarse, us. */
const COARSE_TIME_US = 10_000;
/** More different times a second, over all of a recording, than any market has. */
const TIMES_PER_SECOND_MAX = 20_000;
const TIMES_MIN = 1_000;
/** Spans of the two times of a recording that differ by a thousand, or a million: their units do. */
const UNIT_FACTORS = [1_000, 1_000_000];
const FACTOR_TOLERANCE = 0.3;
const SPAN_ROWS_MIN = 100;

const ROWS_OF = new Map<number, 'trades' | 'book' | 'quotes'>([
  ...[EVENT.buyTrade, EVENT.sellTrade].map((kind) => [kind, 'trades'] as const),
  ...[EVENT.bidLevel, EVENT.askLevel, EVENT.bidOrder, EVENT.askOrder].map((kind) => [kind, 'book'] as const),
  ...[EVENT.bestBid, EVENT.bestAsk].map((kind) => [kind, 'quotes'] as const),
]);

/** See the module. */
export class QualityWatch {
  readonly #counts: ImportCounts;
  #records = 0;
  /** By file: the latest exchange time so far. */
  readonly #newestUs = new Map<string, number>();
  #late = 0;
  #lateMaxUs = 0;
  #times = 0;
  #lastUs = Number.NaN;
  readonly #exchange = new Span();
  readonly #exchangeOfReceived = new Span();
  readonly #received = new Span();
  readonly #latency = new Latencies();
  #gapMaxUs = 0;
  #fromUs = 0;
  #toUs = 0;
  /** By market and rank: time of the latest frame. */
  readonly #streamUs = new Map<number, number>();
  #silenceMaxUs = 0;
  readonly #kinds = new Map<EventKind, number>();
  readonly #steps = new Map<string, Steps>();

  constructor(counts: ImportCounts) {
    this.#counts = counts;
  }

  /** Records that were read so far. */
  get records(): number {
    return this.#records;
  }

  /** A record as it was read. */
  sawRecord({ place, exchangeUs, receivedUs }: Recorded): void {
    this.#records++;
    const newestUs = this.#newestUs.get(place.file) ?? exchangeUs;
    if (exchangeUs < newestUs) {
      this.#late++;
      this.#lateMaxUs = Math.max(this.#lateMaxUs, newestUs - exchangeUs);
    } else this.#newestUs.set(place.file, exchangeUs);
    if (exchangeUs !== this.#lastUs) this.#times++;
    this.#lastUs = exchangeUs;
    this.#exchange.add(exchangeUs);
    if (receivedUs === undefined) return;
    this.#exchangeOfReceived.add(exchangeUs);
    this.#received.add(receivedUs);
    this.#latency.add(receivedUs - exchangeUs);
  }

  /** A silence of a book that is marked as a gap. */
  sawGap(lengthUs: number): void {
    this.#counts.add('gaps');
    this.#counts.add('gapsMs', Math.round(lengthUs / 1_000));
    this.#gapMaxUs = Math.max(this.#gapMaxUs, lengthUs);
  }

  /** A frame, in the order of the tape, and at its time there. */
  wroteFrame({ market, rows, rank }: Frame, exchangeUs: number): void {
    if (this.#fromUs === 0) this.#fromUs = exchangeUs;
    this.#toUs = exchangeUs;
    if (rank !== RANK.hole) {
      const stream = market * RANKS + rank;
      const beforeUs = this.#streamUs.get(stream) ?? exchangeUs;
      this.#silenceMaxUs = Math.max(this.#silenceMaxUs, exchangeUs - beforeUs);
      this.#streamUs.set(stream, exchangeUs);
    }
    for (const [rowKind, price] of rows) {
      this.#kinds.set(rowKind, (this.#kinds.get(rowKind) ?? 0) + 1);
      const what = ROWS_OF.get(rowKind);
      if (what === undefined) continue;
      const key = `${market} ${what}`;
      const known = this.#steps.get(key);
      const steps = known ?? new Steps();
      if (known === undefined) this.#steps.set(key, steps);
      steps.add(price, exchangeUs);
    }
  }

  /** @throws ProtocolError `TAPE_SPAN_INVALID` when all times together cannot be: a unit is wrong by a thousand. */
  checkSpans(): void {
    const seconds = this.#exchange.us / 1_000_000;
    if (this.#times >= TIMES_MIN && this.#times > seconds * TIMES_PER_SECOND_MAX)
      throw impossibleSpan(
        `at most ${TIMES_PER_SECOND_MAX} different times a second`,
        `${this.#times} within ${seconds} s`,
      );
    const [longer, shorter] = [this.#exchangeOfReceived.us, this.#received.us].sort((a, b) => b - a);
    const factor = (longer ?? 0) / Math.max(1, shorter ?? 0);
    const isUnit = UNIT_FACTORS.some((one) => Math.abs(factor / one - 1) < FACTOR_TOLERANCE);
    if (isUnit && this.#latency.count >= SPAN_ROWS_MIN)
      throw impossibleSpan(
        'exchange times and receive times over the same span',
        `${this.#exchangeOfReceived.us / 1_000_000} s and ${this.#received.us / 1_000_000} s`,
      );
  }

  /** The quality of the tape that was made. */
  quality(markets: readonly TapeMarket[]): DataQuality {
    const counts = this.#counts.tally();
    const found = {
      records: this.#records,
      rows: Object.fromEntries(
        (Object.entries(EVENT) as [EventName, EventKind][])
          .map(([name, kind]) => [name, this.#kinds.get(kind) ?? 0] as const)
          .filter(([, count]) => count > 0),
      ),
      fromUs: this.#fromUs,
      toUs: this.#toUs,
      gaps: {
        count: counts.gaps ?? 0,
        totalMs: counts.gapsMs ?? 0,
        longestMs: Math.round(this.#gapMaxUs / 1_000),
      },
      longestSilenceMs: Math.round(this.#silenceMaxUs / 1_000),
      duplicates: counts.duplicatesDropped ?? 0,
      late: { records: this.#late, maxMs: Math.ceil(this.#lateMaxUs / 1_000) },
      repaired: repairedOf(counts, this.#records),
      counts,
      clock: this.#latency.quality(),
      coarse: markets.flatMap((market, place) => this.#coarseOf(market, place)),
    };
    return { ...found, meaning: meaningOf(found, markets) };
  }

  #coarseOf({ symbol, priceDecimals }: TapeMarket, place: number): DataQuality['coarse'] {
    return (['trades', 'book', 'quotes'] as const).flatMap((rows) => {
      const { priceTicks = 1, timeUs = 1 } = this.#steps.get(`${place} ${rows}`)?.found() ?? {};
      if (priceTicks === 1 && timeUs < COARSE_TIME_US) return [];
      const price = priceTicks === 1 ? {} : { price: formatScaled(priceTicks, priceDecimals) };
      return [
        { market: symbol, rows, ...price, ...(timeUs < COARSE_TIME_US ? {} : { timeMs: timeUs / 1_000 }) },
      ];
    });
  }
}

/** What a repair loses or moves: what a record that repeats another one, or precedes the first book, is not. */
function repairedOf(counts: ImportTally, records: number): DataQuality['repaired'] {
  const dropped = (counts.tradesWithoutSize ?? 0) + (counts.tradesWithoutSide ?? 0);
  const moved = counts.lateMoved ?? 0;
  return { dropped, moved, fraction: records === 0 ? 0 : (dropped + moved) / records };
}

function impossibleSpan(expected: string, found: string): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_SPAN_INVALID',
    message: `expected ${expected}, got ${found}: a unit of the times is wrong by a thousand or more`,
    remedy:
      'Name the unit of each column of times (`unit` in the mapping of format csv), or leave the column `received` out when it holds the time of a download.',
  });
}

/** First and last of some times, whatever their order. */
class Span {
  #fromUs = Number.POSITIVE_INFINITY;
  #toUs = Number.NEGATIVE_INFINITY;

  get us(): number {
    return Math.max(0, this.#toUs - this.#fromUs);
  }

  add(us: number): void {
    if (us < this.#fromUs) this.#fromUs = us;
    if (us > this.#toUs) this.#toUs = us;
  }
}

/** Receive times minus exchange times, in bounded memory: the median to three digits. */
class Latencies {
  count = 0;
  #negative = 0;
  #minUs = Number.POSITIVE_INFINITY;
  readonly #byValue = new Map<number, number>();

  add(us: number): void {
    this.count++;
    if (us < 0) this.#negative++;
    if (us < this.#minUs) this.#minUs = us;
    const value = threeDigits(us);
    this.#byValue.set(value, (this.#byValue.get(value) ?? 0) + 1);
  }

  quality(): DataQuality['clock'] {
    if (this.count === 0) return null;
    const isLate = this.#minUs < 0;
    return {
      records: this.count,
      negative: this.#negative,
      negativeFraction: this.#negative / this.count,
      medianMs: this.#median() / 1_000,
      minMs: this.#minUs / 1_000,
      feedClockOffset: isLate ? `${Math.ceil(-this.#minUs / 1_000)}ms` : null,
    };
  }

  /** The middle value, the lower of two. */
  #median(): number {
    let left = Math.ceil(this.count / 2);
    for (const [value, count] of [...this.#byValue].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return value;
    }
    return 0;
  }
}

/** `value` to three digits, so that there are few different ones. */
function threeDigits(value: number): number {
  const size = Math.abs(value);
  if (size < 1_000) return value;
  const unit = 10 ** (Math.floor(Math.log10(size)) - 2);
  return Math.round(value / unit) * unit;
}

/** The greatest steps that prices and times are multiples of. */
class Steps {
  #rows = 0;
  #priceTicks = 0;
  #timeUs = 0;
  #lastPrice = 0;
  #lastUs = 0;
  #priceChanges = 0;
  #timeChanges = 0;

  add(priceTicks: number, us: number): void {
    this.#rows++;
    if (priceTicks !== this.#lastPrice) this.#priceChanges++;
    if (us !== this.#lastUs) this.#timeChanges++;
    this.#lastPrice = priceTicks;
    this.#lastUs = us;
    if (this.#priceTicks !== 1) this.#priceTicks = commonStep(this.#priceTicks, priceTicks);
    if (this.#timeUs !== 1) this.#timeUs = commonStep(this.#timeUs, us);
  }

  /** Steps that enough rows show; 1 where they show none. */
  found(): { readonly priceTicks: number; readonly timeUs: number } {
    const isShown = (changes: number) => this.#rows >= STEP_ROWS_MIN && changes >= STEP_CHANGES_MIN;
    return {
      priceTicks: isShown(this.#priceChanges) ? this.#priceTicks : 1,
      timeUs: isShown(this.#timeChanges) ? this.#timeUs : 1,
    };
  }
}

/** The greatest number that divides both. */
function commonStep(a: number, b: number): number {
  let [step, rest] = [a, b];
  while (rest !== 0) [step, rest] = [rest, step % rest];
  return step;
}
