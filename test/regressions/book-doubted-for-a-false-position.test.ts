/**
 * @module
 * Symptom: one frame of best quotes or of prices whose position in the log was false, far beyond its newest, made a book
 * doubted forever, since no book could reach that position: nothing was placed in its market any more, and no name said why.
 * Found by: `npm run prove -- swarm --seed 81`, in short with `--faults F76 --quirks A18=blocks-first` (I13, I31).
 */
import { expect, test } from 'vitest';
import { aScene, EPOCH, type Scene } from '../unit/wire/stream/scripted.ts';

const SYMBOL = 'BTC-USD';
const FAR = 900_000_000_000;
const MARKET = [
  { channel: 'book', symbol: SYMBOL },
  { channel: 'bbo', symbol: SYMBOL },
  { channel: 'prices' },
] as const;

function book(seq: number, bid = '100.0') {
  const sides = { bids: [[bid, '1.0000']], asks: [['100.5', '1.0000']] };
  return { channel: 'book', isSnapshot: true, seq, data: { symbol: SYMBOL, seq, ts: 1, ...sides } };
}

function bbo(seq: number, bid = '100.0') {
  const data = { symbol: SYMBOL, ts: 1, bid: [bid, '1.0000'], ask: ['100.5', '1.0000'] };
  return { channel: 'bbo', isSnapshot: true, seq, data };
}

function prices(seq: number, last = '100.0') {
  const none = { bestBid: null, bestAsk: null, indexPrice: null, openInterest: '0.0000' };
  const funding = { fundingRatePpm: 1, nextFundingTime: 2 };
  const published = { symbol: SYMBOL, markPrice: '100.0', lastPrice: last, ...none, ...funding };
  return { channel: 'prices', isSnapshot: true, seq, data: { prices: [published] } };
}

/** A market with quotes at 11; the frame comes, and books go on for 3 s, with what `after` gives in the second half. */
async function booksAfter(frame: object, after: (seq: number) => readonly object[]): Promise<Scene> {
  const scene = aScene({ market: MARKET });
  await scene.sync();
  for (const { channel } of MARKET) scene.socket().acknowledge(EPOCH, channel);
  for (const next of [book(11), bbo(11), prices(11), frame]) scene.socket().frame(next);
  for (let seq = 12; seq < 42; seq++) {
    await scene.advance(100);
    for (const next of [book(seq), ...(seq < 27 ? [] : after(seq))]) scene.socket().frame(next);
  }
  return scene;
}

/** How old the newest book is that was shown, ms. */
function ageMs(scene: Scene): number {
  const shown = scene.of('BookUpdated').at(-1)?.book.receivedAtMs ?? 0;
  return scene.clock.nowMs() - shown;
}

const FALSE = [
  ['best quotes', bbo(FAR, '99.5'), (seq: number) => [bbo(seq)]],
  [
    'best quotes, which others follow',
    bbo(FAR, '99.5'),
    (seq: number) => [bbo(seq, '99.0'), book(seq, '99.0')],
  ],
  ['a last price', prices(FAR, '99.0'), (seq: number) => [prices(seq, '99.0')]],
  ['a last price, which another follows', prices(FAR, '99.0'), (seq: number) => [prices(seq)]],
] as const;

test.each(FALSE)(
  'a false position of %s: the book is believed again after true ones',
  async (_name, frame, after) => {
    expect(ageMs(await booksAfter(frame, after))).toBeLessThan(200);
  },
);

test.each(FALSE)(
  'a later position of %s: the book is doubted while nothing else is heard',
  async (_name, frame) => {
    expect(ageMs(await booksAfter(frame, () => []))).toBeGreaterThan(1_500);
  },
);
