/** @module A book that was held back counted as fresh while frames of the account came (F20, I25): seed 1037 of the swarm. */
import { expect, test } from 'vitest';
import { ADDRESS, aScene, EPOCH, type Scene } from '../unit/wire/stream/scripted.ts';

const BOOK = {
  channel: 'book',
  isSnapshot: true,
  seq: 11,
  data: { symbol: 'BTC-USD', seq: 11, ts: 1, bids: [['100.0', '1.0000']], asks: [['100.5', '1.0000']] },
};
const ORDERS = {
  channel: 'orders',
  ...{ address: ADDRESS, subaccount: 0, epoch: EPOCH },
  isSnapshot: true,
  seq: 12,
  data: { orders: [] },
};

function aBook(): Scene {
  const scene = aScene({ market: [{ channel: 'book', symbol: 'BTC-USD' }] });
  scene.stream.start();
  scene.socket().open();
  scene.socket().acknowledge();
  scene.socket().frame(BOOK);
  return scene;
}

const asked = (scene: Scene) => scene.socket().countOf('book') - 1;
const shown = (scene: Scene) => scene.of('BookUpdated').length;

test('frames of the account do not confirm a quiet book, and the exchange is asked (I25, F20)', async () => {
  const scene = aBook();
  const before = shown(scene);
  expect(before).toBe(1);
  for (let i = 0; i < 12; i++) {
    await scene.advance(250);
    scene.socket().frame(ORDERS);
  }
  expect(shown(scene)).toBe(before);
  // Once, until it is answered or the answer is late.
  expect(asked(scene)).toBe(1);
  expect(scene.socket().isClosed).toBe(false);
});

test('neither do trades, seed 2008 of the swarm', async () => {
  const scene = aBook();
  const before = shown(scene);
  const trade = {
    id: '1-0-1',
    symbol: 'BTC-USD',
    side: 'buy',
    price: '100.5',
    size: '0.0100',
    ts: 1,
    seq: 1,
  };
  for (let i = 0; i < 12; i++) {
    await scene.advance(250);
    scene.socket().frame({ channel: 'trades', seq: 12 + i, data: trade });
  }
  expect(shown(scene)).toBe(before);
  expect(asked(scene)).toBe(1);
});

test('neither does a pong, but the snapshot that was asked for', async () => {
  const scene = aBook();
  const before = shown(scene);
  for (let i = 0; i < 8; i++) {
    await scene.advance(250);
    scene.socket().frame(ORDERS);
  }
  scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
  await scene.advance(600);
  expect(shown(scene)).toBe(before);
  scene.socket().acknowledge(EPOCH, 'book');
  scene.socket().frame(BOOK);
  expect(shown(scene)).toBe(before + 1);
});
