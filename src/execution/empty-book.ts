/**
 * @module
 * The proof of an empty book at the end of a run (obligations 3.4, invariant I27): no signed bytes are alive, everything
 * is canceled, and a read at or after the last write's position shows no open order.
 */
import type { Clock, Random } from '../core/index.ts';
import { Backoff, within } from './backoff.ts';
import type { WriteEnd } from './flight.ts';
import { type OpenOrders, readOpenOrders } from './open-orders.ts';
import type { WritePipe } from './ports.ts';

/** Whether the book is proven to be empty. */
export type EmptyBookProof =
  | { readonly isProven: true; readonly seq: bigint | undefined }
  | {
      readonly isProven: false;
      readonly why: string;
      /** As far as it is known. */
      readonly openOrders: number | undefined;
    };

/** What the proof is made with. */
export interface EmptyBookPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly pipe: Pick<WritePipe, 'openOrders'>;
  readonly timeoutMs: number;
  /** Could bytes that were signed still be executed? */
  hasOpenBytes(): boolean;
  cancelAll(): Promise<WriteEnd>;
  /** The position the read must have reached. */
  seqMin(): bigint | undefined;
}

const POLL_MS = 20;
/** How long open bytes are waited for before everything is canceled once more. */
const CANCEL_AGAIN_MS = 1000;
/** Reads after one cancel-all before it is repeated. */
const READS_MAX = 8;

/**
 * Cancels all and reads until the book is empty or the time is over. It cancels at once, whatever is still open; the
 * proof is made by a cancel-all that no write of ours can follow.
 */
export async function proveEmptyBook(ports: EmptyBookPorts): Promise<EmptyBookProof> {
  const { clock, timeoutMs } = ports;
  const untilMs = clock.monotonicMs() + timeoutMs;
  let openOrders: number | undefined;
  while (clock.monotonicMs() < untilMs) {
    const isLast = !ports.hasOpenBytes();
    const end = await within(clock, untilMs, ports.cancelAll());
    if (end === undefined) break;
    const orders = await readUntilEmpty(ports, untilMs);
    openOrders = orders?.count;
    if (isLast && openOrders === 0 && !ports.hasOpenBytes()) return { isProven: true, seq: orders?.seq };
    const againAtMs = Math.min(untilMs, clock.monotonicMs() + CANCEL_AGAIN_MS);
    do await pause(clock, POLL_MS);
    while (ports.hasOpenBytes() && clock.monotonicMs() < againAtMs);
  }
  const why = ports.hasOpenBytes()
    ? 'a write is unresolved'
    : openOrders === undefined
      ? 'the open orders could not be read'
      : `${openOrders} orders are open`;
  return { isProven: false, why, openOrders };
}

async function readUntilEmpty(ports: EmptyBookPorts, untilMs: number): Promise<OpenOrders | undefined> {
  const backoff = new Backoff(ports.random);
  let last: OpenOrders | undefined;
  for (let reads = 0; reads < READS_MAX && ports.clock.monotonicMs() < untilMs; reads++) {
    const seqMin = ports.seqMin();
    const answer = await ports.pipe.openOrders(seqMin);
    const orders = readOpenOrders(answer);
    const isBehind = seqMin !== undefined && orders?.seq !== undefined && orders.seq < seqMin;
    if (orders !== undefined && !isBehind) {
      last = orders;
      if (orders.count === 0) return orders;
    }
    await pause(ports.clock, backoff.next(answer.kind === 'answer' ? answer.retryAfterMs : undefined));
  }
  return last;
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve));
}
