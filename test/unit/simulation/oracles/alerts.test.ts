/** @module Each anomaly has the alarm of its kind in time, and an alarm of another kind is none (I28). */
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../../src/core/index.ts';
import { ORACLES as ALERTS } from '../../../simulation/oracles/alerts.ts';
import type { BotView } from '../../../simulation/types.ts';
import { MadeRun, type WriteOptions } from './made-run.ts';

const order: WriteOptions = { nonce: 0n };

function faulty(): MadeRun {
  return new MadeRun(ALERTS, { plan: { faults: { F1: 1 } } }).live().pass(5_000);
}

function warn(run: MadeRun, message: string, fields: Fields = {}): MadeRun {
  return run.tell({ kind: 'log', life: 1, level: 'warn', message, fields });
}

function audit(run: MadeRun, type: string, fields: Fields): MadeRun {
  return run.tell({ kind: 'audit', life: 1, event: { type, atMs: 0, fields } });
}

function believe(run: MadeRun, view: Partial<BotView>): MadeRun {
  if (run.view !== undefined) run.view = { ...run.view, ...view };
  return run.block();
}

const AUDITED: readonly (readonly [string, Fields, string])[] = [
  ['TradingStateChanged', { control: 'M4', state: 'halted' }, 'M4: trading is halted: a loss'],
  ['TradingStateChanged', { control: 'M5', state: 'reducing' }, 'M5: trading is reducing: rejections'],
  ['AnomalySeen', { kind: 'unknownOrder' }, 'M10: trading is halted: order 7'],
  ['AnomalySeen', { kind: 'overfill' }, 'M2: trading is halted: order 7'],
  ['AnomalySeen', { kind: 'positionAdopted' }, 'adopted a position without matching fills'],
  ['AnomalySeen', { kind: 'switchFired' }, 'dead man switch fired'],
  ['StrategyFailed', { strategy: 's1' }, 'strategy s1 failed: it threw'],
  ['InboxOverflowed', {}, 'facts about own orders came faster than they could be handled'],
  ['KernelCrashed', {}, 'the run stops: a bug'],
  ['PositionBare', {}, 'the switch fired and a position is open without orders'],
];

describe('an anomaly of the audit', () => {
  test.each(AUDITED)(
    '%s %j has its alarm within a second, before it or after it',
    (type, fields, message) => {
      expect(
        warn(audit(faulty(), type, fields).pass(900), message)
          .pass(900)
          .block().broken,
      ).toEqual([]);
      expect(audit(warn(faulty(), message), type, fields).pass(1_900).block().broken).toEqual([]);
    },
  );

  test.each(AUDITED)('%s %j is not told by silence, nor by an alarm of another kind', (type, fields) => {
    expect(audit(faulty(), type, fields).pass(1_001).block().broken).toEqual(['I28']);
    const other = warn(audit(faulty(), type, fields), 'a replica is far behind');
    expect(other.pass(1_001).block().broken).toEqual(['I28']);
  });

  test('of a control is not told by another control, of a strategy not by another strategy', () => {
    const halted = audit(faulty(), 'TradingStateChanged', { control: 'M4', state: 'halted' });
    expect(warn(halted, 'M5: trading is halted: x').pass(1_001).block().broken).toEqual(['I28']);
    const failed = audit(faulty(), 'StrategyFailed', { strategy: 's1' });
    expect(warn(failed, 'strategy s2 failed: x').pass(1_001).block().broken).toEqual(['I28']);
  });

  test('that is let go again, that a person ordered or that is held for already needs none', () => {
    const run = audit(faulty(), 'TradingStateChanged', { control: 'M4', state: 'active' });
    audit(run, 'TradingStateChanged', { state: 'halted' });
    audit(warn(run, 'M10: trading is halted: x'), 'TradingStateChanged', { control: 'M10', state: 'halted' });
    expect(
      audit(run.pass(5_000), 'AnomalySeen', { kind: 'unknownOrder' }).pass(5_000).block().broken,
    ).toEqual([]);
  });
});

describe('a lane', () => {
  const halted = (run: MadeRun, lane = 'trading'): MadeRun => warn(run, 'lane halted', { lane });

  test('of a second writer tells that it halts', () => {
    const superseded = (): MadeRun => {
      const run = faulty();
      const requestId = run.record(order);
      return run.row('outcome', { requestId, outcome: 'superseded', proof: `conflict:0x${'9'.repeat(64)}` });
    };
    expect(halted(superseded()).pass(1_001).block().broken).toEqual([]);
    expect(superseded().pass(1_001).block().broken).toEqual(['I28']);
    expect(halted(superseded(), 'safety').pass(1_001).block().broken).toEqual(['I28']);
  });

  test('without a grant tells that it halts, once', () => {
    const revoked = (): MadeRun => {
      const run = faulty();
      run.record(order);
      return run.answer(run.post(order), 401, { error: { code: 'UnknownAgent' } });
    };
    expect(revoked().pass(1_001).block().broken).toEqual(['I28']);
    const told = halted(revoked()).pass(5_000).block();
    const again: WriteOptions = { nonce: 1n };
    told.record(again);
    told.answer(told.post(again), 401, { error: { code: 'UnknownAgent' } });
    expect(told.pass(1_001).block().broken).toEqual([]);
  });
});

test('a budget that is refused is told by its name', () => {
  const refused = (): MadeRun => {
    const run = faulty();
    const id = run.request('GET', '/v1/markets');
    return run.answer(id, 429, { error: { code: 'RateLimited', details: { bucket: 'ip' } } });
  };
  const alarm = 'the gateway refused a request over budget';
  expect(warn(refused(), alarm, { bucket: 'ip' }).pass(1_001).block().broken).toEqual([]);
  expect(warn(refused(), alarm, { bucket: 'account' }).pass(1_001).block().broken).toEqual(['I28']);
});

describe('what lasts', () => {
  test('an account that is synced no more is told as degraded', () => {
    const synced = (): MadeRun => faulty().block();
    expect(believe(warn(synced(), 'the account is degraded'), { account: 'lagged' }).broken).toEqual([]);
    expect(believe(synced(), { account: 'lagged' }).broken).toEqual(['I28']);
    expect(
      believe(warn(synced(), "dead man's switch not renewed (health)"), { account: 'lagged' }).broken,
    ).toEqual(['I28']);
    // An alarm of the last time is none of this one.
    const before = believe(warn(synced(), 'the account is degraded'), { account: 'lagged' });
    believe(before, { account: 'synced' });
    expect(believe(before, { account: 'lagged' }).broken).toEqual(['I28']);
  });

  test('an account that was never synced is not known yet, which is no alarm', () => {
    const run = new MadeRun(ALERTS, { plan: { faults: { F1: 1 } }, view: { account: 'starting' } }).live();
    expect(run.pass(60_000).block().broken).toEqual([]);
  });

  test('a red item of the health is named at the next heartbeat', () => {
    const red = [{ id: 'H2', sinceMs: 5_000 }];
    const held = (reason: string): MadeRun =>
      warn(faulty(), "dead man's switch not renewed (health)", { reasons: [reason] });
    expect(believe(held('H2: a silent stream').pass(60_000), { red }).broken).toEqual([]);
    expect(believe(held('H5: a full disk').pass(60_000), { red }).broken).toEqual(['I28']);
    expect(believe(faulty().pass(7_000), { red }).broken).toEqual([]);
    expect(believe(faulty().pass(60_000), { red }).broken).toEqual(['I28']);
  });
});

test('a process that stands tells later', () => {
  const run = audit(faulty(), 'StrategyFailed', { strategy: 's1' });
  run.isPaused = true;
  expect(run.pass(60_000).block().broken).toEqual([]);
});

/** A strategy holds these lots, all of the account together those; its bracket has no stop, for this reason. */
function bare(ownLots: number, lots: number, why: string, view: Partial<BotView> = {}): readonly string[] {
  const run = new MadeRun(ALERTS, { view: { owned: { s1: { 'BTC-USD': ownLots } }, ...view } }).live();
  run.venue.lots = lots;
  const message = `execution bracket BTC-USD holds a position without its stop: ${why}`;
  const fields = { strategy: 's1', symbol: 'BTC-USD' };
  return run.tell({ kind: 'log', life: 1, level: 'error', message, fields }).broken;
}

test('a stop larger than what there is to close takes no fault', () => {
  const exit = (ownLots: number, lots: number, buyLots = 0, sellLots = 0) => {
    const side = ownLots < 0 ? 'buy' : 'sell';
    const why = `RISK_REDUCE_ONLY_WOULD_INCREASE: expected a reduce-only ${side} of at most 0.0000 BTC-USD, got 0.0050`;
    return bare(ownLots, lots, why, { reserved: { 'BTC-USD': { buyLots, sellLots } } });
  };
  expect([exit(-50, 20), exit(-50, 0), exit(50, 49)]).toEqual([[], [], []]);
  expect([exit(-50, -50), exit(50, 50), exit(60, 55)]).toEqual([['I28'], ['I28'], ['I28']]);
  // Orders that close it already are out; the strategy has closed a part otherwise.
  expect([exit(50, 50, 0, 1), exit(-50, -50, 1), exit(49, 50), exit(0, 50)]).toEqual([[], [], [], []]);
  expect([exit(50, 50, 1), exit(-50, -50, 0, 1)]).toEqual([['I28'], ['I28']]);
});

test('a stop that its own strategy withdraws takes no fault', () => {
  expect(bare(50, 50, 'INTENT_WITHDRAWN: expected its lane to be free')).toEqual([]);
});

test('a stop that an own quote is in the way of takes no fault', () => {
  const priced = (touch: string, price: string, side?: 'buy' | 'sell') => {
    const quote = { orderId: '7', symbol: 'BTC-USD', priceTicks: 1_000_000, remainingLots: 10 };
    const why = `RISK_PRICE_CROSSES_TOO_FAR: expected at most 0.5000 % beyond the touch ${touch}, got ${price}`;
    return bare(50, 50, why, { openOrders: side === undefined ? [] : [{ ...quote, side }] });
  };
  expect([priced('4000.5', '3980.1', 'buy'), priced('4000.5', '4020.7', 'sell')]).toEqual([[], []]);
  expect([priced('4000.5', '3980.1', 'sell'), priced('4000.5', '3980.1')]).toEqual([['I28'], ['I28']]);
  expect(bare(50, 50, 'RISK_SELF_TRADE: expected a sell that does not meet own orders')).toEqual([]);
});

test('nothing is told without a fault', () => {
  expect(warn(faulty(), 'something').broken).toEqual([]);
  expect(warn(new MadeRun(ALERTS).live(), 'something').broken).toEqual(['I28']);
});
