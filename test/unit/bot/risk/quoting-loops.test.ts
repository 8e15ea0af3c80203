/** @module Loops of quoting as a continuous control (denials.md M8). */
import { describe, expect, test } from 'vitest';
import { monitorLimits, type Review, RiskMonitor, type Verdict } from '../../../../src/bot/risk/index.ts';
import type { OrderSpec } from '../../../../src/domain/index.ts';
import { takeChanges } from '../../../support/changes.ts';
import { RiskWorld } from '../../../support/risk-scene.ts';
import { aFill, aSpec, atMs, LANE, MAKER, usd } from '../../../support/trading-builders.ts';

const MINUTE_MS = 60_000;
const BEHIND = { kind: 'strategy', strategyId: MAKER };

const codes = (review: Review) => review.denied.map(({ code }) => code);

/** A monitor that is told of quotes: each round takes the old orders off and sets new ones. */
function aMonitor(levels = 1) {
  const world = new RiskWorld();
  const limits = monitorLimits(usd(100_000), 6);
  const monitor = new RiskMonitor(limits, { account: world.account, markets: world.markets });
  let resting: readonly OrderSpec[] = [];
  let orderCount = 0;
  const tell = (nowMs: number) => {
    for (const change of takeChanges(world.account)) monitor.observe(change, nowMs);
  };
  const accept = (spec: OrderSpec): void => {
    const orderId = `${++orderCount}` as never;
    ids.set(spec, orderId);
    world.fold({
      type: 'OrderAccepted',
      ...{ spec, orderId, acceptedLots: spec.sizeLots, filledLots: 0 as never, isResting: true },
      proof: { by: 'answer', id: `${orderCount}` },
    });
  };
  const ids = new Map<OrderSpec, never>();
  /** Takes the first `count` of the resting orders off and places as many again. */
  const requote = (nowMs: number, count = levels): void => {
    const gone = resting.slice(0, count);
    const places = Array.from({ length: count }, () => aSpec());
    const cancels = gone.map((spec) => ({ symbol: spec.symbol, orderId: ids.get(spec) as never }));
    world.account.reserve({ lane: LANE, places, cancels, atMs: atMs(nowMs) });
    monitor.sent({ places, cancels }, nowMs);
    for (const ref of cancels)
      world.fold({
        type: 'CancelExecuted',
        ...{ ref, canceledLots: 10 as never, proof: { by: 'answer', id: `c${ref.orderId}` } },
      });
    for (const spec of places) accept(spec);
    resting = [...resting.slice(count), ...places];
    tell(nowMs);
  };
  const stands = (verdicts: readonly Verdict[]) =>
    verdicts.filter(({ control }) => control === 'M8').map(({ scope, trading }) => [scope, trading.state]);
  const fill = (nowMs: number, at: number): void => {
    monitor.observe(
      {
        type: 'FillApplied',
        strategyId: MAKER,
        intentId: undefined,
        fill: aFill({ id: `${at}-0-0` as never }),
      },
      nowMs,
    );
  };
  return { requote, fill, tick: (nowMs: number) => stands(monitor.tick(nowMs)) };
}

describe('one order that is replaced again and again (M8)', () => {
  test('slows its strategy from the sixth replace within a second on, until ten seconds behind the last', () => {
    const { requote, tick } = aMonitor();
    for (let i = 0; i <= 5; i++) requote(i * 100);
    expect(tick(500)).toEqual([]);
    requote(600);
    expect(tick(600)).toEqual([[BEHIND, 'throttled']]);
    expect(tick(10_599)).toEqual([]);
    expect(tick(10_600)).toEqual([[BEHIND, 'active']]);
  });

  test('five a second forever are none', () => {
    const { requote, tick } = aMonitor();
    for (let i = 0; i < 50; i++) requote(i * 200);
    expect(tick(10_000)).toEqual([]);
  });

  test('a ladder that rolls replaces each of its orders seldom', () => {
    const { requote, tick } = aMonitor(4);
    requote(0);
    for (let i = 1; i <= 16; i++) requote(i * 60, 1);
    expect(tick(1_000)).toEqual([]);
  });
});

describe('orders for each trade (M8)', () => {
  test('slow their strategy above 500 within ten minutes without a trade, and let go when trades come', () => {
    const { requote, fill, tick } = aMonitor();
    for (let i = 0; i < 500; i++) requote(i * 1_000);
    expect(tick(500_000)).toEqual([]);
    requote(500_000);
    expect(tick(500_000)).toEqual([[BEHIND, 'throttled']]);
    fill(500_500, 1);
    expect(tick(501_000)).toEqual([]);
    fill(501_500, 2);
    expect(tick(502_000)).toEqual([[BEHIND, 'active']]);
  });

  test('are forgotten after ten minutes', () => {
    const { requote, tick } = aMonitor();
    for (let i = 0; i <= 500; i++) requote(i * 200);
    expect(tick(100_200)).toEqual([[BEHIND, 'throttled']]);
    expect(tick(100_200 + 10 * MINUTE_MS)).toEqual([[BEHIND, 'active']]);
  });
});

describe('a strategy that is throttled (M8)', () => {
  const scope = { kind: 'strategy', strategyId: MAKER } as const;
  const spec = (step: number) => aSpec({ priceTicks: 999_000 + step });

  test('writes once a second, and may always reduce', () => {
    const world = new RiskWorld();
    world.trading.set(scope, 'M8', { state: 'throttled', reason: 'M8' });
    expect(codes(world.place([spec(1)]))).toEqual([]);
    world.nowMs = atMs(999);
    expect(world.gate.waitMs(LANE, MAKER, world)).toBe(1);
    expect(codes(world.place([spec(2)]))).toEqual(['RISK_STRATEGY_THROTTLED']);
    // Reduce-only without a position: the pace does not stop it, P13 does.
    expect(codes(world.place([aSpec({ reduceOnly: true })]))).toEqual(['RISK_REDUCE_ONLY_WOULD_INCREASE']);
    world.nowMs = atMs(1_000);
    expect(codes(world.place([spec(3)]))).toEqual([]);
  });

  test('stays slow beside a holder that is stricter, and others are not', () => {
    const world = new RiskWorld();
    world.trading.set(scope, 'M8', { state: 'throttled', reason: 'M8' });
    world.trading.set(scope, 'M5', { state: 'halted', reason: 'M5' });
    expect(world.trading.isSlowed(MAKER)).toBe(true);
    expect(world.trading.isSlowed('other' as never)).toBe(false);
    expect(world.trading.ofScope(scope).state).toBe('halted');
  });
});
