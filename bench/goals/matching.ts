/**
 * @module
 * G12: the order book core of the venue beside nodejs-order-book on one seeded flow of limit orders, market orders and
 * cancels. Both books must end with the same levels.
 */
import { seededRandom } from '../../src/core/index.ts';
import { BUY, OrderBook, SELL } from '../../src/exchange/engine/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../measure.ts';
import { installPeers, loadPeer } from '../peers.ts';
import { showTable } from '../show.ts';

const OPERATIONS = 200_000;
/** The peer takes seconds a round: more of them say nothing new. */
const ROUNDS_MAX = 5;
const PEER = 'nodejs-order-book';
const OURS = 'ballast';
const LIMIT: Limit = {
  id: 'G12',
  what: 'orders a second of the matcher core, to nodejs-order-book',
  limit: 30,
  better: 'higher',
};

const LIMIT_ORDER = 0;
const MARKET_ORDER = 1;
const CANCEL = 2;

/** A flow in columns: what, which side, price in ticks, lots, and which earlier order a cancel is for. */
interface Flow {
  readonly what: Uint8Array;
  readonly isBuy: Uint8Array;
  readonly price: Int32Array;
  readonly lots: Int32Array;
  readonly target: Int32Array;
}

interface PeerBook {
  limit(order: { side: string; id: string; size: number; price: number }): unknown;
  market(order: { side: string; size: number }): unknown;
  cancel(id: string): unknown;
  /** Asks, then bids, as price and size. */
  depth(): readonly [readonly (readonly [number, number])[], readonly (readonly [number, number])[]];
}

/** Measures G12. */
export async function matching({ rounds }: Effort): Promise<GroupResult> {
  const absent = installPeers();
  if (absent !== undefined) return { goals: [missed(LIMIT, absent)], figures: {} };
  const { OrderBook: Peer } = await loadPeer<{ OrderBook: new () => PeerBook }>(PEER);
  const flow = orderFlow();
  const peer = new Peer();
  const own = new OrderBook();
  runPeer(peer, flow);
  runOwn(own, flow);
  if (levelsOfPeer(peer) !== levelsOfOwn(own)) {
    return { goals: [missed(LIMIT, 'the books end with other levels')], figures: {} };
  }

  const samples = new Samples();
  const runs = [
    [PEER, () => runPeer(new Peer(), flow)],
    [OURS, () => runOwn(new OrderBook(), flow)],
  ] as const;
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
    for (const [name, run] of inTurn(runs, round)) {
      samples.add(name, ((await timeMs(run, 1)) * 1000) / OPERATIONS);
    }
  }
  showTable(
    `G12 one order through the matcher (${OPERATIONS} operations, ${own.tradeCount} trades, end books identical)`,
    samples.rows(PEER),
  );
  return {
    goals: [reached(LIMIT, samples.ratio(PEER, OURS))],
    figures: Object.fromEntries(
      samples.names().map((name) => [`G12 ${name}, k orders/s`, rounded(1000 / samples.median(name))]),
    ),
  };
}

/** About 52 % limit orders around a wandering middle, 8 % market orders, 40 % cancels of earlier orders. */
function orderFlow(): Flow {
  const random = seededRandom('order flow');
  const flow = {
    what: new Uint8Array(OPERATIONS),
    isBuy: new Uint8Array(OPERATIONS),
    price: new Int32Array(OPERATIONS),
    lots: new Int32Array(OPERATIONS),
    target: new Int32Array(OPERATIONS),
  };
  const cancelable: number[] = [];
  let middle = 10_000;
  for (let at = 0; at < OPERATIONS; at++) {
    if (random.chance(0.01))
      middle = Math.min(10_400, Math.max(9_600, middle + (random.chance(0.5) ? 1 : -1)));
    const isBuy = random.chance(0.5);
    const draw = random.next();
    flow.isBuy[at] = isBuy ? 1 : 0;
    flow.lots[at] = random.integer(1, 20);
    if (draw < 0.4 && cancelable.length > 50) {
      const pick = random.integer(0, cancelable.length - 1);
      flow.what[at] = CANCEL;
      flow.target[at] = cancelable[pick]!;
      cancelable[pick] = cancelable.at(-1)!;
      cancelable.pop();
    } else if (draw < 0.48) flow.what[at] = MARKET_ORDER;
    else {
      // Most near the middle, a few across it.
      const distance = Math.floor(random.next() * random.next() * 40) - 2;
      flow.what[at] = LIMIT_ORDER;
      flow.price[at] = isBuy ? middle - distance : middle + distance;
      cancelable.push(at);
    }
  }
  return flow;
}

function runPeer(book: PeerBook, { what, isBuy, price, lots, target }: Flow): void {
  for (let at = 0; at < OPERATIONS; at++) {
    const side = isBuy[at] === 1 ? 'buy' : 'sell';
    if (what[at] === LIMIT_ORDER) book.limit({ side, id: String(at), size: lots[at]!, price: price[at]! });
    else if (what[at] === MARKET_ORDER) book.market({ side, size: lots[at]! });
    else book.cancel(String(target[at]));
  }
}

function runOwn(book: OrderBook, { what, isBuy, price, lots, target }: Flow): void {
  const slots = new Int32Array(OPERATIONS).fill(-1);
  for (let at = 0; at < OPERATIONS; at++) {
    const side = isBuy[at] === 1 ? BUY : SELL;
    if (what[at] === LIMIT_ORDER) slots[at] = book.limit(at, side, price[at]!, lots[at]!);
    else if (what[at] === MARKET_ORDER) book.market(side, lots[at]!);
    else book.cancel(slots[target[at]!]!, target[at]!);
  }
}

function levelsOfPeer(book: PeerBook): string {
  const [asks, bids] = book.depth();
  const text = (levels: readonly (readonly [number, number])[], direction: 1 | -1) =>
    levels.toSorted(([a], [b]) => direction * (a - b)).join(' ');
  return `${text(bids, -1)} | ${text(asks, 1)}`;
}

function levelsOfOwn(book: OrderBook): string {
  return [BUY, SELL]
    .map((side) => {
      const levels: number[][] = [];
      book.forEachLevel(side, (price, lots) => levels.push([price, lots]) > 0);
      return levels.join(' ');
    })
    .join(' | ');
}
