/**
 * @module
 * An output that is never waited for. What cannot be written at once is kept for a while, and lost and counted beyond
 * that: a full disk, a terminal that is stopped, a reader that is slow or gone neither holds the process nor ends it.
 */
import fs, { constants } from 'node:fs';
import { isatty } from 'node:tty';
import { SystemClock } from './clock.ts';

/** So many bytes wait at most for a reader. */
const WAITING_BYTES_MAX = 256 * 1024;
/** How often what waits is tried again, in milliseconds. */
const AGAIN_MS = 100;

/** See the module. Nothing in it throws, and nothing in it waits. */
export class LossyOutput {
  readonly #clock = new SystemClock();
  readonly #describeLoss: ((count: number) => string) | undefined;
  #descriptor: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #lost = 0;
  #told = 0;
  #isTorn = false;
  #isTimed = false;

  /**
   * Writes to an open `descriptor`, which must never make a writer wait: see {@link unwaiting}. `describeLoss` makes the
   * text that tells a reader who is back how many pieces were lost; without it nothing is said.
   */
  constructor(descriptor: number, describeLoss?: (count: number) => string) {
    this.#descriptor = descriptor;
    this.#describeLoss = describeLoss;
  }

  /** Pieces of text that were lost so far. */
  get lost(): number {
    return this.#lost;
  }

  /** True while the reader is behind: what is shown for a moment only need not be written now. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** Writes whole lines, now or soon, or loses them. */
  write(text: string): void {
    this.#writeWaiting();
    if (!this.isBehind) this.#tellLoss();
    const bytes = Buffer.from(this.#isTorn && !this.isBehind ? `\n${text}` : text);
    if (!this.isBehind) this.#put(bytes);
    else if (this.#waitingBytes + bytes.length > WAITING_BYTES_MAX) this.#lost++;
    else this.#keep(bytes);
  }

  /** Goes on with another descriptor; the one of before is closed. */
  moveTo(descriptor: number): void {
    this.#writeWaiting();
    const before = this.#descriptor;
    this.#descriptor = descriptor;
    this.#isTorn = false;
    fs.closeSync(before);
  }

  #tellLoss(): void {
    const count = this.#lost - this.#told;
    if (count === 0 || this.#describeLoss === undefined) return;
    const lostBefore = this.#lost;
    this.#put(Buffer.from(`${this.#isTorn ? '\n' : ''}${this.#describeLoss(count)}`));
    if (this.#lost === lostBefore) this.#told = lostBefore;
    // That a notice was lost is no further loss.
    else this.#lost = lostBefore;
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const bytes of waiting) {
      if (this.isBehind) this.#keep(bytes);
      else this.#put(bytes);
    }
  }

  #put(bytes: Uint8Array): void {
    let left = bytes;
    try {
      while (left.length > 0) left = left.subarray(fs.writeSync(this.#descriptor, left));
      this.#isTorn = false;
    } catch (cause) {
      if (isFull(cause)) {
        this.#keep(left);
        return;
      }
      this.#lost++;
      // The next piece begins on a line of its own.
      this.#isTorn ||= left.length < bytes.length;
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#clock.after(AGAIN_MS, () => {
      this.#isTimed = false;
      this.#writeWaiting();
    });
  }
}

/** True if a write failed because nobody has read what is there already. */
export function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN';
}

/**
 * A descriptor for standard output (1) or error (2) on which a write never waits: of a terminal or a pipe another one, as
 * other processes share what this process was given; of a file the same one. Where the system offers none, Node's own
 * stream decides: it does not wait for pipes and sockets, but for terminals.
 */
export function unwaiting(descriptor: 1 | 2): number {
  const known = OPENED.get(descriptor);
  if (known !== undefined) return known;
  const opened = opensUnwaiting(descriptor);
  OPENED.set(descriptor, opened);
  return opened;
}

const OPENED = new Map<1 | 2, number>();

let error: LossyOutput | undefined;

/** Standard error of this process, where log, status and notes go, each in its turn. */
export function standardError(): LossyOutput {
  error ??= new LossyOutput(
    unwaiting(2),
    (count) => `ballast: ${count} lines were lost here: nobody has read them\n`,
  );
  return error;
}

function opensUnwaiting(descriptor: 1 | 2): number {
  try {
    const kind = fs.fstatSync(descriptor);
    if (kind.isFile()) return descriptor;
    const opened = kind.isSocket() ? undefined : openAgain(`/proc/self/fd/${descriptor}`);
    const terminal = opened === undefined && isatty(descriptor) ? openAgain('/dev/tty') : opened;
    if (terminal !== undefined) return terminal;
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    // That Node has made its stream lets the descriptor of a pipe or a socket wait no more.
    return stream.fd;
  } catch {
    return descriptor; // It is closed: each write says so.
  }
}

function openAgain(path: string): number | undefined {
  try {
    return fs.openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined; // There is no such way on this system, or nobody reads any more.
  }
}
