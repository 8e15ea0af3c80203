import { describe, expect, test } from 'vitest';
import { aScene, EPOCH, type Scene } from './scripted.ts';

const WAITING_TRADES_MAX = 10_000;

const SYMBOL = 'BTC-USD';
const LAGGED = { channel: 'lagged', data: { dropped: 1, epoch: EPOCH, upper: '10-65535-4294967295' } };

function book(fields: object = {}, isSnapshot = true): object {
  return {
    channel: 'book',
    isSnapshot,
    seq: 5,
    data: {
      symbol: SYMBOL,
      seq: 5,
      ts: 1,
      bids: [
        ['100.0', '1.0000'],
        ['99.5', '2.0000'],
      ],
      asks: [['100.5', '0.5000']],
      ...fields,
    },
  };
}

function trade(id: string, fields: object = {}): object {
  return { id, symbol: SYMBOL, side: 'buy', price: '100.0', size: '0.0100', ts: 1, ...fields };
}

function candle(startTime: number, volume = '1.0000'): object {
  return {
    symbol: SYMBOL,
    interval: '1m',
    startTime,
    open: '1.0',
    high: '2.0',
    low: '1.0',
    close: '2.0',
    volume,
    trades: 3,
  };
}

const candleFrame = (startTime: number, volume?: string) => ({
  channel: 'candles',
  seq: 1,
  data: candle(startTime, volume),
});
const tradeFrame = (id: string) => ({ channel: 'trades', seq: 1, data: trade(id) });
const body = (value: object) => ({ kind: 'body', text: JSON.stringify(value) }) as const;

async function synced(channel: 'book' | 'bbo' | 'trades' | 'funding' | 'prices' | 'candles'): Promise<Scene> {
  const params =
    channel === 'prices'
      ? { channel }
      : { channel, symbol: SYMBOL, ...(channel === 'candles' ? { interval: '1m' } : {}) };
  const scene = aScene({ market: [params] });
  await scene.sync();
  return scene;
}

async function reconnect(scene: Scene): Promise<void> {
  scene.socket().close('cut');
  await scene.advance(300);
  scene.socket().open();
  scene.socket().acknowledge();
  scene.socket().snapshots(20);
}

describe('a book', () => {
  test('is shown as integer levels in arrays, stamped with its arrival', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    const shown = scene.of('BookUpdated').at(-1)?.book;
    expect(shown).toMatchObject({ symbol: SYMBOL, bidCount: 2, askCount: 1, isFresh: true });
    expect([...(shown?.bidTicks.slice(0, 2) ?? [])]).toEqual([1_000, 995]);
    expect([...(shown?.askLots.slice(0, 1) ?? [])]).toEqual([5_000]);
    expect(shown?.receivedAtMs).toBe(scene.clock.nowMs());
  });

  test('is not shown before a snapshot has come (O91)', async () => {
    const scene = await synced('book');
    scene.socket().frame(book({}, false));
    expect(scene.of('BookUpdated')).toEqual([]);
    scene.socket().frame(book());
    scene.socket().frame(book({}, false));
    expect(scene.of('BookUpdated')).toHaveLength(2);
  });

  test('keeps its levels while a frame that is no snapshot comes after a reconnect (O91)', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    await reconnect(scene);
    scene.socket().frame(book({ bids: [['98.0', '1.0000']] }, false));
    const shown = scene.of('BookUpdated').at(-1)?.book;
    expect(shown).toMatchObject({ isFresh: false, bidCount: 2 });
    expect(shown?.bidTicks[0]).toBe(1_000);
    scene.socket().frame(book({ bids: [['98.0', '1.0000']] }));
    expect(shown).toMatchObject({ isFresh: true, bidCount: 1 });
  });

  test('is replaced whole by every frame, whatever the gap between their positions (A4, O92, O95)', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    scene.socket().frame({ ...book({ bids: [['98.0', '1.0000']] }, false), seq: 5_000_000 });
    const shown = scene.of('BookUpdated').at(-1)?.book;
    expect(shown?.bidCount).toBe(1);
    expect(shown?.bidTicks[0]).toBe(980);
    expect(scene.sockets).toHaveLength(1);
  });

  test.each([
    ['crosses', { asks: [['100.0', '1.0000']] }],
    [
      'is out of order',
      {
        bids: [
          ['99.0', '1.0000'],
          ['99.5', '1.0000'],
        ],
      },
    ],
    ['has a level without a size', { bids: [['99.0', '0.0000']] }],
    ['has more digits than the market', { bids: [['99.05', '1.0000']] }],
    ['has no list of asks', { asks: null }],
  ])('that %s makes the market stale until one that fits', async (_flaw, fields) => {
    const scene = await synced('book');
    scene.socket().frame(book());
    scene.socket().frame(book(fields, false));
    expect(scene.of('MarketStale')).toMatchObject([{ symbol: SYMBOL }]);
    expect(scene.of('BookUpdated')[0]?.book.isFresh).toBe(false);
    scene.socket().frame(book({}, false));
    expect(scene.of('BookUpdated')[0]?.book.isFresh).toBe(true);
  });

  test('may have an empty side', async () => {
    const scene = await synced('book');
    scene.socket().frame(book({ bids: [] }));
    expect(scene.of('BookUpdated').at(-1)?.book).toMatchObject({ bidCount: 0, askCount: 1, isFresh: true });
  });

  test('is stale from a lag until the next snapshot, which is asked for when it does not come (O98)', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    scene.socket().frame(LAGGED);
    expect(scene.of('MarketStale').at(-1)?.reason).toBe('lagged');
    scene.socket().frame(book({}, false));
    expect(scene.of('BookUpdated')).toHaveLength(1);
    await scene.advance(2_100);
    expect(scene.socket().countOf('book')).toBe(2);
    scene.socket().frame(book());
    expect(scene.of('BookUpdated')).toHaveLength(2);
  });

  test('is stale while its connection is gone', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    scene.socket().close('cut');
    expect(scene.of('MarketStale').at(-1)).toMatchObject({ reason: 'disconnected: cut' });
    expect(scene.of('BookUpdated')[0]?.book.isFresh).toBe(false);
  });

  test('that nobody changes is asked for, and as old as the last answer (I25)', async () => {
    const scene = await synced('book');
    scene.socket().frame(book());
    const sent = scene.of('BookUpdated')[0]?.book;
    for (let i = 0; i < 20; i++) {
      const asked = scene.socket().countOf('book');
      await scene.advance(250);
      if (scene.socket().countOf('book') > asked) {
        scene.socket().acknowledge(EPOCH, 'book');
        scene.socket().frame(book());
      }
      expect(scene.clock.nowMs() - (sent?.receivedAtMs ?? 0)).toBeLessThan(1_500);
    }
    expect(scene.of('BookUpdated').length).toBeLessThanOrEqual(8);
    const shownAtMs = sent?.receivedAtMs ?? 0;
    for (let i = 0; i < 6; i++) {
      await scene.advance(500);
      scene.socket().frame({ channel: 'pong', data: { ts: scene.clock.nowMs() } });
    }
    expect(sent?.receivedAtMs).toBe(shownAtMs);
  });

  test('of an unknown market is passed by', async () => {
    const scene = await synced('book');
    scene.socket().frame(book({ symbol: 'ETH-USD' }));
    expect(scene.of('BookUpdated')).toEqual([]);
    expect(scene.counts.get('stream_unsubscribed_frames_total')).toBe(1);
  });
});

describe('best quotes and prices', () => {
  const bbo = (fields: object, isSnapshot = true) => ({
    channel: 'bbo',
    isSnapshot,
    seq: 1,
    data: { symbol: SYMBOL, ts: 1, bid: ['100.0', '1.0000'], ask: ['100.5', '1.0000'], ...fields },
  });
  const price = (symbol: string, markPrice: string) => ({
    symbol,
    markPrice,
    indexPrice: null,
    lastPrice: null,
    bestBid: null,
    bestAsk: null,
    openInterest: '0.0000',
    fundingRatePpm: 1,
    nextFundingTime: 2,
  });
  const prices = (list: readonly object[], isSnapshot: boolean) => ({
    channel: 'prices',
    isSnapshot,
    seq: 1,
    data: { prices: list },
  });

  test('are shown from the first snapshot on, an empty side as nothing', async () => {
    const scene = await synced('bbo');
    scene.socket().frame(bbo({}, false));
    scene.socket().frame(bbo({ bid: null }));
    expect(scene.of('BboUpdated').map(({ bbo: quotes }) => quotes.bidTicks)).toEqual([undefined]);
    scene.socket().frame(bbo({ bid: ['101.0', '1.0000'] }, false));
    expect(scene.of('MarketStale')).toHaveLength(1);
  });

  test('of a market that nobody changes are asked for and stay its quotes (I25)', async () => {
    const scene = await synced('bbo');
    scene.socket().frame(bbo({}));
    await scene.advance(1_200);
    expect(scene.socket().countOf('bbo')).toBe(2);
    scene.socket().acknowledge(EPOCH, 'bbo');
    scene.socket().frame(bbo({}));
    const [first, second] = scene.of('BboUpdated');
    expect(second?.bbo).toEqual({ ...first?.bbo, receivedAtMs: scene.clock.nowMs() });
  });

  test('of prices are updated market by market between snapshots (A4)', async () => {
    const scene = await synced('prices');
    scene.socket().frame(prices([price('BTC-USD', '1.0')], false));
    expect(scene.of('PricesUpdated')).toEqual([]);
    scene.socket().frame(prices([price('BTC-USD', '1.0'), price('ETH-USD', '2.0')], true));
    scene.socket().frame(prices([price('ETH-USD', '3.0')], false));
    expect(scene.of('PricesUpdated').map(({ prices: { symbol, markTicks } }) => [symbol, markTicks])).toEqual(
      [
        ['BTC-USD', 10],
        ['ETH-USD', 20],
        ['ETH-USD', 30],
      ],
    );
  });

  test('of prices are shown for the markets that are known when others are not', async () => {
    const scene = await synced('prices');
    scene.socket().frame(prices([price('NONE-USD', '1.0'), price('BTC-USD', '2.0')], true));
    expect(scene.of('PricesUpdated').map(({ prices: { symbol } }) => symbol)).toEqual(['BTC-USD']);
  });

  test('of prices are gone for a market that a snapshot leaves out', async () => {
    const scene = await synced('prices');
    scene.socket().frame(prices([price('BTC-USD', '1.0'), price('ETH-USD', '2.0')], true));
    scene.socket().frame(prices([price('ETH-USD', '2.0')], true));
    expect(scene.of('MarketStale').map(({ symbol }) => symbol)).toEqual(['BTC-USD']);
  });
});

describe('trades', () => {
  const ids = (scene: Scene) => scene.of('TradePrinted').map(({ trade: { id } }) => id);

  test('are shown once each', async () => {
    const scene = await synced('trades');
    for (const id of ['9-0-0', '10-0-0', '10-0-0', '10-0-1']) scene.socket().frame(tradeFrame(id));
    expect(ids(scene)).toEqual(['9-0-0', '10-0-0', '10-0-1']);
    expect(scene.history.bodies).toEqual([]);
  });

  test('that were missed are fetched and shown before the live ones that waited (O103)', async () => {
    const scene = await synced('trades');
    scene.socket().frame(tradeFrame('9-0-0'));
    scene.history.body = () => body({ trades: [trade('12-0-0'), trade('10-0-0'), trade('9-0-0')] });
    await reconnect(scene);
    scene.socket().frame(tradeFrame('12-0-0'));
    scene.socket().frame(tradeFrame('13-0-0'));
    await scene.advance(10);
    expect(ids(scene)).toEqual(['9-0-0', '10-0-0', '12-0-0', '13-0-0']);
  });

  test('that wait are kept over a second interruption', async () => {
    const scene = await synced('trades');
    scene.socket().frame(tradeFrame('9-0-0'));
    await reconnect(scene);
    scene.socket().frame(tradeFrame('12-0-0'));
    await reconnect(scene);
    scene.history.body = () => body({ trades: [trade('12-0-0'), trade('11-0-0')] });
    await scene.advance(5_000);
    expect(ids(scene)).toEqual(['9-0-0', '11-0-0', '12-0-0']);
  });

  test('go on without history when too many wait for it', async () => {
    const scene = await synced('trades');
    scene.socket().frame(tradeFrame('9-0-0'));
    await reconnect(scene);
    for (let i = 0; i <= WAITING_TRADES_MAX; i++) scene.socket().frame(tradeFrame(`${20 + i}-0-0`));
    expect(ids(scene)).toHaveLength(WAITING_TRADES_MAX + 2);
    expect(scene.counts.get('stream_trade_gaps_total')).toBe(1);
  });

  test('are fetched again with growing pauses while the gateway cannot (O118)', async () => {
    const scene = await synced('trades');
    scene.socket().frame(tradeFrame('9-0-0'));
    await reconnect(scene);
    for (let i = 0; i < 60; i++) {
      scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
      await scene.advance(1_000);
    }
    const asked = scene.history.bodies.filter((name) => name === 'trades');
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThan(40);
  });
});

describe('candles', () => {
  const shown = (scene: Scene) =>
    scene
      .of('CandleUpdated')
      .map(({ candle: { startAtMs, volumeLots }, isHistory }) => [startAtMs, volumeLots, isHistory]);

  test('begin with history, then the live bars that waited', async () => {
    const scene = aScene({ market: [{ channel: 'candles', symbol: SYMBOL, interval: '1m' }] });
    scene.history.body = () => body({ candles: [candle(60_000), candle(120_000)] });
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge();
    scene.socket().frame(candleFrame(120_000, '5.0000'));
    await scene.advance(10);
    expect(shown(scene)).toEqual([
      [60_000, 10_000, true],
      [120_000, 50_000, false],
    ]);
    expect(scene.history.bodies).toEqual(['candles 500 at 1']);
  });

  test('are replaced by the latest state of their bar, volumes never added (O94)', async () => {
    const scene = await synced('candles');
    scene.history.body = () => body({ candles: [] });
    await scene.advance(5_000);
    for (let i = 1; i <= 100; i++) scene.socket().frame(candleFrame(180_000, `${i}.0000`));
    expect(shown(scene).at(-1)).toEqual([180_000, 1_000_000, false]);
  });

  test('that were missed are fetched after a reconnect, no more than may have begun', async () => {
    const scene = await synced('candles');
    scene.history.body = () => body({ candles: [] });
    await scene.advance(5_000);
    const start = Math.floor(scene.clock.nowMs() / 60_000) * 60_000;
    scene.socket().frame(candleFrame(start, '1.0000'));
    scene.history.bodies.length = 0;
    scene.history.body = () => body({ candles: [candle(start - 60_000), candle(start, '7.0000')] });
    await reconnect(scene);
    // No frame tells a place.
    await scene.advance(1_010);
    expect(scene.history.bodies).toEqual(['candles 3']);
    expect(shown(scene).slice(-1)).toEqual([[start, 70_000, true]]);
  });

  test('that were missed are fetched though a bar came that begins tomorrow', async () => {
    const scene = await synced('candles');
    scene.history.body = () => body({ candles: [] });
    await scene.advance(5_000);
    const start = Math.floor(scene.clock.nowMs() / 60_000) * 60_000;
    scene.socket().frame(candleFrame(start + 86_400_000));
    scene.history.bodies.length = 0;
    scene.history.body = () => body({ candles: [candle(start - 60_000), candle(start, '7.0000')] });
    await reconnect(scene);
    await scene.advance(1_010);
    expect(scene.history.bodies).toEqual(['candles 500']);
    expect(
      shown(scene)
        .slice(-2)
        .map(([at]) => at),
    ).toEqual([start - 60_000, start]);
  });
});

describe('funding', () => {
  const settled = (ts: number) => ({
    channel: 'funding',
    seq: 1,
    data: { symbol: SYMBOL, ratePpm: 10, indexPrice: '1.0', ts },
  });

  test('is shown once for each settlement, missed ones fetched (O103)', async () => {
    const scene = await synced('funding');
    scene.socket().frame(settled(1_000));
    scene.socket().frame(settled(1_000));
    scene.history.body = () => body({ funding: [settled(1_000).data, settled(2_000).data] });
    await reconnect(scene);
    scene.socket().frame(settled(3_000));
    await scene.advance(10);
    expect(scene.of('FundingSettled').map(({ funding: { atMs } }) => atMs)).toEqual([1_000, 2_000, 3_000]);
  });
});
