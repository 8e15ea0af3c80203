/** The document that pages and `ballast top` draw: book with own orders, limits and their use, profit by its parts, the past. */
import { describe, expect, test } from 'vitest';
import { createDashboard, type FeedMessage } from '../../../../src/bot/dashboard/index.ts';
import { pastOf, viewOf } from '../../../../src/bot/dashboard/view.ts';
import { Kept, type KeptEvent, type KeptLine } from '../../../../src/bot/operator/kept.ts';
import { riskLimits } from '../../../../src/bot/risk/index.ts';
import { secrets, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import { type LaneId, lots, type OrderId, ticks } from '../../../../src/domain/index.ts';
import { createRunCollector } from '../../../../src/report/collect/index.ts';
import { pnlSplitOf } from '../../../../src/report/pnl-split.ts';
import { aRig, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { aBook, BTC, START_MS, usd } from '../../../support/trading-builders.ts';

const maker = strategyOf((context) => ({
  onBook: (view) =>
    context.quote(view.symbol, {
      bids: [{ priceTicks: ticks((view.bestBidTicks ?? 0) - 100), sizeLots: lots(10) }],
      asks: [{ priceTicks: ticks((view.bestAskTicks ?? 0) + 100), sizeLots: lots(10) }],
    }),
}));
const limits = riskLimits({ capital: usd(100_000), symbols: [BTC] });

function collected() {
  const clock = new VirtualClock(START_MS);
  const identity = {
    ...{ mode: 'sim' as const, runId: 'run-1', configHash: '', codeHash: '', parameters: {}, tapes: [] },
    ...{ seed: 7, collateralDecimals: 6, assumptions: [] },
  };
  const collector = createRunCollector({ clock, identity });
  return { clock, collector, rig: aRig([setupOf(maker)], { clock, collector }) };
}

describe('the book', () => {
  test('shows own orders among the levels and beyond them, with the place in the queue where it is known', () => {
    const rig = aRig(maker);
    rig.book(999_990, 1_000_010);
    rig.feed({
      type: 'BookUpdated',
      book: aBook({
        ...{ symbol: BTC, receivedAtMs: rig.clock.nowMs() },
        bids: [
          [999_990, 500],
          [999_890, 40],
        ],
        asks: Array.from({ length: 12 }, (_, at) => [1_000_010 + at, 7] as const),
      }),
    });
    const orders = rig.bot.account.workingOrders(BTC);
    const bid = orders.find(({ side }) => side === 'buy')?.orderId;
    const queueOf = (orderId: OrderId) => (orderId === bid ? { aheadLots: 30 } : undefined);
    const [book] = viewOf({ bot: rig.bot, queueOf }).books;
    expect(book?.symbol).toBe(BTC);
    expect(book?.bids).toEqual([
      { price: '99999.0', size: '0.500' },
      { price: '99989.0', size: '0.040', own: '0.010', ahead: '0.030' },
    ]);
    expect(book?.asks).toHaveLength(11);
    expect(book?.asks.at(-1)).toEqual({ price: '100011.0', own: '0.010' });
    const without = viewOf({ bot: rig.bot }).books[0];
    expect(without?.bids[1]).toEqual({ price: '99989.0', size: '0.040', own: '0.010' });
  });

  test('is empty of a market that only has a definition', () => {
    const rig = aRig(strategyOf(() => ({})));
    for (const { bids, asks } of viewOf({ bot: rig.bot }).books)
      expect([...bids, ...asks].filter(({ own }) => own !== undefined)).toEqual([]);
  });
});

describe('the use of limits', () => {
  test('counts what is held and what could still execute, and compares it with each limit', () => {
    const rig = aRig(maker);
    rig.book(999_990, 1_000_010);
    const { risk } = viewOf({ bot: rig.bot, limits });
    const find = (scope: string, what: string) =>
      risk.find((row) => row.scope === scope && row.what === what);
    const position = find(BTC, 'largest position');
    // 10 lots of 0.001 at about 100,000, of a limit of half the capital.
    expect(Number(position?.used)).toBeCloseTo(1_000, 6);
    expect(Number(position?.limit)).toBe(50_000);
    expect(position?.share).toBeCloseTo(0.02, 9);
    expect(find('account', 'number of open orders')).toMatchObject({
      used: '2',
      limit: '50',
      unit: 'orders',
    });
    expect(Number(find('account', 'open orders')?.used)).toBeCloseTo(2_000, 6);
    expect(find('account', 'leverage')).toMatchObject({ used: '0.01', limit: '3.00', unit: 'x' });
    rig.bot.cancelAll({ actor: 'ann', reason: 'drill' });
    const after = viewOf({ bot: rig.bot, limits }).risk;
    expect(after.every(({ share }) => share === 0)).toBe(true);
  });
});

describe('profit and past', () => {
  test('the parts are those of the report of the same run, and add up', async () => {
    const { rig, collector, clock } = collected();
    rig.book(999_990, 1_000_010);
    for (const { orderId, side } of rig.bot.account.workingOrders(BTC)) if (side === 'buy') rig.fill(orderId);
    rig.book(999_000, 999_020);
    await clock.advance(5_000);
    const profit = collector.progress.profit();
    const shown = viewOf({ bot: rig.bot, progress: collector.progress }).profit;
    const past = pastOf({ bot: rig.bot, progress: collector.progress });
    const split = pnlSplitOf(collector.finish());
    for (const part of ['spread', 'fees', 'funding', 'inventory'] as const) {
      expect(profit?.[part]).toBe(split[part].at(-1));
      expect(Number(shown?.[part]) * 1e6).toBeCloseTo(profit?.[part] ?? Number.NaN, 0);
    }
    const { total = 0, spread = 0, fees = 0, funding = 0, inventory = 0 } = profit ?? {};
    expect(spread - fees + funding + inventory).toBeCloseTo(total, 6);
    expect(spread).toBeGreaterThan(0);
    const market = past.markets.find(({ symbol }) => symbol === BTC);
    expect(market?.mid).toHaveLength(past.atMs.length);
    expect(market?.inventory.at(-1)).toBeCloseTo(0.01, 9);
    expect(market?.mid.at(-1)).toBeCloseTo(99_901, 6);
    expect(past.fills).toHaveLength(1);
    expect(past.fills[0]).toMatchObject({ side: 'buy', role: 'maker', symbol: BTC });
    expect(past.fills[0]?.price).toBeCloseTo(99_989, 6);
  });

  test('a run without a collector has no parts and an empty past', () => {
    const { bot } = aRig(maker);
    expect(viewOf({ bot }).profit).toBeUndefined();
    expect(pastOf({ bot })).toEqual({ atMs: [], markets: [], fills: [] });
  });

  test('the past of a long run is thinned, and ends with the newest sample', async () => {
    const { rig, collector, clock } = collected();
    rig.book(999_990, 1_000_010);
    await clock.advance(4_000_000);
    const { atMs } = pastOf({ bot: rig.bot, progress: collector.progress });
    expect(atMs.length).toBeGreaterThan(500);
    expect(atMs.length).toBeLessThanOrEqual(720);
    expect(clock.nowMs() - (atMs.at(-1) ?? 0)).toBeLessThan(1_001);
    expect(atMs.toSorted((a, b) => a - b)).toEqual(atMs);
  });
});

describe('messages', () => {
  function aDashboard(isStarted = true) {
    const rig = aRig(maker);
    const [events, lines] = [new Kept<KeptEvent>(5_000), new Kept<KeptLine>(2_000)];
    const dashboard = createDashboard({
      run: { runId: 'run-1', name: 'maker', mode: 'sim', environment: 'sim', startedAtMs: 1 },
      ...{ clock: rig.clock, log: silentLog, events, lines },
      started: () =>
        isStarted
          ? { bot: rig.bot, lanes: () => [{ lane: 'a' as LaneId, state: 'idle', busyMs: 0, unresolved: 0 }] }
          : undefined,
    });
    const texts: string[] = [];
    const reader = { write: (text: string) => texts.push(text), waiting: () => 0, drop: () => undefined };
    const told = (): FeedMessage[] => texts.map((text) => JSON.parse(text.replace(/^data: /, '')));
    return { rig, events, lines, dashboard, reader, texts, told };
  }

  test('the first has the past and the newest entries, each after it what is new', async () => {
    const { rig, events, lines, dashboard, reader, told } = aDashboard();
    events.add({ type: 'StrategyStarted', atMs: 1, fields: { strategy: 'maker' } });
    events.add({ type: 'OrderChanged', atMs: 1, fields: {} });
    dashboard.join(reader);
    await rig.clock.advance(500);
    events.add({ type: 'IntentDenied', atMs: 2, fields: { code: 'X' } });
    for (const forMs of [20, 4_000]) events.add({ type: 'QuoteGapEnded', atMs: 2, fields: { forMs } });
    lines.add({ atMs: 3, level: 'warn', message: 'look', fields: { long: 'x'.repeat(5_000) } });
    await rig.clock.advance(1_000);
    dashboard.leave(reader);
    await rig.clock.advance(5_000);
    const messages = told();
    expect(messages.map(({ past }) => past !== undefined)).toEqual([true, false, false, false]);
    expect(messages.map(({ events: all }) => all.map(({ n, text }) => [n, text]))).toEqual([
      [[0, 'StrategyStarted']],
      [],
      [
        [2, 'IntentDenied'],
        [4, 'QuoteGapEnded'],
      ],
      [],
    ]);
    expect(messages[2]?.lines[0]?.detail.length).toBeLessThan(700);
    expect(messages[0]?.view?.status.state).toBe('armed');
    expect(messages[0]?.view?.lanes).toHaveLength(1);
  });

  test('a run that starts has no view, and no message has a secret', () => {
    const { lines, dashboard, reader, texts, told } = aDashboard(false);
    secrets.add('a-secret-of-this-test-0123456789');
    lines.add({ atMs: 3, level: 'warn', message: 'a-secret-of-this-test-0123456789', fields: {} });
    dashboard.join(reader);
    dashboard.close();
    expect(told()[0]?.view).toBeUndefined();
    expect(texts.join('')).not.toContain('a-secret-of-this-test');
    expect(told()[0]?.lines[0]?.text).toBe('[redacted]');
  });
});
