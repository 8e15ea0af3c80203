/**
 * @module
 * The exchange's take-profit and stop-loss of a position, through the whole bot and the embedded exchange: intent, checks, journal,
 * lane, stream, the strategy's own account of it, and the proof at the end.
 */
import { describe, expect, test } from 'vitest';
import type { PreparedStrategy } from '../../src/bot/setup/index.ts';
import {
  defineStrategy,
  type MarketView,
  order,
  param,
  type StrategyContext,
  type TpslIntents,
} from '../../src/bot/strategy/index.ts';
import type { MarketSymbol } from '../../src/domain/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

const BTC = 'BTC-USD' as MarketSymbol;

interface Seen {
  asked: TpslIntents | undefined;
  /** What is told of each leg, and the size that it has then, in lots. */
  readonly told: Record<'takeProfit' | 'stopLoss', (readonly [string, number | undefined])[]>;
  readonly denials: string[];
  readonly fills: (readonly [string, number])[];
  inventory: number;
}

interface Plan {
  /** How far the triggers are from the middle, ppm: take-profit and stop-loss. */
  readonly far: readonly [number, number];
  /** What it does once both legs wait: buys as much again, sells what it has, or nothing. */
  readonly next?: 'grow' | 'close';
  readonly side?: 'buy' | 'sell';
}

/** Buys, and asks for exits once it holds. */
function holder(seen: Seen, { far, next, side = 'sell' }: Plan): PreparedStrategy {
  let hasBought = false;
  let hasActed = false;
  const take = (context: StrategyContext, view: MarketView, at: 'buy' | 'sell'): void => {
    const mid = view.externalMidTicks ?? 0;
    const priceTicks = at === 'buy' ? view.ceilTicks(mid * 1.001) : view.floorTicks(mid * 0.999);
    const draft = { symbol: BTC, side: at, priceTicks, sizeLots: view.lotsOf('0.004') } as const;
    context.place(at === 'buy' ? order.ioc(draft) : order.reduceOnlyIoc(draft));
  };
  const definition = defineStrategy({
    name: 'holder',
    parameters: param.object({}),
    create: (context) => ({
      onBook(view) {
        const mid = view.externalMidTicks;
        if (mid === undefined || !view.isFresh) return;
        if (!hasBought) {
          hasBought = true;
          take(context, view, 'buy');
        } else if (seen.asked === undefined && view.inventoryLots > 0) {
          const at = (ppm: number) => view.floorTicks(mid * (1 + ppm / 1_000_000));
          const [profit, loss] = far;
          seen.asked = context.placeTpsl({
            ...{ symbol: BTC, side },
            takeProfit: { triggerTicks: at(profit), priceTicks: at(profit - 2_000) },
            stopLoss: { triggerTicks: at(-loss), priceTicks: at(-loss - 2_000) },
          });
        } else if (!hasActed && view.orders.length === 2 && next !== undefined) {
          hasActed = true;
          take(context, view, next === 'grow' ? 'buy' : 'sell');
        }
      },
      onOrder({ intentId, status, order: shown }) {
        for (const leg of ['takeProfit', 'stopLoss'] as const)
          if (intentId !== undefined && intentId === seen.asked?.[leg])
            seen.told[leg].push([status, shown?.sizeLots]);
      },
      onDenied: ({ code }) => void seen.denials.push(code),
      onFill(fill, view) {
        seen.fills.push([fill.side, fill.sizeLots]);
        seen.inventory = view.inventoryLots;
      },
    }),
  });
  const about = { file: 'holder', sha256: '', name: 'holder', symbols: [BTC] };
  return { ...about, definition, parameters: {}, wallet: undefined };
}

const newSeen = (): Seen => ({
  ...{ asked: undefined, told: { takeProfit: [], stopLoss: [] }, denials: [], fills: [], inventory: 0 },
});
const takes = (yaml: string): string =>
  yaml.replace('risk:', 'risk:\n  postOnly: false\n  maxCrossDepth: 0.01');

async function run(plan: Plan, forMs = 30_000) {
  const seen = newSeen();
  const whole = await runWholeBot({
    ...{ seed: 3, forMs, edit: takes, strategies: [holder(seen, plan)] },
  });
  expect(problemsOf(whole)).toEqual([]);
  const { exchange, accountId } = whole.world;
  expect(exchange.control.venue.waitingOrders(accountId)).toEqual([]);
  return { seen, whole };
}

const words = (told: Seen['told']['stopLoss']) => told.map(([status]) => status);
const bought = (seen: Seen) => seen.fills.reduce((sum, [side, size]) => sum + (side === 'buy' ? size : 0), 0);

describe('a take-profit and stop-loss of a position', () => {
  test('one fires and closes the position; the other is gone, and both are told', async () => {
    const { seen } = await run({ far: [30_000, 60] });
    expect(seen.denials).toEqual([]);
    expect(words(seen.told.stopLoss)[0]).toBe('working');
    expect(words(seen.told.stopLoss).at(-1)).toBe('filled');
    expect(words(seen.told.takeProfit)).toEqual(['working', 'canceled']);
    expect(bought(seen)).toBeGreaterThan(0);
    expect(seen.inventory).toBe(0);
  });

  test('what fires closes what was bought since as well', async () => {
    const { seen } = await run({ far: [30_000, 120], next: 'grow' });
    expect(seen.denials).toEqual([]);
    expect(bought(seen)).toBeGreaterThan(seen.told.stopLoss[0]?.[1] ?? 0);
    expect(words(seen.told.stopLoss).at(-1)).toBe('filled');
    expect(seen.inventory).toBe(0);
  });

  test('both are canceled by the exchange once the strategy has closed the position', async () => {
    const { seen } = await run({ far: [30_000, 30_000], next: 'close' });
    expect(seen.denials).toEqual([]);
    expect(words(seen.told.takeProfit)).toEqual(['working', 'canceled']);
    expect(words(seen.told.stopLoss)).toEqual(['working', 'canceled']);
    expect(seen.inventory).toBe(0);
  });

  test('both end with the run, which leaves the position', async () => {
    const { seen } = await run({ far: [30_000, 30_000] }, 8_000);
    expect(words(seen.told.stopLoss)[0]).toBe('working');
    expect(seen.inventory).toBeGreaterThan(0);
  });

  test('is denied on the side that would open, leg by leg', async () => {
    const { seen } = await run({ far: [30_000, 30_000], side: 'buy' }, 5_000);
    expect(seen.denials).toEqual(['INTENT_POSITION_MISSING', 'INTENT_POSITION_MISSING']);
  });
});
