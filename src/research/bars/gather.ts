/**
 * @module
 * Makes bars of one length out of shorter ones, or out of trades. A bar begins at a multiple of its length, or that much
 * later; one that is not known whole is left out: at either end, where a part is missing, where nothing was recorded. A part
 * that overlaps two bars is refused: either would hold what happened in the other.
 */

import type { Bar } from '../../bot/strategy/index.ts';
import { assert, BotError, isoOfUs } from '../../core/index.ts';
import { type BarColumns, NumberColumn } from './columns.ts';

/** How parts become bars. */
interface GatherOptions {
  readonly barUs: number;
  /** How long after a multiple of its length a bar begins; absent: 0, and parts of that length stay as they are. */
  readonly offsetUs?: number | undefined;
  /** Length of the parts; absent: they are trades, and an interval without any is a bar at the close before it. */
  readonly partUs?: number;
  /** Of trades: nothing before it is known. */
  readonly seenFromUs?: number;
}

/**
 * Bars of `barUs`, a multiple of the length they have, out of `bars`.
 * @throws BotError `BARS_OFFSET_INVALID` for a bar that does not lie in one of them.
 */
export function longerBars(bars: BarColumns, barUs: number, offsetUs?: number): BarColumns {
  const gathered = new BarGatherer({ barUs, partUs: bars.barUs, offsetUs });
  for (let at = 0; at < bars.rows; at++)
    gathered.add({
      openUs: bars.openUs[at] ?? 0,
      open: bars.open[at] ?? 0,
      high: bars.high[at] ?? 0,
      low: bars.low[at] ?? 0,
      close: bars.close[at] ?? 0,
      volume: bars.volume[at] ?? 0,
    });
  return gathered.done(Number.POSITIVE_INFINITY);
}

/** See the module. Parts come in order of time. */
export class BarGatherer {
  readonly #barUs: number;
  readonly #offsetUs: number | undefined;
  readonly #partUs: number | undefined;
  readonly #seenFromUs: number;
  readonly #openUs = new NumberColumn();
  readonly #open = new NumberColumn();
  readonly #high = new NumberColumn();
  readonly #low = new NumberColumn();
  readonly #close = new NumberColumn();
  readonly #volume = new NumberColumn();
  #rows = 0;
  /** The bar under way, and its parts. */
  #current: { -readonly [Name in keyof Bar]: number } | undefined;
  #parts = 0;
  /** What was not recorded, in order of its beginning. */
  readonly #holes: { readonly fromUs: number; readonly toUs: number }[] = [];

  constructor({ barUs, offsetUs, partUs, seenFromUs = 0 }: GatherOptions) {
    assert(barUs > 0, 'a length of bars above 0');
    this.#barUs = barUs;
    this.#offsetUs = offsetUs;
    this.#partUs = partUs;
    this.#seenFromUs = seenFromUs;
  }

  /** Adds a shorter bar, or a trade: all four prices the same. @throws BotError `BARS_OFFSET_INVALID`. */
  add(part: Bar): void {
    const openUs = this.#openOf(part.openUs);
    const partUs = this.#partUs ?? 0;
    if (part.openUs + partUs > openUs + this.#barUs) throw straddling(part, partUs, openUs + this.#barUs);
    const current = this.#current;
    if (current === undefined || openUs > current.openUs) {
      if (current !== undefined) this.#end(current, openUs);
      this.#current = { ...part, openUs };
      this.#parts = 1;
      return;
    }
    if (part.high > current.high) current.high = part.high;
    if (part.low < current.low) current.low = part.low;
    current.close = part.close;
    current.volume += part.volume;
    this.#parts++;
  }

  /** Between these times nothing was recorded. */
  addHole(fromUs: number, toUs: number): void {
    this.#holes.push({ fromUs, toUs });
  }

  /** The bars. `seenToUs`: nothing from it on is known. */
  done(seenToUs: number): BarColumns {
    const current = this.#current;
    if (current !== undefined) this.#end(current, this.#openOf(seenToUs));
    return {
      rows: this.#rows,
      barUs: this.#barUs,
      openUs: this.#openUs.done(),
      open: this.#open.done(),
      high: this.#high.done(),
      low: this.#low.done(),
      close: this.#close.done(),
      volume: this.#volume.done(),
    };
  }

  /** When the bar that holds this instant begins. */
  #openOf(us: number): number {
    const offsetUs = this.#offsetUs ?? 0;
    if (this.#partUs === this.#barUs && this.#offsetUs === undefined) return us;
    return Math.floor((us - offsetUs) / this.#barUs) * this.#barUs + offsetUs;
  }

  /** Writes the bar under way and, of trades, the flat ones, as far as they end at `untilUs`. */
  #end(bar: Bar, untilUs: number): void {
    const isWhole =
      this.#partUs === undefined
        ? bar.openUs >= this.#seenFromUs && bar.openUs < untilUs
        : this.#parts * this.#partUs === this.#barUs;
    if (isWhole) this.#push(bar);
    if (this.#partUs !== undefined) return;
    const { close } = bar;
    const flat = { open: close, high: close, low: close, close, volume: 0 };
    for (let openUs = bar.openUs + this.#barUs; openUs < untilUs; openUs += this.#barUs)
      if (openUs >= this.#seenFromUs) this.#push({ openUs, ...flat });
  }

  #push(bar: Bar): void {
    const endUs = bar.openUs + this.#barUs;
    if (this.#holes.some(({ fromUs, toUs }) => fromUs < endUs && toUs > bar.openUs)) return;
    this.#openUs.push(bar.openUs);
    this.#open.push(bar.open);
    this.#high.push(bar.high);
    this.#low.push(bar.low);
    this.#close.push(bar.close);
    this.#volume.push(bar.volume);
    this.#rows++;
  }
}

function straddling({ openUs }: Bar, partUs: number, edgeUs: number): BotError {
  const [from, to] = [isoOfUs(openUs), isoOfUs(openUs + partUs)];
  return new BotError({
    code: 'BARS_OFFSET_INVALID',
    message: `expected bars that end by ${isoOfUs(edgeUs)}, where a longer one ends, got one from ${from} to ${to}`,
    remedy: `Say with --bar-offset how long after a multiple of their length the longer bars begin; here ${(openUs % partUs) / 1_000_000}s fits.`,
  });
}
