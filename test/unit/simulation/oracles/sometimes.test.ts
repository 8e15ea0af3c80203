/** @module Reachability conditions are counted when they happen, and a quiet run reaches none of them. */
import { describe, expect, test } from 'vitest';
import { ORACLES as WRITES } from '../../../simulation/oracles/posted-once.ts';
import { ORACLES } from '../../../simulation/oracles/sometimes.ts';
import type { Applied, Receipt } from '../../../simulation/oracles/support/truth.ts';
import type { Sometimes } from '../../../simulation/types.ts';
import { ACCOUNT, MadeRun, SAFETY, START_MS, switchBody, TRADER, type WriteOptions } from './made-run.ts';

const order: WriteOptions = { nonce: 0n };
const fence: WriteOptions = { ...switchBody(START_MS), signer: TRADER, kind: 'fence' };
const HISTORY = '/v1/account/fills?address=a';
const LAGGED = '{"channel":"lagged","data":{}}';

/** A write that left and was not heard of again. */
function unknown(run: MadeRun, options = order): MadeRun {
  run.record(options);
  const id = run.post(options);
  return run.tell({ kind: 'noAnswer', id, life: 1, why: 'ECONNRESET' });
}

function event(kind: string, run: MadeRun): MadeRun {
  return run.log({ kind: 'request' }, { events: [{ kind, account: ACCOUNT }] } as unknown as Applied);
}

function stepped(run: MadeRun): MadeRun {
  return run.tell({ kind: 'clockStepped', life: 1, byMs: 3_600_000 });
}

function read(run: MadeRun, status: number, body: unknown): MadeRun {
  const path = `${HISTORY}&after=1-0-0`;
  run.tell({
    kind: 'request',
    id: 900,
    life: 1,
    method: 'GET',
    path,
    headers: { 'x-svc-min-seq': '1' },
    body: '',
  });
  return run.answer(900, status, body);
}

const CASES: readonly (readonly [Sometimes, (run: MadeRun) => MadeRun])[] = [
  [
    'fence taken',
    (run) => {
      unknown(run).record(fence);
      run.post(fence);
      return run.receipt(fence);
    },
  ],
  [
    'fence lost',
    (run) => {
      unknown(run).record(fence);
      return run.receipt(order);
    },
  ],
  [
    'refused bytes sequenced later',
    (run) =>
      unknown(run)
        .receipt(order, { status: 'rejected', nonceConsumed: false } as Partial<Receipt>)
        .receipt(order),
  ],
  [
    'shadow set of two',
    (run) => {
      unknown(run).record(fence);
      return run.answer(run.post(fence), 503, '');
    },
  ],
  [
    'lagged during backfill',
    (run) => {
      run.request('GET', HISTORY);
      return run.tell({ kind: 'frame', socket: 1, life: 1, text: LAGGED });
    },
  ],
  [
    'epoch change during fence',
    (run) => {
      run.record(fence);
      return run.log({ kind: 'epoch', epoch: 'e2' });
    },
  ],
  ['seam with replica behind', (run) => read(run, 412, { error: { code: 'ReplicaBehind' } })],
  [
    'replace resolved by receipt after fill',
    (run) => {
      const replace: WriteOptions = {
        nonce: 0n,
        path: '/v1/orders/replace',
        body: { cancels: [{ symbol: 'BTC-USD', orderId: '5' }], orders: [], nowMs: START_MS },
      };
      const requestId = run.record(replace);
      run.post(replace);
      run.receipt(replace, { items: [{ kind: 'cancel', state: 'rejected' }] } as unknown as Partial<Receipt>);
      return run.row('outcome', { requestId, outcome: 'executed', proof: 'receipt' });
    },
  ],
  ['switch fired while unknown', (run) => event('ScheduleCancelFired', unknown(run))],
  ['revoke while unknown', (run) => event('AgentRevoked', unknown(run))],
  [
    'recovery with torn tail',
    (run) => run.lifeIs('killed').live().tell({ kind: 'tailTorn', life: 2, rows: 3 }),
  ],
  [
    'recovery inside recovery',
    (run) =>
      run
        .tell({ kind: 'life', life: 7, what: 'started' })
        .tell({ kind: 'life', life: 7, what: 'killed' })
        .live(),
  ],
  [
    'conflict by foreign writer',
    (run) => {
      run.record(order);
      const id = run.post(order);
      return run
        .receipt({ ...order, path: '/v1/orders/cancel-all', body: {} })
        .answer(id, 409, { error: { code: 'X' } });
    },
  ],
  [
    'budget reserve used',
    (run) =>
      run.answer(
        run.request('GET', '/v1/requests/0x1'),
        200,
        {},
        { 'ratelimit-policy': '"ip";q=100;w=60', ratelimit: '"ip";r=9' },
      ),
  ],
  [
    'strategy terminated with live orders',
    (run) => {
      run.record(order);
      run.post(order);
      run.rests(order, 77n);
      return run.tell({
        kind: 'audit',
        life: 1,
        event: { type: 'StrategyFailed', atMs: 0, fields: { strategy: 's1' } },
      });
    },
  ],
  [
    'safety lane used while trading lane blocked',
    (run) => {
      unknown(run).post({ ...switchBody(START_MS), signer: SAFETY });
      return run;
    },
  ],
  [
    'not yet complete on last page',
    (run) => read(read(run, 400, { error: { message: 'not yet complete' } }), 200, { hasMore: false }),
  ],
  [
    'snapshot omitting a locally open order',
    (run) => {
      const openOrders = [
        { orderId: '77', symbol: 'BTC-USD', side: 'buy', priceTicks: 1, remainingLots: 1 },
      ] as const;
      run.view = { ...run.view, openOrders } as typeof run.view;
      return run.tell({
        kind: 'frame',
        socket: 1,
        life: 1,
        text: '{"channel":"orders","isSnapshot":true,"data":{}}',
      });
    },
  ],
  [
    'partial batch',
    (run) => {
      run.record(order);
      return run.receipt(order, { batchStatus: 'partial' } as Partial<Receipt>);
    },
  ],
  [
    'crash between effect and cursor',
    (run) => run.row('effects', { epoch: 'e1', fills: [], ledger: [] }, false).lifeIs('killed'),
  ],
  [
    'clock step while in flight',
    (run) => {
      run.record(order);
      run.post(order);
      return stepped(run);
    },
  ],
];

describe('reachability', () => {
  // Which oracle sees a sight first is of no matter.
  test.each(CASES)('%s', (condition, happen) => {
    expect(happen(new MadeRun([...WRITES, ...ORACLES]).live()).hits).toContain(condition);
  });

  test('a fence that met a used nonce is no second shadow', () => {
    const run = unknown(new MadeRun(ORACLES).live());
    run.record(fence);
    const id = run.receipt(order).post(fence);
    expect(run.answer(id, 409, { error: { code: 'NonceMismatch' } }).hits).toEqual(['fence lost']);
  });

  test('a page of a proxy refuses no bytes', () => {
    const run = unknown(new MadeRun(ORACLES).live());
    run.answer(run.post(order), 429, '<html>');
    expect(run.receipt(order).hits).toEqual([]);
  });

  test('a clock that steps while only reads are under way, or after the answer, steps while no write is', () => {
    const run = new MadeRun([...WRITES, ...ORACLES]).live();
    run.request('GET', '/v1/time');
    const requestId = run.record(order);
    const id = run.post(order);
    run.receipt(order).answer(id, 200, { status: 'executed' });
    run.row('outcome', { requestId, outcome: 'executed', proof: 'answer' });
    run.request('GET', `/v1/requests/${requestId}`);
    expect(stepped(run).hits).toEqual([]);
  });

  test('a journal that is changed or gone has no torn tail', () => {
    const run = new MadeRun(ORACLES).live();
    run.tell({ kind: 'fault', id: 'F57', what: 'begun' }).lifeIs('killed').live();
    expect(run.hits).toEqual([]);
  });

  test('is not claimed for a run in which all goes well', () => {
    const run = new MadeRun(ORACLES).live();
    const requestId = run.record(order);
    const id = run.post(order);
    run.rests(order, 77n).answer(id, 200, { status: 'executed' });
    run.row('outcome', { requestId, outcome: 'executed', proof: 'answer' });
    read(run, 200, { hasMore: false }).lifeIs('ended').live();
    expect(run.hits).toEqual([]);
    expect(run.broken).toEqual([]);
  });
});
