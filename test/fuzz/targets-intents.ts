/**
 * @module
 * What strategies ask for. The text is JSON in which some words stand for values that JSON has not: getters that throw
 * or change their mind, proxies, lists without end.
 */

import { readDraft, readTarget } from '../../src/bot/kernel/intent-reader.ts';
import { isProblem } from '../../src/bot/kernel/levels.ts';
import type { OrderDraft } from '../../src/bot/strategy/index.ts';
import { Decimal, isRecord, messageOf } from '../../src/core/index.ts';
import type { IntentId, StrategyId } from '../../src/domain/index.ts';
import { aMarket, START_MS } from '../support/trading-builders.ts';
import { type Outcome, REFUSED, type Target, taken, wrong } from './target.ts';
import { flawOf } from './walk.ts';

const MARKET = aMarket({ tickStep: 5 as never, lotStep: 2 as never });
const CONTEXT = {
  names: { intentId: 'i-1' as IntentId, strategyId: 's' as StrategyId },
  serverNowMs: START_MS,
};

const level = { priceTicks: 999_990, sizeLots: 10 };
const text = { price: '100000.5', size: '0.002' };
const draft = { side: 'buy', timeInForce: 'postOnly', reduceOnly: false, expiresInMs: 5000, ...level };

function boom(): never {
  throw new Error('a getter');
}

function cyclic(): object {
  const one: { self?: object } = {};
  one.self = one;
  return one;
}

/** A list of one level that never ends when it is walked. */
function endless(): unknown[] {
  const list: unknown[] = [level];
  const walk = function* (): Generator<unknown> {
    for (;;) yield level;
  };
  Reflect.set(list, Symbol.iterator, walk);
  return list;
}

/** Another price each time it is looked at. */
function moody(): object {
  let looks = 0;
  return {
    sizeLots: 10,
    get priceTicks() {
      looks++;
      return looks === 1 ? 999_990 : Number.NaN;
    },
  };
}

const LIVE: Readonly<Record<string, () => unknown>> = {
  nan: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  bigint: () => 10n,
  symbol: () => Symbol('value'),
  function: () => () => 1,
  date: () => new Date(Number.NaN),
  decimal: () => new Decimal('100000.5'),
  notANumber: () => new Decimal(Number.NaN),
  hugeDecimal: () => new Decimal('1e100000'),
  fakeDecimal: () => Object.create(Decimal.prototype),
  getter: () => Object.defineProperty({ ...draft }, 'priceTicks', { get: boom, enumerable: true }),
  getterOfBids: () => Object.defineProperty({ asks: [] }, 'bids', { get: boom }),
  throwingProxy: () => new Proxy({}, { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom }),
  throwingList: () => new Proxy([], { get: boom }),
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  yesProxy: () => new Proxy({}, { get: () => 1, has: () => true }),
  throwingText: () => ({ toString: boom, valueOf: boom, toJSON: boom }),
  throwingSymbol: () => ({ [Symbol.toPrimitive]: boom }),
  cyclic,
  endless,
  moody,
  holes: () => new Array(3),
  long: () => new Array(1_000_000),
  bare: () => Object.assign(Object.create(null), draft),
  inherited: () => Object.create(draft),
  boxed: () => Object(999_990),
};

/** Targets and drafts of strategies. */
export const intents: Target = {
  name: 'intents',
  tokens: Object.keys(LIVE).map((name) => `"$${name}"`),
  samples: () =>
    [
      { target: { bids: [level], asks: [{ priceTicks: 1_000_010, sizeLots: 4 }] }, options: {} },
      { target: { bids: [text], asks: [] }, options: { priceToleranceTicks: 2, timeInForce: 'gtc' } },
      { target: { bids: [], asks: [text, level] }, options: { sizeToleranceLots: 1.5 } },
      { draft },
      { draft: { ...draft, priceTicks: undefined, sizeLots: undefined, ...text } },
    ].map((value) => JSON.stringify(value)),
  feed: (json) => {
    const value = liveValueOf(json);
    // A live value in place of the whole is a target: nobody may look into it here.
    const isDraft = json.startsWith('{') && isRecord(value) && 'draft' in value;
    try {
      return isDraft ? draftOutcome(value['draft']) : targetOutcome(value, json.startsWith('{'));
    } catch (thrown) {
      return wrong(`thrown: ${messageOf(thrown)}`);
    }
  },
};

function liveValueOf(json: string): unknown {
  try {
    return JSON.parse(json, (_key, value: unknown) => {
      const name = typeof value === 'string' && value.startsWith('$') ? value.slice(1) : '';
      return Object.hasOwn(LIVE, name) ? LIVE[name]?.() : value;
    });
  } catch {
    return json;
  }
}

function targetOutcome(value: unknown, isPlain: boolean): Outcome {
  const isWhole = isPlain && isRecord(value) && 'target' in value;
  const read = readTarget(MARKET, isWhole ? value['target'] : value, isWhole ? value['options'] : {});
  if (isProblem(read)) return REFUSED;
  const { bids, asks, tolerance, timeInForce } = read;
  if (bids.length > 100 || asks.length > 100) return wrong('more levels than there can be');
  if (!(tolerance.priceTicks >= 0 && tolerance.sizeLots >= 0)) return wrong('a tolerance below zero');
  if (timeInForce !== 'postOnly' && timeInForce !== 'gtc') return wrong('quotes that take');
  return taken(
    flawOf([...bids, ...asks]) ?? [...bids, ...asks].map(levelFlaw).find((flaw) => flaw !== undefined),
  );
}

function draftOutcome(value: unknown): Outcome {
  const read = readDraft(MARKET, { kind: 'place', order: value as OrderDraft }, CONTEXT);
  if (isProblem(read)) return REFUSED;
  const [spec] = read;
  if (spec === undefined || read.length !== 1) return wrong(`${read.length} orders`);
  const { side, timeInForce, reduceOnly, expiresAtMs } = spec;
  if (side !== 'buy' && side !== 'sell') return wrong('no side');
  if (!['gtc', 'ioc', 'postOnly', 'fok'].includes(timeInForce)) return wrong('no time in force');
  if (typeof reduceOnly !== 'boolean') return wrong('a reduce-only flag that is none');
  if (expiresAtMs !== 0 && !(expiresAtMs > START_MS)) return wrong('an expiry in the past');
  return taken(flawOf(spec) ?? levelFlaw(spec));
}

function levelFlaw({ priceTicks, sizeLots }: { priceTicks: number; sizeLots: number }): string | undefined {
  if (!(priceTicks > 0 && priceTicks <= 0xffff_ffff && priceTicks % 5 === 0))
    return `a price of ${priceTicks} ticks`;
  return sizeLots > 0 && sizeLots % 2 === 0 ? undefined : `a size of ${sizeLots} lots`;
}
