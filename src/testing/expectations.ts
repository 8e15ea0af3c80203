/**
 * @module
 * What tests say of a scripted run: its quotes, orders and inventory as decimals, and what holds of any quotes. They throw
 * the assertion errors of `node:assert`, which every test runner shows with both sides.
 */
import { deepStrictEqual, ok } from 'node:assert';
import { seededRandom } from '../core/index.ts';
import { formatPrice, formatSize, type Lots, type MarketSymbol, notionalOf } from '../domain/index.ts';
import type { DecimalPair, ScriptedMarket } from './scripted-market.ts';
import type { ScriptedRun } from './scripted-run.ts';

/** Quotes as decimal text, best first as the strategy gave them. */
export interface DecimalQuotes {
  readonly bids: readonly DecimalPair[];
  readonly asks: readonly DecimalPair[];
}

/** What the strategy wants in a market now; none where it has said nothing yet. */
export function quotesOf(run: ScriptedRun, symbol: string): DecimalQuotes {
  const { market } = run.market(symbol);
  const { bids = [], asks = [] } = run.wanted.get(symbol as MarketSymbol) ?? {};
  const pairs = (levels: typeof bids): DecimalPair[] =>
    levels.map(({ priceTicks, sizeLots }) => [formatPrice(market, priceTicks), formatSize(market, sizeLots)]);
  return { bids: pairs(bids), asks: pairs(asks) };
}

/**
 * The strategy wants exactly these quotes.
 * @example expectQuotes(run, 'BTC-USD', { bids: [['99970.0', '0.010']], asks: [['100030.0', '0.010']] });
 */
export function expectQuotes(run: ScriptedRun, symbol: string, expected: DecimalQuotes): void {
  deepStrictEqual(quotesOf(run, symbol), expected);
}

/** The strategy wants no quotes in a market, or has not said any; `reason`: it said why. */
export function expectNoQuotes(run: ScriptedRun, symbol: string, reason?: string): void {
  deepStrictEqual(quotesOf(run, symbol), { bids: [], asks: [] });
  if (reason !== undefined) deepStrictEqual(run.pulls.at(-1)?.reason, reason);
}

/**
 * The strategy placed exactly these single orders so far, each as `side size @ price timeInForce`.
 * @example expectPlaced(run, ['buy 0.010 @ 100010.0 ioc']);
 */
export function expectPlaced(run: ScriptedRun, expected: readonly string[]): void {
  const placed = run.placed.map((one) => {
    const view = run.market(one.symbol);
    const price = 'priceTicks' in one ? formatPrice(view.market, one.priceTicks) : String(one.price);
    const size = 'sizeLots' in one ? formatSize(view.market, one.sizeLots) : String(one.size);
    return `${one.side} ${size} @ ${price} ${one.timeInForce}${one.reduceOnly ? ' reduceOnly' : ''}`;
  });
  deepStrictEqual(placed, expected);
}

/**
 * The strategy published exactly these messages so far, each as its topic and its value.
 * @example expectPublished(run, [['signal', { side: 'buy' }]]);
 */
export function expectPublished(run: ScriptedRun, expected: readonly (readonly [string, unknown])[]): void {
  deepStrictEqual(
    run.published.map(({ topic, value }) => [topic, value]),
    expected,
  );
}

/** The strategy holds this in a market, signed decimal text. */
export function expectInventory(run: ScriptedRun, symbol: string, expected: string): void {
  const { market, inventoryLots } = run.market(symbol);
  deepStrictEqual(formatSize(market, inventoryLots), expected);
}

/** What is wrong with the quotes that are wanted in a market now, whatever the strategy; empty: nothing. */
export function quoteProblems(run: ScriptedRun, symbol: string, maxInventory?: string): readonly string[] {
  const view = run.market(symbol);
  const { bids = [], asks = [] } = run.wanted.get(view.symbol) ?? {};
  const problems: string[] = [];
  for (const [side, levels] of [['bid', bids] as const, ['ask', asks] as const])
    for (const { priceTicks, sizeLots } of levels) {
      const { tickStep, lotStep, minNotional } = view.market;
      const at = `${side} ${formatSize(view.market, sizeLots)} @ ${formatPrice(view.market, priceTicks)}`;
      if (priceTicks % tickStep !== 0 || sizeLots % lotStep !== 0) problems.push(`${at} is off the steps`);
      if (sizeLots <= 0) problems.push(`${at} has no size`);
      else if (notionalOf(view.market, priceTicks, sizeLots) < minNotional)
        problems.push(`${at} is below the least notional`);
      const other = side === 'bid' ? view.externalAskTicks : view.externalBidTicks;
      if (other !== undefined && (side === 'bid' ? priceTicks >= other : priceTicks <= other))
        problems.push(`${at} crosses the book`);
    }
  const [bestBid, bestAsk] = [Math.max(...bids.map(ticksOf)), Math.min(...asks.map(ticksOf))];
  if (bestBid >= bestAsk) problems.push('its own sides cross');
  if (maxInventory !== undefined) {
    const most = view.lotsOf(maxInventory);
    const sum = (levels: typeof bids): number => levels.reduce((total, { sizeLots }) => total + sizeLots, 0);
    if (view.inventoryLots + sum(bids) > most && bids.length > 0)
      problems.push(`bids reach past ${maxInventory}`);
    if (view.inventoryLots - sum(asks) < -most && asks.length > 0)
      problems.push(`asks reach past -${maxInventory}`);
  }
  return problems;
}

/**
 * Shows a strategy `count` drawn books and inventories, and holds its quotes against {@link quoteProblems} after each. The
 * error names the seed and the book that broke them; the same seed draws the same books.
 * @example expectSoundQuotes(run, 'BTC-USD', { count: 200, maxInventory: '0.050' });
 */
export function expectSoundQuotes(
  run: ScriptedRun,
  symbol: string,
  options: { readonly count?: number; readonly seed?: number; readonly maxInventory?: string } = {},
): void {
  const { count = 200, seed = 1, maxInventory } = options;
  const market = run.market(symbol);
  const random = seededRandom(seed);
  const most = maxInventory === undefined ? 0 : market.lotsOf(maxInventory);
  for (let at = 0; at < count; at++) {
    drawBook(market, random);
    market.inventoryLots = Math.round((random.next() * 2 - 1) * most) as Lots;
    market.averageEntryTicks = market.inventoryLots === 0 ? undefined : market.midTicks;
    run.tellBook(market);
    // Strategies that quote on a timer see this book too.
    run.clock.advance(1_000);
    const problems = quoteProblems(run, symbol, maxInventory);
    const { bids, asks, inventoryLots } = market;
    const shown = JSON.stringify({ bids: bids.slice(0, 2), asks: asks.slice(0, 2), inventoryLots });
    ok(problems.length === 0, `book ${at} of seed ${seed}, ${shown}: ${problems.join('; ')}`);
  }
}

/** A book around the last one: from one tick wide to a percent, sometimes with an empty side. */
function drawBook(market: ScriptedMarket, random: ReturnType<typeof seededRandom>): void {
  const before = market.midTicks ?? 1_000_000;
  const mid = Math.max(1_000, Math.round(before * (1 + (random.next() - 0.5) * 0.01)));
  const half = Math.max(1, Math.round(mid * random.next() ** 4 * 0.005));
  const size = (): number => 1 + Math.floor(random.next() * 1_000);
  const side = (sign: number): readonly (readonly [number, number])[] =>
    random.next() < 0.03
      ? []
      : [0, 1, 2].map((level) => [mid + sign * (half + level * (1 + Math.floor(random.next() * 5))), size()]);
  market.bids = side(-1);
  market.asks = side(1);
}

function ticksOf({ priceTicks }: { readonly priceTicks: number }): number {
  return priceTicks;
}
