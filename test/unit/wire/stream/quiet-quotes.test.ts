/** @module Quotes that nobody changes: how often they are asked for (I25). */
import { describe, expect, test } from 'vitest';
import { aScene, EPOCH, type Scene } from './scripted.ts';

const SYMBOL = 'BTC-USD';
const MARKET = [
  { channel: 'book', symbol: SYMBOL },
  { channel: 'bbo', symbol: SYMBOL },
] as const;

type Quotes = (typeof MARKET)[number]['channel'];

const DATA: Record<Quotes, object> = {
  book: { symbol: SYMBOL, seq: 5, ts: 1, bids: [['100.0', '1.0000']], asks: [['100.5', '1.0000']] },
  bbo: { symbol: SYMBOL, ts: 1, bid: ['100.0', '1.0000'], ask: ['100.5', '1.0000'] },
};

function answer(scene: Scene, channel: Quotes): void {
  scene.socket().acknowledge(EPOCH, channel);
  scene.socket().frame({ channel, isSnapshot: true, seq: 5, data: DATA[channel] });
}

/** A synced account with both kinds of quotes. */
async function aMarket(quoteAgeMsMax?: number): Promise<Scene> {
  const scene = aScene({ market: MARKET, ...(quoteAgeMsMax === undefined ? {} : { quoteAgeMsMax }) });
  await scene.sync();
  for (const { channel } of MARKET) answer(scene, channel);
  return scene;
}

/** Lets time pass in which nothing changes and these channels answer; gives how often each was asked for, and the oldest quotes. */
async function rest(scene: Scene, ms: number, answering: readonly Quotes[]) {
  const asked = { book: 0, bbo: 0 };
  let oldestMs = 0;
  for (let passedMs = 0; passedMs < ms; passedMs += 50) {
    const before = { book: scene.socket().countOf('book'), bbo: scene.socket().countOf('bbo') };
    await scene.advance(50);
    if (passedMs % 1_000 === 0) scene.socket().frame({ channel: 'pong', data: { ts: scene.clock.nowMs() } });
    const shownAtMs = Math.max(
      ...scene.of('BookUpdated').map(({ book }) => book.receivedAtMs),
      ...scene.of('BboUpdated').map(({ bbo }) => bbo.receivedAtMs),
    );
    oldestMs = Math.max(oldestMs, scene.clock.nowMs() - shownAtMs);
    for (const channel of ['book', 'bbo'] as const) {
      if (scene.socket().countOf(channel) === before[channel]) continue;
      asked[channel]++;
      if (answering.includes(channel)) answer(scene, channel);
    }
  }
  return { ...asked, oldestMs };
}

describe('quiet quotes', () => {
  test('are asked for by the book and by the best quotes, since neither proves the other', async () => {
    const { book, bbo, oldestMs } = await rest(await aMarket(), 8_000, ['book', 'bbo']);
    for (const asked of [book, bbo]) {
      expect(asked).toBeGreaterThanOrEqual(7);
      expect(asked).toBeLessThanOrEqual(11);
    }
    expect(oldestMs).toBeLessThan(1_100);
  });

  test('are asked for by the best quotes where the book does not answer, before risk distrusts them', async () => {
    const { bbo, oldestMs } = await rest(await aMarket(), 8_000, ['bbo']);
    expect(bbo).toBeGreaterThanOrEqual(5);
    expect(oldestMs).toBeLessThan(2_000);
  });

  test.each([500, 1_000, 4_000, 20_000])('are asked for as often as an age of %i ms needs', async (ageMs) => {
    const { book, oldestMs } = await rest(await aMarket(ageMs), 3 * ageMs, ['book', 'bbo']);
    expect(oldestMs).toBeLessThan(ageMs);
    // Streams are looked at each 250 ms.
    expect(book).toBeLessThanOrEqual((3 * ageMs) / Math.max(250, 0.375 * ageMs));
  });

  test('are asked for by the best quotes where there is no book', async () => {
    const scene = aScene({ market: [MARKET[1]] });
    await scene.sync();
    answer(scene, 'bbo');
    const { bbo, oldestMs } = await rest(scene, 4_000, ['bbo']);
    expect(bbo).toBeGreaterThanOrEqual(3);
    expect(oldestMs).toBeLessThan(1_100);
  });
});
