/**
 * @module
 * What all parts of the network share: the life at one end, the exchange at the other, and whether anything passes.
 */
import type { Clock, Random } from '../../../src/core/index.ts';
import type { Exchange } from '../../../src/exchange/index.ts';
import type { Sight, SimulationPlan } from '../types.ts';

/** The end of a line at which one life of the bot listens. */
export interface LifeLine {
  readonly number: number;
  /** The life's own: it holds timers while the process is stopped. */
  readonly clock: Clock & {
    /** Runs what arrived: at once, when the process goes on again, or never when it is dead. */
    deliver(action: () => void): void;
  };
}

/** What has come to where it is taken in: a request at the exchange, an answer or a frame at a life of the bot. */
export interface Arrival {
  readonly kind: 'request' | 'answer' | 'frame';
  /** What it is. */
  about(): {
    /** In words: `POST /v1/orders`, `fills`. */
    readonly what: string;
    /** Of frames their socket, on which each channel keeps its order; of others the number of the request. */
    readonly number: number;
    /** What it says. */
    readonly text: string;
  };
  /** Takes it in: once, again, later or never. */
  take(): void;
}

/** Stands before both ends and decides what is taken in, and when. */
export type Gate = (arrival: Arrival) => void;

/** What a network is made of. */
export interface NetworkParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly exchange: Exchange;
  readonly latency: Pick<SimulationPlan['latency'], 'requestMs' | 'answerMs' | 'frameMs'>;
  readonly tell: (sight: Sight) => void;
  /** Absent: everything is taken in as it comes. */
  readonly gate?: Gate | undefined;
}

/** A sight before its time is put on it. */
export type Untimed = Sight extends infer One ? (One extends Sight ? Omit<One, 'atMs'> : never) : never;

/** The address that the exchange charges. */
export const BOT_IP = '127.0.0.1';

/** Shares of a mean latency: at least so much, and so much more on average (faults F8 and F9 in small). */
const LEAST_SHARE = 0.5;

/** The wire between the ends: how long things take, and whether anything passes. */
export class Wire {
  readonly parts: NetworkParts;
  #holes = 0;

  constructor(parts: NetworkParts) {
    this.parts = parts;
  }

  /** Nothing passes. */
  get isBlack(): boolean {
    return this.#holes > 0;
  }

  /** Opens one more hole, or ends one. */
  changeHoles(by: 1 | -1): void {
    this.#holes += by;
  }

  /** How long one request or answer is under way; where a gate decides what overtakes what, all take the same. */
  hopMs(meanMs: number): number {
    if (this.parts.gate !== undefined) return meanMs;
    return meanMs * LEAST_SHARE + this.parts.random.exponential(meanMs * (1 - LEAST_SHARE));
  }

  /** Lets in what has come, if there is a gate as the gate decides. */
  arrive(arrival: Arrival): void {
    const { gate } = this.parts;
    if (gate === undefined) arrival.take();
    else gate(arrival);
  }

  /** Puts the time on what was seen. */
  tell(sight: Untimed): void {
    this.parts.tell({ ...sight, atMs: this.parts.clock.monotonicMs() } as Sight);
  }
}
