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
