/**
 * @module
 * What "the same decisions" means (issue 5, determinism, parity and re-run): SHA-256 over every decision in order, each
 * with its time. Orders are named by the intent they came of, since their numbers are the exchange's; names of the run
 * are left out. Two runs with one hash wanted, denied, sent and were filled the same.
 */
import { createHash, type Hash } from 'node:crypto';
import type { UnixMs } from '../core/index.ts';
import {
  type Approved,
  type Denial,
  type Fill,
  type IntentId,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type RoutedCommand,
  type SafetyCommand,
  type StrategyId,
  TIMES_IN_FORCE,
  type TradingCommand,
} from '../domain/index.ts';
import type { Intent, Level } from '../strategy/index.ts';
import type { DecisionTap } from './decisions.ts';

/** What a hash asks the run. */
export interface DecisionHashSources {
  now(): UnixMs;
  /** The intent of an order, where it is one of ours. */
  intentOf(orderId: OrderId): IntentId | undefined;
}

/** Kinds of records. */
const INTENT = 1;
const DENIED = 2;
const COMMAND = 3;
const SAFETY = 4;
const FILL = 5;
/** In place of an intent that cannot be read. */
const UNREADABLE = -2;
const ZERO = 48;
/** A text that was not seen before follows: its length, its characters. Later it is named by its place. */
const TEXT = -1;

const NO_REFS: readonly OrderRef[] = [];
/** More levels of a side than this are denied. */
const LEVELS_MAX = 101;
/** Texts that are remembered; others are written out each time. */
const TEXTS_MAX = 4_096;
const SLOTS = 32;
/** Numbers that are hashed at once. */
const BUFFER_LENGTH = 8_192;

/** A hash of decisions. */
export class DecisionHash implements DecisionTap {
  readonly #sources: DecisionHashSources;
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = new Float64Array(BUFFER_LENGTH);
  readonly #bytes = new Uint8Array(this.#buffer.buffer);
  readonly #texts = new Map<string, number>();
  /** Texts seen last, by their length. */
  readonly #recent: ({ readonly text: string; readonly place: number } | undefined)[] = [];
  #at = 0;
  #count = 0;

  constructor(sources: DecisionHashSources) {
    this.#sources = sources;
  }

  /** How many decisions there were. */
  get count(): number {
    return this.#count;
  }

  /** SHA-256 of all so far, hex. */
  hex(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  intent(strategyId: StrategyId, _intentId: IntentId, intent: Intent): void {
    this.#begin(INTENT, strategyId, intent.kind);
    try {
      this.#intent(intent);
    } catch {
      // Getters and proxies of strategies may throw; the runtime denies what it cannot read, and that is hashed too.
      this.#push(UNREADABLE);
    }
  }

  denied({ strategyId, symbol, code, intentId }: Denial): void {
    this.#begin(DENIED, strategyId, symbol ?? '');
    this.#text(code);
    this.#push(numberOf(intentId));
  }

  approved({ command }: Approved<RoutedCommand<TradingCommand>>): void {
    this.#begin(COMMAND, command.kind, '');
    if (command.kind === 'setLeverage') {
      this.#text(command.symbol);
      this.#push(command.leverage);
      return;
    }
    this.#refs(command.kind === 'replace' ? command.cancels : NO_REFS);
    this.#push(command.orders.length);
    for (const spec of command.orders) this.#spec(spec);
  }

  safety(command: SafetyCommand): void {
    this.#begin(SAFETY, command.kind, '');
    if (command.kind === 'cancel') this.#refs(command.orders);
    if (command.kind === 'scheduleCancel') this.#push(command.triggerAtMs);
  }

  /** A fill was told of. */
  fill(fill: Fill): void {
    this.#begin(FILL, fill.role, fill.symbol);
    this.#push(this.#orderOf(fill.orderId));
    this.#push(fill.side === 'buy' ? 1 : -1);
    this.#push(fill.priceTicks);
    this.#push(fill.sizeLots);
    this.#push(fill.fee === null ? Number.MAX_VALUE : Number(fill.fee));
  }

  #begin(kind: number, first: string, second: string): void {
    this.#count++;
    this.#push(kind);
    this.#push(this.#sources.now());
    this.#text(first);
    this.#text(second);
  }

  #intent(intent: Intent): void {
    switch (intent.kind) {
      case 'quote':
        this.#text(String(intent.symbol));
        this.#levels(intent.target.bids);
        this.#levels(intent.target.asks);
        return;
      case 'place':
        this.#text(`${intent.order.symbol} ${intent.order.side} ${intent.order.timeInForce}`);
        this.#level(intent.order);
        return;
      case 'cancel':
        this.#push(this.#orderOf(intent.ref.orderId));
        return;
      case 'cancelAll':
        this.#text(String(intent.symbol));
        return;
      case 'setLeverage':
        this.#text(String(intent.symbol));
        this.#push(intent.leverage);
    }
  }

  #spec(spec: OrderSpec): void {
    this.#text(spec.symbol);
    this.#reserve(7);
    const buffer = this.#buffer;
    const at = this.#at;
    buffer[at] = numberOf(spec.intentId);
    buffer[at + 1] = spec.side === 'buy' ? 1 : -1;
    buffer[at + 2] = spec.priceTicks;
    buffer[at + 3] = spec.sizeLots;
    buffer[at + 4] = TIMES_IN_FORCE.indexOf(spec.timeInForce);
    buffer[at + 5] = spec.reduceOnly ? 1 : 0;
    buffer[at + 6] = spec.expiresAtMs;
    this.#at = at + 7;
  }

  #levels(levels: readonly Level[]): void {
    const count = Math.min(levels.length, LEVELS_MAX);
    this.#push(count);
    for (let at = 0; at < count; at++) this.#level(levels[at] as Level);
  }

  #level(level: Level): void {
    if ('priceTicks' in level) {
      this.#push(level.priceTicks);
      this.#push(level.sizeLots);
    } else this.#text(`${level.price} ${level.size}`);
  }

  #refs(refs: readonly OrderRef[]): void {
    this.#push(refs.length);
    for (const ref of refs) this.#push(this.#orderOf(ref.orderId));
  }

  /** The number of the intent an order came of; 0: nobody's. */
  #orderOf(orderId: OrderId): number {
    const intentId = this.#sources.intentOf(orderId);
    return intentId === undefined ? 0 : numberOf(intentId);
  }

  #text(text: string): void {
    // The same few texts come again and again: they are known by being the same object, before they are looked up.
    const slot = text.length % SLOTS;
    const recent = this.#recent[slot];
    if (recent?.text === text) {
      this.#push(recent.place);
      return;
    }
    const place = this.#texts.get(text);
    if (place !== undefined) {
      this.#recent[slot] = { text, place };
      this.#push(place);
      return;
    }
    if (this.#texts.size < TEXTS_MAX) this.#texts.set(text, this.#texts.size);
    this.#push(TEXT);
    this.#push(text.length);
    for (let at = 0; at < text.length; at++) this.#push(text.charCodeAt(at));
  }

  #push(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = value;
  }

  /** Makes room for some numbers at once. Where the pieces end that are hashed does not change the hash. */
  #reserve(count: number): void {
    if (this.#at + count > BUFFER_LENGTH) this.#flush();
  }

  #flush(): void {
    if (this.#at === 0) return;
    this.#hash.update(this.#bytes.subarray(0, this.#at * Float64Array.BYTES_PER_ELEMENT));
    this.#at = 0;
  }
}

/** The number at the end of an intent's id, which counts the intents of a run. */
function numberOf(intentId: IntentId): number {
  let number = 0;
  let unit = 1;
  for (let at = intentId.length - 1; at >= 0; at--) {
    const digit = intentId.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    number += digit * unit;
    unit *= 10;
  }
  return number;
}
