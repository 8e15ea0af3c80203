/**
 * @module
 * Orders that the exchange works over time, through the whole bot and the embedded exchange: intent, checks, journal, lane,
 * stream, the strategy's own account of it, and the proof at the end.
 */
import { describe, expect, test } from 'vitest';
import type { PreparedStrategy } from '../../src/bot/setup/index.ts';
import {
  defineStrategy,
  type OrderUpdate,
  param,
  type StrategyContext,
  type TwapDraft,
} from '../../src/bot/strategy/index.ts';
import { lots, type MarketSymbol } from '../../src/domain/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

const BTC = 'BTC-USD' as MarketSymbol;

interface Seen {
  readonly updates: OrderUpdate[];
  readonly fills: (readonly [string, string, number])[];
  readonly denials: string[];
  inventory: number;
}

/** Asks once, and cancels after `cancelAfterSlices`. */
function worker(seen: Seen, plan: Partial<TwapDraft>, cancelAfterSlices?: number): PreparedStrategy {
  let isAsked = false;
  const definition = defineStrategy({
    name: 'worker',
    parameters: param.object({}),
    create: (context: StrategyContext) => ({
      onBook(view) {
        if (isAsked || view.externalMidTicks === undefined || !view.isFresh) return;
        isAsked = true;
        const order = { symbol: BTC, side: 'buy', sizeLots: view.lotsOf('0.006'), slices: 3 } as const;
        context.placeTwap({ ...order, intervalMs: 2_000, priceTolerancePpm: 3_000, ...plan } as TwapDraft);
      },
      onOrder(update) {
        seen.updates.push(update);
        const { order, status } = update;
        const isDue = order?.twap !== undefined && order.twap.slicesDone === cancelAfterSlices;
        if (isDue && status === 'working') context.cancel(order);
      },
      onDenied: ({ code }) => void seen.denials.push(code),
      onFill(fill, view) {
        seen.fills.push([fill.orderId, fill.side, fill.sizeLots]);
        seen.inventory = view.inventoryLots;
      },
    }),
  });
  const about = { file: 'worker', sha256: '', name: 'worker', symbols: [BTC] };
  return { ...about, definition, parameters: {}, wallet: undefined };
}

const newSeen = (): Seen => ({ updates: [], fills: [], denials: [], inventory: 0 });
const takes = (yaml: string): string =>
  yaml.replace('risk:', 'risk:\n  postOnly: false\n  maxCrossDepth: 0.01');
const sum = (fills: Seen['fills']): number => fills.reduce((all, [, , size]) => all + size, 0);

describe('an order that the exchange works over time', () => {
  test('is told slice by slice, and its fills are its strategy and its own', async () => {
    const seen = newSeen();
    const run = await runWholeBot({
      ...{ seed: 3, forMs: 25_000, edit: takes, strategies: [worker(seen, {})] },
    });
    expect(seen.denials).toEqual([]);
    expect(problemsOf(run)).toEqual([]);
    const own = seen.updates.filter(({ intentId }) => intentId === seen.updates[0]?.intentId);
    expect(own.length).toBe(seen.updates.length);
    const slices = own.flatMap(({ status, order }) =>
      status === 'working' ? [order?.twap?.slicesDone ?? -1] : [],
    );
    expect(slices[0]).toBe(0);
    expect(slices).toEqual(slices.toSorted((a, b) => a - b));
    expect(own.at(-1)?.status).toMatch(/filled|canceled/);
    expect(seen.fills.length).toBeGreaterThan(0);
    const [{ orderId } = {}] = own;
    expect(seen.fills.every(([id, side]) => id === orderId && side === 'buy')).toBe(true);
    expect(seen.inventory).toBe(sum(seen.fills));
    expect(run.fills.length).toBe(seen.fills.length);
    const { exchange, accountId } = run.world;
    expect(exchange.control.venue.waitingOrders(accountId)).toEqual([]);
  });

  test('is canceled between two slices; what has traded stays', async () => {
    const seen = newSeen();
    const run = await runWholeBot({
      ...{ seed: 3, forMs: 20_000, edit: takes, strategies: [worker(seen, { slices: 5 }, 2)] },
    });
    expect(seen.denials).toEqual([]);
    expect(problemsOf(run)).toEqual([]);
    expect(seen.updates.at(-1)?.status).toBe('canceled');
    expect(seen.updates.every(({ order }) => (order?.twap?.slicesDone ?? 0) <= 3)).toBe(true);
    expect(seen.inventory).toBe(sum(seen.fills));
  });

  test('ends with the run', async () => {
    const seen = newSeen();
    const run = await runWholeBot({
      ...{ seed: 3, forMs: 8_000, edit: takes },
      strategies: [worker(seen, { slices: 6, intervalMs: 60_000 })],
    });
    expect(problemsOf(run)).toEqual([]);
    const { exchange, accountId } = run.world;
    expect(exchange.control.venue.waitingOrders(accountId)).toEqual([]);
    expect(seen.updates.some(({ status }) => status === 'working')).toBe(true);
  });

  test.each([
    ['more slices than steps', { slices: 4_000_000 }, 'INTENT_SLICES_TOO_MANY'],
    ['no slice', { slices: 0 }, 'INTENT_MALFORMED'],
    ['a whole size beyond the largest order', { sizeLots: lots(900_000) }, 'RISK_ORDER_NOTIONAL'],
    ['a limit far through the book', { priceTolerancePpm: 25_000 }, 'RISK_PRICE_CROSSES_TOO_FAR'],
  ] as const)('is denied with %s', async (_what, plan, code) => {
    const seen = newSeen();
    const strategies = [worker(seen, plan)];
    const run = await runWholeBot({ ...{ seed: 3, forMs: 5_000, edit: takes }, strategies });
    expect(problemsOf(run)).toEqual([]);
    expect(seen.denials[0]).toContain(code);
    expect(seen.fills).toEqual([]);
  });
});
