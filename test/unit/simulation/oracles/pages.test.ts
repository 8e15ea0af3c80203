/**
 * @module
 * Positions of reads: they are kept within an epoch; as a run ends its books are read at any, and nothing is forgotten by
 * that.
 */
import { expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/pages.ts';
import { MadeRun } from './made-run.ts';

function at(run: MadeRun, id: number, seq: string | undefined): MadeRun {
  const headers: Record<string, string> = seq === undefined ? {} : { 'x-svc-min-seq': seq };
  const path = '/v1/account/fills?address=a&limit=1000';
  return run.tell({ kind: 'request', id, life: 1, method: 'GET', path, headers, body: '' });
}

/** A replica was behind position 20. */
function behind(): MadeRun {
  const run = at(new MadeRun(ORACLES).live(), 901, '20');
  return run.answer(901, 412, { error: { code: 'ReplicaBehind' } });
}

test('without a position, a history forgets that a replica was behind (I24, obligation O19)', () => {
  expect(at(behind(), 902, undefined).broken).toEqual(['I24']);
});

test('the books of an end are read at any position; what was asked at one is asked there again', () => {
  const run = behind().tell({ kind: 'life', life: 1, what: 'stopping' });
  expect(at(run, 902, undefined).broken).toEqual([]);
  expect(at(run, 903, '19').broken).toEqual(['I24']);
});

test('two who read one history as a run ends ask again each at its own position (obligation O19)', () => {
  const readers = (): MadeRun => {
    const run = at(behind(), 902, '25').answer(902, 412, { error: { code: 'ReplicaBehind' } });
    return run.tell({ kind: 'life', life: 1, what: 'stopping' });
  };
  const run = at(readers(), 903, '20').answer(903, 412, { error: { code: 'ReplicaBehind' } });
  expect(at(at(run, 904, '25'), 905, '20').broken).toEqual([]);
  expect(at(readers(), 903, '24').broken).toEqual(['I24']);
});

test('two who read the open orders ask again each at its own position, and at no earlier one (obligation O19)', () => {
  const orders = (run: MadeRun, id: number, seq: string): MadeRun => {
    const headers = { 'x-svc-min-seq': seq };
    const path = '/v1/account/orders?address=a';
    return run.tell({ kind: 'request', id, life: 1, method: 'GET', path, headers, body: '' });
  };
  const refused = (): MadeRun => {
    const run = orders(orders(new MadeRun(ORACLES).live(), 901, '20'), 902, '25');
    const body = { error: { code: 'ReplicaBehind' } };
    return run.answer(901, 412, body).answer(902, 412, body);
  };
  expect(orders(orders(refused(), 903, '20'), 904, '25').broken).toEqual([]);
  expect(orders(refused(), 903, '19').broken).toEqual(['I24']);
  expect(orders(orders(refused(), 903, '20'), 904, '24').broken).toEqual(['I24']);
});

/** A read of a life, at a position. */
function read(run: MadeRun, id: number, path: string, seq: number): MadeRun {
  const headers = { 'x-svc-min-seq': String(seq) };
  return run.tell({ kind: 'request', id, life: 1, method: 'GET', path, headers, body: '' });
}

const ORDERS = '/v1/account/orders?address=a';
const REPLICA_BEHIND = { error: { code: 'ReplicaBehind' } };

/** Writes are executed at 10 and at 12, then the audit meets a replica behind 20, and is heard of no more. */
function auditGivenUp(path = ORDERS): MadeRun {
  const run = new MadeRun(ORACLES).live();
  for (const seq of ['10', '12']) {
    run.answer(run.request('POST', '/v1/orders', '{}'), 200, { status: 'executed', seq });
    run.row('outcome', { requestId: `0x${seq}`, outcome: 'executed', seq: { $big: seq } });
  }
  return read(run, 901, path, 20).answer(901, 412, REPLICA_BEHIND);
}

test('an audit that was given up binds nobody who asks at the newest outcome whether orders are open', () => {
  const run = read(auditGivenUp(), 902, ORDERS, 12).answer(902, 412, REPLICA_BEHIND);
  expect(read(run, 903, ORDERS, 12).broken).toEqual([]);
  expect(read(auditGivenUp().lifeIs('stopping'), 902, ORDERS, 12).broken).toEqual([]);
});

test('orders are asked for at no position that was never told, and at none before the newest outcome', () => {
  expect(read(auditGivenUp(), 902, ORDERS, 13).broken).toEqual(['I24']);
  expect(read(auditGivenUp(), 902, ORDERS, 10).broken).toEqual(['I24']);
});

test('how far the account was synced, a list of orders and a conflict tell positions, too; a 412 does not', () => {
  const synced = auditGivenUp().tell({
    ...{ kind: 'log', life: 1, level: 'info', message: 'the account is synced' },
    fields: { seq: 14n },
  });
  expect(read(synced, 902, ORDERS, 14).broken).toEqual([]);
  const listed = read(auditGivenUp(), 902, ORDERS, 12).answer(902, 200, { orders: [], seq: '15' });
  expect(read(listed, 903, ORDERS, 15).broken).toEqual([]);
  const refused = (status: number): MadeRun => {
    const run = auditGivenUp();
    return run.answer(run.request('POST', '/v1/orders', '{}'), status, { error: { details: { seq: '16' } } });
  };
  expect(read(refused(409), 902, ORDERS, 16).broken).toEqual([]);
  expect(read(refused(412), 902, ORDERS, 16).broken).toEqual(['I24']);
});

test('outcomes of a ledger that is gone are no bound in the next one', () => {
  const run = auditGivenUp().log({ kind: 'epoch', epoch: 'e2' });
  run.tell({ kind: 'frame', life: 1, socket: 1, text: '{"channel":"blocks","epoch":"e2"}' });
  run.row('epoch', { epoch: 'e2' });
  run.answer(run.request('POST', '/v1/orders', '{}'), 200, { status: 'executed', seq: '3', epoch: 'e2' });
  read(run, 902, ORDERS, 5).answer(902, 412, REPLICA_BEHIND);
  expect(read(run, 903, ORDERS, 3).broken).toEqual([]);
});

test('the books of an end are read where it was proven that no order is open, and while it runs by nobody there', () => {
  for (const path of [
    '/v1/account?address=a',
    '/v1/account/positions?address=a',
    '/v1/account/fills?address=a',
  ]) {
    expect(read(auditGivenUp(path).lifeIs('stopping'), 902, path, 12).broken).toEqual([]);
    expect(read(auditGivenUp(path), 902, path, 12).broken).toEqual(['I24']);
  }
});

test('a receipt is asked for by one alone: at no position before that of its 412', () => {
  const path = '/v1/requests/0x1?scope=agent&nonce=1';
  expect(read(auditGivenUp(path), 902, path, 12).broken).toEqual(['I24']);
  expect(read(auditGivenUp(path).lifeIs('stopping'), 902, path, 12).broken).toEqual(['I24']);
});

test('a position that was reached while a run starts binds no later reader', () => {
  const run = at(new MadeRun(ORACLES), 901, '20').answer(901, 412, { error: { code: 'ReplicaBehind' } });
  expect(at(at(run, 902, '20').live(), 903, '19').broken).toEqual([]);
});

/** The ledger is begun again, and a frame says so: the bot closes its stream. */
function begunAgain(): MadeRun {
  return behind()
    .log({ kind: 'epoch', epoch: 'e2' })
    .tell({ kind: 'frame', life: 1, socket: 1, text: '{"channel":"blocks","epoch":"e2"}' });
}

test('a position is void where a later epoch was heard of after it (obligation O20)', () => {
  expect(at(begunAgain(), 902, undefined).broken).toEqual([]);
});

test('one of an epoch that the books belong to already is kept, whatever names that epoch again', () => {
  const run = begunAgain().row('epoch', { epoch: 'e2' });
  at(run, 903, '21').answer(903, 412, { error: { code: 'ReplicaBehind' } });
  run.answer(904, 200, { epoch: 'e2' }).answer(905, 200, { epoch: 'e1' }).answer(906, 200, { epoch: 'none' });
  expect(at(run, 907, undefined).broken).toEqual(['I24']);
});

/** A page after `after`, up to a bound that a frame has given. */
function pageAfter(run: MadeRun, id: number, after: string, limit = 1000): MadeRun {
  const path = `/v1/account/fills?address=a&after=${after}&epoch=e1&upper=30-0-0&limit=${limit}`;
  return run.tell({ kind: 'request', id, life: 1, method: 'GET', path, headers: {}, body: '' });
}

/** Fills up to 20-0-0 are booked; the page after 10-0-0 is not yet complete. */
function incomplete(): MadeRun {
  const fill = { symbol: 'BTC-USD', side: 'buy', priceTicks: 1, sizeLots: 1 };
  const run = new MadeRun(ORACLES).live().row('effects', {
    epoch: 'e1',
    fills: [
      { id: '10-0-0', ...fill },
      { id: '20-0-0', ...fill },
    ],
    ledger: [],
  });
  const text = '{"channel":"lagged","data":{"dropped":1,"epoch":"e1","upper":"30-0-0"}}';
  run.tell({ kind: 'frame', life: 1, socket: 1, text });
  return pageAfter(run, 901, '10-0-0').answer(901, 400, { error: { message: 'not yet complete' } });
}

test('a page that is not yet complete is asked for again, and nothing beyond it (I24, obligation O106)', () => {
  expect(pageAfter(incomplete(), 902, '10-0-0').broken).toEqual([]);
  expect(pageAfter(incomplete(), 902, '25-0-0').broken).toEqual(['I24']);
  expect(pageAfter(incomplete(), 902, '10-0-0', 500).broken).toEqual(['I24']);
});

test('another walk to the same bound begins after any entry that is booked', () => {
  const run = pageAfter(incomplete(), 902, '20-0-0');
  expect(run.broken).toEqual([]);
  run.answer(902, 400, { error: { message: 'not yet complete' } });
  expect(pageAfter(run, 903, '20-0-0').broken).toEqual([]);
});
