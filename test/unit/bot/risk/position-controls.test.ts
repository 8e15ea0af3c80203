/** @module Continuous controls of positions that stand (denials.md M9, M13), as part of the monitor. */
import { describe, expect, test } from 'vitest';
import { monitorLimits, RiskMonitor, type Verdict } from '../../../../src/bot/risk/index.ts';
import { AccountState, type Fact, MarketState, type Ppm } from '../../../../src/domain/index.ts';
import { aFill, aMarket, BTC, seq, somePrices, usd } from '../../../support/trading-builders.ts';

const MINUTE_MS = 60_000;

/** A monitor over a position of `sizeLots` lots, each worth 100 USD, with a capital of 100,000 USD. */
function world(sizeLots: number, fundingRatePpm = 0) {
  const account = new AccountState();
  const markets = new MarketState();
  const feed = (fact: Fact): void => {
    account.fold(fact);
    if (fact.type === 'MarketChanged' || fact.type === 'PricesUpdated') markets.fold(fact);
  };
  const rate = (ratePpm: number): void =>
    feed({ type: 'PricesUpdated', prices: somePrices(1_000_000, { fundingRatePpm: ratePpm as Ppm }) });
  feed({ type: 'MarketChanged', market: aMarket() });
  rate(fundingRatePpm);
  feed({ type: 'AccountSynced', seq: seq(1) });
  const fill = (lots: number, side: 'buy' | 'sell', id: string): void =>
    feed({
      type: 'FillRecorded',
      fill: aFill({ id: id as never, sizeLots: lots, side, priceTicks: 1_000_000 }),
    });
  fill(sizeLots, 'buy', '5-0-0');
  const monitor = new RiskMonitor(monitorLimits(usd(100_000), 6), { account, markets });
  const of = (control: string, verdicts: readonly Verdict[]) =>
    verdicts
      .filter((verdict) => verdict.control === control)
      .map(({ scope, trading }) => [scope, trading.state]);
  return { fill, rate, tick: (control: string, atMs: number) => of(control, monitor.tick(atMs)) };
}

const MARKET = { kind: 'market', symbol: BTC };

describe('inventory near its limit (M9)', () => {
  test('may only be reduced after ten minutes, is said once, and is let go of inside the band', () => {
    const { tick, fill } = world(410);
    expect(tick('M9', 0)).toEqual([]);
    expect(tick('M9', 10 * MINUTE_MS)).toEqual([]);
    expect(tick('M9', 10 * MINUTE_MS + 1)).toEqual([[MARKET, 'reducing']]);
    expect(tick('M9', 11 * MINUTE_MS)).toEqual([]);
    fill(20, 'sell', '6-0-0');
    expect(tick('M9', 12 * MINUTE_MS)).toEqual([[MARKET, 'active']]);
  });

  test('counts again when it was inside the band in between', () => {
    const { tick, fill } = world(410);
    tick('M9', 0);
    fill(20, 'sell', '6-0-0');
    tick('M9', 9 * MINUTE_MS);
    fill(20, 'buy', '7-0-0');
    tick('M9', 9 * MINUTE_MS + 1);
    expect(tick('M9', 15 * MINUTE_MS)).toEqual([]);
  });
});

describe('funding that is about to cost too much (M13)', () => {
  test('lets the market only be reduced while the next payment is above a thousandth of the capital', () => {
    const { tick, rate } = world(200, 5_000);
    expect(tick('M13', 0)).toEqual([]);
    rate(5_001);
    expect(tick('M13', 1_000)).toEqual([[MARKET, 'reducing']]);
    rate(-5_001);
    expect(tick('M13', 2_000)).toEqual([]);
    rate(100);
    expect(tick('M13', 3_000)).toEqual([[MARKET, 'active']]);
  });
});
