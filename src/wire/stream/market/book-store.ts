/**
 * @module
 * One market's book: every frame is the whole state (ambiguity A4). The decoder writes its levels into the arrays of the
 * book; here it is fresh or stale. Nothing is shown before a snapshot (obligation O91); a frame that cannot be a book
 * makes it stale until one that can, and so does what contradicts it (quote-witness.ts). Gaps between frames mean nothing: they are coalesced (O92, O95).
 */
import type { UnixMs } from '../../../core/index.ts';
import type { Book, Fact, MarketSymbol } from '../../../domain/index.ts';
import {
  allocateBookLevels,
  type BookLevels,
  type MarketFrame,
  type SubscriptionParams,
} from '../../protocol/index.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';
import type { QuoteWitness } from './quote-witness.ts';

/** The book that is shown: the same object each time, overwritten by the next frame. */
interface StoredBook extends BookLevels {
  readonly symbol: MarketSymbol;
  receivedAtMs: UnixMs;
  isFresh: boolean;
}

/** The store of one book. */
export class BookStore implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #book: StoredBook;
  /** One fact for all frames: who keeps the fact sees the newest book, as with the book itself. */
  readonly #fact: Fact;
  readonly #witness: QuoteWitness;
  #hasSnapshot = false;
  #heardAtMs = 0;

  constructor(
    params: SubscriptionParams,
    { symbol, witness }: { readonly symbol: MarketSymbol; readonly witness: QuoteWitness },
    options: MarketStreamOptions,
  ) {
    this.params = params;
    this.#options = options;
    this.#witness = witness;
    this.#book = { ...allocateBookLevels(), symbol, receivedAtMs: 0 as UnixMs, isFresh: false };
    const book: Book = this.#book;
    this.#fact = { type: 'BookUpdated', book };
  }

  /** Where the decoder writes the levels of a frame; `undefined` for one that comes before the first snapshot. */
  levels(isSnapshot: boolean): BookLevels | undefined {
    return this.#hasSnapshot || isSnapshot ? this.#book : undefined;
  }

  apply(frame: MarketFrame, receivedAtMs: number): void {
    if (frame.channel !== 'book') return;
    if (!this.#hasSnapshot) {
      if (!frame.isSnapshot) {
        this.#options.meter.count('stream_frames_before_snapshot_total');
        return;
      }
      this.#hasSnapshot = true;
    }
    const book = this.#book;
    const nowMs = this.#options.clock.monotonicMs();
    this.#heardAtMs = nowMs;
    if (frame.flaw !== undefined) {
      this.#witness.clear();
      this.#spoil(frame.flaw);
      return;
    }
    this.#witness.book(book, frame.seq, receivedAtMs);
    if (this.doubt(nowMs)) return;
    book.receivedAtMs = receivedAtMs as UnixMs;
    book.isFresh = true;
    this.#options.sink(this.#fact);
  }

  interrupt(reason: string): void {
    this.#hasSnapshot = false;
    this.#witness.clear();
    this.#markStale(reason);
  }

  resume(): void {
    // The first frame after an acknowledgement is a snapshot; there is nothing to fetch.
  }

  isWaiting(): boolean {
    return !this.#book.isFresh;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Looks whether something else speaks against the book: then it is stale until one comes that follows. */
  doubt(nowMs: number): boolean {
    const reason = this.#witness.doubt(nowMs);
    if (reason === undefined) return false;
    if (this.#book.isFresh) this.#options.meter.count('stream_doubted_books_total');
    this.#markStale(`the book cannot be right: ${reason}`);
    return true;
  }

  #spoil(flaw: string): void {
    this.#options.meter.count('stream_invalid_books_total');
    this.#markStale(`the book cannot be used: ${flaw}`);
  }

  #markStale(reason: string): void {
    if (!this.#book.isFresh) return;
    this.#book.isFresh = false;
    this.#options.sink({ type: 'MarketStale', symbol: this.#book.symbol, reason });
  }
}
