/**
 * @module
 * The side of the local venue that the bot sees: lanes that take one write each, the switch as far as it is confirmed,
 * and the facts that have arrived. Safety writes wait here while their lane is busy.
 */
import { unixMs } from '../../core/index.ts';
import {
  type Command,
  type Fact,
  type FactSink,
  type FactsSink,
  factsSinkOf,
  type LaneId,
  type SafetyCommand,
} from '../../domain/index.ts';
import { Lanes, SAFETY_LANE } from './lanes.ts';
import type { Packet } from './local-account.ts';

/** The switch of an account that is not armed: it never fires. */
const FAR_MS = unixMs(8_640_000_000_000_000);
/** An order is not taken when the switch would fire within this, as in execution. */
const ARMED_MS_MIN = 1000;

/** What the port works with. */
export interface BotPortOptions {
  /** Receives facts for the bot. */
  readonly sink: FactSink;
  /** Takes several, no fill among them, instead of `sink`. Default: that. */
  readonly sinkAll?: FactsSink;
  /** Lanes of the bot. */
  readonly lanes: readonly LaneId[];
  /** Current time, Unix ms. */
  nowMs(): number;
  /** Sends a command on its way. */
  send(lane: LaneId, command: Command): void;
}

/** See the module. */
export class BotPort {
  readonly #ports: BotPortOptions;
  readonly #sinkAll: FactsSink;
  readonly #lanes: Lanes;
  #armedUntilMs = 0;

  constructor(ports: BotPortOptions) {
    this.#ports = ports;
    this.#sinkAll = ports.sinkAll ?? factsSinkOf(ports.sink);
    this.#lanes = new Lanes(ports.lanes);
  }

  /** The switch is armed for good, until a command arms it otherwise; all lanes are ready. */
  open(atMs: number): void {
    const { sink, lanes } = this.#ports;
    this.#armedUntilMs = FAR_MS;
    sink({ type: 'SwitchArmed', triggerAtMs: FAR_MS, atMs: unixMs(atMs) });
    for (const lane of lanes) sink({ type: 'LaneReady', lane });
  }

  /** True if this lane can take a command now. */
  isReady(lane: LaneId): boolean {
    return this.#lanes.isFree(lane) && this.#isArmed();
  }

  /** A lane has a write under way. */
  take(lane: LaneId): void {
    this.#lanes.take(lane);
  }

  /** Sends a safety command as soon as its lane is free. */
  join(command: SafetyCommand): void {
    if (this.#lanes.isNextAlone(command)) {
      this.#ports.send(SAFETY_LANE, command);
      return;
    }
    this.#lanes.join(command);
    this.#sendSafety();
  }

  /** Gives what has arrived to the bot: all at once up to a fact with which the port itself changes. */
  hand(packet: Packet): void {
    const { facts } = packet;
    let from = 0;
    let left = packet.portCount;
    for (let at = packet.portAt; left > 0; at++) {
      const fact = facts[at] as Fact;
      switch (fact.type) {
        case 'LaneReady':
          this.#give(packet, from, at);
          this.#lanes.free(fact.lane);
          // While the switch is not armed a free lane is not ready; it is reported when it is.
          from = this.#isArmed() ? at : at + 1;
          break;
        case 'WriteResolved':
          if (fact.lane !== SAFETY_LANE) continue;
          this.#give(packet, from, at + 1);
          from = at + 1;
          this.#lanes.free(SAFETY_LANE);
          this.#sendSafety();
          break;
        case 'SwitchArmed':
          this.#give(packet, from, at);
          from = at + 1;
          this.#onArmed(fact);
          break;
        case 'SwitchFired':
          this.#give(packet, from, at);
          from = at;
          this.#armedUntilMs = 0;
          break;
        default:
          continue;
      }
      left--;
    }
    this.#give(packet, from, facts.length);
  }

  #give({ facts, hasFills }: Packet, from: number, to: number): void {
    if (!hasFills) this.#sinkAll(facts, from, to);
    else for (let at = from; at < to; at++) this.#ports.sink(facts[at] as Fact);
  }

  #isArmed(): boolean {
    return this.#armedUntilMs - this.#ports.nowMs() >= ARMED_MS_MIN;
  }

  #onArmed(fact: Extract<Fact, { type: 'SwitchArmed' }>): void {
    const { sink, lanes } = this.#ports;
    const wasArmed = this.#isArmed();
    this.#armedUntilMs = fact.triggerAtMs;
    // A trigger of 0 clears the switch: there is nothing to report, and nothing is ready any more.
    if (fact.triggerAtMs > 0) sink(fact);
    if (wasArmed || !this.#isArmed()) return;
    for (const lane of lanes) if (this.#lanes.isFree(lane)) sink({ type: 'LaneReady', lane });
  }

  #sendSafety(): void {
    const command = this.#lanes.nextSafety();
    if (command !== undefined) this.#ports.send(SAFETY_LANE, command);
  }
}
