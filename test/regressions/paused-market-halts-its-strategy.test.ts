/**
 * Symptom: a market was paused for three seconds. The bot went on sending orders into it, five of them were rejected, and
 * M5 held the strategy for a minute although its market had long been open again; so it did when a market got another tick.
 */
import { describe, expect, test } from 'vitest';
import { monitorLimits } from '../../src/bot/risk/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC as LISTED } from '../contract/client.ts';
import { aRig, keepArmed, type Rig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { movingBid } from '../support/moving-quotes.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { aMarket, BTC, LANE, usd } from '../support/trading-builders.ts';

/** With each book, and when the market is there again. */
const bidder = strategyOf((context) => {
  const bid = () =>
    context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });
  return { onBook: bid, onResumed: bid };
});

const REASONS = [
  ...['MarketNotTrading', 'UnknownMarket', 'BelowMinNotional'],
  ...['OrderNotAligned', 'NotAligned', 'InvalidPrecision'],
] as const;

function aBidder(): Rig {
  const rig = aRig([setupOf(bidder, { symbols: [BTC] })], { monitor: monitorLimits(usd(100_000), 6) });
  rig.venue.isInstant = false;
  return rig;
}

/** Ten books a second; each order is rejected. */
function rejecting(rig: Rig, forMs: number, reason: string): void {
  for (let atMs = 0; atMs < forMs; atMs += 100) {
    keepArmed(rig);
    rig.book(999_990, 1_000_010);
    if (!rig.venue.isReady(LANE)) rig.venue.reject(reason);
    rig.clock.advance(100);
  }
}

const controlsOf = ({ audit }: Rig): ReadonlySet<unknown> =>
  new Set(audit.typesOf('TradingStateChanged').map(({ fields }) => fields['control']));

describe.each(REASONS)('a market that rejects with %s', (reason) => {
  test('is tried again every two seconds at most, and no strategy is held for it', () => {
    const rig = aBidder();
    rejecting(rig, 20_000, reason);
    expect(controlsOf(rig)).toEqual(new Set(['M17']));
    expect(rig.venue.submitted.length).toBeGreaterThanOrEqual(5);
    expect(rig.venue.submitted.length).toBeLessThanOrEqual(15);
  });

  test('is quoted again without another book once it takes orders', () => {
    const rig = aBidder();
    rejecting(rig, 300, reason);
    expect(rig.venue.submitted).toHaveLength(1);
    rig.venue.isInstant = true;
    keepArmed(rig);
    rig.clock.advance(2_000);
    expect(rig.bot.account.workingOrders(BTC)).toHaveLength(1);
    expect(rig.bot.status().halts).toEqual([]);
  });
});

test('error: what the market does not explain still holds the strategy (M5)', () => {
  const rig = aBidder();
  rejecting(rig, 5_000, 'InsufficientMargin');
  expect(controlsOf(rig)).toEqual(new Set(['M5']));
});

test('a market that says it is paused is degraded, and resumes by what it says, not by its book', () => {
  const told: string[] = [];
  const listener = strategyOf(() => ({
    onDegraded: ({ reason }) => void told.push(reason),
    onResumed: (symbol) => void told.push(`resumed ${symbol}`),
  }));
  const rig = aRig([setupOf(listener, { symbols: [BTC] })]);
  rig.feed({ type: 'MarketChanged', market: aMarket({ status: 'Paused' }) });
  rig.book(999_990, 1_000_010);
  expect(told).toEqual(['market BTC-PERP is Paused']);
  rig.feed({ type: 'MarketChanged', market: aMarket() });
  expect(told).toEqual(['market BTC-PERP is Paused', 'resumed BTC-PERP']);
});

test('a bot leaves a paused market alone and quotes it within 5 s of its return', async () => {
  const venue = await startTestExchange();
  venue.another().place([
    { side: 'buy', price: '99990.0', size: '5.0000' },
    { side: 'sell', price: '100010.0', size: '5.0000' },
  ]);
  const bot = await startBot(venue, { a: movingBid(LISTED, 200) });
  const quotes = () => venue.exchange.control.venue.openOrders(venue.account.accountId).length;
  await venue.clock.advanceAsync(2_000);
  expect(quotes()).toBeGreaterThan(0);
  venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Paused' });
  await venue.clock.advanceAsync(30_000);
  const sent = bot.counts.ordersPlaced;
  expect(quotes()).toBe(0);
  venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Active' });
  await venue.clock.advanceAsync(5_000);
  expect(bot.counts.ordersPlaced).toBeGreaterThan(sent);
  expect(quotes()).toBeGreaterThan(0);
  expect(bot.halts).toEqual([]);
  await bot.close();
});
