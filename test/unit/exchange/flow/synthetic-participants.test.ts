import { describe, expect, test } from 'vitest';
import { quantums } from '../../../../src/domain/index.ts';
import { createSyntheticParticipants } from '../../../../src/exchange/flow/synthetic-participants.ts';
import { TestFlowHost, totalCash } from '../../../support/flow-host.ts';
import { SimpleMaker, type SimpleMakerOptions } from '../../../support/simple-maker.ts';

const CASH = quantums(1_000_000_000_000n);
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** An exchange with the synthetic flow and a maker just before the best price of BTC-USD, quoting twice per second. */
function marketOf(seed: number, options: Partial<SimpleMakerOptions> = {}) {
  const host = new TestFlowHost({ seed });
  host.attach(createSyntheticParticipants());
  const maker = new SimpleMaker(host, {
    market: 0,
    cash: CASH,
    lots: 200,
    everyBlocks: 5,
    betterTicks: 1,
    ...options,
  });
  return { host, maker };
}

describe('a maker at the best price', () => {
  test.each(SEEDS)(
    'is filled at least 40 times in 20 s, 10 times a side, from the start on (seed %i)',
    (seed) => {
      const { host, maker } = marketOf(seed);
      host.run(20_000);
      expect(maker.fills.buy + maker.fills.sell).toBeGreaterThanOrEqual(40);
      expect(Math.min(maker.fills.buy, maker.fills.sell)).toBeGreaterThanOrEqual(10);
      expect(maker.fillTimesMs[0]).toBeLessThan(3_000);
      for (const fromMs of [0, 5_000, 10_000, 15_000]) {
        const within = maker.fillTimesMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 5_000);
        expect(within.length).toBeGreaterThanOrEqual(4);
      }
    },
  );

  test('is filled in every market of the exchange', () => {
    const { host, maker } = marketOf(1, { market: 1, lots: 2_000 });
    host.run(20_000);
    expect(Math.min(maker.fills.buy, maker.fills.sell)).toBeGreaterThanOrEqual(10);
  });

  test('wins with some seeds and loses with others over ten minutes', () => {
    const results = SEEDS.map((seed) => {
      const { host, maker } = marketOf(seed, { lots: 500 });
      host.run(600_000);
      expect(maker.oneSidedBlocks).toBe(0);
      expect(totalCash(host)).toBe(host.deposited);
      return maker.pnl();
    });
    expect(results.filter((pnl) => pnl < 0n).length).toBeGreaterThanOrEqual(2);
    expect(results.filter((pnl) => pnl > 0n).length).toBeGreaterThanOrEqual(2);
  });

  test('loses to the informed taker: without it the same maker earns more', () => {
    const earned = (notionalMax: number, marginPpm: number) => {
      const host = new TestFlowHost({ seed: 1 });
      host.attach(createSyntheticParticipants({ informed: { notionalMax, marginPpm } }));
      const options = { market: 0, cash: CASH, lots: 500, everyBlocks: 5, betterTicks: 1 };
      const maker = new SimpleMaker(host, options);
      host.run(600_000);
      return maker.pnl();
    };
    expect(earned(10_000_000_000, 50)).toBeLessThan(earned(10_000_000_000, 900_000));
  });
});

test('without anybody else the markets stay two-sided, uncrossed and near their index price', () => {
  const host = new TestFlowHost({ seed: 3 });
  host.attach(createSyntheticParticipants());
  host.afterBlocks(() => {
    for (const { market, indexTicks } of host.markets()) {
      const { bids, asks } = host.book(market.signingMarketId, 1);
      const bid = bids[0]?.[0] ?? 0;
      const ask = asks[0]?.[0] ?? 0;
      expect(bid).toBeGreaterThan(indexTicks * 0.97);
      expect(ask).toBeGreaterThan(bid);
      expect(ask).toBeLessThan(indexTicks * 1.03);
    }
  });
  host.run(300_000);
});

test('the same seed gives the same bytes, another seed others', () => {
  const digest = (seed: number) => {
    const { host } = marketOf(seed);
    host.run(30_000);
    return host.digest();
  };
  expect(digest(7)).toBe(digest(7));
  expect(digest(8)).not.toBe(digest(7));
});

test('participants that run low deposit again, and the ledger shows it', () => {
  const host = new TestFlowHost({ seed: 2 });
  host.attach(createSyntheticParticipants({ cash: quantums(8_000_000_000n) }));
  const first = host.deposited;
  host.run(120_000);
  expect(host.deposited).toBeGreaterThan(first);
  expect(totalCash(host)).toBe(host.deposited);
});

test('a jump of the block time is made up for without a burst of index prices', () => {
  const host = new TestFlowHost({ seed: 2 });
  const flow = createSyntheticParticipants({ markets: [1] });
  host.attach(flow);
  const seqBefore = host.seq();
  host.clock.advance(0);
  flow.onBlock?.(host, (host.nowMs() + 60_000) as never);
  expect(host.seq() - seqBefore).toBeLessThan(200);
  expect(host.marketView(0).indexTicks).toBe(1_000_000);
});
