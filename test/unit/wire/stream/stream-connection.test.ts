import { describe, expect, test } from 'vitest';
import { ACCOUNT_CHANNELS } from '../../../../src/wire/stream/subscriptions.ts';
import { accountFrame, aScene, EPOCH, type Scene } from './scripted.ts';

const BOOK = { channel: 'book', symbol: 'BTC-USD' } as const;

function opened(market: Parameters<typeof aScene>[0] = {}): Scene {
  const scene = aScene(market);
  scene.stream.start();
  scene.socket().open();
  return scene;
}

const pending = (scene: Scene) => scene.stream.state().connections[0]?.pending;

/** Lets time pass on an account that answers until the book is asked for again. */
async function untilBookAsked(scene: Scene): Promise<void> {
  const asked = scene.socket().countOf('book');
  for (let i = 0; i < 20 && scene.socket().countOf('book') === asked; i++) {
    scene.socket().frame({ channel: 'pong', data: { ts: scene.clock.nowMs() } });
    scene.socket().acknowledge(EPOCH, 'orders');
    scene.socket().frame(accountFrame('orders', 10, { orders: [] }, { isSnapshot: true }));
    await scene.advance(250);
  }
  expect(scene.socket().countOf('book')).toBe(asked + 1);
}

describe('subscriptions of a connection', () => {
  test('are JSON text with method, params and id, history before state (O85)', () => {
    const scene = opened({ market: [BOOK] });
    const sent = scene.socket().sent;
    expect(sent.map(({ method }) => method)).toEqual(Array(6).fill('subscribe'));
    expect(sent.map(({ params }) => params?.channel)).toEqual([...ACCOUNT_CHANNELS, 'book']);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(6);
  });

  test('are unsubscribed from with the same params before they are asked for again (O85)', async () => {
    const scene = opened({ market: [BOOK] });
    scene.socket().acknowledge();
    await scene.advance(2_500);
    const unsubscribed = scene
      .socket()
      .sent.find(({ method, params }) => method === 'unsubscribe' && params?.channel === 'book');
    expect(unsubscribed?.params).toEqual(BOOK);
    expect(scene.socket().countOf('book')).toBe(2);
  });

  test('are acknowledged by id and params, whether defaults are spelled out or not (O86)', () => {
    const scene = opened({ market: [BOOK] });
    const id = scene.socket().subscribed().get('book BTC-USD ')?.id;
    expect(pending(scene)).toBe(6);
    scene.socket().frame({ channel: 'subscribed', data: { ...BOOK, depth: 50 }, epoch: EPOCH, id });
    expect(pending(scene)).toBe(6);
    scene.socket().frame({ channel: 'subscribed', data: BOOK, epoch: EPOCH, id: 4_711 });
    expect(pending(scene)).toBe(6);
    scene.socket().frame({ channel: 'subscribed', data: { ...BOOK, depth: 20 }, epoch: EPOCH, id });
    expect(pending(scene)).toBe(5);
  });

  test('are asked for again when the acknowledgement is missing, and a late one counts once (O86)', async () => {
    const scene = opened({ market: [BOOK] });
    const first = scene.socket().subscribed().get('book BTC-USD ')?.id;
    scene.socket().acknowledge(EPOCH, 'orders');
    scene.socket().snapshots(10);
    await scene.advance(3_500);
    expect(scene.socket().countOf('book')).toBe(2);
    expect(scene.socket().countOf('orders')).toBe(1);
    scene.socket().frame({ channel: 'subscribed', data: BOOK, epoch: EPOCH, id: first });
    expect(pending(scene)).toBe(4);
    scene.socket().acknowledge(EPOCH, 'book');
    expect(pending(scene)).toBe(4);
  });

  test('that are asked for again each second forget their oldest ids', async () => {
    const scene = aScene({ market: [BOOK] });
    await scene.sync();
    const first = scene.socket().subscribed().get('book BTC-USD ')?.id;
    const book = {
      symbol: 'BTC-USD',
      seq: 5,
      ts: 1,
      bids: [['100.0', '1.0000']],
      asks: [['100.5', '1.0000']],
    };
    const answer = (): void => {
      scene.socket().acknowledge(EPOCH, 'book');
      scene.socket().frame({ channel: 'book', isSnapshot: true, seq: 5, data: book });
    };
    answer();
    await untilBookAsked(scene);
    scene.socket().frame({ channel: 'subscribed', data: BOOK, epoch: EPOCH, id: first });
    expect(pending(scene)).toBe(0);
    answer();
    for (let i = 0; i < 150; i++) {
      await untilBookAsked(scene);
      if (i < 149) answer();
    }
    expect(scene.sockets).toHaveLength(1);
    expect(pending(scene)).toBe(1);
    scene.socket().frame({ channel: 'subscribed', data: BOOK, epoch: EPOCH, id: first });
    expect(pending(scene)).toBe(1);
    answer();
    expect(pending(scene)).toBe(0);
  });

  test('end the connection when they are never acknowledged', async () => {
    const scene = opened({ market: [BOOK] });
    for (let i = 0; i < 20; i++) {
      await scene.advance(1_000);
      scene.sockets[0]?.frame({ channel: 'pong', data: { ts: 1 } });
    }
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(scene.sockets.length).toBeGreaterThan(1);
  });

  test('survive an error frame: no reconnect, only the named one is asked for again later (O87)', async () => {
    const scene = opened({ market: [BOOK] });
    const id = scene.socket().subscribed().get('book BTC-USD ')?.id;
    scene.socket().frame({ channel: 'error', data: { code: 'Unavailable', message: 'later' }, id });
    scene.socket().frame({ channel: 'error', data: { code: 'InternalError', message: 'no id' } });
    for (const channel of ACCOUNT_CHANNELS) scene.socket().acknowledge(EPOCH, channel);
    scene.socket().snapshots(10);
    await scene.advance(4_000);
    expect(scene.socket().countOf('book')).toBe(1);
    await scene.advance(1_500);
    expect(scene.socket().countOf('book')).toBe(2);
    expect(scene.sockets).toHaveLength(1);
    expect(scene.counts.get('stream_error_frames_total')).toBe(2);
  });

  test('are split over connections above 200, the account’s on the first (O88)', () => {
    const market = Array.from({ length: 450 }, (_none, i) => ({
      channel: 'book' as const,
      symbol: `M${i}-USD`,
    }));
    const scene = aScene({ market });
    scene.stream.start();
    for (const socket of scene.sockets) socket.open();
    const counts = scene.sockets.map((socket) => socket.subscribed().size);
    expect(counts).toEqual([200, 200, 55]);
    expect(scene.sockets[0]?.countOf('orders')).toBe(1);
  });
});

describe('what a gateway would refuse', () => {
  test.each([
    ['a book depth of 0', { channel: 'book', symbol: 'BTC-USD', depth: 0 }],
    ['a book depth of 101', { channel: 'book', symbol: 'BTC-USD', depth: 101 }],
    ['a book depth that is no integer', { channel: 'book', symbol: 'BTC-USD', depth: 1.5 }],
    ['an unknown candle interval', { channel: 'candles', symbol: 'BTC-USD', interval: '2m' }],
    ['candles without an interval', { channel: 'candles', symbol: 'BTC-USD' }],
    ['a book without a symbol', { channel: 'book' }],
  ] as const)('is refused here: %s (O111)', (_what, params) => {
    expect(() => aScene({ market: [params] })).toThrow(
      /STREAM_SUBSCRIPTION_INVALID|expected the subscription/,
    );
  });

  test('is refused here: two depths of one book', () => {
    expect(() => aScene({ market: [BOOK, { ...BOOK, depth: 5 }] })).toThrow(/expected one subscription/);
  });
});

describe('the heartbeat of a connection', () => {
  test('pings at least every 20 s however busy the feed is (O89)', async () => {
    const scene = aScene();
    await scene.sync();
    for (let i = 0; i < 700; i++) {
      await scene.advance(100);
      scene.socket().frame({ channel: 'events', seq: 1, epoch: EPOCH, data: { id: '1-0-0', kind: 'X' } });
      if (i % 100 === 0) scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
    }
    const { sentAtMs } = scene.socket();
    const gaps = sentAtMs.slice(1).map((at, i) => at - (sentAtMs[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(25_000);
    expect(scene.socket().pings()).toBeGreaterThanOrEqual(3);
    expect(scene.sockets).toHaveLength(1);
  });

  test('finds a black hole within 10 s of the last frame (O90)', async () => {
    const scene = aScene();
    await scene.sync();
    await scene.advance(9_990);
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(scene.of('AccountDegraded').at(-1)?.reason).toMatch(/half-open/);
  });

  test('finds a black hole that opens behind a ping’s answer', async () => {
    const scene = aScene();
    await scene.sync();
    await scene.advance(4_500);
    scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
    scene.socket().frame({ channel: 'events', seq: 1, epoch: EPOCH, data: { id: '1-0-0', kind: 'X' } });
    await scene.advance(10_000);
    expect(scene.sockets[0]?.isClosed).toBe(true);
  });

  test('leaves a connection that sends but never answers pings, within 45 s (O90)', async () => {
    const scene = aScene();
    await scene.sync();
    for (let i = 0; i < 450; i++) {
      await scene.advance(100);
      scene.sockets[0]?.frame({ channel: 'events', seq: 1, epoch: EPOCH, data: { id: '1-0-0', kind: 'X' } });
    }
    expect(scene.sockets[0]?.isClosed).toBe(true);
  });

  test('gives a reading of the exchange’s clock with each unambiguous pong', async () => {
    const scene = aScene();
    await scene.sync();
    await scene.advance(4_500);
    await scene.advance(30);
    scene.socket().frame({ channel: 'pong', data: { ts: 1_767_700_024_777 } });
    const [pong] = scene.pongs;
    expect(pong?.serverMs).toBe(1_767_700_024_777);
    expect((pong?.receivedAtMs ?? 0) - (pong?.sentAtMs ?? 0)).toBeGreaterThanOrEqual(30);
    scene.socket().frame({ channel: 'pong', data: { ts: 1_767_700_024_778 } });
    expect(scene.pongs).toHaveLength(1);
  });
});

describe('a connection that ends', () => {
  test('comes back with growing, jittered pauses and subscribes to everything (O108)', async () => {
    const scene = opened({ market: [BOOK] });
    const opened_: number[] = [];
    for (let i = 0; i < 8; i++) {
      scene.socket().close('flap');
      const before = scene.sockets.length;
      const from = scene.clock.monotonicMs();
      while (scene.sockets.length === before) await scene.advance(10);
      opened_.push(scene.clock.monotonicMs() - from);
      scene.socket().open();
      expect(scene.socket().subscribed().size).toBe(6);
    }
    expect(opened_[0]).toBeLessThanOrEqual(210);
    expect(Math.max(...opened_)).toBeLessThanOrEqual(4_010);
    expect(opened_.at(-1)).toBeGreaterThan(1_500);
  });

  test('passes what comes over an old socket by', async () => {
    const scene = aScene();
    await scene.sync();
    const [old] = scene.sockets;
    scene.socket().close('cut');
    await scene.advance(300);
    const before = scene.facts.length;
    old?.snapshots(99);
    expect(scene.facts).toHaveLength(before);
  });

  test('is not opened again after a stop', async () => {
    const scene = aScene();
    await scene.sync();
    scene.stream.stop();
    await scene.advance(20_000);
    expect(scene.sockets).toHaveLength(1);
    expect(scene.stream.lastActivityMs()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('frames that cannot be read', () => {
  test('are counted and leave the connection open when they are about a market', async () => {
    const scene = aScene({ market: [BOOK] });
    await scene.sync();
    scene.socket().frame('{"channel":"trades","data":{"symbol":"BTC-USD"}}');
    scene.socket().frame('{"channel":"weather","data":{}}');
    expect(scene.counts.get('stream_malformed_frames_total')).toBe(1);
    expect(scene.counts.get('stream_unknown_frames_total')).toBe(1);
    expect(scene.stream.state().account.isSynced).toBe(true);
  });

  test('end the connection when a fill may have been in them', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame('{"channel":"fills","data":{"id":"11-0-0"}}');
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(scene.stream.state().account.isSynced).toBe(false);
  });

  test('end the account’s connection when they are no JSON at all', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame('{"chan');
    expect(scene.sockets[0]?.isClosed).toBe(true);
  });

  test('are on the tap as they came, before anyone acts on them', async () => {
    const scene = aScene();
    await scene.sync();
    const before = scene.taps.length;
    scene.socket().frame('{"chan');
    expect(scene.taps.slice(before)).toEqual(['{"chan']);
  });
});
