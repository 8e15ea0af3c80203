/**
 * @module
 * Stands at the gate of a world's network and does what a schedule says: counts the steps, loses, doubles and holds
 * messages, lets the process die. A held frame holds those of its channel behind it, and so do frames that speak of all
 * before them: on a socket nothing overtakes within a channel (F19).
 */
import type { Arrival } from '../network/line.ts';
import { type Deviation, letterOf, type Schedule, type Steps } from './schedule.ts';

/** Frames that speak of everything before them on their socket. */
const BARRIERS: ReadonlySet<string> = new Set(['subscribed', 'unsubscribed', 'pong', 'lagged', 'error']);

interface Held {
  readonly arrival: Arrival;
  readonly socket: number;
  readonly channel: string;
  /** Behind which step it is let in; absent: behind those before it. */
  readonly behind: number | undefined;
  readonly isFrame: boolean;
}

/** What a gatekeeper is asked to do. */
export interface GateOrders {
  readonly schedule: Schedule;
  /** Hears what a frame or an answer said that is lost. */
  withhold(text: string): void;
  /** Ends the process that lives. */
  die(kind: 'crash' | 'powerLoss'): void;
  /** Hears what each step is, before anything is done at it. */
  readonly onStep?: (step: number, what: string, text: string) => void;
}

/** See the module. */
export class Gatekeeper {
  readonly #orders: GateOrders;
  readonly #deviations: ReadonlyMap<number, Deviation>;
  #steps = '';
  /** Of each channel on each socket its letter. */
  readonly #letters = new Map<string, string>();
  #isOpen = true;
  #held: Held[] = [];

  constructor(orders: GateOrders) {
    this.#orders = orders;
    this.#deviations = new Map(orders.schedule.map((one) => [one.at, one]));
  }

  /** The steps so far. */
  get steps(): Steps {
    return this.#steps;
  }

  /** From now on steps count. */
  watch(): void {
    this.#isOpen = false;
  }

  /** From now on everything is taken in as it comes; what was held first. */
  open(): void {
    this.#isOpen = true;
    for (const { arrival } of this.#held.splice(0)) arrival.take();
  }

  /** A record of the journal is handed over, or durable. True: the process dies here. */
  record(what: string): void {
    if (this.#isOpen) return;
    const at = this.#note('r', what, '');
    this.#killAt(at);
  }

  /** The gate of the network. */
  readonly pass = (arrival: Arrival): void => {
    if (this.#isOpen) {
      arrival.take();
      return;
    }
    const { what, number, text } = arrival.about();
    const isFrame = arrival.kind === 'frame';
    const at = this.#note(
      this.#letterOf(arrival),
      isFrame ? `the frame ${what}` : `the ${arrival.kind} ${what}`,
      text,
    );
    this.#killAt(at);
    const deviation = this.#deviations.get(at);
    if (deviation?.kind === 'drop') {
      if (isFrame) this.#orders.withhold(text);
    } else {
      const behind = deviation?.kind === 'late' ? deviation.behind : undefined;
      const held: Held = { arrival, socket: number, channel: what, behind, isFrame };
      if (behind !== undefined || this.#waitsForOthers(held)) this.#held.push(held);
      else arrival.take();
      if (deviation?.kind === 'double') {
        const again: Held = { ...held, behind: undefined };
        if (this.#waitsForOthers(again)) this.#held.push(again);
        else arrival.take();
      }
    }
    this.#release(at);
  };

  #letterOf(arrival: Arrival): string {
    if (arrival.kind !== 'frame') return arrival.kind === 'request' ? 'q' : 'a';
    const { what, number } = arrival.about();
    const channel = `${number} ${what}`;
    const letter = this.#letters.get(channel) ?? letterOf(this.#letters.size);
    this.#letters.set(channel, letter);
    return letter;
  }

  #note(kind: string, what: string, text: string): number {
    const at = this.#steps.length;
    this.#steps += kind;
    this.#orders.onStep?.(at, what, text);
    return at;
  }

  #killAt(at: number): void {
    const kind = this.#deviations.get(at)?.kind;
    if (kind === 'crash' || kind === 'powerLoss') this.#orders.die(kind);
  }

  #waitsForOthers({ isFrame, socket, channel }: Held, before: readonly Held[] = this.#held): boolean {
    if (!isFrame) return false;
    return before.some(
      (other) =>
        other.isFrame &&
        other.socket === socket &&
        (other.channel === channel || BARRIERS.has(channel) || BARRIERS.has(other.channel)),
    );
  }

  /** Lets in what waited for this step, and what waited for that. */
  #release(step: number): void {
    const waiting = this.#held;
    if (waiting.length === 0) return;
    const staying: Held[] = [];
    this.#held = staying;
    for (const held of waiting) {
      const isDue = held.behind === undefined || held.behind <= step;
      if (isDue && !this.#waitsForOthers(held, staying)) held.arrival.take();
      else staying.push(held);
    }
  }
}
