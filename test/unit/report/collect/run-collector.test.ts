/** @module What a run leaves for reports: exact books tied to the ledger, samples and later prices on time, quotes. */
import { describe, expect, test } from 'vitest';
import type { TargetQuotes } from '../../../../src/bot/strategy/index.ts';
import { unixMs, VirtualClock } from '../../../../src/core/index.ts';
import {
  type Cursor,
  type Fact,
  type LedgerEntry,
  lots,
  type MarketSymbol,
  NO_STRATEGY,
  type OrderId,
  quantums,
  type RunRecord,
  ticks,
  totalOf,
} from '../../../../src/domain/index.ts';
import type { RunCollectorOptions } from '../../../../src/report/collect/collector.ts';
import { createRunCollector } from '../../../../src/report/collect/index.ts';
import { RunQuotes } from '../../../../src/report/collect/run-quotes.ts';
import { SampleColumns } from '../../../../src/report/collect/run-samples.ts';
import { aRig, OTHER, type Rig, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { quietWorld } from '../../../support/risk-scene.ts';
import {
  aBook,
  aFill,
  aWorkingOrder,
  BTC,
  ETH,
  MAKER,
  START_MS,
  seq,
  somePrices,
} from '../../../support/trading-builders.ts';

const target: TargetQuotes = {
  bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }],
  asks: [{ priceTicks: ticks(1_000_020), sizeLots: lots(10) }],
};
const quoter = strategyOf((context) => ({
  onBook: (view) => {
    if (view.symbol === BTC) context.quote(BTC, target);
  },
}));

let entryCount = 0;
const entry = (kind: string, amount: bigint, symbol: typeof BTC | null = BTC): Fact => ({
  type: 'LedgerRecorded',
  entry: {
    id: `${++entryCount}-1-0` as Cursor,
    kind,
    amount: quantums(amount),
    symbol,
    orderId: null,
    atMs: START_MS,
  } satisfies LedgerEntry,
});

/** A fill and what the exchange's ledger says of it. */
function traded(rig: Rig, orderId: string, fee: bigint): void {
  const order = rig.bot.account.workingOrder(orderId as OrderId);
  if (order === undefined) throw new Error(`order ${orderId} does not work`);
  const { symbol, side, priceTicks, remainingLots: sizeLots } = order;
  const fill = aFill({ orderId, symbol, side, priceTicks, sizeLots, fee: quantums(fee) });
  const cash = BigInt(priceTicks) * BigInt(sizeLots) * 100n * (side === 'buy' ? -1n : 1n);
  rig.feed({ type: 'FillRecorded', fill }, entry('trade', cash), entry('taker_fee', -fee));
}

/** A rig with a collector; the world is fed before strategies start. */
function collected(
  changes: Partial<RunCollectorOptions> = {},
  definition = quoter,
  symbols: readonly MarketSymbol[] = [BTC, ETH],
) {
  const clock = new VirtualClock(START_MS);
  const collector = createRunCollector({
    clock,
    identity: {
      mode: 'sim',
      runId: 'run-1',
      configHash: '',
      codeHash: '',
      parameters: {},
      tapes: [],
      seed: 7,
      collateralDecimals: 6,
      assumptions: [],
    },
    ...changes,
  });
  const setups = [
    setupOf(definition, { symbols }),
    setupOf(
      strategyOf(() => ({})),
      { id: OTHER, symbols },
    ),
  ];
  const rig = aRig(setups, { clock, collector, isFed: false });
  return { rig, clock, collector };
}

const world = (rig: Rig) => rig.feed(entry('deposit', 100_000_000_000n, null), ...quietWorld());

function identityOf(record: RunRecord): bigint {
  return record.equityEnd - record.equityStart - record.transfers - totalOf(record.pnl);
}

describe('the markets of a run', () => {
  const symbolsOf = (change: (rig: Rig) => void): readonly string[] => {
    const { rig, collector } = collected({}, quoter, [BTC]);
    world(rig);
    change(rig);
    return collector.finish().markets.map(({ symbol }) => symbol);
  };

  test('are those of its strategies, not all that are known', () => {
    expect(symbolsOf((rig) => rig.book(999_990, 1_000_010))).toEqual([BTC]);
  });

  test('are those with a position or a fill, too', () => {
    expect(
      symbolsOf((rig) =>
        rig.feed({ type: 'FillRecorded', fill: aFill({ orderId: '7', symbol: ETH, sizeLots: 5 }) }),
      ),
    ).toEqual([BTC, ETH]);
  });
});

describe('the books of a run', () => {
  test('tie profit by fills to the ledger of the exchange, with residual 0 (I3)', () => {
    const { rig, collector } = collected();
    world(rig);
    rig.book(999_990, 1_000_010);
    traded(rig, '101', -20_000n);
    traded(rig, '102', 35_000n);
    rig.feed(entry('funding', -1_234n), entry('deposit', 5_000_000n, null));
    rig.feed({ type: 'PricesUpdated', prices: somePrices(1_000_300) });
    const record = collector.finish();
    expect(record).toMatchObject({
      equityStart: 100_000_000_000n,
      transfers: 5_000_000n,
      residual: 0n,
      pnl: { realized: 40_000n, unrealized: 0n, fees: 15_000n, funding: -1_234n },
      ledgerSpan: { entries: 6 },
      counts: { makerFills: 2, ordersFilled: 2, ordersPlaced: 2, writes: 1 },
    });
    expect(record.equityEnd).toBe(100_000_000_000n + 5_000_000n + 40_000n - 15_000n - 1_234n);
    expect(record.ledger.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['deposit', 5_000_000n],
      ['funding', -1_234n],
      ['taker_fee', -15_000n],
      ['trade', 40_000n],
    ]);
  });

  test('show a fee that a fill does not name as the residual', () => {
    const { rig, collector } = collected();
    world(rig);
    rig.book(999_990, 1_000_010);
    traded(rig, '101', 0n);
    rig.feed(entry('taker_fee', -777n));
    const record = collector.finish();
    expect(record.residual).toBe(-777n);
    expect(identityOf(record)).toBe(-777n);
  });

  test('count from the moment strategies start, open positions included', () => {
    const { rig, collector } = collected();
    rig.feed(entry('deposit', 1_000_000_000_000n, null), ...quietWorld().slice(0, 6));
    rig.feed({ type: 'FillRecorded', fill: aFill({ orderId: '7', priceTicks: 990_000, sizeLots: 5 }) });
    rig.feed(entry('trade', -990_000n * 5n * 100n), ...quietWorld().slice(6));
    rig.feed({ type: 'PricesUpdated', prices: somePrices(1_001_000) });
    const record = collector.finish();
    expect(record.equityStart).toBe(1_000_000_000_000n + 10_000n * 5n * 100n);
    expect(record.pnl).toMatchObject({ realized: 0n, unrealized: 1_000n * 5n * 100n });
    expect(record.residual).toBe(0n);
    expect(record.fills).toEqual([]);
    expect(record.byStrategy).toMatchObject([{ strategyId: NO_STRATEGY, symbol: BTC, finalLots: 5 }]);
  });

  test('add up over strategies to the account', () => {
    const { rig, collector } = collected();
    world(rig);
    rig.book(999_990, 1_000_010);
    traded(rig, '101', 10n);
    const record = collector.finish();
    const sum = record.byStrategy.reduce((total, row) => total + totalOf(row), 0n);
    expect(sum).toBe(totalOf(record.pnl));
    expect(record.byStrategy).toMatchObject([
      { strategyId: MAKER, finalLots: 10, turnover: 999_980n * 10n * 100n },
    ]);
  });

  test('go on over a change of the epoch: what the old ledger showed is kept', () => {
    const { rig, collector } = collected();
    world(rig);
    rig.book(999_990, 1_000_010);
    traded(rig, '101', 10n);
    traded(rig, '102', 10n);
    rig.feed({ type: 'EpochChanged', epoch: 'k2' }, entry('deposit', 99_000_000n, null));
    rig.feed(
      { type: 'PositionsReplaced', positions: [], seq: seq(5) },
      { type: 'AccountSynced', seq: seq(5), epoch: 'k2' },
    );
    rig.feed(entry('funding', 50n));
    const record = collector.finish();
    expect(record.pnl).toMatchObject({ realized: 40_000n, fees: 20n, funding: 50n });
    expect(record.residual).toBe(0n);
    expect(record.equityEnd - record.equityStart).toBe(40_000n - 20n + 50n);
  });
});

describe('samples and later prices', () => {
  test('are taken at full seconds by the clock of the run, without any event', () => {
    const { rig, clock, collector } = collected();
    clock.advance(250);
    world(rig);
    clock.advance(2_000);
    const { samples } = collector.finish();
    expect([...samples.atMs].map((atMs) => atMs - START_MS)).toEqual([250, 1_000, 2_000, 2_250]);
    expect([...samples.equity]).toEqual(Array(4).fill(100_000_000_000));
    expect(samples.midTicks[0]?.[1]).toBe(1_000_000);
  });

  test('are not taken twice where the run ends at a full second', () => {
    const { rig, clock, collector } = collected();
    world(rig);
    clock.advance(2_000);
    expect([...collector.finish().samples.atMs].map((atMs) => atMs - START_MS)).toEqual([0, 1_000, 2_000]);
  });

  test('show the middle of the book after each horizon, NaN behind the end of the run', () => {
    const { rig, clock, collector } = collected();
    world(rig);
    rig.book(999_990, 1_000_010);
    traded(rig, '101', 0n);
    for (let step = 1; step <= 60; step++) {
      rig.feed({
        type: 'BookUpdated',
        book: aBook({
          bids: [[999_990 + step, 500]],
          asks: [[1_000_010 + step, 500]],
          receivedAtMs: unixMs(clock.nowMs()),
        }),
      });
      clock.advance(100);
    }
    const [fill] = collector.finish().fills;
    expect(fill).toMatchObject({ side: 'buy', midTicks: 1_000_000, strategyId: MAKER });
    expect(fill?.laterMidTicks).toEqual([
      1_000_001,
      1_000_005,
      1_000_010,
      1_000_020,
      1_000_050,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test('know no price of a market whose data cannot be trusted', () => {
    const { rig, clock, collector } = collected();
    world(rig);
    rig.feed({ type: 'MarketStale', symbol: BTC, reason: 'a hole' });
    clock.advance(1_000);
    expect(collector.finish().samples.midTicks[0]?.at(-1)).toBeNaN();
  });

  test('keep to their bound by doubling the period', () => {
    const columns = new SampleColumns(1, 1_000, 8);
    for (let atMs = 0; atMs <= 20_000; atMs += columns.periodMs) {
      columns.add(atMs, atMs);
      columns.setMarket(0, 1, 2);
    }
    const samples = columns.finish([0]);
    expect(samples.periodMs).toBe(4_000);
    expect([...samples.atMs]).toEqual([0, 4_000, 8_000, 12_000, 16_000, 20_000]);
    expect([...samples.equity]).toEqual([...samples.atMs]);
  });
});

describe('quotes', () => {
  test('rest and end, with the queue before them and the time both sides were there', () => {
    const queueOf = () => ({ aheadLots: 0, atRestLots: 120 });
    const { rig, clock, collector } = collected({ queueOf });
    world(rig);
    rig.book(999_990, 1_000_010);
    clock.advance(1_500);
    traded(rig, '101', 0n);
    clock.advance(500);
    const record = collector.finish();
    expect(record.quotes.map(({ orderId, side, event }) => [orderId, side, event])).toEqual([
      ['101', 'buy', 'rested'],
      ['102', 'sell', 'rested'],
      ['101', 'buy', 'filled'],
    ]);
    expect(record.fills).toMatchObject([{ queueAheadLots: 0, queueAtRestLots: 120 }]);
    expect(record.quoting).toEqual([
      { strategyId: MAKER, symbol: BTC, bidMs: 1_500, askMs: 2_000, bothMs: 1_500 },
    ]);
  });

  test('say of an order that fired what it had waited for, and nothing of one that was canceled before', () => {
    const quotes = new RunQuotes();
    const trigger = { priceTicks: ticks(990_000), isAbove: false };
    const at = unixMs(START_MS);
    for (const id of ['taken', 'rested', 'canceled', 'waits'])
      quotes.rest(aWorkingOrder(id, { strategyId: MAKER, trigger }), at);
    quotes.fire('taken' as OrderId);
    quotes.rest(aWorkingOrder('rested', { strategyId: MAKER }), at);
    quotes.end('rested' as OrderId, 'canceled', at);
    quotes.end('canceled' as OrderId, 'canceled', at);
    quotes.fire('canceled' as OrderId);
    quotes.fire('plain' as OrderId);
    const { triggers, quotes: changes } = quotes.finish(at);
    const fired = { triggerTicks: 990_000, isAbove: false };
    expect(triggers).toEqual([
      { orderId: 'taken', ...fired },
      { orderId: 'rested', ...fired },
    ]);
    expect(changes.map(({ orderId }) => orderId)).toEqual(['rested', 'rested']);
  });

  test('are thinned by whole orders when there are too many', () => {
    const quotes = new RunQuotes(100);
    for (let index = 0; index < 200; index++) {
      const order = aWorkingOrder(`${index}`, { strategyId: MAKER });
      quotes.rest(order, unixMs(START_MS + index));
      quotes.end(order.orderId, 'canceled', unixMs(START_MS + index + 1));
    }
    const { quotes: kept, quoteSampling, quoting } = quotes.finish(unixMs(START_MS + 300));
    expect(quoteSampling).toBe(4);
    expect(kept).toHaveLength(100);
    expect(new Set(kept.map(({ orderId }) => Number(orderId) % 4))).toEqual(new Set([0]));
    expect(quoting).toMatchObject([{ bidMs: 200, askMs: 0 }]);
  });
});
