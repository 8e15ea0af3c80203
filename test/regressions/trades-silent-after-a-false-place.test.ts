/**
 * @module
 * Symptom: one public trade whose place in the log was false, far beyond its newest, hid all true trades after it from
 * strategies and tapes until the bot was started again; so did a new ledger, whose log begins at its start, and of settlements of
 * funding one false time. Such a trade or fill that spoke against its market's book made that doubted forever.
 * Found by: reading who else remembers a newest position after a frame of best quotes had made a book doubted forever.
 */
import { describe, expect, test } from 'vitest';
import { accountFrame, aFill, aScene, EPOCH, type Scene, statesAt } from '../unit/wire/stream/scripted.ts';

const SYMBOL = 'BTC-USD';
const FAR = 900_000_000_000;
const MARKET = [
  { channel: 'book', symbol: SYMBOL },
  { channel: 'trades', symbol: SYMBOL },
  { channel: 'funding', symbol: SYMBOL },
] as const;

function trade(seq: number, price = '100.0') {
  return { id: `${seq}-0-0`, symbol: SYMBOL, side: 'buy', price, size: '0.0100', ts: 1 };
}

const tradeFrame = (seq: number, price?: string) => ({ channel: 'trades', seq, data: trade(seq, price) });

function bookFrame(seq: number) {
  const sides = { bids: [['100.0', '1.0000']], asks: [['100.5', '1.0000']] };
  return { channel: 'book', isSnapshot: true, seq, data: { symbol: SYMBOL, seq, ts: 1, ...sides } };
}

const settled = (ts: number) => ({ symbol: SYMBOL, ratePpm: 10, indexPrice: '1.0', ts });
const fundingFrame = (ts: number) => ({ channel: 'funding', seq: 1, data: settled(ts) });

/** A scene whose exchange lists these entries. */
async function aMarket(lists: { trades?: () => readonly object[]; funding?: () => readonly object[] }) {
  const scene = aScene({ market: MARKET });
  await scene.sync();
  for (const { channel } of MARKET) scene.socket().acknowledge(EPOCH, channel);
  const states = scene.history.body;
  scene.history.body = (name) => {
    const list = name === 'trades' || name === 'funding' ? lists[name] : undefined;
    return list === undefined
      ? states(name)
      : { kind: 'body', text: JSON.stringify({ [name]: [...list()].reverse() }) };
  };
  return scene;
}

const shown = (scene: Scene) => scene.of('TradePrinted').map(({ trade: { id } }) => Number.parseInt(id, 10));

/** Books go on for so long, and are shown if nothing speaks against them. */
async function booksFor(scene: Scene, { from, seconds }: { from: number; seconds: number }): Promise<void> {
  for (let step = 0; step < seconds * 10; step++) {
    scene.socket().frame(bookFrame(from + step));
    await scene.advance(100);
  }
}

describe('a trade with a false place', () => {
  test('hides none after it: what the list has in between is shown, once, in order', async () => {
    const list = [trade(9), trade(10), trade(11)];
    const scene = await aMarket({ trades: () => list });
    for (const seq of [9, FAR, 11]) scene.socket().frame(tradeFrame(seq));
    await scene.advance(1_000);
    scene.socket().frame(tradeFrame(12));
    list.push(trade(12));
    await scene.advance(4_000);
    scene.socket().frame(tradeFrame(13));
    expect(shown(scene)).toEqual([9, FAR, 10, 11, 12, 13]);
    expect(scene.counts.get('stream_trade_gaps_total')).toBeUndefined();
  });

  test('is given up again, however often one comes', async () => {
    const list = [trade(9)];
    const scene = await aMarket({ trades: () => list });
    scene.socket().frame(tradeFrame(9));
    for (let seq = 10; seq < 15; seq++) {
      list.push(trade(seq));
      scene.socket().frame(tradeFrame(FAR + seq));
      scene.socket().frame(tradeFrame(seq));
      await scene.advance(5_000);
    }
    expect(shown(scene).filter((seq) => seq < FAR)).toEqual([9, 10, 11, 12, 13, 14]);
  });

  test('that is the first one hides none, and brings none from before it', async () => {
    const scene = await aMarket({ trades: () => [trade(7), trade(8), trade(9), trade(10)] });
    for (const seq of [FAR, 10]) scene.socket().frame(tradeFrame(seq));
    await scene.advance(5_000);
    expect(shown(scene)).toEqual([FAR, 10]);
  });

  test('that is too low is a gap, and moves nothing', async () => {
    const scene = await aMarket({ trades: () => [trade(9), trade(10)] });
    for (const seq of [9, 10, 3, 11]) scene.socket().frame(tradeFrame(seq));
    await scene.advance(5_000);
    expect(shown(scene)).toEqual([9, 10, 11]);
    expect(scene.counts.get('stream_trade_gaps_total')).toBe(1);
  });

  test('leaves the book believed within seconds, though no other trade follows', async () => {
    const scene = await aMarket({ trades: () => [trade(9), trade(10, '99.0')] });
    scene.socket().frame(bookFrame(9));
    for (const frame of [tradeFrame(9), tradeFrame(FAR, '99.0')]) scene.socket().frame(frame);
    await booksFor(scene, { from: 11, seconds: 3 });
    expect(scene.of('MarketStale').at(-1)?.reason).toContain('a trade is beyond its best price');
    await booksFor(scene, { from: 41, seconds: 4 });
    const newest = scene.of('BookUpdated').at(-1)?.book;
    expect(scene.clock.nowMs() - (newest?.receivedAtMs ?? 0)).toBeLessThan(200);
  });

  test('that is true leaves a book doubted that does not follow', async () => {
    const scene = await aMarket({ trades: () => [trade(9), trade(500, '99.0')] });
    scene.socket().frame(bookFrame(9));
    for (const frame of [tradeFrame(9), tradeFrame(500, '99.0')]) scene.socket().frame(frame);
    await booksFor(scene, { from: 11, seconds: 7 });
    const newest = scene.of('BookUpdated').at(-1)?.book;
    expect(scene.clock.nowMs() - (newest?.receivedAtMs ?? 0)).toBeGreaterThan(4_000);
  });
});

test('a new ledger whose log begins at its start: its trades are shown', async () => {
  const list = [trade(500), trade(501)];
  const scene = await aMarket({ trades: () => list });
  for (const seq of [500, 501]) scene.socket().frame(tradeFrame(seq));
  list.splice(0, 2, trade(3), trade(4));
  for (const seq of [4, 5]) scene.socket().frame(tradeFrame(seq));
  list.push(trade(5));
  await scene.advance(5_000);
  scene.socket().frame(tradeFrame(6));
  expect(shown(scene)).toEqual([500, 501, 4, 5, 6]);
});

test('trades that come twice ask for no list', async () => {
  const scene = await aMarket({ trades: () => [] });
  for (const seq of [9, 10, 9, 10, 11]) scene.socket().frame(tradeFrame(seq));
  await scene.advance(1_000);
  expect(shown(scene)).toEqual([9, 10, 11]);
  expect(scene.history.bodies).not.toContain('trades');
});

test('a fill with a false place does not speak against the book', async () => {
  const scene = await aMarket({});
  scene.history.body = statesAt(20);
  scene.socket().frame(bookFrame(11));
  scene.socket().frame(accountFrame('fills', FAR, aFill(`${FAR}-0-0`, { price: '99.0' })));
  await booksFor(scene, { from: 12, seconds: 4 });
  expect(scene.of('MarketStale').map(({ reason }) => reason)).not.toContain(
    'the book cannot be right: a fill is beyond its best price',
  );
});

test('a settlement of funding with a false time hides none after it', async () => {
  const list = [settled(1_000), settled(2_000)];
  const scene = await aMarket({ funding: () => list });
  for (const ts of [1_000, 9_000_000_000_000, 2_000]) scene.socket().frame(fundingFrame(ts));
  await scene.advance(5_000);
  scene.socket().frame(fundingFrame(3_000));
  expect(scene.of('FundingSettled').map(({ funding: { atMs } }) => atMs)).toEqual([
    1_000, 9_000_000_000_000, 2_000, 3_000,
  ]);
});
