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

/** A strategy holds these lots, all of the account together those; its bracket has no stop. */
function bare(ownLots: number, lots: number, code = 'RISK_REDUCE_ONLY_WOULD_INCREASE'): readonly string[] {
  const run = new MadeRun(ALERTS, { view: { owned: { s1: { 'BTC-USD': ownLots } } } }).live();
  run.venue.lots = lots;
  const message = `execution bracket BTC-USD holds a position without its stop: ${code}: expected a reduce-only order`;
  const fields = { strategy: 's1', symbol: 'BTC-USD' };
  return run.tell({ kind: 'log', life: 1, level: 'error', message, fields }).broken;
}

test('a stop that cannot stand since others outweigh the position takes no fault', () => {
  expect([bare(-50, 20), bare(-50, 0), bare(50, 49)]).toEqual([[], [], []]);
  expect([bare(-50, -50), bare(50, 50), bare(0, 20)]).toEqual([['I28'], ['I28'], ['I28']]);
  expect(bare(-50, 20, 'RISK_PRICE_CROSSES_TOO_FAR')).toEqual(['I28']);
});

test('nothing is told without a fault', () => {
  expect(warn(faulty(), 'something').broken).toEqual([]);
  expect(warn(new MadeRun(ALERTS).live(), 'something').broken).toEqual(['I28']);
});
