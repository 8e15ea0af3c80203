/**
 * @module
 * What "the same decisions" means: SHA-256 over every decision in order, each
 * with its time. Orders are named by the intent they came from, since their numbers are the exchange's; names of the run
 * are left out. Two runs with one hash wanted, denied, sent and were filled the same.
 */
import { createHash, type Hash } from 'node:crypto';
import type { UnixMs } from '../../core/index.ts';
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
  type TwapPlan,
} from '../../domain/index.ts';
import type { DecisionTap, DeliveredMessage, NewestIntentId } from '../kernel/index.ts';
import type { Intent, Level, TpslDraft, TwapDraft } from '../strategy/index.ts';

/** What a hash asks the run. */
export interface DecisionHashSources {
  /** The local time, Unix ms. */
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
const MESSAGE = 6;
/** In place of an intent that cannot be read. */
const UNREADABLE = -2;
const ZERO = 48;
/** A text that was not seen before follows: its length, its characters. Later it is named by its position. */
const TEXT = -1;

const NO_REFS: readonly OrderRef[] = [];
/** More levels of a side than this are denied. */
const LEVELS_MAX = 101;
/** Texts that are remembered; others are written out each time. */
const TEXTS_MAX = 4_096;
/** Position of a text that is written out. */
const NO_PLACE = -1;
const HEADS_PER_KIND = 4;
/** Numbers that are hashed at once. */
const BUFFER_LENGTH = 8_192;
/** Space left for what a record has of a fixed length, so that it is looked for once. */
const SPARE = 16;

/** The two texts that a record begins with, each with its position. */
interface Head {
  readonly first: string;
  readonly second: string;
  readonly firstPlace: number;
  readonly secondPlace: number;
}

/** A hash of decisions. */
export class DecisionHash implements DecisionTap {
  readonly #sources: DecisionHashSources;
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = new Float64Array(BUFFER_LENGTH);
  readonly #bytes = new Uint8Array(this.#buffer.buffer);
  readonly #texts = new Map<string, number>();
  /** How records began last, by their kind. */
  readonly #heads: (Head | undefined)[] = new Array(HEADS_PER_KIND * (MESSAGE + 1)).fill(undefined);
  /** Of the texts in records, the symbol of a market is nearly always the same. */
  #lastText: string | undefined;
  #lastPlace = NO_PLACE;
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

  intent(strategyId: StrategyId, _ids: NewestIntentId, intent: Intent): void {
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
    const { orders } = command;
    this.#refs(command.kind === 'replace' ? command.cancels : NO_REFS);
    this.#push(orders.length);
    for (let at = 0; at < orders.length; at++) this.#spec(orders[at] as OrderSpec);
  }

  safety(command: SafetyCommand): void {
    this.#begin(SAFETY, command.kind, '');
    if (command.kind === 'cancel') this.#refs(command.orders);
    if (command.kind === 'scheduleCancel') this.#push(command.triggerAtMs);
  }

  message({ from, topic, json, to }: DeliveredMessage): void {
    this.#begin(MESSAGE, from, topic);
    this.#push(to.length);
    for (let at = 0; at < to.length; at++) {
      this.#reserve(1);
      this.#text(to[at] as StrategyId);
    }
    this.#characters(json);
  }

  /** A fill was reported. */
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
    this.#reserve(0);
    this.#push(kind);
    this.#push(this.#sources.now());
    // A kind of record has the same two texts nearly always.
    const slot = kind * HEADS_PER_KIND + (first.length % HEADS_PER_KIND);
    const head = this.#heads[slot];
    if (head !== undefined && head.first === first && head.second === second) {
      this.#push(head.firstPlace);
      this.#push(head.secondPlace);
      return;
    }
    const firstPlace = this.#text(first);
    const secondPlace = this.#text(second);
    if (firstPlace >= 0 && secondPlace >= 0) this.#heads[slot] = { first, second, firstPlace, secondPlace };
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
      case 'placeConditional': {
        const { order, trigger } = intent;
        this.#text(`${order.symbol} ${order.side} ${order.timeInForce} ${trigger.when}`);
        this.#level(order);
        if ('triggerTicks' in trigger) this.#push(trigger.triggerTicks);
        else this.#text(String(trigger.triggerPrice));
        return;
      }
      case 'placeTwap':
        this.#twapIntent(intent.order);
        return;
      case 'placeTpsl':
        this.#tpslIntent(intent.order);
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
    if (spec.trigger !== undefined) {
      this.#push(spec.trigger.isAbove ? 1 : -1);
      this.#push(spec.trigger.priceTicks);
      if (spec.trigger.leg !== undefined) this.#push(spec.trigger.leg === 'takeProfit' ? 1 : 2);
    }
    if (spec.twap !== undefined) this.#twap(spec.twap);
  }

  #twapIntent(order: TwapDraft): void {
    this.#text(`${order.symbol} ${order.side}`);
    if ('sizeLots' in order) this.#push(order.sizeLots);
    else this.#text(String(order.size));
    this.#twap(order);
  }

  #tpslIntent({ symbol, side, takeProfit, stopLoss }: TpslDraft): void {
    this.#text(`${symbol} ${side}`);
    for (const leg of [takeProfit, stopLoss]) {
      this.#push(leg === undefined ? 0 : 1);
      if (leg === undefined) continue;
      if ('triggerTicks' in leg) {
        this.#push(leg.triggerTicks);
        this.#push(leg.priceTicks);
      } else this.#text(`${leg.triggerPrice} ${leg.price}`);
    }
  }

  #twap({ slices, intervalMs, priceTolerancePpm }: TwapPlan): void {
    this.#push(slices);
    this.#push(intervalMs);
    this.#push(priceTolerancePpm);
  }

  #levels(levels: readonly Level[]): void {
    const count = Math.min(levels.length, LEVELS_MAX);
    this.#reserve(2 * count);
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
    for (let at = 0; at < refs.length; at++) {
      this.#reserve(1);
      this.#push(this.#orderOf((refs[at] as OrderRef).orderId));
    }
  }

  /** The number of the intent an order came from; 0: none. */
  #orderOf(orderId: OrderId): number {
    const intentId = this.#sources.intentOf(orderId);
    return intentId === undefined ? 0 : numberOf(intentId);
  }

  /** Writes a text; its position, where it has one. */
  #text(text: string): number {
    if (text === this.#lastText) {
      this.#push(this.#lastPlace);
      return this.#lastPlace;
    }
    const place = this.#texts.get(text);
    if (place === undefined) this.#newText(text);
    else {
      this.#lastText = text;
      this.#lastPlace = place;
      this.#push(place);
    }
    return place ?? NO_PLACE;
  }

  #newText(text: string): void {
    if (this.#texts.size < TEXTS_MAX) this.#texts.set(text, this.#texts.size);
    this.#characters(text);
  }

  #characters(text: string): void {
    this.#push(TEXT);
    this.#push(text.length);
    for (let at = 0; at < text.length; at++) {
      this.#reserve(1);
      this.#push(text.charCodeAt(at));
    }
  }

  /** One number more. There is space for it: see {@link #reserve}. */
  #push(value: number): void {
    this.#buffer[this.#at++] = value;
  }

  /**
   * Makes space for this many numbers, and for {@link SPARE} after them. Where the pieces end that are hashed does not change
   * the hash.
   */
  #reserve(count: number): void {
    if (this.#at + count > BUFFER_LENGTH - SPARE) this.#flush();
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
