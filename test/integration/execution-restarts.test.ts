/** An execution component in a whole bot whose strategy fails in the middle, again and again: counted once, to the lot. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProven } from '../../src/bot/live/index.ts';
import { prepareStrategies } from '../../src/bot/setup/index.ts';
import type { StrategyDefinition, StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import type { Fill } from '../../src/domain/index.ts';
import { ROOT } from '../tidy/source.ts';

const CONFIG = `
environment:
  name: sim
markets:
  - symbol: BTC-USD
strategies:
  - name: guarded
    module: ./buy-and-guard.ts
    markets: [BTC-USD]
    parameters:
      total: 0.02
      slices: 10
      sliceEvery: 1s
      holdAtMost: 1h
      takeProfitPpm: 100000
      stopPpm: 100000
risk:
  capital: 10000
  postOnly: false
  maxSameSideFillsPer10s: 200
  maxTurnoverPer10s: 1000%
  maxReplacesPerSecond: 100
`;

/** `definition`, whose instances each throw once they were called with so many books. */
function failing(
  definition: StrategyDefinition,
  { books, onLife }: { readonly books: readonly number[]; readonly onLife: () => number },
): StrategyDefinition {
  return {
    ...definition,
    create(context, raw) {
      const instance = definition.create(context, raw);
      const booksMax = books[onLife()] ?? Number.POSITIVE_INFINITY;
      let seen = 0;
      const onBook: StrategyHandlers['onBook'] = (view, book) => {
        if (++seen > booksMax) throw new Error('fails for the test');
        instance.handlers.onBook?.(view, book);
      };
      return { ...instance, handlers: { ...instance.handlers, onBook } };
    },
  };
}

const lotsOf = (fills: readonly Fill[], side: Fill['side']): number =>
  fills.filter((fill) => fill.side === side).reduce((sum, fill) => sum + fill.sizeLots, 0);

describe('TWAP in a strategy that fails in the middle', () => {
  test.each([
    [7, [20]],
    [8, [5, 30]],
  ] as const)('buys exactly its size (seed %i, fails after %j books)', async (seed, books) => {
    const source = parseConfig(CONFIG, join(ROOT, 'docs', 'guides', 'examples', 'restarts.yaml'));
    let lives = 0;
    const onLife = () => lives++;
    const strategies = (await prepareStrategies(source)).map((prepared) => ({
      ...prepared,
      definition: failing(prepared.definition, { books, onLife }),
    }));
    const { report, fills } = await runInProcess({ source, seed, strategies, forMs: 25_000 });
    expect(isProven(report)).toBe(true);
    expect(lives).toBe(books.length + 1);
    // 0.02 BTC at 0.0001 a lot.
    expect([lotsOf(fills, 'buy'), lotsOf(fills, 'sell')]).toEqual([200, 0]);
    expect(report.position).toEqual({ 'BTC-USD': '0.02' });
  });
});
