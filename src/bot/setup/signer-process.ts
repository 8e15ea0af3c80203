/**
 * @module
 * A process that signs for a wallet, spoken to by JSON lines. It is started again when it ends, a request has a deadline, and
 * no more than a few wait. What it writes is data: a line that cannot be read, or an answer to nothing, is counted and dropped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { BotError, type Clock, isRecord, type Log, messageOf, secrets } from '../../core/index.ts';
import type { DigestSigner, SigningRequest } from '../../wire/crypto/index.ts';

/** How a signer is started. */
export interface SignerPlan {
  /** Name of the wallet. */
  readonly wallet: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Longest time of one signature, ms. */
  readonly timeoutMs: number;
}

/** How a signer fares. */
export interface SignerState {
  /** Why it does not sign now; `undefined`: it does, as far as is known. */
  readonly why: string | undefined;
  /** Signatures that came in time, and the median and the worst of the newest, ms. */
  readonly signed: number;
  readonly medianMs: number;
  readonly worstMs: number;
  readonly failed: number;
}

/** Requests that wait at most. */
const WAITING_MAX = 16;
/** The longest line, characters. */
const LINE_MAX = 65_536;
/** Before it is started again: the first pause, which doubles, and the longest, ms. */
const AGAIN_MS = { first: 100, max: 5_000 } as const;
const TIMES_KEPT = 200;

interface Waiting {
  readonly fromMs: number;
  done(signature: unknown, error?: BotError): void;
}

/** See the module. Nothing is started before the first signature is asked for. */
export class SignerProcess implements DigestSigner {
  readonly plan: SignerPlan;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  readonly #times: number[] = [];
  #child: ChildProcess | undefined;
  #text = '';
  #id = 0;
  #signed = 0;
  #failed = 0;
  #why: string | undefined;
  #againMs: number = AGAIN_MS.first;
  #notBeforeMs = 0;
  #isClosed = false;

  constructor(plan: SignerPlan, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.plan = plan;
    this.#clock = clock;
    this.#log = log;
  }

  sign(request: SigningRequest): Promise<unknown> {
    const child = this.#running();
    if (child === undefined) return Promise.reject(this.#failure(this.#why ?? 'it is being started again'));
    if (this.#waiting.size >= WAITING_MAX)
      return Promise.reject(this.#failure(`${WAITING_MAX} requests wait already`));
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const { timeoutMs } = this.plan;
      const timer = this.#clock.after(timeoutMs, () =>
        this.#waiting.get(id)?.done(undefined, this.#failure(`no signature within ${timeoutMs} ms`)),
      );
      this.#waiting.set(id, {
        fromMs: this.#clock.monotonicMs(),
        done: (signature, error) => {
          timer.cancel();
          this.#waiting.delete(id);
          if (error === undefined) resolve(signature);
          else reject(error);
        },
      });
      child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  state(): SignerState {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return {
      why: this.#why,
      signed: this.#signed,
      failed: this.#failed,
      medianMs: sorted[sorted.length >> 1] ?? 0,
      worstMs: sorted.at(-1) ?? 0,
    };
  }

  /** Ends the process for good. */
  close(): void {
    this.#isClosed = true;
    this.#end('it was closed');
  }

  /** The process, started where there is none; `undefined`: it ended a moment ago. */
  #running(): ChildProcess | undefined {
    if (this.#child !== undefined || this.#isClosed) return this.#child;
    if (this.#clock.monotonicMs() < this.#notBeforeMs) return undefined;
    const [program = '', ...args] = this.plan.command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#text = '';
    const over = (why: string): void => {
      if (this.#child === child) this.#end(why);
    };
    child.once('error', (error) => over(error.message));
    child.once('exit', (code, signal) => over(`it ended with ${signal ?? code}`));
    child.stdin.on('error', (error) => over(error.message));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (this.#child === child) this.#read(part);
    });
    // A run that ends does not wait for it.
    child.unref();
    return child;
  }

  #read(part: string): void {
    this.#text += part;
    if (this.#text.length > LINE_MAX) {
      this.#end(`it wrote a line of more than ${LINE_MAX} characters`);
      return;
    }
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#answer(line);
  }

  #answer(line: string): void {
    let read: unknown;
    try {
      read = JSON.parse(line);
    } catch {
      read = undefined;
    }
    const waiting = isRecord(read) ? this.#waiting.get(Number(read['id'])) : undefined;
    if (!isRecord(read) || waiting === undefined) {
      this.#log.warn('a signer wrote what answers nothing', { wallet: this.plan.wallet });
      return;
    }
    if (read['signature'] === undefined) {
      const why = secrets.scrub(String(read['error'] ?? 'no reason')).slice(0, 200);
      waiting.done(undefined, this.#failure(`it refuses: ${why}`));
      return;
    }
    this.#signed++;
    this.#why = undefined;
    this.#againMs = AGAIN_MS.first;
    this.#times.push(this.#clock.monotonicMs() - waiting.fromMs);
    if (this.#times.length > TIMES_KEPT) this.#times.shift();
    waiting.done(read['signature']);
  }

  /** The process is over: who waits is told, and it is started again with the first request after a pause. */
  #end(why: string): void {
    const child = this.#child;
    this.#child = undefined;
    this.#notBeforeMs = this.#clock.monotonicMs() + this.#againMs;
    this.#againMs = Math.min(2 * this.#againMs, AGAIN_MS.max);
    const failure = this.#failure(why);
    for (const waiting of [...this.#waiting.values()]) waiting.done(undefined, failure);
    try {
      child?.kill('SIGKILL');
    } catch (thrown) {
      this.#log.warn('a signer could not be ended', { wallet: this.plan.wallet, why: messageOf(thrown) });
    }
  }

  #failure(why: string): BotError {
    this.#failed++;
    // Once for each new reason: a lane tries again and again.
    if (this.#why !== why && !this.#isClosed)
      this.#log.error('a signer does not sign: its lane cannot write', { wallet: this.plan.wallet, why });
    this.#why = why;
    return new BotError({
      code: 'SIGNER_UNAVAILABLE',
      message: `expected a signature for wallet ${this.plan.wallet} from ${this.plan.command[0]}, but ${why}`,
      remedy: 'Look at the process of wallets[].signer.command; it is started again with the next write.',
    });
  }
}
