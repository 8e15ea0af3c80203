import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom, VirtualClock } from '../../src/core/index.ts';
import {
  approve,
  type ClientOrderId,
  type Fact,
  type IntentId,
  type LaneId,
  lots,
  type Market,
  type MarketSymbol,
  type OrderSpec,
  ppm,
  quantums,
  type StrategyId,
  ticks,
} from '../../src/domain/index.ts';
import { Replay } from '../../src/research/backtest/replay/replay.ts';
import type { ReplaySource } from '../../src/research/backtest/types.ts';
import { createLocalVenue, type LocalVenue } from '../../src/research/venue/index.ts';
import { EVENT, type EventRow, FLAG_END } from '../../src/tape/format/index.ts';
import { memoryTape } from '../support/memory-tape.ts';
import { rowByRow } from '../support/row-by-row.ts';
import { aMarket } from '../unit/exchange/engine/desk.ts';

const LANE = 'lane' as LaneId;
const START_US = 1_700_000_000_000_000;
const ROWS = 6_000;
const GAP_US = 200;
const MARKETS: readonly Market[] = ['ONE', 'TWO'].map((symbol, place) =>
  aMarket({ symbol: symbol as MarketSymbol, signingMarketId: place }),
);

const TAPE_MARKETS = MARKETS.map(({ symbol, priceDecimals, sizeDecimals, tickStep, lotStep }) => ({
  ...{ symbol, priceDecimals, sizeDecimals, tickStep, lotStep },
  depth: 'levels' as const,
}));

/** Rows of two markets that wander: levels and trades, now and then anything else. */
function* rowsOf(random: Random): Generator<EventRow> {
  const mids = [1_000, 2_000];
  const row = (kind: EventRow['kind'], market: number, at: Partial<EventRow> = {}): EventRow => {
    const rest = { flags: FLAG_END, exchangeUs: us, receivedUs: us, price: 0, size: 0, id: 0 };
    return { kind, market, ...rest, ...at };
  };
  let us = START_US;
  const level = (market: number): EventRow => {
    const isBid = random.chance(0.5);
    const away = random.integer(1, 12);
    const price = (mids[market] ?? 0) + (isBid ? -away : away);
    const size = random.chance(0.3) ? 0 : random.integer(1, 40);
    return row(isBid ? EVENT.bidLevel : EVENT.askLevel, market, { price, size });
  };
  for (let count = 0; count < ROWS; count++) {
    us += random.integer(0, 2 * GAP_US);
    const market = random.integer(0, 1);
    const price = (mids[market] ?? 0) + random.integer(-3, 3);
    if (random.chance(0.02)) mids[market] = (mids[market] ?? 0) + random.integer(-1, 1);
    if (count < 2 || random.chance(0.001)) {
      const place = count < 2 ? count : market;
      yield row(EVENT.bookReset, place, { flags: 0 });
      for (let more = 0; more < 6; more++) yield { ...level(place), flags: more === 5 ? FLAG_END : 0 };
    } else if (random.chance(0.0006)) yield row(EVENT.hole, market, { id: us + random.integer(1, 50_000) });
    else if (random.chance(0.003)) yield row(EVENT.mark, market, { price });
    else if (random.chance(0.002)) yield row(EVENT.fundingRate, market, { size: random.integer(-9e5, 9e5) });
    else if (random.chance(0.004)) yield row(EVENT.bestBid, market, { price, size: random.integer(0, 9) });
    else if (random.chance(0.08)) {
      const kind = random.chance(0.5) ? EVENT.buyTrade : EVENT.sellTrade;
      yield row(kind, market, { price, size: random.integer(1, 60), id: count });
    } else yield level(market);
  }
}

/** What an account with few orders hears over such rows, and how often the venue passed over some of them. */
function heardOf(
  seed: number,
  mayPass: boolean,
): { readonly heard: readonly unknown[]; readonly passed: number } {
  const random = seededRandom(seed);
  const tape = memoryTape(TAPE_MARKETS, rowsFor(seed));
  const source: ReplaySource = { ...tape, markets: MARKETS, batches: () => tape.batches() };
  const heard: unknown[] = [];
  let passed = 0;
  const venue = createLocalVenue({
    markets: MARKETS,
    fillModel: { name: 'queue-power' },
    latency: { entry: { kind: 'constant', us: 900 }, response: { kind: 'constant', us: 700 } },
    fees: { makerPpm: ppm(-20), takerPpm: ppm(400) },
    collateral: quantums(10_000_000_000n),
    lanes: [LANE],
    random: seededRandom(seed),
    sink: (fact) => {
      heard.push([venue.nowUs, fact]);
      if (fact.type === 'OrderAccepted') heard.push(venue.queueOf(fact.orderId));
    },
  });
  const watched = rowByRow({
    get dueUs() {
      return venue.dueUs;
    },
    get leadUs() {
      return venue.leadUs;
    },
    onRow: (...row: Parameters<LocalVenue['onRow']>) => venue.onRow(...row),
    passRows: (...span: Parameters<LocalVenue['passRows']>) => {
      const isPassed = mayPass && venue.passRows(...span);
      if (isPassed) passed++;
      return isPassed;
    },
  });
  const sink = (_fact: Fact): void => undefined;
  const feed = { kind: 'constant', us: 500 } as const;
  const toUs = Number.POSITIVE_INFINITY;
  const clock = new VirtualClock(0);
  const replay = new Replay({
    tape: source,
    feed,
    random: seededRandom(seed),
    clock,
    toUs,
    venue: watched,
    sink,
  });
  const time = {
    timerUs: START_US,
    get dueMs(): number {
      return time.timerUs;
    },
    moveTo(us: number): void {
      venue.nowUs = us;
      clock.moveToUs(us);
    },
  };
  venue.open(START_US);
  replay.skipTo(START_US);
  for (let orders = 1; ; ) {
    if (replay.feedAhead(time)) continue;
    const { venueAtUs, botAtUs } = replay;
    const laterUs = Math.min(botAtUs, time.timerUs);
    if (botAtUs === toUs && venueAtUs === toUs) break;
    if (venueAtUs <= venue.dueUs && venueAtUs <= laterUs) replay.feedVenue(Math.min(venue.dueUs, laterUs));
    else if (venue.dueUs <= laterUs) venue.advance(venue.dueUs);
    else if (botAtUs <= time.timerUs) {
      time.moveTo(botAtUs);
      replay.feedBot();
    } else {
      time.moveTo(time.timerUs);
      time.timerUs += (orders % 2 === 1 ? random.integer(100, 300) : random.integer(1, 30)) * 1_000;
      if (orders++ % 2 === 1) venue.submitSafety({ kind: 'cancelAll' });
      else if (venue.isReady(LANE)) {
        const order = specOf(random, orders);
        venue.submit(approve({ lane: LANE, command: { kind: 'place', orders: [order] } }));
      }
    }
  }
  return { heard, passed };
}

const kept = new Map<number, readonly EventRow[]>();
function rowsFor(seed: number): readonly EventRow[] {
  const rows = kept.get(seed) ?? [...rowsOf(seededRandom(`rows ${seed}`))];
  kept.set(seed, rows);
  return rows;
}

/** Around the best prices, where it is told who is there; some take, and a position stays open. */
function specOf(random: Random, number: number): OrderSpec {
  const market = random.integer(0, 1);
  const isBuy = random.chance(0.5);
  const away = random.integer(-5, 12);
  return {
    intentId: `i${number}` as IntentId,
    clientOrderId: `c${number}` as ClientOrderId,
    strategyId: 's' as StrategyId,
    symbol: MARKETS[market]!.symbol,
    side: isBuy ? 'buy' : 'sell',
    priceTicks: ticks((market + 1) * 1_000 + (isBuy ? -away : away)),
    sizeLots: lots(random.integer(1, 20)),
    timeInForce: random.chance(0.03) ? 'ioc' : 'postOnly',
    reduceOnly: random.chance(0.3),
    expiresAtMs: 0 as never,
  };
}

describe('rows that an idle venue passes over', () => {
  test('leave it as if it had taken in each of them', () => {
    let passed = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
        const quick = heardOf(seed, true);
        passed += quick.passed;
        expect(quick.heard, `seed ${seed}`).toEqual(heardOf(seed, false).heard);
      }),
      { numRuns: 40, seed: 20261125 },
    );
    expect(passed).toBeGreaterThan(15);
  });
});
