/**
 * @module
 * Funding is charged at the rate that is published, to the last digit: the exchange told 12 ppm and charged 12.5
 * (docs/decisions/0010). Each account is paid here from public reads alone.
 */
import { describe, expect, test } from 'vitest';
import { Decimal, seededRandom } from '../../src/core/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const SYMBOL = 'BTC-USD';
const HOUR_MS = 3_600_000;
const DECIMALS = 6;

interface Settlement {
  readonly ratePpm: number;
  readonly indexPrice: string;
  readonly ts: number;
}

/** Sizes of an account between two settlements, signed, with the number of settlements before each. */
interface Held {
  readonly size: Decimal;
  readonly sinceSettlement: number;
}

/** A long and a short account, and what a reader without any key sees. */
class Pair {
  readonly venue: TestExchange;
  readonly #short: TestExchange;
  /** What the long account held, oldest first; the short one held the opposite. */
  readonly held: Held[] = [];
  #size = new Decimal(0);
  #price = '100000.0';

  constructor(venue: TestExchange) {
    this.venue = venue;
    this.#short = venue.another();
    this.price(100_000);
  }

  get accounts(): readonly { readonly address: string; readonly sign: 1 | -1 }[] {
    return [
      { address: this.venue.address, sign: 1 },
      { address: this.#short.address, sign: -1 },
    ];
  }

  price(price: number): void {
    this.#price = price.toFixed(1);
    this.venue.exchange.control.price({ symbol: SYMBOL, price: this.#price });
  }

  /** The long account takes `size` from the short one, or gives it back when it is negative. */
  trade(size: number): void {
    const order = { price: this.#price, size: Math.abs(size).toFixed(4) };
    const [rest, take] = size > 0 ? ['sell', 'buy'] : ['buy', 'sell'];
    for (const [account, side] of [
      [this.#short, rest],
      [this.venue, take],
    ] as const)
      expect(account.place([{ ...order, side }]).json.items).toMatchObject([{ state: 'accepted' }]);
    this.#size = this.#size.add(size.toFixed(4));
    this.held.push({ size: this.#size, sinceSettlement: this.settlements.length });
  }

  get settlements(): readonly Settlement[] {
    return this.venue.get(`/v1/markets/${SYMBOL}/funding?limit=1000`).json.funding;
  }

  get publishedRate(): number {
    const { prices } = this.venue.get('/v1/prices').json;
    return prices.find(({ symbol }: { symbol: string }) => symbol === SYMBOL).fundingRatePpm;
  }

  /** What an account gets for the settlements since it was touched last, and for each stretch before. */
  expected(sign: 1 | -1): readonly string[] {
    return this.held.map(({ size, sinceSettlement }, at) => {
      const until = this.held[at + 1]?.sinceSettlement;
      const sum = this.settlements
        .slice(sinceSettlement, until)
        .reduce((all, { ratePpm, indexPrice }) => all.add(size.mul(indexPrice).mul(ratePpm)), new Decimal(0));
      return sum.mul(-sign).div(1_000_000).toDecimalPlaces(DECIMALS, Decimal.ROUND_FLOOR).toFixed(DECIMALS);
    });
  }

  /** What the account was paid and what has accrued, as its own reads tell. */
  charged(address: string): readonly string[] {
    const of = `address=${address}&limit=1000`;
    const { payments } = this.venue.get(`/v1/account/funding?${of}`).json;
    const { positions } = this.venue.get(`/v1/account/positions?address=${address}`).json;
    const paid = payments.map(({ amount }: { amount: string }) => amount).reverse();
    return [...paid, positions[0].accruedFunding];
  }
}

function expectPaidAsPublished(pair: Pair): void {
  for (const { address, sign } of pair.accounts) {
    // A touch before any settlement pays nothing and leaves no entry.
    const expected = pair.expected(sign);
    const isLast = (at: number) => at === expected.length - 1;
    expect(pair.charged(address)).toEqual(
      expected.filter((amount, at) => isLast(at) || Number(amount) !== 0),
    );
  }
}

describe('funding that is charged', () => {
  test('is the published rate in the resting state, hour by hour', async () => {
    const pair = new Pair(await startTestExchange({ blockMs: 1000 }));
    pair.trade(1);
    for (let hour = 0; hour < 4; hour++) {
      const published = pair.publishedRate;
      pair.venue.clock.advance(HOUR_MS);
      expect(pair.settlements.at(-1)?.ratePpm).toBe(published);
      pair.price(100_000);
      expectPaidAsPublished(pair);
    }
    // The mean of the formula is kept: 12.5 an hour.
    expect(pair.settlements.map(({ ratePpm }) => ratePpm)).toEqual([12, 13, 12, 13]);
  });

  test.each([
    { name: 'several settlements a block', fundingIntervalMs: 2_000 },
    { name: 'an interval whose rate rests below one ppm', fundingIntervalMs: 60_000 },
    { name: 'an hour', fundingIntervalMs: HOUR_MS },
  ])('is the published rate for prices and positions that change: $name', async ({ fundingIntervalMs }) => {
    const pair = new Pair(await startTestExchange({ blockMs: 5_000, fundingIntervalMs }));
    const random = seededRandom(fundingIntervalMs);
    pair.trade(0.5);
    for (let step = 0; step < 60; step++) {
      if (random.integer(0, 2) === 0) pair.price(random.integer(99_000, 101_000));
      pair.venue.blocks(random.integer(1, 3) * Math.max(1, fundingIntervalMs / 20_000));
      if (random.integer(0, 3) === 0) pair.trade(random.integer(1, 100) / 1_000 - 0.05 || 0.01);
    }
    expect(pair.settlements.length).toBeGreaterThan(20);
    expectPaidAsPublished(pair);
    const times = pair.settlements.map(({ ts }) => ts);
    expect(new Set(times).size).toBe(times.length);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test('has one rate on REST, stream and events', async () => {
    const pair = new Pair(await startTestExchange({ blockMs: 5_000, fundingIntervalMs: 2_000 }));
    const stream = pair.venue.stream();
    stream.subscribe({ channel: 'funding', symbol: SYMBOL });
    stream.subscribe({ channel: 'events', symbol: SYMBOL });
    const before = pair.settlements.length;
    pair.venue.blocks(10);
    const told = pair.settlements.slice(before);
    expect(told.length).toBe(25);
    expect(stream.of('funding').map(({ data }) => data)).toEqual(told);
    const raw = stream
      .of('events')
      .flatMap(({ data }) => (data.kind === 'FundingSettled' ? [data.data] : []));
    expect(raw).toEqual(told.map(({ ratePpm, indexPrice }) => ({ symbol: SYMBOL, ratePpm, indexPrice })));
  });
});
