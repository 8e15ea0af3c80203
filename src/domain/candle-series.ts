/**
 * @module
 * The candles of one market in every interval. Bars that came are kept as they came. What did not come is made of the next
 * shorter interval: a whole interval, or the newest bars of one whose history came and whose frames do not. Where no candles
 * come at all, minutes are made of trades. A bar whose beginning is not known is not shown.
 */
import type { UnixMs } from '../core/index.ts';
import type { Candle, CandleInterval, Trade } from './market-data.ts';
import type { Lots } from './units.ts';

/** How many candles of an interval are kept. */
const CANDLES_MAX = 1_000;
const MINUTE_MS = 60_000;
const NO_CANDLES: readonly Candle[] = [];

/** Length of each interval, ms. */
const LENGTH_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
};

/** What the bars of an interval are made of. */
const SHORTER: Readonly<Record<Exclude<CandleInterval, '1m'>, CandleInterval>> = {
  '5m': '1m',
  '15m': '5m',
  '1h': '15m',
  '4h': '1h',
  '1d': '4h',
};

type OpenCandle = { -readonly [Name in keyof Candle]: Candle[Name] };

/** See the module. */
export class CandleSeries {
  readonly #given = new Map<CandleInterval, Candle[]>();
  /** Minutes made of trades. */
  readonly #made: OpenCandle[] = [];

  /** Candles of an interval, oldest first. */
  of(interval: CandleInterval): readonly Candle[] {
    const given = this.#given.get(interval);
    if (interval === '1m') return given ?? (this.#given.size === 0 ? this.#made : NO_CANDLES);
    const shorter = this.of(SHORTER[interval]);
    const last = given?.at(-1);
    if (given === undefined || last === undefined) return joined(shorter, interval);
    const newer = joined(
      shorter.filter(({ startAtMs }) => startAtMs >= last.startAtMs),
      interval,
    );
    const [first] = newer;
    if (first === undefined || last.startAtMs + LENGTH_MS[interval] < first.startAtMs) return given;
    if (first.startAtMs !== last.startAtMs) return [...given, ...newer];
    // The volume of a bar only grows: what has more of it is the later state.
    return first.volumeLots > last.volumeLots
      ? [...given.slice(0, -1), ...newer]
      : [...given, ...newer.slice(1)];
  }

  /** Takes a candle in: a new one, or another state of a known one. Of history only where it is no older state. */
  add(candle: Candle, isHistory = false): void {
    let list = this.#given.get(candle.interval);
    if (list === undefined) {
      list = [];
      this.#given.set(candle.interval, list);
    }
    const last = list.at(-1);
    if (last === undefined || candle.startAtMs > last.startAtMs) list.push(candle);
    else {
      const at = list.findLastIndex(({ startAtMs }) => startAtMs <= candle.startAtMs);
      const known = list[at];
      const isKnown = known?.startAtMs === candle.startAtMs;
      if (isKnown && isHistory && known.volumeLots > candle.volumeLots) return;
      list.splice(isKnown ? at : at + 1, isKnown ? 1 : 0, candle);
    }
    if (list.length > CANDLES_MAX) list.shift();
  }

  /** Takes a trade in, for minutes that do not come as candles. */
  addTrade({ symbol, priceTicks, sizeLots, atMs }: Trade): void {
    if (this.#given.size > 0) return;
    const last = this.#made.at(-1);
    if (last !== undefined && atMs < last.startAtMs + MINUTE_MS) {
      if (priceTicks > last.highTicks) last.highTicks = priceTicks;
      if (priceTicks < last.lowTicks) last.lowTicks = priceTicks;
      last.closeTicks = priceTicks;
      last.volumeLots = (last.volumeLots + sizeLots) as Lots;
      last.tradeCount++;
      return;
    }
    this.#made.push({
      ...{ symbol, interval: '1m', startAtMs: (Math.floor(atMs / MINUTE_MS) * MINUTE_MS) as UnixMs },
      ...{ openTicks: priceTicks, highTicks: priceTicks, lowTicks: priceTicks, closeTicks: priceTicks },
      ...{ volumeLots: sizeLots, tradeCount: 1 },
    });
    if (this.#made.length > CANDLES_MAX) this.#made.shift();
  }
}

/** Minutes as bars of a longer interval, without a first one that began before them. */
function joined(minutes: readonly Candle[], interval: CandleInterval): readonly Candle[] {
  const lengthMs = LENGTH_MS[interval];
  const bars: OpenCandle[] = [];
  for (const minute of minutes) {
    const startAtMs = (Math.floor(minute.startAtMs / lengthMs) * lengthMs) as UnixMs;
    const bar = bars.at(-1);
    if (bar === undefined || bar.startAtMs !== startAtMs) {
      bars.push({ ...minute, interval, startAtMs });
      continue;
    }
    if (minute.highTicks > bar.highTicks) bar.highTicks = minute.highTicks;
    if (minute.lowTicks < bar.lowTicks) bar.lowTicks = minute.lowTicks;
    bar.closeTicks = minute.closeTicks;
    bar.volumeLots = (bar.volumeLots + minute.volumeLots) as Lots;
    bar.tradeCount += minute.tradeCount;
  }
  const [first] = minutes;
  const isWhole = first !== undefined && first.startAtMs === bars[0]?.startAtMs;
  return isWhole ? bars : bars.slice(1);
}
