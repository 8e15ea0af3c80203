/**
 * @module
 * Facts that wait for their turn. Bounded, with a declared policy per kind (I15): of book, best quotes, prices, account
 * and positions only the newest waits; public trades and candles may be dropped, counted; what is about our own orders,
 * fills and cash is never dropped: past the limit it is taken all the same and the run is notified that it cannot keep up.
 */
import { assert, BoundedQueue } from '../../core/index.ts';
import type { Fact } from '../../domain/index.ts';

/** How many facts may wait before the declared policies apply. */
const INBOX_FACTS_MAX = 10_000;
/** How many facts that may not be dropped can wait at all: ten times as many, then the run stops. */
const RESERVE_FACTOR = 10;

interface Slot {
  fact: Fact;
  readonly key: string | undefined;
}

/** A queue of facts. */
export class Inbox {
  readonly #queue: BoundedQueue<Slot>;
  readonly #newest = new Map<string, Slot>();
  readonly #factsMax: number;
  #droppedCount = 0;
  #isOverfull = false;
  #peak = 0;
  #peakBefore = 0;

  constructor(factsMax = INBOX_FACTS_MAX) {
    this.#factsMax = factsMax;
    this.#queue = new BoundedQueue(factsMax * RESERVE_FACTOR);
  }

  /** How many wait. */
  get size(): number {
    return this.#queue.size;
  }

  /** The most that waited lately, of how many may before the policies apply (denials.md M14). */
  get depth(): { readonly size: number; readonly sizeMax: number } {
    return { size: Math.max(this.#peak, this.#peakBefore), sizeMax: this.#factsMax };
  }

  /** Begins a new look at {@link depth}: what waited before the last one is forgotten. */
  beginPeak(): void {
    this.#peakBefore = this.#peak;
    this.#peak = this.#queue.size;
  }

  /** How many facts were dropped by policy. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  /** True once, after facts that may not be dropped went past the limit. */
  takeOverflow(): boolean {
    const was = this.#isOverfull;
    this.#isOverfull = false;
    return was;
  }

  /** Adds a fact. @throws AssertionError when even the reserve is full. */
  push(fact: Fact): void {
    const key = keyOf(fact);
    const waiting = key === undefined ? undefined : this.#newest.get(key);
    if (waiting !== undefined) {
      waiting.fact = fact;
      return;
    }
    if (this.#queue.size >= this.#factsMax) {
      if (isDroppable(fact)) {
        this.#droppedCount++;
        return;
      }
      this.#isOverfull = true;
    }
    const slot: Slot = { fact, key };
    assert(this.#queue.push(slot), `capacity for ${fact.type} in the inbox`);
    if (this.#queue.size > this.#peak) this.#peak = this.#queue.size;
    if (key !== undefined) this.#newest.set(key, slot);
  }

  /** Takes the oldest fact out. */
  shift(): Fact | undefined {
    const slot = this.#queue.shift();
    if (slot?.key !== undefined) this.#newest.delete(slot.key);
    return slot?.fact;
  }
}

/** Facts of one key replace each other while they wait. */
function keyOf(fact: Fact): string | undefined {
  switch (fact.type) {
    case 'BookUpdated':
      return `book ${fact.book.symbol}`;
    case 'BboUpdated':
      return `bbo ${fact.bbo.symbol}`;
    case 'PricesUpdated':
      return `prices ${fact.prices.symbol}`;
    case 'AccountUpdated':
      return 'account';
    case 'PositionUpdated':
      return `position ${fact.position.symbol}`;
    case 'EquityMarked':
      return 'equity';
    default:
      return undefined;
  }
}

function isDroppable(fact: Fact): boolean {
  switch (fact.type) {
    case 'TradePrinted':
    case 'CandleUpdated':
    case 'EquityMarked':
    case 'FeedReceived':
      return true;
    default:
      return false;
  }
}
