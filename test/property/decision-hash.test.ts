/**
 * @module
 * The hash of decisions is that of their numbers in order, a text by its place or its letters, however they are gathered
 * on the way: one list of all of them, hashed at once, has the same.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DecisionHash } from '../../src/bot/replay/index.ts';
import type { Intent, Level } from '../../src/bot/strategy/index.ts';
import {
  approve,
  type Denial,
  type IntentId,
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type SafetyCommand,
  type StrategyId,
  TIMES_IN_FORCE,
  type TradingCommand,
  ticks,
} from '../../src/domain/index.ts';
import { aFill, aSpec, LANE, START_MS } from '../support/trading-builders.ts';

/** What a hash is made of, put down number by number. */
class Numbers {
  readonly all: number[] = [];
  readonly #texts = new Map<string, number>();

  text(text: string): void {
    const place = this.#texts.get(text);
    if (place !== undefined) this.all.push(place);
    else {
      if (this.#texts.size < 4_096) this.#texts.set(text, this.#texts.size);
      this.all.push(
        -1,
        text.length,
        ...Array.from({ length: text.length }, (_none, at) => text.charCodeAt(at)),
      );
    }
  }

  begin(kind: number, first: string, second: string): void {
    this.all.push(kind, START_MS);
    this.text(first);
    this.text(second);
  }

  level(level: Level): void {
    if ('priceTicks' in level) this.all.push(level.priceTicks, level.sizeLots);
    else this.text(`${level.price} ${level.size}`);
  }

  refs(refs: readonly OrderRef[]): void {
    this.all.push(refs.length, ...refs.map(({ orderId }) => Number(orderId)));
  }

  hex(): string {
    return createHash('sha256')
      .update(new Uint8Array(Float64Array.from(this.all).buffer))
      .digest('hex');
  }
}

type Step = (hash: DecisionHash, numbers: Numbers) => void;

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'quote', 'place', 'BTC-PERP', 'ETH-PERP', 'maker', '') },
  { weight: 2, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.nat(9_000).map((length) => 'x'.repeat(length)) },
);
const id = fc.nat(99_999);
const level: fc.Arbitrary<Level> = fc.oneof(
  fc.tuple(fc.nat(9_999), fc.nat(99)).map(([price, size]) => ({
    priceTicks: ticks(price),
    sizeLots: lots(size),
  })),
  fc.tuple(fc.nat(99), fc.nat(99)).map(([price, size]) => ({ price: `${price}.5`, size: `${size}` })),
);
const levels = fc.oneof(
  { weight: 5, arbitrary: fc.array(level, { maxLength: 3 }) },
  fc.array(level, { maxLength: 120, size: 'max' }),
);
const refs = fc.array(
  fc.nat(9_999).map((number): OrderRef => ({ symbol: 'A' as MarketSymbol, orderId: `${number}` as OrderId })),
  { maxLength: 4 },
);
const spec = fc.tuple(text, id, fc.boolean(), fc.constantFrom(...TIMES_IN_FORCE), fc.boolean());

const quote = fc.tuple(text, text, levels, levels).map(
  ([strategyId, symbol, bids, asks]): Step =>
    (hash, numbers) => {
      const intent: Intent = {
        kind: 'quote',
        symbol: symbol as MarketSymbol,
        target: { bids, asks },
        options: {},
      };
      hash.intent(strategyId as StrategyId, { newest: 'run-1' as IntentId }, intent);
      numbers.begin(1, strategyId, 'quote');
      numbers.text(symbol);
      for (const side of [bids, asks]) {
        const told = side.slice(0, 101);
        numbers.all.push(told.length);
        for (const one of told) numbers.level(one);
      }
    },
);

const denial = fc.tuple(text, fc.option(text, { nil: undefined }), text, id).map(
  ([strategyId, symbol, code, number]): Step =>
    (hash, numbers) => {
      const denied = { strategyId, symbol, code, intentId: `run-${number}` };
      hash.denied(denied as unknown as Denial);
      numbers.begin(2, strategyId, symbol ?? '');
      numbers.text(code);
      numbers.all.push(number);
    },
);

const command = fc.tuple(fc.boolean(), refs, fc.array(spec, { maxLength: 4 })).map(
  ([isReplace, cancels, specs]): Step =>
    (hash, numbers) => {
      const orders: OrderSpec[] = specs.map(([symbol, number, isBuy, timeInForce, reduceOnly]) =>
        aSpec({
          symbol: symbol as MarketSymbol,
          intentId: `run-${number}` as IntentId,
          ...{ side: isBuy ? 'buy' : 'sell', timeInForce, reduceOnly },
        }),
      );
      const asked: TradingCommand = isReplace
        ? { kind: 'replace', symbol: 'A' as MarketSymbol, cancels, orders }
        : { kind: 'place', orders };
      hash.approved(approve({ lane: LANE, command: asked }));
      numbers.begin(3, asked.kind, '');
      numbers.refs(isReplace ? cancels : []);
      numbers.all.push(orders.length);
      for (const [at, one] of orders.entries()) {
        numbers.text(one.symbol);
        numbers.all.push(specs[at]?.[1] ?? 0, one.side === 'buy' ? 1 : -1, one.priceTicks, one.sizeLots);
        numbers.all.push(TIMES_IN_FORCE.indexOf(one.timeInForce), one.reduceOnly ? 1 : 0, one.expiresAtMs);
      }
    },
);

const safety = fc.oneof(fc.constant('cancelAll' as const), fc.nat(999), refs).map(
  (what): Step =>
    (hash, numbers) => {
      const asked: SafetyCommand =
        what === 'cancelAll'
          ? { kind: what }
          : typeof what === 'number'
            ? { kind: 'scheduleCancel', triggerAtMs: what as 0 }
            : { kind: 'cancel', orders: what };
      hash.safety(asked);
      numbers.begin(4, asked.kind, '');
      if (asked.kind === 'scheduleCancel') numbers.all.push(asked.triggerAtMs);
      if (asked.kind === 'cancel') numbers.refs(asked.orders);
    },
);

const fill = fc.tuple(fc.nat(9_999), fc.constantFrom('maker', 'taker'), fc.boolean()).map(
  ([orderId, role, isBuy]): Step =>
    (hash, numbers) => {
      const told = aFill({ orderId: `${orderId}` as OrderId, role, side: isBuy ? 'buy' : 'sell' });
      hash.fill(told);
      numbers.begin(5, role, told.symbol);
      numbers.all.push(orderId, isBuy ? 1 : -1, told.priceTicks, told.sizeLots);
      numbers.all.push(told.fee === null ? Number.MAX_VALUE : Number(told.fee));
    },
);

const message = fc.tuple(text, text, text, fc.array(text, { maxLength: 30 })).map(
  ([from, topic, json, to]): Step =>
    (hash, numbers) => {
      hash.message({ from: from as StrategyId, topic, json, to: to as StrategyId[], refused: [] });
      numbers.begin(6, from, topic);
      numbers.all.push(to.length);
      for (const one of to) numbers.text(one);
      numbers.all.push(
        -1,
        json.length,
        ...Array.from({ length: json.length }, (_none, at) => json.charCodeAt(at)),
      );
    },
);

test('hashes the numbers of all decisions in order, whatever they are', () => {
  const steps = fc.array(fc.oneof(quote, denial, command, safety, fill, message), {
    minLength: 1,
    maxLength: 150,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (told) => {
      const hash = new DecisionHash({
        now: () => START_MS,
        intentOf: (orderId) => `run-${orderId}` as IntentId,
      });
      const numbers = new Numbers();
      for (const step of told) step(hash, numbers);
      expect(hash.hex()).toBe(numbers.hex());
    }),
    { numRuns: 120 },
  );
});
