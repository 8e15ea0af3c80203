/**
 * @module
 * Messages between the strategies of a run. A message waits until the handlers of the fact have ended and goes out when the
 * turn settles, before what they asked for is sent: in the order of publication, to strategies in the order of the
 * configuration, never to its sender. So messages follow from facts alone, and a replay makes them again. Each is a decision
 * of the run with those who heard it. What this does not do: keep messages for strategies that do not run.
 */
import { ConfigError, type Log, type Metrics, type UnixMs } from '../../core/index.ts';
import type { StrategyId } from '../../domain/index.ts';
import { heardTopic, type Published, publishedBy, type StrategyMessage, takenBy } from '../strategy/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { DecisionTap } from './decisions.ts';
import type { StrategyHost } from './strategy-host.ts';

/** How many messages in a row may answer each other before nothing else happens: more is a ring. */
const MESSAGE_HOPS_MAX = 16;
/** Messages that one settling of a turn delivers. */
const MESSAGES_PER_TURN_MAX = 10_000;

/** What messages need of a run. */
export interface MessagePorts {
  /** The strategies of the run in the order of the configuration. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly recorder: Recorder;
  readonly tap: DecisionTap | undefined;
  readonly log: Log;
  readonly meter: Metrics;
  /** The local time, Unix ms. */
  now(): UnixMs;
  /** A message waits: the turn has something to settle. */
  asked(): void;
}

interface Waiting extends Published {
  readonly host: StrategyHost;
  readonly atMs: UnixMs;
  /** Its place in a row of messages that answer each other, from 1. */
  readonly hops: number;
}

/** See the module. */
export class Messages {
  readonly #ports: MessagePorts;
  readonly #waiting: Waiting[] = [];
  /** Of the message delivered last in this settling of the turn; 0: none was. */
  #hops = 0;
  /** What was said once in the log. */
  readonly #said = new Set<string>();

  constructor(ports: MessagePorts) {
    this.#ports = ports;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Names the topics that a strategy hears and no other one publishes: it may be meant so. */
  begin(): void {
    const hosts = [...this.#ports.hosts.values()];
    for (const host of hosts)
      for (const { name } of host.setup.definition.hears ?? []) {
        const isPublished = hosts.some(
          (one) =>
            one !== host && one.setup.definition.publishes?.some((topic) => topic.name === name) === true,
        );
        if (!isPublished)
          this.#sayOnce(`strategy ${host.id} hears ${name}, which no other strategy of the run publishes`);
      }
  }

  /** Takes a message in. @throws ConfigError as `StrategyContext.publish` says. */
  publish(host: StrategyHost, given: unknown, value: unknown): void {
    const published = publishedBy(host.id, host.setup.definition, { given, value });
    const hops = this.#hops + 1;
    if (hops > MESSAGE_HOPS_MAX)
      throw ring(
        host,
        published.topic,
        `at most ${MESSAGE_HOPS_MAX} messages in a row that answer each other`,
      );
    if (this.#waiting.length >= MESSAGES_PER_TURN_MAX)
      throw ring(host, published.topic, `at most ${MESSAGES_PER_TURN_MAX} messages in one turn`);
    this.#waiting.push({ ...published, host, atMs: this.#ports.now(), hops });
    this.#ports.asked();
  }

  /** Delivers all that waits, and what is published meanwhile. */
  deliver(): void {
    for (let at = 0; at < this.#waiting.length; at++) {
      const message = this.#waiting[at] as Waiting;
      this.#hops = message.hops;
      this.#deliver(message);
    }
    this.#waiting.length = 0;
  }

  /** The turn has nothing more to do: the next message answers none. */
  settled(): void {
    this.#hops = 0;
  }

  #deliver({ host, topic, json, value, atMs }: Waiting): void {
    const { recorder, tap, meter } = this.#ports;
    const takers: { readonly host: StrategyHost; readonly message: StrategyMessage }[] = [];
    const refused: { readonly by: StrategyId; readonly problem: string }[] = [];
    for (const one of this.#hearersOf(topic, host)) {
      const taken = takenBy(heardTopic(one.id, one.setup.definition, topic), value);
      if ('problem' in taken) refused.push({ by: one.id, problem: taken.problem });
      else takers.push({ host: one, message: { topic, value: taken.value, from: host.id, atMs } });
    }
    const to = takers.map((one) => one.host.id);
    tap?.message({ from: host.id, topic, json, to, refused });
    recorder.record('MessageDelivered', { strategy: host.id, topic, json, to, refused });
    meter.count('messages_total');
    if (to.length === 0) meter.count('messages_unheard_total');
    for (const { by, problem } of refused)
      this.#sayOnce(`strategy ${by} does not get message ${topic} of ${host.id}: ${problem}`);
    for (const { host: one, message } of takers) one.call('onMessage', message);
  }

  /** Strategies that run. One whose trading is halted is among them: it sees its markets too, and its intents are denied. */
  #hearersOf(topic: string, sender: StrategyHost): readonly StrategyHost[] {
    return [...this.#ports.hosts.values()].filter(
      (one) =>
        one !== sender &&
        one.isRunning &&
        one.setup.definition.hears?.some(({ name }) => name === topic) === true,
    );
  }

  #sayOnce(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#ports.log.warn(text);
  }
}

function ring(host: StrategyHost, topic: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_MESSAGE_RING',
    message: `expected ${expected}, got one more: ${topic} of ${host.id}`,
    remedy: 'Look for two strategies that answer each other; answer once, or on a timer.',
  });
}
