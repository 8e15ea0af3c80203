/**
 * @module
 * The bar of a minute stayed short for good when its last trades fell between what a replica told after a reconnect and the
 * first frame behind it (O94, O103, F40): found by the bars of the swarm, seeds 156 and 167.
 */
import { expect, test } from 'vitest';
import { aScene, type Scene } from '../unit/wire/stream/scripted.ts';

const SYMBOL = 'BTC-USD';
const bar = (volume: string, startTime = 60_000): object => ({
  ...{ symbol: SYMBOL, interval: '1m', startTime, trades: 3 },
  ...{ open: '1.0', high: '2.0', low: '1.0', close: '2.0', volume },
});
const frame = (volume: string, startTime?: number) => ({
  channel: 'candles',
  seq: 7,
  data: bar(volume, startTime),
});
const BOOK = {
  channel: 'book',
  isSnapshot: true,
  seq: 11,
  data: { symbol: SYMBOL, seq: 11, ts: 1, bids: [['100.0', '1.0000']], asks: [['100.5', '1.0000']] },
};

/** Connected, at the book's place; the replica, which is behind it for the first few reads, lacks the last trades. */
function reconnected(readsBehind: number): Scene {
  const scene = aScene({
    market: [
      { channel: 'candles', symbol: SYMBOL, interval: '1m' },
      { channel: 'book', symbol: SYMBOL },
    ],
  });
  let reads = 0;
  scene.history.body = (name) => {
    if (!name.startsWith('candles')) return { kind: 'retry', why: 'not of this test' };
    const isBehind = reads++ < readsBehind;
    if (isBehind && name.endsWith(' at 11')) return { kind: 'retry', why: 'status 412' };
    return { kind: 'body', text: JSON.stringify({ candles: [bar(isBehind ? '1.0000' : '5.0000')] }) };
  };
  scene.stream.start();
  scene.socket().open();
  scene.socket().acknowledge();
  scene.socket().snapshots(10);
  return scene;
}

const shown = (scene: Scene) =>
  scene.of('CandleUpdated').map(({ candle: { startAtMs, volumeLots } }) => [startAtMs, volumeLots]);

test('a replica that is behind the subscription is asked again until it has the last trades', async () => {
  const scene = reconnected(2);
  scene.socket().frame(BOOK);
  await scene.advance(3_000);
  expect(scene.history.bodies.slice(0, 3)).toEqual(Array(3).fill('candles 500 at 11'));
  expect(shown(scene)).toEqual([[60_000, 50_000]]);
});

test('the place of a ledger that is gone is not asked for without an end', async () => {
  const scene = reconnected(Number.POSITIVE_INFINITY);
  scene.socket().frame(BOOK);
  for (let second = 0; second < 40; second++) {
    await scene.advance(1_000);
    scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
  }
  expect(scene.history.bodies.findLast((name) => name.startsWith('candles'))).toBe('candles 500');
  expect(shown(scene)).toEqual([[60_000, 10_000]]);
});

test('a frame in front of the acknowledgement does not hide the bars that were missed', async () => {
  const scene = reconnected(0);
  scene.socket().frame(BOOK);
  await scene.advance(10);
  scene.socket().close('cut');
  await scene.advance(300);
  scene.socket().open();
  scene.socket().frame(frame('1.0000', 180_000));
  scene.history.body = () => ({ kind: 'body', text: JSON.stringify({ candles: [bar('6.0000')] }) });
  scene.socket().acknowledge();
  scene.socket().frame(BOOK);
  await scene.advance(10);
  expect(shown(scene).slice(-2)).toEqual([
    [60_000, 60_000],
    [180_000, 10_000],
  ]);
});
