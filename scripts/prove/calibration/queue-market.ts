/**
 * @module
 * A market whose queues are known: strangers arrive by chance (limit orders, takers, cancels of one order each) at a real
 * price-time book. The flow is recorded twice, order by order and as levels with trades: the first says what becomes of an
 * order of ours exactly, the second is what a quant has.
 */
import { type Random, seededRandom } from '../../../src/core/index.ts';
import { type BookSide, BUY, type MakerPolicy, OrderBook, SELL } from '../../../src/exchange/engine/index.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../src/tape/format/index.ts';

/** How strangers behave. */
export interface QueueFlow {
  readonly seed: number;
  readonly durationUs: number;
  /** Mean time between two events. */
  readonly everyUs: number;
  /** Weight with which an order of a queue is canceled: by its place from the front, 0 to 1, to this power. */
  readonly cancelBias: number;
}

/** The same market twice. */
export interface QueueMarket {
  readonly orders: readonly EventRow[];
  readonly levels: readonly EventRow[];
}

const MID = 20_000;
const START_US = 1_767_600_000_000_000;
const DEPTH = 8;
/** Orders of a level beside which new ones rather go elsewhere. */
const CROWD = 24;

interface Stranger {
  readonly id: number;
  readonly side: BookSide;
  readonly price: number;
  readonly slot: number;
}

/** Makes the market. A function of its flow. */
export function queueMarket(flow: QueueFlow): QueueMarket {
  return new Flow(flow).run();
}

class Flow {
  readonly #flow: QueueFlow;
  readonly #random: Random;
  readonly #book = new OrderBook();
  readonly #strangers = new Map<number, Stranger>();
  /** By price: the numbers of its orders, oldest first. */
  readonly #queues = new Map<number, number[]>();
  readonly #orders: EventRow[] = [];
  readonly #levels: EventRow[] = [];
  #us = START_US;
  #ids = 0;
  #trades = 0;

  constructor(flow: QueueFlow) {
    this.#flow = flow;
    this.#random = seededRandom(flow.seed);
  }

  run(): QueueMarket {
    this.#row(this.#orders, EVENT.bookReset, {});
    this.#row(this.#levels, EVENT.bookReset, {});
    for (let away = 1; away <= DEPTH; away++) {
      for (let count = 0; count < CROWD / 2; count++) {
        this.#rest(BUY, MID - away);
        this.#rest(SELL, MID + away);
      }
    }
    this.#endFrame();
    const endUs = START_US + this.#flow.durationUs;
    while (this.#us < endUs) {
      this.#us += 1 + Math.floor(this.#random.exponential(this.#flow.everyUs));
      this.#event();
      this.#endFrame();
    }
    return { orders: this.#orders, levels: this.#levels };
  }

  #event(): void {
    const draw = this.#random.next();
    const side = this.#random.chance(0.5) ? BUY : SELL;
    if (draw < 0.5) this.#arrive(side);
    else if (draw < 0.62) this.#take(side);
    else this.#cancel(side);
  }

  #arrive(side: BookSide): void {
    const { bidTicks, askTicks } = this.#book;
    const isWide = askTicks - bidTicks > 1;
    const best = side === BUY ? bidTicks : askTicks;
    // Into the spread now and then, else at one of the levels, rather near.
    const away = isWide && this.#random.chance(0.3) ? -1 : Math.floor(this.#random.exponential(2));
    this.#rest(side, side === BUY ? best - away : best + away);
  }

  #take(side: BookSide): void {
    const taken: { id: number; lots: number; price: number }[] = [];
    const policy: MakerPolicy = {
      lotsAllowed: (slot) => this.#book.lotsIn(slot),
      onFilled: (slot, lots, price) => taken.push({ id: this.#book.idIn(slot), lots, price }),
      onDropped: () => undefined,
    };
    const size = 1 + Math.floor(this.#random.exponential(120));
    // Never the last level: a market has two sides.
    const worst = side === BUY ? this.#book.askTicks + 1 : this.#book.bidTicks - 1;
    this.#book.take(side, size, worst, policy);
    const byPrice = new Map<number, number>();
    for (const { id, lots, price } of taken) {
      this.#row(this.#orders, EVENT.orderExecuted, { price, size: lots, id });
      byPrice.set(price, (byPrice.get(price) ?? 0) + lots);
      const stranger = this.#strangers.get(id);
      if (stranger !== undefined && this.#book.idIn(stranger.slot) !== id) this.#forget(stranger);
    }
    const kind = side === BUY ? EVENT.buyTrade : EVENT.sellTrade;
    for (const [price, lots] of byPrice)
      this.#row(this.#levels, kind, { price, size: lots, id: ++this.#trades });
    for (const price of byPrice.keys()) this.#level(side === BUY ? SELL : BUY, price);
    this.#refill(side === BUY ? SELL : BUY);
  }

  #cancel(side: BookSide): void {
    const best = side === BUY ? this.#book.bidTicks : this.#book.askTicks;
    const away = Math.floor(this.#random.exponential(2.5));
    const queue = this.#queues.get(side === BUY ? best - away : best + away);
    if (queue === undefined || queue.length < 2) return;
    // A uniform draw to the power of 1 / (1 + bias) is nearer to 1, the back of the queue, the larger the bias.
    const place = Math.floor(queue.length * this.#random.next() ** (1 / (1 + this.#flow.cancelBias)));
    const stranger = this.#strangers.get(queue[place] ?? -1);
    if (stranger === undefined) return;
    this.#book.cancel(stranger.slot, stranger.id);
    this.#forget(stranger);
    this.#row(this.#orders, EVENT.orderDeleted, { id: stranger.id });
    this.#level(side, stranger.price);
    this.#refill(side);
  }

  /** A side that ends near the touch grows at its far end. */
  #refill(side: BookSide): void {
    const best = side === BUY ? this.#book.bidTicks : this.#book.askTicks;
    for (let away = 0; away < DEPTH; away++) {
      const price = side === BUY ? best - away : best + away;
      while ((this.#queues.get(price)?.length ?? 0) < 2) this.#rest(side, price);
    }
  }

  #rest(side: BookSide, price: number): void {
    if (this.#book.crosses(side, price)) return;
    if ((this.#queues.get(price)?.length ?? 0) >= CROWD) return;
    const size = 1 + Math.floor(this.#random.exponential(40));
    const id = ++this.#ids;
    this.#strangers.set(id, { id, side, price, slot: this.#book.rest(id, side, price, size) });
    const queue = this.#queues.get(price);
    if (queue === undefined) this.#queues.set(price, [id]);
    else queue.push(id);
    this.#row(this.#orders, side === BUY ? EVENT.bidOrder : EVENT.askOrder, { price, size, id });
    this.#level(side, price);
  }

  #forget({ id, price }: Stranger): void {
    this.#strangers.delete(id);
    const queue = this.#queues.get(price);
    if (queue === undefined) return;
    queue.splice(queue.indexOf(id), 1);
    if (queue.length === 0) this.#queues.delete(price);
  }

  #level(side: BookSide, price: number): void {
    let size = 0;
    for (const id of this.#queues.get(price) ?? [])
      size += this.#book.lotsIn(this.#strangers.get(id)?.slot ?? -1);
    this.#row(this.#levels, side === BUY ? EVENT.bidLevel : EVENT.askLevel, { price, size });
  }

  #row(
    rows: EventRow[],
    kind: EventRow['kind'],
    values: { readonly price?: number; readonly size?: number; readonly id?: number },
  ): void {
    const { price = 0, size = 0, id = 0 } = values;
    const receivedUs = this.#us + 200;
    rows.push({ kind, flags: 0, market: 0, exchangeUs: this.#us, receivedUs, price, size, id });
  }

  #endFrame(): void {
    for (const rows of [this.#orders, this.#levels]) {
      const last = rows[rows.length - 1];
      if (last?.exchangeUs === this.#us) rows[rows.length - 1] = { ...last, flags: FLAG_END };
    }
  }
}
