import { describe, expect, test } from 'vitest';
import { seededRandom, type UnixMs } from '../../../../src/core/index.ts';
import { approve, type Fact } from '../../../../src/domain/index.ts';
import { OneWay } from '../../../../src/research/venue/models/one-way.ts';
import { LANE, LocalRig, START_US } from '../../../support/local-rig.ts';

const LATENCY = { entry: { kind: 'constant', us: 700 }, response: { kind: 'constant', us: 400 } } as const;

function typesAt(rig: LocalRig, us: number): Fact['type'][] {
  const from = rig.facts.length;
  rig.venue.advance(us);
  return rig.facts.slice(from).map(({ type }) => type);
}

describe('latency', () => {
  test('an order arrives after the entry, its answer after the response', () => {
    const rig = new LocalRig({ latency: LATENCY });
    rig.book([[99, 10]], [[101, 10]]);
    const { us } = rig;
    rig.venue.nowUs = us;
    rig.venue.submit(
      approve({
        lane: LANE,
        command: { kind: 'place', orders: [rig.spec({ side: 'buy', price: 100, size: 5 })] },
      }),
    );
    expect(rig.venue.dueUs).toBe(us + 700);
    expect(rig.venue.isReady(LANE)).toBe(false);
    // Too early for it: the order is not there yet.
    rig.venue.onRow(4, 1, 0, us + 600, 99, 5, 1);
    expect(typesAt(rig, us + 1099)).toEqual([]);
    expect(typesAt(rig, us + 1100)).toEqual(['OrderAccepted', 'WriteResolved', 'OrderOpened', 'LaneReady']);
    expect(rig.venue.isReady(LANE)).toBe(true);
    rig.venue.onRow(4, 1, 0, us + 2000, 99, 5, 2);
    expect(rig.venue.dueUs).toBe(us + 2400);
    expect(typesAt(rig, us + 2400)[0]).toBe('FillRecorded');
  });

  test('a later command never overtakes an earlier one, nor an answer an answer', () => {
    const way = new OneWay({ kind: 'sampled', us: [10, 5000] }, seededRandom(1));
    const arrivals = Array.from({ length: 200 }, (_, at) => way.arrivalOf(at * 20));
    expect(arrivals).toEqual([...arrivals].sort((a, b) => a - b));
    expect(arrivals.every((us, at) => us >= at * 20 + 10)).toBe(true);
  });

  test('sampled latencies have the quantiles of what was measured, within 5 %', () => {
    const measured = Array.from({ length: 500 }, (_, at) => 100 + at * at);
    const way = new OneWay({ kind: 'sampled', us: measured }, seededRandom(7));
    const drawn = Array.from({ length: 20_000 }, (_, at) => way.arrivalOf(at * 1e7) - at * 1e7).sort(
      (a, b) => a - b,
    );
    for (const quantile of [0.1, 0.5, 0.9, 0.99]) {
      const of = (list: readonly number[]) => list[Math.floor(quantile * list.length)]!;
      expect(Math.abs(of(drawn) / of(measured) - 1), `quantile ${quantile}`).toBeLessThan(0.05);
    }
  });

  test('recorded latencies are those in force at the time', () => {
    const atUs = Float64Array.of(1000, 2000, 3000);
    const way = new OneWay({ kind: 'recorded', atUs, us: Float64Array.of(5, 50, 7) }, seededRandom(1));
    expect([0, 1500, 2000, 2010, 9000].map((us) => way.arrivalOf(us))).toEqual([5, 1505, 2050, 2060, 9007]);
  });

  test('knows the least time that something is under way', () => {
    const random = seededRandom(1);
    const recorded = { atUs: Float64Array.of(0, 10), us: Float64Array.of(500, 300) };
    expect(new OneWay({ kind: 'constant', us: 400 }, random).leastUs).toBe(400);
    expect(new OneWay({ kind: 'sampled', us: [900, 200, 300] }, random).leastUs).toBe(200);
    expect(new OneWay({ kind: 'recorded', ...recorded }, random).leastUs).toBe(300);
  });

  test.each([
    [{ kind: 'constant', us: -1 } as const],
    [{ kind: 'sampled', us: [] } as const],
    [{ kind: 'recorded', atUs: new Float64Array(1), us: new Float64Array(2) } as const],
  ])('%o makes no latency', (latency) => {
    expect(() => new OneWay(latency, seededRandom(1))).toThrow('expected');
  });
});

describe('the switch', () => {
  test('is armed when the account is opened, for good until somebody arms it', () => {
    const rig = new LocalRig();
    expect(rig.facts.map(({ type }) => type)).toEqual([
      'MarketChanged',
      'OrdersReplaced',
      'PositionsReplaced',
      'LedgerRecorded',
      'AccountUpdated',
      'AccountSynced',
      'SwitchArmed',
      'LaneReady',
    ]);
    expect(rig.venue.isReady(LANE)).toBe(true);
    expect(rig.venue.dueUs).toBe(Number.POSITIVE_INFINITY);
  });

  test('fires at its trigger: everything is canceled and nothing placed until it is armed again', () => {
    const rig = new LocalRig();
    rig.book([[99, 10]], [[101, 10]]);
    const id = rig.rest('buy', 98, 5);
    const arm = (aheadMs: number) => {
      const triggerAtMs = (Math.floor(rig.us / 1000) + aheadMs) as UnixMs;
      rig.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs });
      rig.tick();
      return triggerAtMs;
    };
    const first = arm(20_000);
    expect(rig.account.armedUntilMs).toBe(first);
    rig.tick(15_000_000);
    const second = arm(20_000);
    rig.tick(10_000_000);
    expect(rig.account.endOf(id)).toBeUndefined();
    rig.tick(second * 1000 - rig.us);
    expect(rig.account.endOf(id)).toBe('canceled');
    expect(rig.account.armedUntilMs).toBeUndefined();
    expect(rig.venue.isReady(LANE)).toBe(false);
    const from = rig.facts.length;
    arm(20_000);
    expect(rig.facts.slice(from).map(({ type }) => type)).toEqual([
      'WriteSent',
      'WriteResolved',
      'SwitchArmed',
      'LaneReady',
    ]);
    expect(rig.venue.isReady(LANE)).toBe(true);
    expect(rig.us).toBeGreaterThan(START_US);
  });

  test('a trigger in the past is refused; safety writes wait for their lane and are joined', () => {
    const rig = new LocalRig({ latency: LATENCY });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({
      symbol: rig.markets[0]!.symbol,
      orderId: name as never,
    }));
    rig.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: 1 as UnixMs });
    rig.venue.submitSafety({ kind: 'cancel', orders: [a!] });
    rig.venue.submitSafety({ kind: 'cancel', orders: [b!, c!] });
    rig.venue.submitSafety({ kind: 'cancelAll' });
    rig.tick(100_000);
    const sent = rig.facts.flatMap((fact) => (fact.type === 'WriteSent' ? [fact.cancels.length] : []));
    expect(sent).toEqual([0, 0, 3]);
    const outcomes = rig.facts.flatMap((fact) => (fact.type === 'WriteResolved' ? [fact.outcome] : []));
    expect(outcomes).toEqual(['rejected', 'executed', 'rejected']);
  });
});
