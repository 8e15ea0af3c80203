/**
 * @module
 * A recording that is read asynchronously, as the synchronous queue a recorded flow wants: reads ahead until the queue
 * is full and goes on when half of it is gone. What this does not do: pace, or open files.
 *
 *   for await (event of recording) ─▶ queue ─▶ flow, at block boundaries
 */
import { assert, BoundedQueue } from '../../core/index.ts';
import type { RecordedFlowEvent, RecordedSource } from './recorded-source.ts';

/** How far a {@link ReadAhead} reads, and who hears of a damaged recording. */
export interface ReadAheadOptions {
  /** Events in the queue at the most; 4,096 when left out. */
  readonly eventsMax?: number;
  /** Called once when reading fails; what was read before is still played, then the recording ends. */
  readonly onFailure: (error: unknown) => void;
  /** Locked and crossed books repaired so far, as the reader counts them. */
  readonly lockedRepaired?: () => number;
}

const EVENTS_MAX = 4_096;

/** Reads from its construction on. On a virtual clock await {@link filled} before each stretch of time. */
export class ReadAhead implements RecordedSource {
  readonly #queue: BoundedQueue<RecordedFlowEvent>;
  readonly #eventsMax: number;
  readonly #lockedRepaired: () => number;
  /** The next event, taken out of the queue to be looked at. */
  #next: RecordedFlowEvent | undefined;
  #isRead = false;
  #isStopped = false;
  /** Lets the reader go on. */
  #resume: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(events: AsyncIterable<RecordedFlowEvent>, options: ReadAheadOptions) {
    this.#eventsMax = options.eventsMax ?? EVENTS_MAX;
    this.#queue = new BoundedQueue(this.#eventsMax);
    this.#lockedRepaired = options.lockedRepaired ?? (() => 0);
    void this.#read(events)
      .catch(options.onFailure)
      .finally(() => this.#finish());
  }

  get isEnded(): boolean {
    return this.#isRead && this.#next === undefined && this.#queue.size === 0;
  }

  get lockedRepaired(): number {
    return this.#lockedRepaired();
  }

  peek(): RecordedFlowEvent | undefined {
    this.#next ??= this.#queue.shift();
    return this.#next;
  }

  shift(): RecordedFlowEvent | undefined {
    const event = this.peek();
    this.#next = undefined;
    if (this.#queue.size * 2 <= this.#eventsMax) this.#resume?.();
    return event;
  }

  /** Resolves when the queue is at least half full or the recording has been read to its end. */
  async filled(): Promise<void> {
    if (this.#isRead || this.#queue.size * 2 > this.#eventsMax) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Reads no further; what is in the queue can still be taken. */
  stop(): void {
    this.#isStopped = true;
    this.#resume?.();
  }

  async #read(events: AsyncIterable<RecordedFlowEvent>): Promise<void> {
    for await (const event of events) {
      if (this.#isStopped) return;
      assert(this.#queue.push(event), 'room in the queue');
      if (this.#queue.size * 2 > this.#eventsMax) this.#release();
      if (this.#queue.size === this.#eventsMax) await this.#room();
    }
  }

  async #room(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }

  #finish(): void {
    this.#isRead = true;
    this.#release();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
