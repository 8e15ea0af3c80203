/**
 * @module
 * G13: our book of price levels beside ccxt's `OrderBook` on the same deltas, numbers in both. Both must end with the
 * same levels.
 */
import { seededRandom } from '../../src/core/index.ts';
import { LevelBook, type Lots, type Ticks } from '../../src/domain/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../measure.ts';
import { installPeers, loadCcxtOrderBook } from '../peers.ts';
import { showTable } from '../show.ts';

const DELTAS = 400_000;
const ROUNDS_MAX = 7;
const PEER = 'ccxt OrderBook.store';
const OURS = 'ballast';
const LIMIT: Limit = {
  id: 'G13',
  what: 'level book updates a second, to ccxt OrderBook',
  limit: 8,
  better: 'higher',
};
const PRICE_SCALE = 10;
const SIZE_SCALE = 10_000;

/** Deltas in columns. Prices in tenths, sizes in ten-thousandths, as ours takes them. */
interface Deltas {
  readonly isBid: Uint8Array;
  readonly price: Int32Array;
  readonly size: Int32Array;
}

interface PeerSide extends ReadonlyArray<readonly [number, number]> {
  store(price: number, size: number): void;
}

interface PeerBook {
  readonly bids: PeerSide;
  readonly asks: PeerSide;
}

/** Measures G13. */
export async function levelBook({ rounds }: Effort): Promise<GroupResult> {
  const absent = installPeers();
  if (absent !== undefined) return { goals: [missed(LIMIT, absent)], figures: {} };
  const { OrderBook: Peer } = await loadCcxtOrderBook<{
    OrderBook: new (snapshot: object, depth: number) => PeerBook;
  }>();
  const deltas = randomDeltas();
  const peer = runPeer(new Peer({}, 1000), deltas);
  const own = runOwn(new LevelBook(), deltas);
  if (levelsOfPeer(peer) !== levelsOfOwn(own)) {
    return { goals: [missed(LIMIT, 'the books end with other levels')], figures: {} };
  }

  const samples = new Samples();
  const runs = [
    [PEER, () => void runPeer(new Peer({}, 1000), deltas)],
    [OURS, () => void runOwn(new LevelBook(), deltas)],
  ] as const;
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
    for (const [name, run] of inTurn(runs, round)) {
      samples.add(name, ((await timeMs(run, 1)) * 1000) / DELTAS);
    }
  }
  showTable(`G13 one delta into a level book (${DELTAS} deltas, end books identical)`, samples.rows(PEER));
  return {
    goals: [reached(LIMIT, samples.ratio(PEER, OURS))],
    figures: Object.fromEntries(
      samples.names().map((name) => [`G13 ${name}, M updates/s`, rounded(1 / samples.median(name))]),
    ),
  };
}

/** Deltas within 60 ticks of a wandering middle; 35 % remove a level. */
function randomDeltas(): Deltas {
  const random = seededRandom('deltas');
  const deltas = {
    isBid: new Uint8Array(DELTAS),
    price: new Int32Array(DELTAS),
    size: new Int32Array(DELTAS),
  };
  let middle = 665_536;
  for (let at = 0; at < DELTAS; at++) {
    if (random.chance(0.02)) middle += random.chance(0.5) ? 1 : -1;
    const isBid = random.chance(0.5);
    const distance = 1 + Math.floor(random.next() * random.next() * 60);
    deltas.isBid[at] = isBid ? 1 : 0;
    deltas.price[at] = isBid ? middle - distance : middle + distance;
    deltas.size[at] = random.chance(0.35) ? 0 : random.integer(1, 50_000);
  }
  return deltas;
}

function runPeer(book: PeerBook, { isBid, price, size }: Deltas): PeerBook {
  for (let at = 0; at < DELTAS; at++) {
    const side = isBid[at] === 1 ? book.bids : book.asks;
    side.store(price[at]! / PRICE_SCALE, size[at]! / SIZE_SCALE);
  }
  return book;
}

function runOwn(book: LevelBook, { isBid, price, size }: Deltas): LevelBook {
  for (let at = 0; at < DELTAS; at++) {
    book.set(isBid[at] === 1 ? 'buy' : 'sell', price[at]! as Ticks, size[at]! as Lots);
  }
  return book;
}

function levelsOfPeer({ bids, asks }: PeerBook): string {
  return [bids, asks]
    .map((side) => Array.from(side, ([price, size]) => `${price}:${size}`).join(' '))
    .join(' | ');
}

function levelsOfOwn(book: LevelBook): string {
  return (['buy', 'sell'] as const)
    .map((side) => {
      const levels: string[] = [];
      book.forEachLevel(
        side,
        (price, size) => levels.push(`${price / PRICE_SCALE}:${size / SIZE_SCALE}`) > 0,
      );
      return levels.join(' ');
    })
    .join(' | ');
}
