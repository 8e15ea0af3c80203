/**
 * Execution components in a bot whose process is killed in the middle and started again on the same journal, beside an
 * exchange that lives on: what is filled is the whole to the lot, and nothing is sent twice (execution algos, "What
 * holds").
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import type { OpenWorld } from '../simulation/world.ts';
import { aCalmWorld, type CalmWorld } from '../support/calm-world.ts';
import { ROOT } from '../tidy/source.ts';

const COMPONENTS = ['twap', 'almgren-chriss', 'chaser', 'iceberg', 'barrier-exit', 'hedge'] as const;
type Component = (typeof COMPONENTS)[number];

/** 0.03 BTC at 0.0001 a lot. */
const TOTAL_LOTS = 300;

function configOf(component: Component) {
  const markets = component === 'hedge' ? ['BTC-USD', 'ETH-USD'] : ['BTC-USD'];
  const text = `
environment: { name: sim }
markets: [${markets.map((symbol) => `{ symbol: ${symbol}, leverage: 5 }`).join(', ')}]
strategies:
  - name: worker
    module: ./execution.ts
    markets: [${markets.join(', ')}]
    parameters: { component: ${component}, total: 0.03, parts: 6, every: 4s }
risk:
  capital: 10000
  postOnly: false
  maxSameSideFillsPer10s: 1000
  maxTurnoverPer10s: 10000%
  maxReplacesPerSecond: 100
`;
  return parseConfig(text, join(ROOT, 'test/simulation/strategies/execution.yaml'));
}

/** What the exchange executed for the account, and what it was sent. */
interface Book {
  /** Signed lots by market, bought and sold lots of the first market. */
  readonly lots: readonly [number, number];
  readonly bought: number;
  readonly sold: number;
  /** The most that the first market held and might have held with all that rested, either sign. */
  readonly reachedLots: number;
  /** Labels of orders that were accepted more than once. */
  readonly doubles: readonly string[];
}

function watchBook({ exchange, account }: OpenWorld): () => Book {
  const { accountId } = account;
  const { venue } = exchange.control;
  const idOf = (symbol: string) =>
    exchange.settings.markets.find(({ market }) => market.symbol === symbol)?.market.signingMarketId ?? -1;
  const [first, second] = [idOf('BTC-USD'), idOf('ETH-USD')];
  const labels = new Set<string>();
  const doubles: string[] = [];
  const seen = { bought: 0, sold: 0, reachedLots: 0 };
  const lotsOf = (market: number) =>
    venue.positions(accountId).find((one) => one.market === market)?.lots ?? 0;
  exchange.control.watch(({ events, receipt }) => {
    for (const event of events) {
      if (event.kind !== 'Fill' || event.market !== first) continue;
      for (const order of [event.makerOrder, event.takerOrder])
        if (order.account === accountId) seen[order.side === 'buy' ? 'bought' : 'sold'] += event.lots;
    }
    if (receipt?.request.operation.account !== accountId) return;
    for (const item of receipt.items) {
      const label = item.kind === 'place' ? receipt.request.clientOrderIds[item.inputIndex] : undefined;
      if (label === undefined || item.state !== 'accepted') continue;
      if (labels.has(label)) doubles.push(label);
      labels.add(label);
    }
    const resting = venue.openOrders(accountId).filter(({ market }) => market === first);
    const restingLots = resting.reduce((sum, order) => sum + order.remainingLots, 0);
    seen.reachedLots = Math.max(seen.reachedLots, Math.abs(lotsOf(first)) + restingLots);
  });
  return () => ({ ...seen, doubles, lots: [lotsOf(first), lotsOf(second)] });
}

/** Kills the bot in the middle of its work, as often as there are rests, and starts it again after each. */
interface Deaths {
  readonly kind: 'crash' | 'powerLoss';
  /** How long it is dead, ms. After 30 s the switch has fired. */
  readonly restsMs: readonly number[];
  /** It dies as its next write leaves, and not in between two. */
  readonly isAtWrite?: boolean;
}

const DEATHS: readonly (readonly [string, Deaths])[] = [
  ['killed once, back in a second', { kind: 'crash', restsMs: [1_000] }],
  ['killed twice, back when the switch has fired', { kind: 'crash', restsMs: [30_000, 40_000] }],
  [
    'without power as a write leaves, three times',
    { kind: 'powerLoss', restsMs: [500, 500, 500], isAtWrite: true },
  ],
];

const MIDDLE_MS_MAX = 120_000;

/** Lots that the component has worked off; its whole is {@link TOTAL_LOTS}. */
function doneLots(component: Component, { bought, sold }: Book): number {
  return component === 'almgren-chriss' || component === 'iceberg' || component === 'barrier-exit'
    ? sold
    : bought;
}

async function dieInTheMiddle(
  { world, pass }: CalmWorld,
  { kind, restsMs, isAtWrite = false }: Deaths,
  done: () => number,
): Promise<readonly number[]> {
  const { bot } = world;
  const killedAt: number[] = [];
  for (const restMs of restsMs) {
    const beforeLots = done();
    // More is done than before, and not all of it.
    await within(world, () => done() > beforeLots);
    if (done() >= TOTAL_LOTS) break;
    if (isAtWrite) await atNextWrite(world);
    killedAt.push(done());
    bot.kill(kind);
    await pass(restMs);
    bot.start();
  }
  return killedAt;
}

/** Waits in steps so small that orders are found half done. */
async function within({ clock }: OpenWorld, holds: () => boolean): Promise<void> {
  const untilMs = clock.monotonicMs() + MIDDLE_MS_MAX;
  while (!holds() && clock.monotonicMs() < untilMs) await clock.advanceAsync(5);
}

/** Waits until a placement is on its way: neither the bot nor the exchange knows its outcome. */
async function atNextWrite(world: OpenWorld): Promise<void> {
  let isOut = false;
  world.watch((sight) => {
    if (
      sight.kind === 'request' &&
      sight.method === 'POST' &&
      /^\/v1\/orders(?:\/replace)?$/.test(sight.path)
    )
      isOut = true;
  });
  await within(world, () => isOut);
}

/** Worth of what is held against over worth of what is hedged, at the index. */
function hedgedShare({ exchange }: OpenWorld, [first, second]: Book['lots']): number {
  const worthOf = (symbol: string, size: number): number => {
    const market = exchange.settings.markets.find((one) => one.market.symbol === symbol)?.market;
    if (market === undefined) throw new Error(`expected the market ${symbol}`);
    const { indexTicks } = exchange.control.venue.marketView(market.signingMarketId);
    return size * indexTicks * Number(market.quantumsPerTickLot);
  };
  return -worthOf('ETH-USD', second) / worthOf('BTC-USD', first);
}

describe.each(COMPONENTS)('%s', (component) => {
  test.each(DEATHS)('does its whole size once: %s', async (_name, deaths) => {
    const calm = await aCalmWorld({}, configOf(component));
    const { world, pass, open } = calm;
    const book = watchBook(world);
    const done = () => doneLots(component, book());
    world.bot.start();
    const killedAt = await dieInTheMiddle(calm, deaths, done);
    await pass(300_000, () => done() >= TOTAL_LOTS && open() === 0);
    // Long enough for anything that is sent once more.
    await pass(30_000);
    expect(killedAt[0]).toBeGreaterThan(0);
    expect(killedAt[0]).toBeLessThan(TOTAL_LOTS);
    expect(world.bot.life).toMatchObject({ number: killedAt.length + 1, state: 'running' });
    const { bought, sold, reachedLots, doubles, lots } = book();
    const isExit = component === 'barrier-exit';
    expect({ worked: done(), reachedLots, doubles, open: open() }).toEqual({
      ...{ worked: TOTAL_LOTS, reachedLots: TOTAL_LOTS, doubles: [], open: 0 },
    });
    // A barrier exit had bought it before; all others trade on one side alone.
    expect(isExit ? lots[0] : Math.min(bought, sold)).toBe(0);
    if (component === 'hedge') expect(hedgedShare(world, lots)).toBeCloseTo(1, 1);
  });
});
