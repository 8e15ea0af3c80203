import { describe, expect, test } from 'vitest';
import type { UnixMs } from '../../../../src/core/index.ts';
import {
  approve,
  type Fact,
  lots,
  MARKOUT_HORIZONS_MS,
  quantums,
  ticks,
} from '../../../../src/domain/index.ts';
import { withBand } from '../../../../src/research/backtest/band.ts';
import { type ComparedFill, errorsOf, type RunSpan } from '../../../../src/research/calibration/calibrate.ts';
import { calibrateQueue } from '../../../../src/research/calibration/index.ts';
import {
  drawnFrom,
  LatencyProbe,
  latencyFigures,
} from '../../../../src/research/calibration/latency-probe.ts';
import type { FillModelSettings } from '../../../../src/research/venue/index.ts';
import { LANE, LocalRig } from '../../../support/local-rig.ts';

const SPAN: RunSpan = { fromMs: 0, toMs: 100_000 };

function fillAt(atMs: number, changes: Partial<ComparedFill> = {}): ComparedFill {
  const laterMidTicks = MARKOUT_HORIZONS_MS.map(() => 10_001);
  return {
    atMs: atMs as UnixMs,
    side: 'buy',
    role: 'maker',
    priceTicks: ticks(10_000),
    sizeLots: lots(2),
    laterMidTicks,
    ...changes,
  };
}

/** A fill every so many ms: the more the larger the exponent, 100 at an exponent of 3 and 90 with the cautious model. */
function fillsOf({ name, exponent = 0 }: FillModelSettings, { fromMs, toMs }: RunSpan): ComparedFill[] {
  const count = name === 'queue-risk-averse' ? 90 : Math.round(100 * (exponent / 3) ** 0.5);
  const everyMs = 100_000 / count;
  return Array.from({ length: count }, (_, at) => fillAt(Math.floor(at * everyMs))).filter(
    ({ atMs }) => atMs >= fromMs && atMs < toMs,
  );
}

describe('calibration of the queue', () => {
  test('finds the exponent that gives the fills of the run, between those of its first row', () => {
    const simulate = fillsOf;
    const fills = fillsOf({ name: 'queue-power', exponent: 3 }, SPAN);
    const { fillModel, held, trained, tried } = calibrateQueue({ span: SPAN, fills, simulate });
    expect(fillModel.name).toBe('queue-power');
    expect(fillModel.exponent).toBeGreaterThan(2.7);
    expect(fillModel.exponent).toBeLessThan(3.4);
    expect(tried.length).toBeGreaterThan(8);
    expect([trained.actualFills, held.actualFills]).toEqual([50, 50]);
    expect(Math.abs(held.predictedFills - 50)).toBeLessThanOrEqual(3);
    expect(held.markouts[2]).toEqual({ horizonMs: 1000, actualBps: 1, predictedBps: 1 });
  });

  test('what was not trained on is not looked at: a later part that is other is an error', () => {
    const fills = fillsOf({ name: 'queue-power', exponent: 3 }, { fromMs: 0, toMs: 50_000 });
    const late = Array.from({ length: 50 }, (_, at) => fillAt(50_000 + at * 1000, { sizeLots: lots(1) }));
    const { fillModel, held } = calibrateQueue({ span: SPAN, fills: [...fills, ...late], simulate: fillsOf });
    expect(fillModel.exponent).toBeCloseTo(3, 0);
    expect(held.actualLots).toBe(50);
    expect(errorsOf(held).sizePart).toBeGreaterThan(0.9);
  });

  test('a later backtest is run from the beginning, with the inventory of then', () => {
    const asked: RunSpan[] = [];
    const simulate = (model: FillModelSettings, span: RunSpan) => {
      asked.push(span);
      return fillsOf(model, span);
    };
    calibrateQueue({ span: SPAN, fills: fillsOf({ name: 'queue-power', exponent: 3 }, SPAN), simulate });
    expect(asked.every(({ fromMs }) => fromMs === 0)).toBe(true);
    expect(asked.at(-1)?.toMs).toBe(100_000);
    expect(asked[0]?.toMs).toBe(50_000);
  });

  test('a run without fills as maker is refused', () => {
    const fills = [fillAt(10, { role: 'taker' })];
    expect(() => calibrateQueue({ span: SPAN, fills, simulate: fillsOf })).toThrow(
      'at least one fill as maker',
    );
  });

  test('markouts are signed by side and weighed by size', () => {
    const later = (mid: number) => MARKOUT_HORIZONS_MS.map(() => mid);
    const fills = [
      fillAt(10, { sizeLots: lots(3), laterMidTicks: later(10_002) }),
      fillAt(20, { side: 'sell', sizeLots: lots(1), laterMidTicks: later(10_002) }),
      fillAt(30, { sizeLots: lots(9), laterMidTicks: later(Number.NaN) }),
    ];
    const { trained } = calibrateQueue({ span: SPAN, fills, trainedPart: 1, simulate: () => fills });
    expect(trained.markouts[0]?.actualBps).toBeCloseTo((3 * 2 - 2) / 4, 9);
  });
});

describe('latency of a run', () => {
  test('the parts are found again from what the bot has heard', () => {
    const probe = new LatencyProbe();
    const latency = {
      entry: { kind: 'constant', us: 3_000 },
      response: { kind: 'constant', us: 2_000 },
    } as const;
    const rig = new LocalRig({ latency });
    rig.book([[99, 10]], [[101, 10]]);
    let taken = rig.facts.length;
    const hear = (us: number) => {
      rig.venue.advance(us);
      for (const fact of rig.facts.slice(taken)) probe.take(fact, us);
      taken = rig.facts.length;
    };
    for (let round = 0; round < 40; round++) {
      rig.us += 10_007;
      rig.venue.nowUs = rig.us;
      const orders = [rig.spec({ side: 'buy', price: 100, size: 1 })];
      rig.venue.submit(approve({ lane: LANE, command: { kind: 'place', orders } }));
      hear(rig.us);
      hear(rig.us + 5_000);
      rig.us += 5_000;
      rig.frame(['sellTrade', 98, 1]);
      hear(rig.us + 2_000);
      rig.us += 2_000;
    }
    const { entryUs, responseUs } = probe.samples();
    expect([entryUs.length, responseUs.length]).toEqual([40, 40]);
    // Times of the exchange are whole milliseconds.
    expect(Math.abs(latencyFigures(responseUs)!.p50Us - 2_000)).toBeLessThan(500);
    expect(Math.abs(latencyFigures(entryUs)!.p50Us - 3_000)).toBeLessThan(500);
  });

  test('writes that were refused or never answered say nothing', () => {
    const probe = new LatencyProbe();
    const sent = (id: string): Fact =>
      ({ type: 'WriteSent', lane: LANE, requestId: id, places: [], cancels: [], atMs: 0 }) as never;
    const resolved = (id: string, outcome: string): Fact =>
      ({ type: 'WriteResolved', lane: LANE, requestId: id, outcome, seq: undefined }) as never;
    probe.take(sent('0x1'), 0);
    probe.take(resolved('0x1', 'superseded'), 900);
    probe.take(sent('0x2'), 1000);
    probe.take(sent('0x3'), 2000);
    probe.take(resolved('0x3', 'executed'), 2600);
    expect(probe.samples()).toEqual({ entryUs: [300], responseUs: [300] });
    expect(latencyFigures([])).toBeUndefined();
  });

  test('many values are handed on as their quantiles', () => {
    const values = Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 5_000);
    const drawn = drawnFrom(values);
    expect(drawn.length).toBe(200);
    expect(drawn[100]).toBeGreaterThan(2_450);
    expect(drawn[100]).toBeLessThan(2_550);
    expect(latencyFigures([10, 10, 10, 20, 20])!.heldErrorPart).toBe(1);
  });
});

test('the band of a profit is the error out of sample of its size and its markouts', () => {
  const pnl = {
    realized: quantums(1_000n),
    unrealized: quantums(-400n),
    fees: quantums(50n),
    funding: quantums(7n),
  };
  const symbol = 'BTC-USD';
  const fill = { ...fillAt(0), symbol };
  const record = {
    pnl,
    fills: [fill, { ...fill, role: 'taker' }],
    markets: [{ symbol, quantumsPerTickLot: 10n }],
  };
  const { band } = withBand(record as never, { sizePart: 0.1, markoutBps: 5 });
  // 600 x 0.1 and 10,000 x 2 x 10 x 5 bps.
  expect(band).toMatchObject({ low: 557n - 160n, high: 557n + 160n });
  expect(band?.basis).toContain('10.0 % of the filled size and 5.00 bps');
});
