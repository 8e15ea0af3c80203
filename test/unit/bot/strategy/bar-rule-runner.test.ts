/** @module A rule over bars live: bars of the middle of the book, targets without taking, levels judged by the middle. */
import { describe, expect, test } from 'vitest';
import {
  type BarExit,
  type BarRule,
  BarRuleRunner,
  barParams,
  defineStrategy,
  param,
} from '../../../../src/bot/strategy/index.ts';
import { BarWindow } from '../../../../src/bot/strategy/quoting/bar-window.ts';
import { unixMs } from '../../../../src/core/index.ts';
import { type Cursor, lots, type Trade, ticks } from '../../../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../../support/scripted-context.ts';
import { BTC, START_MS } from '../../../support/trading-builders.ts';

const BARS_KEPT = 2_048;

const PARAMETERS = { bar: '1s', slice: '0.010' };

function aRun(rule: BarRule, parameters: Readonly<Record<string, string>> = {}) {
  const definition = defineStrategy({
    name: 'follower',
    parameters: param.object(barParams()),
    create: (context, values) => new BarRuleRunner(context, values, () => rule).handlers,
  });
  const market = new ScriptedMarket();
  const run = new ScriptedRun(definition, { ...PARAMETERS, ...parameters }, { markets: [market] });
  /** A book around a middle, told to the strategy. */
  const show = (mid: number) => {
    market.bids = [[mid - 100, 500]];
    market.asks = [[mid + 100, 500]];
    run.tellBook(market);
  };
  show(1_000_000);
  run.handlers.onStart?.();
  const end = (mid: number) => {
    show(mid);
    run.clock.advance(1_000 - (run.now() % 1_000));
  };
  return { market, run, show, end };
}

function wantedOf(run: ScriptedRun) {
  const { bids = [], asks = [] } = run.wanted.get(BTC) ?? {};
  return [bids, asks].map((side) => side.map(({ priceTicks, sizeLots }) => [priceTicks, sizeLots]));
}

const trade = (sizeLots: number): Trade => ({
  ...{ id: '1' as unknown as Cursor, symbol: BTC, aggressor: 'buy', priceTicks: ticks(1_000_000) },
  ...{ sizeLots: lots(sizeLots), atMs: unixMs(START_MS) },
});

describe('a follower', () => {
  test('cuts bars from the middle of the book, with what was traded, and shows them to the rule', () => {
    const seen: (readonly number[])[] = [];
    const rule: BarRule = {
      targetLots: ({ openUs, open, high, low, close, volume }, at, heldLots) => {
        seen.push([openUs, open, high, low, close, volume].map((column) => column[at] ?? Number.NaN));
        expect(close[at + 1]).toBeNaN();
        return heldLots;
      },
    };
    const { run, show, end, market } = aRun(rule);
    for (const mid of [1_000_500, 999_000]) show(mid);
    run.handlers.onTrade?.(market, trade(7));
    run.handlers.onTrade?.(market, trade(5));
    end(1_000_200);
    end(1_000_300);
    expect(seen).toEqual([
      [START_MS * 1_000, 1_000_500, 1_000_500, 999_000, 1_000_200, 12],
      [START_MS * 1_000 + 1_000_000, 1_000_200, 1_000_300, 1_000_200, 1_000_300, 0],
    ]);
  });

  test('reaches what the rule wants in slices at the best price, in whole steps', () => {
    const { run, end, market } = aRun({ targetLots: (_bars, at) => [25.7, 25, -4][at] ?? 0 });
    expect(run.pulls).toEqual([{ reason: 'no bar of 1000 ms has ended yet', symbol: BTC }]);
    end(1_000_000);
    expect(wantedOf(run)).toEqual([[[999_900, 10]], []]);
    market.inventoryLots = lots(25);
    end(1_000_000);
    expect(run.pulls.at(-1)?.reason).toBe('the position is as it should be');
    end(1_000_000);
    expect(wantedOf(run)).toEqual([[], [[1_000_100, 10]]]);
  });

  test('leaves out a bar whose close cannot be trusted', () => {
    const closes: number[] = [];
    const { end, market } = aRun({
      targetLots: ({ close }, at, heldLots) => {
        closes.push(close[at] ?? Number.NaN);
        return heldLots;
      },
    });
    end(1_000_000);
    market.isFresh = false;
    end(2_000_000);
    market.isFresh = true;
    end(1_000_100);
    expect(closes).toEqual([1_000_000, 1_000_100]);
  });

  test.each<[string, number, number, BarExit | undefined]>([
    ['at the stop of a long position', 25, 989_999, 'stop'],
    ['not before it', 25, 990_001, undefined],
    ['at its take-profit', 25, 1_010_000, 'take'],
    ['at the stop of a short position', -25, 1_010_000, 'stop'],
    ['at its take-profit', -25, 990_000, 'take'],
  ])('gives a position up %s, and wants nothing until the next bar', (_title, size, mid, why) => {
    const exits: BarExit[] = [];
    let target = size;
    const { run, show, end, market } = aRun({
      targetLots: () => target,
      stopTicks: (_bars, _at, heldLots, average) => average - Math.sign(heldLots) * 10_000,
      takeTicks: (_bars, _at, heldLots, average) => average + Math.sign(heldLots) * 10_000,
      onExit: (reason) => exits.push(reason),
    });
    end(1_000_000);
    Object.assign(market, { inventoryLots: lots(size), averageEntryTicks: 1_000_000 });
    run.clock.advance(600);
    show(mid);
    expect(exits).toEqual(why === undefined ? [] : [why]);
    const [bids, asks] = wantedOf(run);
    expect((size > 0 ? asks : bids)?.length).toBe(why === undefined ? 0 : 1);
    target = 2 * size;
    end(1_000_000);
    const side = wantedOf(run)[size > 0 ? 0 : 1];
    expect(side?.length).toBe(1);
  });

  test('error: what is no number is refused with its bar', () => {
    const { end } = aRun({ targetLots: () => Number.NaN });
    expect(() => end(1_000_000)).toThrow('from the rule at the bar of 2027-01-15T08:00:00.000Z, got NaN');
  });
});

test('a window of bars keeps the newest ones, and its memory is bounded', () => {
  const window = new BarWindow();
  const total = 5 * BARS_KEPT + 3;
  for (let at = 0; at < total; at++)
    window.push({ openUs: at, open: at, high: at, low: at, close: at, volume: at });
  expect(window.close.length).toBe(2 * BARS_KEPT);
  expect(window.last).toBeLessThan(2 * BARS_KEPT);
  expect(window.close[window.last + 1] ?? Number.NaN).toBeNaN();
  for (let back = 0; back < BARS_KEPT; back++)
    expect(window.close[window.last - back]).toBe(total - 1 - back);
});
