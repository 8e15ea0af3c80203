/**
 * @module
 * A cancel-all that had no effect is pending (outcomes-and-receipts.md): it is asked for again, after waits that grow,
 * until one executes or a read shows no open orders, whatever canceled them. What this does not do: sending, reading.
 */
import type { Clock, Timer } from '../../core/index.ts';

/** What a pending cancel-all is asked for and watched with. */
export interface CancelAllRetryPorts {
  readonly clock: Clock;
  /** True if a read proves that no order is open. */
  hasNoOpenOrders(): Promise<boolean>;
  /** Asks for cancel-all. */
  again(): void;
  /** Nothing is pending any more. */
  onDone(): void;
  /** Called with a broken assertion: a defect of ballast. */
  onBug(error: unknown): void;
}

/** The first and the longest wait before it is asked for again. */
const AGAIN_MS = { first: 1000, max: 5000 } as const;

/** See the module. */
export class CancelAllRetry {
  readonly #ports: CancelAllRetryPorts;
  #timer: Timer | undefined;
  #nextMs: number = AGAIN_MS.first;
  #isPending = false;

  constructor(ports: CancelAllRetryPorts) {
    this.#ports = ports;
  }

  /** True while a cancel-all was asked for that had no effect so far. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** It had no effect: it is looked after again, not before `leastMs`. */
  schedule(leastMs = 0): void {
    this.#isPending = true;
    const waitMs = Math.max(leastMs, this.#nextMs);
    this.#nextMs = Math.min(AGAIN_MS.max, this.#nextMs * 2);
    this.#timer?.cancel();
    const timer = this.#ports.clock.after(waitMs, () => {
      this.#look(timer).catch((error: unknown) => this.#ports.onBug(error));
    });
    this.#timer = timer;
  }

  /** No order is open. */
  done(): void {
    this.stop();
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#nextMs = AGAIN_MS.first;
    this.#ports.onDone();
  }

  /** Looks after nothing any more. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  async #look(timer: Timer): Promise<void> {
    const isEmpty = await this.#ports.hasNoOpenOrders();
    // Another one has ended meanwhile: what was read is from before.
    if (this.#timer !== timer) return;
    if (isEmpty) this.done();
    else this.#ports.again();
  }
}
