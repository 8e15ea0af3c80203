/**
 * @module
 * What else is heard of a market says whether its book is still the book: a trade, a fill or a last price that is later
 * than the book changes it, and so do best quotes that are not its own. A book that does not follow is not to be
 * believed, however new its frames say they are. It follows with a block: until the next one has come, nothing is held
 * against it, however long blocks are.
 */
import type { Seq } from '../../../domain/index.ts';
import type { BookLevels } from '../../protocol/index.ts';
import type { BlockLength } from '../block-length.ts';

/** How old quotes may be where nobody says, in ms. */
const AGE_MS_MAX = 2_000;
/** What part of that a book may take to follow a price beyond its best ones; never less than a block. */
const BEYOND_PART = 0.5;
/** How many events within its prices may leave a book exactly as it was, and for what part of that, or block, at least. */
const STILL_COUNT_MAX = 3;
const STILL_PART = 0.75;
/**
 * What part of a block is between two events of which both count: a trade is heard as a trade, as a fill and as the last
 * price, and what is taken is often offered again within its block. That is one event that left the book as it was.
 */
const APART_BLOCKS = 0.5;
/** After so long, and so many blocks, without another one a book that stayed as it was may well be the book. */
const STILL_MEMORY_MS = 10_000;
const STILL_MEMORY_BLOCKS = 3;
const BBO = 'its best quotes';

/** The book as it was when something else was first heard. */
interface Still {
  readonly levels: BookLevels;
  readonly sinceMs: number;
  lastMs: number;
  /** How many events count, and when the newest of them was heard. */
  count: number;
  countedMs: number;
}

/** Something later than the book that is not in it. */
interface Beyond {
  /** Who says so, and what. */
  readonly of: string;
  readonly what: string;
  readonly seq: Seq;
  readonly sinceMs: number;
}

/** What is held against the book of one market. All times but those of quotes are monotonic milliseconds. */
export class QuoteWitness {
  readonly #blocks: BlockLength;
  readonly #ageMsMax: number;
  #book: BookLevels | undefined;
  #bookSeq: Seq | undefined;
  #bookAtMs = 0;
  #bboAtMs = 0;
  #beyond: Beyond | undefined;
  #still: Still | undefined;

  /** `ageMsMax`: how old quotes may be, and how long a book may take to follow what speaks against it if `blocks` let it. */
  constructor(blocks: BlockLength, ageMsMax = AGE_MS_MAX) {
    this.#blocks = blocks;
    this.#ageMsMax = ageMsMax;
  }

  /** A book came: of `seq`, and as new as `atMs` by the local clock. The levels are looked at again until the next one. */
  book(levels: BookLevels, seq: Seq | undefined, atMs: number): void {
    if (this.#still !== undefined && !isEqual(this.#still.levels, levels)) this.#still = undefined;
    if (this.#beyond !== undefined && (seq === undefined || seq >= this.#beyond.seq))
      this.#beyond = undefined;
    this.#book = levels;
    this.#bookSeq = seq;
    this.#bookAtMs = atMs;
  }

  /** Best quotes came, as {@link book}; 0: an empty side. */
  bbo(bidTicks: number, askTicks: number, { seq, atMs, nowMs }: BboPlace): void {
    this.#bboAtMs = atMs;
    const held = this.#book;
    const isSame = held !== undefined && bidOf(held) === bidTicks && askOf(held) === askTicks;
    // The newest best quotes replace those before: if they are the book's, they do not speak against it any more.
    if (isSame && this.#beyond?.of === BBO) this.#beyond = undefined;
    else this.placed(BBO, seq);
    const book = this.#laterThan(seq);
    if (book === undefined || isSame) return;
    this.#note(book, nowMs);
    this.#beyond ??= { of: BBO, what: `${BBO} are others`, seq: seq as Seq, sinceMs: nowMs };
  }

  /**
   * All that this kind says is so at `seq`; `of` names it as {@link traded} does. What an earlier one said was so by then:
   * its position, if it is beyond, was false, and no book could ever reach it.
   */
  placed(of: string, seq: Seq | undefined): void {
    const beyond = this.#beyond;
    if (beyond?.of === of && seq !== undefined && seq < beyond.seq) this.#beyond = { ...beyond, seq };
  }

  /** True if what stands beyond the book is of this kind. */
  isDoubtedBy(of: string): boolean {
    return this.#beyond?.of === of;
  }

  /** Something was traded at this price. `what` names it. */
  traded(
    what: string,
    priceTicks: number,
    { seq, nowMs }: { readonly seq: Seq; readonly nowMs: number },
  ): void {
    const book = this.#laterThan(seq);
    if (book === undefined) return;
    this.#note(book, nowMs);
    const bidTicks = bidOf(book);
    const askTicks = askOf(book);
    const isBeyond = priceTicks < bidTicks || (askTicks > 0 && priceTicks > askTicks);
    if (isBeyond)
      this.#beyond ??= { of: what, what: `${what} is beyond its best price`, seq, sinceMs: nowMs };
  }

  /** Nothing is known of the market any more. */
  clear(): void {
    this.#book = undefined;
    this.#bookSeq = undefined;
    this.#bboAtMs = 0;
    this.#beyond = undefined;
    this.#still = undefined;
  }

  /** Why the book must be another one by now; `undefined`: nothing speaks against it. */
  doubt(nowMs: number): string | undefined {
    if (this.#book === undefined) return undefined;
    if (this.#beyond !== undefined && nowMs - this.#beyond.sinceMs >= this.#within(BEYOND_PART))
      return this.#beyond.what;
    const still = this.#still;
    const memoryMs = Math.max(STILL_MEMORY_MS, STILL_MEMORY_BLOCKS * this.#blocks.ms);
    if (still !== undefined && nowMs - still.lastMs >= memoryMs) this.#still = undefined;
    else if (
      still !== undefined &&
      still.count >= STILL_COUNT_MAX &&
      nowMs - still.sinceMs >= this.#within(STILL_PART)
    )
      return `it is as it was ${still.count} trades ago`;
    const behindMs = this.#bboAtMs - this.#bookAtMs;
    return behindMs > this.#within(1) ? `it is ${behindMs} ms older than its best quotes` : undefined;
  }

  /** How long a book may take that has this part of the age of quotes, and at least until the next block. */
  #within(part: number): number {
    return Math.max(this.#ageMsMax * part, this.#blocks.untilNextMs);
  }

  /** The book, if something at `seq` is later. */
  #laterThan(seq: Seq | undefined): BookLevels | undefined {
    if (seq === undefined || this.#bookSeq === undefined || seq <= this.#bookSeq) return undefined;
    return this.#book;
  }

  #note(book: BookLevels, nowMs: number): void {
    this.#still ??= {
      levels: copyOf(book),
      ...{ sinceMs: nowMs, lastMs: nowMs, count: 0, countedMs: Number.NEGATIVE_INFINITY },
    };
    const still = this.#still;
    still.lastMs = nowMs;
    if (nowMs - still.countedMs < APART_BLOCKS * this.#blocks.ms) return;
    still.count++;
    still.countedMs = nowMs;
  }
}

/** Where best quotes stand. */
interface BboPlace {
  readonly seq: Seq | undefined;
  /** How new they are, by the local clock. */
  readonly atMs: number;
  readonly nowMs: number;
}

function bidOf({ bidCount, bidTicks }: BookLevels): number {
  return bidCount === 0 ? 0 : (bidTicks[0] ?? 0);
}

function askOf({ askCount, askTicks }: BookLevels): number {
  return askCount === 0 ? 0 : (askTicks[0] ?? 0);
}

function copyOf({ bidCount, askCount, bidTicks, bidLots, askTicks, askLots }: BookLevels): BookLevels {
  return {
    ...{ bidCount, askCount },
    ...{ bidTicks: bidTicks.slice(0, bidCount), bidLots: bidLots.slice(0, bidCount) },
    ...{ askTicks: askTicks.slice(0, askCount), askLots: askLots.slice(0, askCount) },
  };
}

function isEqual(one: BookLevels, other: BookLevels): boolean {
  if (one.bidCount !== other.bidCount || one.askCount !== other.askCount) return false;
  for (let at = 0; at < one.bidCount; at++)
    if (one.bidTicks[at] !== other.bidTicks[at] || one.bidLots[at] !== other.bidLots[at]) return false;
  for (let at = 0; at < one.askCount; at++)
    if (one.askTicks[at] !== other.askTicks[at] || one.askLots[at] !== other.askLots[at]) return false;
  return true;
}
