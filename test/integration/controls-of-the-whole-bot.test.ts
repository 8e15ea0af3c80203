/** @module Continuous controls of the whole bot on the embedded exchange, each by what makes it act (denials.md). */
import { describe, expect, test } from 'vitest';
import { type Fields, type Log, silentLog } from '../../src/core/index.ts';
import type { Address, MarketSymbol } from '../../src/domain/index.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { disturb, runWholeBot, startOf } from '../support/whole-bot.ts';

/** Keeps warnings and errors. */
function aLog() {
  const told: string[] = [];
  const say = (message: string, _fields?: Fields): void => void told.push(message);
  const log: Log = { ...silentLog, warn: say, error: say, child: () => log };
  return { told, log };
}

describe('the whole bot', () => {
  test('halts when its switch has fired twice within an hour, and places nothing more (M12)', async () => {
    const { told, log } = aLog();
    const run = await runWholeBot({
      seed: 3,
      forMs: 150_000,
      log,
      prepare: (world) =>
        disturb(world, [
          { kind: 'requests lost', atMs: 10_000, forMs: 30_000, strength: 1 },
          { kind: 'requests lost', atMs: 70_000, forMs: 30_000, strength: 1 },
        ]),
    });
    const placedAfter = (fromMs: number) =>
      run.observed.placedAtMs.some((atMs) => atMs >= startOf(run.world) + fromMs);
    expect(run.observed.fired).toBeGreaterThanOrEqual(2);
    expect(told).toContainEqual(expect.stringMatching(/^M12: trading is halted: M12: .* fired 2 times/));
    expect(placedAfter(60_000)).toBe(true);
    expect(placedAfter(100_000)).toBe(false);
    expect(run.observed.breaks).toEqual([]);
    expect(run.observed.atEnd().openOrders).toBe(0);
  });

  test('ends its run two minutes before a grant does, with the proof that no order is open (M16, O52)', async () => {
    const { told, log } = aLog();
    const run = await runWholeBot({
      seed: 4,
      forMs: 300_000,
      log,
      prepare: ({ exchange, clock, address }) => {
        let isShort = false;
        exchange.control.watch(({ events }) => {
          const agent = events.find(({ kind }) => kind === 'AgentApproved');
          if (isShort || agent?.kind !== 'AgentApproved') return;
          isShort = true;
          const grant = { account: address as Address, agent: agent.agent };
          clock.after(1, () => exchange.control.approve({ ...grant, validUntilMs: clock.nowMs() + 180_000 }));
        });
      },
    });
    expect(run.report.stopReason).toMatch(/^halt: the grant of wallet \w+ ends in 11\d{4} ms$/);
    expect(told).toContainEqual(expect.stringMatching(/^API wallet grant expires soon/));
    expect(run.report).toMatchObject({ openOrders: 0, openOrdersProof: 'proven', reconciled: true });
    expect(run.virtualMs).toBeLessThan(80_000);
    expect(run.observed.breaks).toEqual([]);
  });

  test('slows a strategy that replaces one order in a loop to one write a second (M8)', async () => {
    const { told, log } = aLog();
    const nervous = strategyOf((context) => ({
      onStart: () => context.startInterval('again', 100),
      onTimer: () => {
        const view = context.market('BTC-USD' as MarketSymbol);
        const bid = view.bestBidTicks;
        if (bid === undefined) return;
        const priceTicks = view.floorTicks(bid * 0.99 - (context.now() % 1_000));
        context.quote(view.symbol, { bids: [{ priceTicks, sizeLots: view.lotsOf('0.003') }], asks: [] });
      },
    }));
    const { observed, world } = await runWholeBot({
      seed: 5,
      forMs: 30_000,
      log,
      // The demo's market moves more often than a strategy may follow it by default.
      edit: (yaml) => yaml.replace(/maxReplacesPerSecond: 100/, 'maxReplacesPerSecond: 5'),
      strategies: [
        {
          ...{ name: 'nervous', definition: nervous, file: '/nervous.ts', sha256: '' },
          ...{ symbols: ['BTC-USD' as MarketSymbol], parameters: {}, wallet: undefined },
        },
      ],
    });
    const slowedFromMs = startOf(world) + 10_000;
    const placed = observed.placedAtMs.filter((atMs) => atMs >= slowedFromMs).length;
    expect(told).toContainEqual(expect.stringMatching(/^M8: trading is throttled: M8: one order of BTC-USD/));
    expect(placed).toBeGreaterThanOrEqual(15);
    // Twice in this time the pause behind the last loop is over, and the loop begins again.
    expect(placed).toBeLessThanOrEqual(40);
    expect(observed.breaks).toEqual([]);
  });
});
