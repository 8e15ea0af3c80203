/**
 * @module
 * The proof at the end of a run that no order is open (dead-mans-switch.md, invariant I27): nothing that was signed can
 * execute any more, and a read at or after the last write's position shows no open order. It does not matter what
 * emptied the book: cancel-all through any lane that is left, or the switch, which is not renewed from now on.
 */
import { type Clock, type Random, untilDeadline } from '../../core/index.ts';
import type { OrderRef } from '../../domain/index.ts';
import { Backoff } from './backoff.ts';
import type { WriteEnd } from './in-flight-write.ts';
import type { LogPosition } from './log-position.ts';
import { type OpenOrders, readOpenOrders } from './open-orders.ts';
import type { WritePipe } from './ports.ts';

/** Whether it is proven that no order is open. */
export type OpenOrdersProof =
  | { readonly isProven: true; readonly seq: bigint | undefined }
  | {
      readonly isProven: false;
      /** The reason, in words. */
      readonly why: string;
      /** As far as it is known. */
      readonly openOrders: number | undefined;
    };

/** What open orders are read with. */
export interface OpenOrdersPorts {
  readonly clock: Clock;
  /** Reads the open orders. */
  readonly pipe: Pick<WritePipe, 'openOrders'>;
  /** True if bytes that were signed could still be executed. */
  hasOpenBytes(): boolean;
  /** What the read must have reached, and whether the log goes as far as answers have said. */
  readonly position: Pick<LogPosition, 'newest' | 'isInDoubt' | 'atMost'>;
}

/** What the proof is made with. */
export interface OpenOrdersProofPorts extends OpenOrdersPorts {
  readonly random: Random;
  /** Time to wait at most, ms. */
  readonly timeoutMs: number;
  /** Called with how it ended: at once, when no lane is left that could carry it. */
  cancelAll(): Promise<WriteEnd>;
  /** Cancels orders by their numbers: of what cancel-all does not reach (ambiguity A13). */
  cancel(orders: readonly OrderRef[]): void;
  /** Why no lane can cancel any more; `undefined` while one can. */
  lostLanes(): string | undefined;
}

/**
 * Does a read at or after the last write show no open order, while nothing that was signed could open one. False too when
 * that cannot be read before `untilMs` (monotonic).
 */
export async function hasNoOpenOrders(ports: OpenOrdersPorts, untilMs: number): Promise<boolean> {
  if (ports.hasOpenBytes() || ports.position.isInDoubt) return false;
  const { orders } = await readOrders(ports, untilMs);
  return orders?.count === 0;
}

/** The first cancel-all is waited for this long, ms, before open orders are read; the next ones do not keep reads waiting. */
const CANCEL_MS_MAX = 1000;
/** Between two cancel-alls while orders or open bytes are left. */
const CANCEL_AGAIN_MS = 1000;

/** Cancels all and reads, again and again, until it is proven that no order is open, or the time is over. */
export async function proveNoOpenOrders(ports: OpenOrdersProofPorts): Promise<OpenOrdersProof> {
  const { clock } = ports;
  const untilMs = clock.monotonicMs() + ports.timeoutMs;
  const backoff = new Backoff(ports.random);
  const canceling = new Canceling(ports);
  let openOrders: number | undefined;
  await untilDeadline(clock, Math.min(untilMs, clock.monotonicMs() + CANCEL_MS_MAX), canceling.begin());
  for (;;) {
    // What is asked for must be quiet before the read: what executes after it would not be seen.
    const isQuiet = !ports.hasOpenBytes() && !ports.position.isInDoubt;
    const { orders, retryAfterMs } = await readOrders(ports, untilMs);
    if (orders !== undefined) openOrders = orders.count;
    if (isQuiet && orders?.count === 0) return { isProven: true, seq: ports.position.atMost(orders.seq) };
    if (clock.monotonicMs() >= untilMs)
      return { isProven: false, why: whyNot(ports, openOrders), openOrders };
    if (!isQuiet || orders?.count !== 0) canceling.again(orders?.refs ?? []);
    await pause(clock, Math.min(backoff.next(retryAfterMs), untilMs - clock.monotonicMs()));
  }
}

/** One cancel-all at a time, and not too often. */
class Canceling {
  readonly #ports: OpenOrdersProofPorts;
  #underWay: Promise<void> | undefined;
  /** A cancel-all was executed: what is listed after it was spared. */
  #isExecuted = false;
  /** What was spared has been named once: the next times come with the next cancel-alls. */
  #isNamed = false;
  #againAtMs = 0;

  constructor(ports: OpenOrdersProofPorts) {
    this.#ports = ports;
  }

  begin(): Promise<void> {
    const { clock, cancelAll } = this.#ports;
    this.#againAtMs = clock.monotonicMs() + CANCEL_AGAIN_MS;
    this.#underWay = cancelAll().then((end) => {
      this.#isExecuted ||= end === 'executed';
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  again(left: readonly OrderRef[]): void {
    if (this.#underWay !== undefined) return;
    // What was spared is named at once: each second that it rests is one that nobody watches it.
    if (this.#isExecuted && !this.#isNamed && left.length > 0) {
      this.#isNamed = true;
      this.#ports.cancel(left);
      return;
    }
    if (this.#ports.clock.monotonicMs() < this.#againAtMs) return;
    if (this.#isExecuted && left.length > 0) this.#ports.cancel(left);
    this.#underWay = this.begin();
  }
}

interface Reading {
  /** Absent: no answer, or one that may be older than the last write. */
  readonly orders: OpenOrders | undefined;
  readonly retryAfterMs: number | undefined;
}

async function readOrders({ clock, pipe, position }: OpenOrdersPorts, untilMs: number): Promise<Reading> {
  const leastSeq = position.newest;
  const answer = await untilDeadline(clock, untilMs, pipe.openOrders(leastSeq));
  if (answer === undefined) return { orders: undefined, retryAfterMs: undefined };
  const retryAfterMs = answer.kind === 'answer' ? answer.retryAfterMs : undefined;
  const orders = readOpenOrders(answer);
  const isBehind = leastSeq !== undefined && orders?.seq !== undefined && orders.seq < leastSeq;
  return { orders: isBehind ? undefined : orders, retryAfterMs };
}

function whyNot(ports: OpenOrdersProofPorts, openOrders: number | undefined): string {
  if (ports.hasOpenBytes()) return 'a write is unresolved';
  if (ports.position.isInDoubt) return 'how far the log goes is in doubt';
  if (openOrders === undefined) return 'the open orders could not be read';
  const lost = ports.lostLanes();
  return `${openOrders} orders are open${lost === undefined ? '' : `, and no lane can cancel them: ${lost}`}`;
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(Math.max(0, delayMs), resolve));
}
