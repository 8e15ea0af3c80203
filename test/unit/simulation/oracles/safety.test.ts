/** @module The oracles of exposure, switch, halts, fresh data and ends: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { BotError } from '../../../../src/core/index.ts';
import { ORACLES as ENDING } from '../../../simulation/oracles/ending.ts';
import { ORACLES as EXPOSURE } from '../../../simulation/oracles/exposure.ts';
import { ORACLES as FRESH } from '../../../simulation/oracles/fresh-data.ts';
import { ORACLES as HALTS } from '../../../simulation/oracles/halts.ts';
import type { Applied } from '../../../simulation/oracles/support/truth.ts';
import { ORACLES as SWITCH } from '../../../simulation/oracles/switch.ts';
import type { Oracle } from '../../../simulation/types.ts';
import {
  ACCOUNT,
  type MadeOptions,
  MadeRun,
  orderBody,
  SAFETY,
  START_MS,
  switchBody,
  TRADER,
  type WriteOptions,
} from './made-run.ts';

const order: WriteOptions = { nonce: 0n };

function run(oracles: readonly Oracle[], options: MadeOptions = {}): MadeRun {
  return new MadeRun(oracles, options).live();
}

/** Records and sends. */
function send(one: MadeRun, options: WriteOptions): MadeRun {
  one.record(options);
  one.post(options);
  return one;
}

function audit(one: MadeRun, type: string, fields: Readonly<Record<string, unknown>>): MadeRun {
  return one.tell({ kind: 'audit', life: 1, event: { type, atMs: 0, fields } });
}

describe('exposure (I10)', () => {
  const reserved = (buyLots: number) => ({ reserved: { 'BTC-USD': { buyLots, sellLots: 0 } } });

  test('of what has left is reserved until the nonce is spent', () => {
    expect(send(new MadeRun(EXPOSURE, { view: reserved(30) }).live(), order).broken).toEqual([]);
    expect(send(new MadeRun(EXPOSURE, { view: reserved(29) }).live(), order).broken).toEqual(['I10']);
  });

  test('of old and new orders of a replace is reserved together', () => {
    const one = send(new MadeRun(EXPOSURE, { view: reserved(30) }).live(), order).rests(order, 77n);
    const next: WriteOptions = {
      nonce: 1n,
      path: '/v1/orders/replace',
      body: { ...orderBody(), cancels: [] },
    };
    expect(send(one, next).broken).toEqual(['I10']);
  });

  test('ends with what used the nonce instead', () => {
    const one = send(new MadeRun(EXPOSURE, { view: reserved(30) }).live(), order);
    one.receipt({ ...switchBody(START_MS + 1_000), signer: TRADER });
    one.view = { ...one.view, ...reserved(0) } as typeof one.view;
    for (let i = 0; i < 16; i++) one.block();
    expect(one.broken).toEqual([]);
  });

  test('is none of a nonce that was used, in the ledgers after it too, unless one was rolled back behind it', () => {
    const spentBefore = (rolledBackTo?: number, epoch = 'e2'): MadeRun => {
      const one = new MadeRun(EXPOSURE, { view: { ...reserved(0), epoch } }).live();
      one.receipt({ ...switchBody(START_MS + 1_000), signer: TRADER });
      const entry = { kind: 'epoch', epoch: 'e2', rolledBackTo };
      return send(one.log(entry), order);
    };
    expect(spentBefore().broken).toEqual([]);
    expect(spentBefore(1_000).broken).toEqual([]);
    expect(spentBefore(0).broken).toEqual(['I10']);
    // A bot that has not heard of the rollback cannot know what stands open again (F40).
    expect(spentBefore(0, 'e1').broken).toEqual([]);
  });

  test('ends with the grant of the wallet, also of what leaves after it, and begins again with the next one', () => {
    const grant = (kind: 'AgentApproved' | 'AgentRevoked', validUntilMs?: number) =>
      ({ events: [{ kind, account: ACCOUNT, agent: TRADER, validUntilMs }] }) as unknown as Partial<Applied>;
    const request = { kind: 'request' };
    const one = new MadeRun(EXPOSURE, { view: reserved(0) }).live();
    one.log(request, grant('AgentRevoked'));
    expect(send(one, order).broken).toEqual([]);
    one.log(request, grant('AgentApproved', START_MS + 1_000));
    for (let i = 0; i < 16; i++) one.block();
    expect(one.broken).toEqual(['I10']);
    one.pass(1_001);
    for (let i = 0; i < 16; i++) one.block();
    expect(one.broken).toEqual(['I10']);
  });

  test('stays below the limits of the configuration: 5,000 USDC of position, 5 orders of a side', () => {
    const large: WriteOptions = { nonce: 0n, body: orderBody({ size: '0.0600' }) };
    const one = new MadeRun(EXPOSURE, { view: reserved(600) }).live().block();
    expect(send(one, large).broken).toEqual(['I10']);
    const many = new MadeRun(EXPOSURE, { view: reserved(600) }).live().block();
    const body = {
      orders: Array.from({ length: 6 }, () => (orderBody()['orders'] as unknown[])[0]),
      nowMs: START_MS,
    };
    expect(send(many, { nonce: 0n, body }).broken).toEqual(['I10']);
  });

  test('of all positions together stays below 20,000 USDC, unless an order takes from them', () => {
    const holding = (lots: number): MadeRun => {
      const one = new MadeRun(EXPOSURE, { view: { reserved: { 'BTC-USD': { buyLots: 30, sellLots: 30 } } } });
      one.venue.lots = lots;
      return one.live().block();
    };
    const told = (one: MadeRun, side: string): readonly string[] =>
      send(one, { nonce: 0n, body: orderBody({ side }) }).violations.map(({ what }) => what.slice(0, 9));
    expect(told(holding(1_900), 'buy')).toEqual(['BTC-USD: ']);
    expect(told(holding(1_990), 'buy')).toEqual(['BTC-USD: ', 'positions']);
    expect(told(holding(1_990), 'sell')).toEqual([]);
    expect(told(holding(-1_990), 'sell')).toEqual(['BTC-USD: ', 'positions']);
  });

  test('is judged again where others moved the position, once they are gone for a while', () => {
    const large: WriteOptions = { nonce: 0n, body: orderBody({ size: '0.0600' }) };
    const moved = (afterMs: number): readonly string[] => {
      const plan = { faults: { F46: 1 } };
      const one = new MadeRun(EXPOSURE, { plan, view: reserved(600) }).live();
      one.tell({ kind: 'fault', id: 'F46', what: 'begun' });
      one.isHealed = true;
      return send(one.tell({ kind: 'healed' }).pass(afterMs).block(), large).broken;
    };
    expect(moved(60_000)).toEqual([]);
    expect(moved(70_000)).toEqual(['I10']);
  });

  test('of a position is judged by the price of the moment, which may have moved since the last block', () => {
    const large: WriteOptions = { nonce: 0n, body: orderBody({ size: '0.0501' }) };
    const one = new MadeRun(EXPOSURE, { view: reserved(501) }).live().block();
    one.venue.indexTicks = 997_000;
    one.log({ kind: 'indexPrice' });
    expect(send(one, large).broken).toEqual([]);
  });
});

describe('exposure of a position whose price has moved (I10)', () => {
  const view = { reserved: { 'BTC-USD': { buyLots: 30, sellLots: 61 } } };
  /** 437 lots short, and 60 to sell: that was worth less than 5,000 USDC when they were placed. */
  const risen = (): MadeRun => {
    const one = send(new MadeRun(EXPOSURE, { view }).live(), order).rests(order, 77n);
    one.venue.orders.set(77n, { side: 'sell', priceTicks: 1_000_000, remainingLots: 60, reduceOnly: false });
    one.venue.lots = -437;
    one.venue.indexTicks = 1_007_000;
    return one.log({ kind: 'indexPrice' });
  };
  const placed = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
    send(risen(), { nonce: 1n, body: orderBody(fields) }).broken;

  test('is judged on the side that is placed on (seed 6754)', () => {
    expect(placed({ side: 'buy', size: '0.0030' })).toEqual([]);
    expect(placed({ side: 'sell', size: '0.0001' })).toEqual(['I10']);
  });
});

describe('the switch (I11, I12)', () => {
  /** The switch was set to so far ahead, by a write of the bot. */
  const armed = (aheadMs: number, one = run(SWITCH)): MadeRun => {
    const options = switchBody(START_MS + one.nowMs + aheadMs);
    send(one, options);
    one.venue.switchAtMs = START_MS + one.nowMs + aheadMs;
    return one.receipt(options, {}).log({ kind: 'block' });
  };

  test('is armed while an order rests', () => {
    expect(send(armed(20_000), order).rests(order, 77n).block().broken).toEqual([]);
    expect(send(run(SWITCH), order).rests(order, 77n).broken).toEqual(['I11']);
    expect(send(armed(20_000), order).rests(order, 77n).pass(20_001).block().broken).toEqual(['I11']);
  });

  test('is not armed further ahead than its timeout', () => {
    expect(send(armed(60_000), order).rests(order, 77n).broken).toEqual(['I11']);
  });

  test('may have fired early for as long as no order told of it', () => {
    const fired = (canceled: readonly unknown[]): readonly string[] => {
      const one = armed(20_000);
      const head = { kind: 'ScheduleCancelFired', account: ACCOUNT, seq: 150 };
      const events = [head, ...canceled.map((other) => ({ kind: 'OrderCanceled', order: other }))];
      one.log({ kind: 'endSwitch' }, { events } as unknown as Partial<Applied>);
      one.venue.switchAtMs = 0;
      one.tell({ kind: 'frame', life: 1, socket: 1, text: '{"channel":"orders","seq":151}' });
      const next: WriteOptions = { ...order, nonce: 1n };
      return send(one.pass(10), next).rests(next, 78n).broken;
    };
    expect(fired([])).toEqual([]);
    expect(fired([{ account: ACCOUNT }])).toEqual(['I11']);
  });

  test('is no matter for bytes that came late', () => {
    const one = send(run(SWITCH), order).pass(60_000);
    expect(one.rests(order, 77n).broken).toEqual([]);
  });

  test('has taken all orders of a process that is dead or stands still', () => {
    const dead = (what: 'killed' | 'paused'): MadeRun => {
      const one = send(armed(20_000), order).rests(order, 77n).lifeIs(what);
      one.venue.switchAtMs = START_MS + 90_000;
      return one.pass(23_000);
    };
    expect(dead('killed').block().broken).toContain('I11');
    expect(dead('paused').block().broken).toContain('I11');
    const gone = dead('killed');
    gone.venue.orders.clear();
    expect(gone.block().broken).toEqual([]);
  });

  test('takes no order that waits where it spares those, but every other one (ambiguity A13)', () => {
    const dead = (A13: string, isWaiting: boolean, next?: object): MadeRun => {
      const one = armed(20_000, run(SWITCH, { plan: { ambiguities: { A13 } } }));
      send(one, order).rests(order, 77n).lifeIs('paused');
      if (isWaiting) one.venue.waiting.add(77n);
      one.pass(20_001);
      const head = { kind: 'ScheduleCancelFired', account: ACCOUNT, seq: 150 };
      const events = next === undefined ? [head] : [head, next];
      one.log({ kind: 'block' }, { events } as unknown as Partial<Applied>);
      one.venue.waiting.clear();
      return one.pass(3_000).block();
    };
    expect(dead('plain', true).broken).toEqual([]);
    expect(dead('plain', false, { kind: 'ConditionalFired', order: { orderSeq: 77n } }).broken).toEqual([]);
    expect(dead('plain', false).broken).toContain('I11');
    expect(dead('all', true).broken).toContain('I11');
  });

  test('is not renewed while an item stays red', () => {
    const one = run(SWITCH).pass(10_000);
    one.view = { ...one.view, red: [{ id: 'H5', sinceMs: 1_000 }] } as typeof one.view;
    armed(20_000, one);
    expect(one.pass(700).block().broken).toEqual(['I12']);
    const green = run(SWITCH).pass(10_000);
    expect(armed(20_000, green).pass(700).block().broken).toEqual([]);
  });

  test('is not renewed while no stream has brought anything for long, whatever the bot thinks of its health (H2)', () => {
    const silent = (forMs: number): MadeRun =>
      run(SWITCH).tell({ kind: 'frame', life: 1, socket: 1, text: '{}' }).pass(forMs);
    expect(armed(20_000, silent(16_000)).broken).toEqual([]);
    expect(armed(20_000, silent(16_001)).broken).toEqual(['I12']);
    const still = silent(16_001);
    still.isPaused = true;
    still.block();
    expect(armed(20_000, still.pass(100)).broken).toEqual([]);
  });

  test('is not renewed while a write has been open for long', () => {
    const one = send(run(SWITCH), order).pass(7_000);
    expect(armed(20_000, one).broken).toEqual(['I12']);
  });

  test('may be renewed by bytes that leave again, but not for as long as the health is red for long', () => {
    const renewal = switchBody(START_MS + 24_000);
    const again = (afterMs: number): readonly string[] => {
      const one = send(send(run(SWITCH), order).pass(4_000), renewal).pass(afterMs);
      one.post(renewal);
      return one.broken;
    };
    expect(again(3_000)).toEqual([]);
    expect(again(8_000)).toEqual(['I12']);
  });

  test('is never cleared while orders rest or may come to rest', () => {
    const clear = switchBody(0);
    expect(send(run(SWITCH), clear).broken).toEqual([]);
    expect(send(send(run(SWITCH), order), clear).broken).toEqual(['I11']);
  });

  test('is never renewed by a fence', () => {
    const fence = (aheadMs: number): WriteOptions => ({
      ...switchBody(START_MS + aheadMs),
      signer: TRADER,
      kind: 'fence',
    });
    expect(send(run(SWITCH), fence(1_000)).broken).toEqual([]);
    expect(send(run(SWITCH), fence(20_000)).broken).toEqual(['I12']);
  });
});

describe('halts (I23)', () => {
  const halt = (scope: unknown, state = 'halted') => ({ control: 'K2', scope, state, reason: '' });

  test.each([
    ['account', { kind: 'account' }, ['I23']],
    ['this market', { kind: 'market', symbol: 'BTC-USD' }, ['I23']],
    ['this strategy', { kind: 'strategy', strategyId: 's1' }, ['I23']],
    ['another market', { kind: 'market', symbol: 'ETH-USD' }, []],
  ])('of %s', (_what, scope, broken) => {
    const one = audit(run(HALTS), 'TradingStateChanged', halt(scope));
    one.record(order);
    expect(one.broken).toEqual(broken);
  });

  test('let cancels and reductions out, and end', () => {
    const one = audit(run(HALTS), 'TradingStateChanged', halt({ kind: 'account' }));
    one.record({ nonce: 0n, path: '/v1/orders/cancel-all', body: {} });
    one.record({ nonce: 1n, body: orderBody({ reduceOnly: true }) });
    audit(one, 'TradingStateChanged', halt({ kind: 'account' }, 'active')).record({ nonce: 2n });
    expect(one.broken).toEqual([]);
  });

  test.each([
    ['the account', (one: MadeRun) => audit(one, 'TradingStateChanged', halt({ kind: 'account' })), ['I23']],
    [
      'a lane',
      (one: MadeRun) =>
        one.tell({
          ...{ kind: 'log', life: 1, level: 'error', message: 'lane halted' },
          fields: { lane: 'trading' },
        } as const),
      ['I23'],
    ],
    [
      'its market',
      (one: MadeRun) => audit(one, 'TradingStateChanged', halt({ kind: 'market', symbol: 'BTC-USD' })),
      ['I23'],
    ],
    [
      'its strategy',
      (one: MadeRun) => audit(one, 'TradingStateChanged', halt({ kind: 'strategy', strategyId: 's1' })),
      ['I23'],
    ],
    [
      'another market',
      (one: MadeRun) => audit(one, 'TradingStateChanged', halt({ kind: 'market', symbol: 'ETH-USD' })),
      [],
    ],
    [
      'nothing, where its market may only reduce',
      (one: MadeRun) =>
        audit(one, 'TradingStateChanged', halt({ kind: 'market', symbol: 'BTC-USD' }, 'reducing')),
      [],
    ],
  ])('of %s: what rests is canceled', (_what, begin, broken) => {
    const resting = (): MadeRun => {
      const one = run(HALTS);
      const requestId = one.record(order);
      one.post(order);
      one.rests(order, 77n);
      one.row('outcome', { requestId, outcome: 'executed', nonceConsumed: true, proof: 'answer' });
      return begin(one).pass(100).block();
    };
    expect(resting().pass(9_999).block().broken).toEqual([]);
    expect(resting().pass(10_000).block().block().broken).toEqual(broken);
    const canceled = resting();
    canceled.record({ nonce: 0n, path: '/v1/orders/cancel-all', body: {}, signer: SAFETY });
    expect(canceled.pass(10_000).block().broken).toEqual([]);
  });

  test.each([
    ['its own lane', 'trading', ['I23']],
    ['that of another wallet', 'taker', []],
  ])('of %s, where others trade on: its orders are canceled, no others', (_what, lane, broken) => {
    const one = new MadeRun(HALTS, { plan: { config: 'fleet' } }).live();
    const requestId = one.record(order);
    one.post(order);
    one.rests(order, 77n);
    one.row('outcome', { requestId, outcome: 'executed', nonceConsumed: true, proof: 'answer' });
    one.tell({ kind: 'log', life: 1, level: 'error', message: 'lane halted', fields: { lane } });
    expect(one.pass(100).block().pass(10_000).block().block().broken).toEqual(broken);
  });

  test('of a lane let nothing but fences out', () => {
    const one = run(HALTS).tell({
      kind: 'log',
      life: 1,
      level: 'error',
      message: 'lane halted',
      fields: { lane: 'trading' },
    });
    one.record({ ...switchBody(START_MS), signer: TRADER, kind: 'fence' });
    expect(one.broken).toEqual([]);
    one.record(order);
    expect(one.broken).toEqual(['I23']);
  });
});

describe('fresh knowledge (I25)', () => {
  const book = JSON.stringify({ channel: 'book', seq: 1, data: { symbol: 'BTC-USD' } });
  const hear = (one: MadeRun, text: string): MadeRun => one.tell({ kind: 'frame', socket: 1, life: 1, text });

  test.each([
    ['young', 1_000, []],
    ['old', 4_000, ['I25']],
  ])('of a market that is %s', (_what, ageMs, broken) => {
    const one = hear(run(FRESH), book).pass(ageMs);
    one.record(order);
    expect(one.broken).toEqual(broken);
  });

  test.each([
    ['its own quotes', { channel: 'bbo', seq: 2, data: { symbol: 'BTC-USD' } }, []],
    ['quotes of another market', { channel: 'bbo', seq: 2, data: { symbol: 'ETH-USD' } }, ['I25']],
    ['a pong', { channel: 'pong', data: { ts: 1 } }, ['I25']],
  ])('of a quiet market comes with %s', (_what, frame, broken) => {
    const one = hear(hear(run(FRESH), book).pass(4_000), JSON.stringify(frame));
    one.record(order);
    expect(one.broken).toEqual(broken);
  });

  test('of an account that is not synced', () => {
    const one = hear(new MadeRun(FRESH, { view: { account: 'backfilling' } }).live(), book);
    one.record(order);
    expect(one.broken).toEqual(['I25']);
  });

  test('after lagged comes with a snapshot', () => {
    const lagged = (): MadeRun => hear(run(FRESH), '{"channel":"lagged","data":{}}').pass(2_000);
    const stale = hear(lagged(), book);
    stale.record(order);
    expect(stale.broken).toEqual(['I25']);
    const rebuilt = hear(hear(lagged(), '{"channel":"orders","isSnapshot":true}'), book);
    rebuilt.record(order);
    expect(rebuilt.broken).toEqual([]);
  });
});

describe('ends (I27)', () => {
  const report = { openOrders: 0, unresolved: 0, reconciled: true };
  const stopped = (said: unknown): MadeRun => {
    const one = run(ENDING);
    one.isHealed = true;
    one.report = said;
    return one.lifeIs('stopping');
  };

  test('in order are proven', () => {
    expect(stopped(report).lifeIs('ended').end().broken).toEqual([]);
    expect(
      stopped({ ...report, reconciled: false })
        .lifeIs('ended')
        .end().broken,
    ).toEqual(['I27']);
    expect(stopped(report).end().broken).toEqual(['I27']);
  });

  test('do not say that a book is empty which is not', () => {
    const one = stopped(report);
    one.venue.orders.set(77n, { side: 'buy', priceTicks: 1, remainingLots: 1, reduceOnly: false });
    expect(one.lifeIs('ended').broken).toEqual(['I27']);
  });

  test.each([
    ['of another bot', { F72: 1 }, false, []],
    ['of its own beside those of another bot', { F72: 1 }, true, ['I27']],
    ['of nobody else', {}, false, ['I27']],
  ])('may leave orders only when they are another bot’s: %s', (_whose, faults, isOwn, broken) => {
    const one = new MadeRun(ENDING, { plan: { faults } }).live();
    one.report = report;
    if (isOwn) send(one, order).rests(order, 77n);
    else one.venue.orders.set(78n, { side: 'buy', priceTicks: 1, remainingLots: 1, reduceOnly: false });
    expect(one.lifeIs('stopping').lifeIs('ended').broken).toEqual(broken);
  });

  test('that fail have a name', () => {
    const named = run(ENDING);
    named.failure = new BotError({ code: 'RUN_DEADLOCKED', message: 'expected an end', remedy: 'Look.' });
    expect(named.lifeIs('failed').broken).toEqual([]);
    const nameless = run(ENDING);
    nameless.failure = new TypeError('x is not a function');
    expect(nameless.lifeIs('failed').broken).toEqual(['I27']);
  });
});

describe('markets that are not open (I23, obligation O10)', () => {
  const listed = (status: string): MadeRun => {
    const one = run(HALTS);
    const id = one.request('GET', '/v1/markets');
    return one.answer(id, 200, { markets: [{ symbol: 'BTC-USD', status }] }).pass(2_000);
  };

  test('get no orders once that is known', () => {
    const open = listed('Active');
    open.record(order);
    expect(open.broken).toEqual([]);
    const paused = listed('Paused');
    paused.record({ nonce: 0n, path: '/v1/orders/cancel-all', body: {} });
    expect(paused.broken).toEqual([]);
    paused.record({ nonce: 1n });
    expect(paused.broken).toEqual(['I23']);
  });
});
