/** @module Prices after each fill: what was seen when each was due, as if every fill were looked at each time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARKOUT_HORIZONS_MS, type MarketSymbol } from '../../../../src/domain/index.ts';
import { RunMarkouts } from '../../../../src/report/collect/run-markouts.ts';

const SYMBOLS = ['BTC-PERP', 'ETH-PERP'] as MarketSymbol[];

test('each later price of a fill is the one that was seen first when it was due', () => {
  const step = fc.record({
    afterMs: fc.constantFrom(0, 1, 400, 1_000, 5_000, 70_000),
    market: fc.nat({ max: 1 }),
    isFill: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 700 }), (steps) => {
      const markouts = new RunMarkouts();
      const fills: { symbol: MarketSymbol; atMs: number; later: number[] }[] = [];
      let nowMs = 0;
      for (const [at, { afterMs, market, isFill }] of steps.entries()) {
        nowMs += afterMs;
        const midOf = (symbol: MarketSymbol) => at * 10 + SYMBOLS.indexOf(symbol);
        markouts.take(nowMs, midOf);
        for (const fill of fills)
          for (const [place, horizonMs] of MARKOUT_HORIZONS_MS.entries())
            if (Number.isNaN(fill.later[place]) && fill.atMs + horizonMs <= nowMs)
              fill.later[place] = midOf(fill.symbol);
        const symbol = SYMBOLS[market]!;
        if (!isFill) continue;
        markouts.add(symbol, nowMs);
        fills.push({ symbol, atMs: nowMs, later: MARKOUT_HORIZONS_MS.map(() => Number.NaN) });
      }
      expect(fills.map((_fill, row) => markouts.of(row))).toEqual(fills.map(({ later }) => later));
      const due = fills.flatMap(({ atMs, later }) =>
        later.map((mid, place) => (Number.isNaN(mid) ? atMs + MARKOUT_HORIZONS_MS[place]! : Infinity)),
      );
      expect(markouts.dueMs).toBe(Math.min(Infinity, ...due));
    }),
    { numRuns: 60 },
  );
});
