/** Faults that no frame and no status tells of: a client has to find them out. */
import { describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { startTestExchange } from '../support/test-exchange.ts';

/** A maker whose orders were hit by `count` fills from now on, and a stream that listens to them. */
async function aMaker() {
  const maker = await startTestExchange();
  const taker = maker.another();
  maker.place([{ size: '1.0000' }]);
  const stream = maker.stream();
  for (const channel of ['fills', 'orders', 'positions'])
    stream.subscribe({ channel, address: maker.address, subaccount: 0 });
  stream.subscribe({ channel: 'book', symbol: 'BTC-USD', depth: 2 });
  const hit = (count = 1): void => {
    for (let i = 0; i < count; i++)
      taker.place([{ side: 'sell', size: '0.0010', timeInForce: 'ioc', price: '90000.0' }]);
  };
  const fills = (): readonly number[] => stream.of('fills').map(({ seq }) => seq);
  return { maker, stream, hit, fills, control: maker.exchange.control };
}

describe('frames', () => {
  test('one is lost in silence, and those around it come', async () => {
    const { stream, hit, fills, control } = await aMaker();
    control.frameFault({ kind: 'lose', channel: 'fills', skip: 1 });
    hit(3);
    expect(fills()).toHaveLength(2);
    expect(stream.of('orders').length).toBeGreaterThanOrEqual(3);
    expect(stream.of('lagged')).toEqual([]);
  });

  test('all of a channel are lost until the faults are cleared', async () => {
    const { maker, stream, hit, fills, control } = await aMaker();
    const books = stream.of('book').length;
    control.frameFault({ kind: 'lose', channel: 'fills', times: 0 });
    control.frameFault({ kind: 'lose', channel: 'book', times: 0 });
    hit(2);
    maker.blocks(2);
    expect([fills().length, stream.of('book').length]).toEqual([0, books]);
    control.clearFaults();
    hit(1);
    expect(fills()).toHaveLength(1);
  });

  test('a late channel keeps its order and its times, and others pass it', async () => {
    const { maker, stream, hit, fills, control } = await aMaker();
    const { id } = control.frameFault({ kind: 'delay', channel: 'fills', delay: 3_000, times: 1 });
    hit(2);
    expect(fills()).toEqual([]);
    expect(stream.of('orders').length).toBeGreaterThanOrEqual(2);
    const hitAtMs = maker.nowMs;
    maker.clock.advance(3_000);
    const [first, second] = fills();
    expect(must(first, 'the late fill')).toBeLessThan(must(second, 'the fill behind it'));
    for (const { data } of stream.of('fills')) expect(data.ts).toBeLessThanOrEqual(hitAtMs);
    expect(id).toBe(1);
  });

  test('a frame comes twice', async () => {
    const { hit, fills, control } = await aMaker();
    control.frameFault({ kind: 'repeat', channel: 'fills' });
    hit(1);
    const [first, again] = fills();
    expect(again).toBe(must(first, 'a fill'));
  });

  test('fields are set, moved and frozen', async () => {
    const { maker, stream, hit, control } = await aMaker();
    control.frameFault({ kind: 'change', channel: 'fills', set: { seq: 9_007_199_254_740_991 } });
    control.frameFault({ kind: 'change', channel: 'positions', set: { 'data.positions.*.size': '7.0000' } });
    control.frameFault({
      kind: 'change',
      channel: 'book',
      times: 0,
      add: { 'data.ts': -3_600_000 },
      freeze: ['data.bids'],
    });
    hit(1);
    maker.blocks(1);
    hit(1);
    maker.blocks(1);
    expect(stream.of('fills')[0].seq).toBe(9_007_199_254_740_991);
    expect(stream.of('positions').at(-2).data.positions[0].size).toBe('7.0000');
    const [before, after] = stream.of('book').slice(-2);
    expect(after.data.bids).toEqual(before.data.bids);
    expect(after.data.ts).toBeLessThanOrEqual(maker.nowMs - 3_600_000);
  });
});

describe('answers', () => {
  test('a field and a header are changed on the way out', async () => {
    const { maker, control } = await aMaker();
    const path = `/v1/account/fills?address=${maker.address}`;
    control.fault({
      kind: 'edit',
      method: 'GET',
      path: '/v1/account/fills',
      set: { upper: '900000000000-0-0' },
      headers: { 'x-svc-seq': '900000000000' },
    });
    const changed = await maker.getLater(path, {}, 1);
    expect(changed.json.upper).toBe('900000000000-0-0');
    expect(changed.headers['x-svc-seq']).toBe('900000000000');
    expect(maker.get(path).json.upper).toBe(`${maker.exchange.seq}-65535-4294967295`);
  });

  test('a page leaves out what the replica never saw, its cursor goes beyond, and a receipt is not touched', async () => {
    const { maker, hit, fills, control } = await aMaker();
    hit(3);
    const hole = must(fills().at(-1), 'a fill');
    control.historyGaps({ gaps: [{ first: hole, last: hole }], silent: true });
    const path = `/v1/account/fills?address=${maker.address}`;
    const page = maker.get(path).json;
    expect(page.data.map(({ seq }: { seq: number }) => seq)).toEqual(fills().slice(0, -1));
    expect(page.next).toMatch(new RegExp(`^${hole}-`));
    control.historyGaps({ gaps: [] });
    expect(maker.get(path).json.data).toHaveLength(3);
  });
});
