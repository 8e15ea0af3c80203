/**
 * @module
 * A signer elsewhere, whatever it is spoken to by: a request has a deadline, no more than a few wait, and how it fares is known:
 * up, slow or down, with its times. What it answers is data, and counts as a signature when who asked has judged it.
 */
import { BotError, type Clock, type JsonObject, type Log, secrets } from '../../core/index.ts';
import type { DigestSigner, SigningRequest } from '../../wire/crypto/index.ts';

/** How a signer is reached. */
export type SignerPlan = {
  /** Name of the wallet. */
  readonly wallet: string;
  /** Longest time of one signature, ms. */
  readonly timeoutMs: number;
} & (
  | {
      /** Program and arguments. */
      readonly command: readonly string[];
    }
  | {
      /** TLS, or of this machine. */
      readonly url: string;
      /** What it knows us by; absent: nothing. */
      readonly token?: string | undefined;
      /** Certificates (PEM) that are believed beside those that Node knows. */
      readonly ca?: string | undefined;
    }
);

/** `slow`: its newest signature failed, or its median is too long for orders. `down`: it failed twice in a row. */
export type SignerKind = 'up' | 'slow' | 'down';

/** How a signer fares. */
export interface SignerState {
  readonly kind: SignerKind;
  /** Why it did not sign the last time; `undefined`: it did, as far as is known. */
  readonly why: string | undefined;
  /** Of the first of the failures that it has not signed since, Unix ms; `undefined`: it signs, as far as is known. */
  readonly sinceMs: number | undefined;
  /** Signatures that came in time, and the times of the newest 200, ms. */
  readonly signed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly failed: number;
}

/** A signature is made while the record of its write becomes durable: longer than that it holds the write up. */
export const SLOW_MS = 20;

/** Requests that wait at most. */
const WAITING_MAX = 16;
const TIMES_KEPT = 200;
/** So many failures in a row are no accident. */
const DOWN_AFTER = 2;

interface Waiting {
  readonly fromMs: number;
  done(signature: unknown, error?: BotError): void;
}

/** What a signer works with. */
export interface SignerPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** See the module. */
export abstract class WatchedSigner implements DigestSigner {
  readonly plan: SignerPlan;
  protected readonly ports: SignerPorts;
  readonly #waiting = new Map<number, Waiting>();
  readonly #times: number[] = [];
  readonly #listeners: ((kind: SignerKind) => void)[] = [];
  #id = 0;
  #signed = 0;
  #failed = 0;
  #failedInRow = 0;
  #why: string | undefined;
  #sinceMs: number | undefined;
  #kind: SignerKind = 'up';
  #isClosed = false;

  protected constructor(plan: SignerPlan, ports: SignerPorts) {
    this.plan = plan;
    this.ports = ports;
  }

  /** Sends a request on its way; why it cannot be, where it cannot. What comes back goes to {@link take}. */
  protected abstract send(id: number, request: SigningRequest): string | undefined;

  /** Ends what speaks to it. */
  protected abstract end(): void;

  /** How it is called in errors: its program, or its address. */
  protected abstract get called(): string;

  sign(request: SigningRequest): Promise<unknown> {
    if (this.#waiting.size >= WAITING_MAX)
      return Promise.reject(this.#failure(`${WAITING_MAX} requests wait already`));
    const { clock } = this.ports;
    const { timeoutMs } = this.plan;
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const timer = clock.after(timeoutMs, () => this.fail(id, `no signature within ${timeoutMs} ms`));
      this.#waiting.set(id, {
        fromMs: clock.monotonicMs(),
        done: (signature, error) => {
          timer.cancel();
          this.#waiting.delete(id);
          if (error === undefined) resolve(signature);
          else reject(error);
        },
      });
      const why = this.#isClosed ? 'it was closed' : this.send(id, request);
      if (why !== undefined) this.fail(id, why);
    });
  }

  judged(why: string | undefined): void {
    if (why !== undefined) {
      this.#failure(why);
      return;
    }
    this.#signed++;
    this.#failedInRow = 0;
    this.#why = undefined;
    this.#sinceMs = undefined;
    this.#settle();
  }

  state(): SignerState {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      kind: this.#kind,
      why: this.#why,
      sinceMs: this.#sinceMs,
      signed: this.#signed,
      failed: this.#failed,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      worstMs: sorted.at(-1) ?? 0,
    };
  }

  /** Calls `changed` whenever its kind is another. */
  onChange(changed: (kind: SignerKind) => void): void {
    this.#listeners.push(changed);
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true;
    this.failAll('it was closed');
    this.end();
  }

  /** An answer came: a signature, or why there is none. False: it answers nothing that waits. */
  protected take({ id, signature, error }: JsonObject): boolean {
    const waiting = this.#waiting.get(Number(id));
    if (waiting === undefined) {
      this.ports.log.warn('a signer wrote what answers nothing', { wallet: this.plan.wallet });
      return false;
    }
    if (signature === undefined) {
      this.fail(Number(id), `it refuses: ${secrets.scrub(String(error ?? 'no reason')).slice(0, 200)}`);
      return true;
    }
    this.#times.push(this.ports.clock.monotonicMs() - waiting.fromMs);
    if (this.#times.length > TIMES_KEPT) this.#times.shift();
    waiting.done(signature);
    return true;
  }

  /** A request has failed. */
  protected fail(id: number, why: string): void {
    this.#waiting.get(id)?.done(undefined, this.#failure(why));
  }

  /** Nothing that waits will be answered. */
  protected failAll(why: string): void {
    const failure = this.#waiting.size === 0 ? undefined : this.#failure(why);
    for (const waiting of [...this.#waiting.values()]) waiting.done(undefined, failure);
  }

  #failure(why: string): BotError {
    this.#failed++;
    this.#failedInRow++;
    // Once for each new reason: a lane tries again and again.
    if (this.#why !== why && !this.#isClosed)
      this.ports.log.error('a signer does not sign: its lane cannot write', {
        wallet: this.plan.wallet,
        why,
      });
    this.#why = why;
    this.#sinceMs ??= this.ports.clock.nowMs();
    this.#settle();
    return new BotError({
      code: 'SIGNER_UNAVAILABLE',
      message: `expected a signature for wallet ${this.plan.wallet} from ${this.called}, but ${why}`,
      remedy:
        'Look at the signer of wallets[].signer; it is asked again with the next write, and each second.',
    });
  }

  #settle(): void {
    const isDown = this.#failedInRow >= DOWN_AFTER;
    const isSlow = this.#failedInRow > 0 || this.state().p50Ms > SLOW_MS;
    const kind = isDown ? 'down' : isSlow ? 'slow' : 'up';
    if (kind === this.#kind) return;
    const before = this.#kind;
    this.#kind = kind;
    if (before === 'down' && !this.#isClosed)
      this.ports.log.info('a signer signs again', { wallet: this.plan.wallet });
    if (!this.#isClosed) for (const changed of this.#listeners) changed(kind);
  }
}
