/**
 * @module
 * Unpacks the batches of a file on a thread of its own while whoever reads is busy with those before: half of the time
 * of a replay from a file was the unpacking. Who comes to a batch first unpacks it, so nobody waits for the thread to
 * start, and one that is lost costs nothing but its help. What is read is the same with it and without.
 *
 *   reader ── ask ──► port ──► thread ── unpacks ──► port ── take ──► reader
 *               claims of batches in shared memory: FREE ─► OURS, or THEIRS ─► DONE, FAILED
 */
import { availableParallelism } from 'node:os';
import { isMainThread, MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { PackedBatch, Values } from './arrow-batch.ts';

/** Batches that are asked for before they are read: two megabytes each. */
export const BATCHES_AHEAD = 5;
/** Fewer rows than this are read before the thread has started. */
const ROWS_MIN = 400_000;
/** Places for claims; more than batches can be asked for at a time. */
export const CLAIMS = 16;
/** How long a thread may take for a batch, some hundred times what it needs. */
const BATCH_MS_MAX = 2_000;

/** What became of a batch that was asked for. */
export const CLAIM = { free: 0, ours: 1, theirs: 2, done: 3, failed: 4 } as const;

/** A batch and what became of it, in one number: places are used again. */
export function claimOf(index: number, state: number): number {
  return index * 8 + state;
}

/** What the thread is told of a file. */
export interface FileToUnpack {
  /** Open as long as anything of it is claimed: files belong to the process, not to a thread. */
  readonly descriptor: number;
  readonly claims: Int32Array<SharedArrayBuffer>;
}

/** Is there anything to gain for a file of so many rows? Threads of a sweep have all cores busy. */
export function isWorthAhead(rows: number): boolean {
  return rows >= ROWS_MIN && isMainThread && availableParallelism() > 1;
}

/** One thread for all files of the process, started by the first large one. It keeps no process alive. */
let thread: Worker | undefined;

function startedThread(): Worker {
  if (thread !== undefined) return thread;
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const started = new Worker(new URL(`./unpack-thread${extension}`, import.meta.url), { execArgv: [] });
  const forget = (): void => {
    if (thread === started) thread = undefined;
  };
  started.on('error', forget).on('exit', forget).unref();
  thread = started;
  return started;
}

/** One file. To be closed before its descriptor is. */
export class UnpackAhead {
  readonly #claims = new Int32Array(new SharedArrayBuffer(CLAIMS * Int32Array.BYTES_PER_ELEMENT));
  readonly #channel = new MessageChannel();
  /** Asked for and not taken yet. */
  readonly #asked = new Set<number>();
  #isLost = false;

  constructor(descriptor: number) {
    const { port2 } = this.#channel;
    const file: FileToUnpack = { descriptor, claims: this.#claims };
    startedThread().postMessage({ file, port: port2 }, [port2]);
  }

  /** Batches are asked for in their order, at most {@link BATCHES_AHEAD} at a time. */
  ask(batch: PackedBatch): void {
    if (this.#isLost) return;
    Atomics.store(this.#claims, batch.index % CLAIMS, claimOf(batch.index, CLAIM.free));
    this.#asked.add(batch.index);
    this.#channel.port1.postMessage(batch);
  }

  /** The columns of a batch; `undefined`: unpack it yourself. */
  take(index: number): Values | undefined {
    if (!this.#asked.delete(index) || !this.#settle(index)) return undefined;
    const told = receiveMessageOnPort(this.#channel.port1) as { readonly message: Values } | undefined;
    return told?.message;
  }

  /** Nothing more is asked for, and the thread has let go of the file. */
  close(): void {
    for (const index of this.#asked) this.#settle(index);
    this.#asked.clear();
    this.#channel.port1.close();
  }

  /** Takes the batch away from the thread, or waits for what it has begun; true when it is done there. */
  #settle(index: number): boolean {
    const place = index % CLAIMS;
    const theirs = claimOf(index, CLAIM.theirs);
    Atomics.compareExchange(this.#claims, place, claimOf(index, CLAIM.free), claimOf(index, CLAIM.ours));
    while (!this.#isLost && Atomics.load(this.#claims, place) === theirs)
      this.#isLost = Atomics.wait(this.#claims, place, theirs, BATCH_MS_MAX) === 'timed-out';
    return Atomics.load(this.#claims, place) === claimOf(index, CLAIM.done);
  }
}
