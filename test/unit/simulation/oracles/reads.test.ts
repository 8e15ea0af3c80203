/** @module The oracles of pages, positions and silent streams: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as WORK } from '../../../simulation/oracles/bounded-work.ts';
import { ORACLES as PAGES } from '../../../simulation/oracles/pages.ts';
import { MadeRun } from './made-run.ts';

const PATH = '/v1/account/fills?address=a';
const UPPER = '9-65535-4294967295';

function run(): MadeRun {
  return new MadeRun(PAGES).live();
}

/** A first page was read. */
function begun(): MadeRun {
  const one = run();
  return one.answer(one.request('GET', `${PATH}&limit=1`), 200, { epoch: 'e1', upper: UPPER, hasMore: true });
}

describe('pages (I24, obligations O100, O101, O105, O106)', () => {
  test('keep the bounds that were given', () => {
    const one = begun();
    one.request('GET', `${PATH}&after=1-0-0&epoch=e1&upper=${UPPER}`);
    expect(one.broken).toEqual([]);
    one.request('GET', `${PATH}&after=1-0-0&epoch=e1&upper=8-65535-4294967295`);
    expect(one.broken).toEqual(['I24']);
    one.request('GET', `${PATH}&after=1-0-0`);
    expect(one.broken).toEqual(['I24', 'I24']);
  });

  test('have those of lagged too', () => {
    const one = run().tell({
      kind: 'frame',
      socket: 1,
      life: 1,
      text: JSON.stringify({ channel: 'lagged', data: { dropped: 1, epoch: 'e1', upper: UPPER } }),
    });
    one.request('GET', `${PATH}&after=1-0-0&epoch=e1&upper=${UPPER}`);
    expect(one.broken).toEqual([]);
  });

  test('that are not yet complete are asked for again, not passed over', () => {
    const owed = (): MadeRun => {
      const one = begun();
      const id = one.request('GET', `${PATH}&after=1-0-0&epoch=e1&upper=${UPPER}`);
      return one.answer(id, 400, { error: { code: 'X', message: 'not yet complete' } });
    };
    const right = owed();
    right.request('GET', `${PATH}&after=1-0-0&epoch=e1&upper=${UPPER}`);
    expect(right.broken).toEqual([]);
    const wrong = owed();
    wrong.request('GET', `${PATH}&after=2-0-0&epoch=e1&upper=${UPPER}`);
    expect(wrong.broken).toEqual(['I24']);
  });
});

describe('positions of reads (I24, obligations O19, O62)', () => {
  const at = (one: MadeRun, id: number, seq: string | undefined): MadeRun =>
    one.tell({
      kind: 'request',
      id,
      life: 1,
      method: 'GET',
      path: `${PATH}&limit=1`,
      headers: seq === undefined ? {} : { 'x-svc-min-seq': seq },
      body: '',
    });

  test.each([
    ['the same', '20', []],
    ['a lower', '19', ['I24']],
    ['no', undefined, ['I24']],
  ])('after a 412 with %s position', (_which, seq, broken) => {
    const one = at(run(), 901, '20').answer(901, 412, { error: { code: 'ReplicaBehind' } });
    expect(at(one, 902, seq).broken).toEqual(broken);
  });

  test('receipts are asked for with scope and nonce, or with neither', () => {
    const one = run();
    one.request('GET', '/v1/requests/0x1?scope=a&nonce=1');
    one.request('GET', '/v1/requests/0x1');
    expect(one.broken).toEqual([]);
    one.request('GET', '/v1/requests/0x1?scope=a');
    expect(one.broken).toEqual(['I24']);
  });
});

describe('streams (I29, obligations O89, O90)', () => {
  const open = (): MadeRun => new MadeRun(WORK).live().tell({ kind: 'opened', socket: 1, life: 1 });
  const say = (one: MadeRun, kind: 'sent' | 'frame'): MadeRun =>
    one.tell({ kind, socket: 1, life: 1, text: '{"method":"ping"}' });

  test('hear from the client all the time', () => {
    const heard = (one: MadeRun): MadeRun => say(one, 'frame');
    expect(heard(say(open().pass(20_000), 'sent').pass(20_000)).block().broken).toEqual([]);
    expect(heard(open().pass(26_000)).block().broken).toEqual(['I29']);
  });

  test('are given up when they say nothing', () => {
    const silent = (forMs: number): MadeRun => say(open().pass(forMs), 'sent');
    expect(silent(12_000).block().broken).toEqual([]);
    expect(silent(12_001).block().broken).toEqual(['I29']);
    const still = silent(12_001);
    still.isPaused = true;
    still.block();
    still.isPaused = false;
    expect(still.pass(12_000).block().broken).toEqual([]);
    expect(open().tell({ kind: 'closed', socket: 1, life: 1 }).pass(60_000).block().broken).toEqual([]);
  });
});
