/**
 * @module
 * Orders that wait for the index price, through the whole bot and the embedded exchange: intent, checks, journal, lane,
 * stream, the strategy's own account of it, and the proof at the end.
 */
import { describe, expect, test } from 'vitest';
import type { PreparedStrategy } from '../../src/bot/setup/index.ts';
import {
  Bracket,
  type BracketEnd,
  compose,
  defineStrategy,
  type OrderUpdate,
  order,
  param,
  type StrategyContext,
} from '../../src/bot/strategy/index.ts';
import { type MarketSymbol, ticks } from '../../src/domain/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const FALLS_AT_MS = 12_000;

interface Seen {
  readonly updates: OrderUpdate[];
  readonly fills: (readonly [string, string, number])[];
  readonly denials: string[];
  inventory: number;
}

/** Buys once, and puts a stop under it. */
function guarded(seen: Seen): PreparedStrategy {
  let isIn = false;
  const definition = defineStrategy({
    name: 'guarded',
    parameters: param.object({}),
    create: (context: StrategyContext) => ({
      onBook(view) {
        const mid = view.externalMidTicks;
        if (isIn || mid === undefined || !view.isFresh) return;
        isIn = true;
        const size = { symbol: BTC, sizeLots: view.lotsOf('0.005') } as const;
        context.place(order.ioc({ ...size, side: 'buy', priceTicks: view.ceilTicks(mid * 1.004) }));
        context.placeConditional(
          order.reduceOnlyIoc({ ...size, side: 'sell', priceTicks: view.floorTicks(mid * 0.96) }),
          { triggerTicks: view.floorTicks(mid * 0.985), when: 'atOrBelow' },
        );
      },
      onOrder: (update) => void seen.updates.push(update),
      onDenied: ({ code, message }) => void seen.denials.push(`${code}: ${message}`),
      onFill(fill, view) {
        seen.fills.push([fill.orderId, fill.side, fill.sizeLots]);
        seen.inventory = view.inventoryLots;
      },
    }),
  });
  return {
    definition,
    file: 'guarded',
    sha256: '',
    name: 'guarded',
    symbols: [BTC],
    parameters: {},
    wallet: undefined,
  };
}

const newSeen = (): Seen => ({ updates: [], fills: [], denials: [], inventory: 0 });
const takes = (yaml: string): string =>
  yaml.replace('risk:', 'risk:\n  postOnly: false\n  maxCrossDepth: 0.01');

describe('a stop under a position', () => {
  test('fires when the index price falls to it, closes the position, and belongs to its strategy', async () => {
    const seen = newSeen();
    const run = await runWholeBot({
      ...{ seed: 3, forMs: 25_000, edit: takes, strategies: [guarded(seen)] },
      prepare: ({ exchange, clock }) => {
        clock.after(FALLS_AT_MS, () => {
          const { indexTicks } = exchange.control.venue.marketView(0);
          exchange.control.price({ symbol: BTC, price: ticks(Math.round(indexTicks * 0.98)) });
        });
      },
    });
    expect(seen.denials).toEqual([]);
    expect(problemsOf(run)).toEqual([]);
    const stop = seen.updates.find(({ order: it }) => it?.trigger !== undefined);
    expect(stop?.status).toBe('working');
    const states = seen.updates.filter(({ intentId }) => intentId === stop?.intentId);
    expect(states.at(-1)?.status).toMatch(/filled|canceled/);
    const sold = seen.fills.filter(([orderId]) => orderId === stop?.orderId);
    const bought = seen.fills.filter(([, side]) => side === 'buy');
    expect(sold.length).toBeGreaterThan(0);
    expect(sold.every(([, side]) => side === 'sell')).toBe(true);
    const sum = (fills: Seen['fills']) => fills.reduce((lots, [, , size]) => lots + size, 0);
    expect(seen.inventory).toBe(sum(bought) - sum(sold));
    // Each fill is told once.
    expect(new Set(run.fills.map(({ id }) => id)).size).toBe(run.fills.length);
    expect(run.fills.length).toBe(seen.fills.length);
  });

  test.each(['all', 'plain'] as const)(
    'that has not fired is canceled when the run ends, whether cancel-all reaches it or not (%s)',
    async (A13) => {
      const seen = newSeen();
      const run = await runWholeBot({
        ...{ seed: 3, forMs: 10_000, edit: takes, strategies: [guarded(seen)] },
        settings: { quirks: { A13 } },
      });
      expect(seen.denials).toEqual([]);
      expect(problemsOf(run)).toEqual([]);
      const { exchange, accountId } = run.world;
      expect(exchange.control.venue.waitingOrders(accountId)).toEqual([]);
      const stop = seen.updates.find(({ order: it }) => it?.trigger !== undefined);
      expect(stop?.status).toBe('working');
      expect(seen.fills.every(([, side]) => side === 'buy')).toBe(true);
    },
  );
});

describe('a bracket', () => {
  /** Enters one bracket as soon as there is a market. */
  const bracketed = (seen: Seen & { ends: BracketEnd[]; naked: number }): PreparedStrategy => {
    let isIn = false;
    const definition = defineStrategy({
      name: 'bracketed',
      parameters: param.object({}),
      create: (context: StrategyContext) => {
        const bracket = new Bracket(context, { symbol: BTC, onEnded: (how) => void seen.ends.push(how) });
        return compose(bracket, {
          onBook(view) {
            const mid = view.externalMidTicks;
            if (bracket.isNaked) seen.naked++;
            if (isIn || mid === undefined || !view.isFresh) return;
            isIn = true;
            bracket.enter({
              ...{ side: 'buy', sizeLots: view.lotsOf('0.005'), timeInForce: 'ioc' },
              ...{ entryTicks: view.ceilTicks(mid * 1.004), stopTicks: view.floorTicks(mid * 0.985) },
              takeProfitTicks: view.floorTicks(mid * 1.015),
            });
          },
          onDenied: ({ code, message }) => void seen.denials.push(`${code}: ${message}`),
          onFill(fill, view) {
            seen.fills.push([fill.orderId, fill.side, fill.sizeLots]);
            seen.inventory = view.inventoryLots;
          },
        });
      },
    });
    const about = { file: 'bracketed', sha256: '', name: 'bracketed', symbols: [BTC] };
    return { ...about, definition, parameters: {}, wallet: undefined };
  };

  test.each([
    ['stop', 0.98],
    ['take profit', 1.02],
  ] as const)('is closed by its %s, with nothing of it left', async (how, factor) => {
    const seen = { ...newSeen(), ends: [], naked: 0 };
    const run = await runWholeBot({
      ...{ seed: 3, forMs: 40_000, edit: takes, strategies: [bracketed(seen)] },
      prepare: ({ exchange, clock }) => {
        clock.after(FALLS_AT_MS, () => {
          const { indexTicks } = exchange.control.venue.marketView(0);
          exchange.control.price({ symbol: BTC, price: ticks(Math.round(indexTicks * factor)) });
        });
      },
    });
    expect(problemsOf(run)).toEqual([]);
    expect(seen.fills.some(([, side]) => side === 'buy')).toBe(true);
    expect(seen.ends).toEqual([how]);
    expect(seen.inventory).toBe(0);
    expect(seen.naked).toBe(0);
    const { exchange, accountId } = run.world;
    expect(exchange.control.venue.waitingOrders(accountId)).toEqual([]);
  });
});
