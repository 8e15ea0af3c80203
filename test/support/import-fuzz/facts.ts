/** @module What a tape says, in words that do not depend on how it is stored: trades, books, quotes, candles, orders, feeds. */
import { formatScaled } from '../../../src/core/index.ts';
import { EVENT, type EventRow, type Tape } from '../../../src/tape/format/index.ts';
import { rowsOf } from '../../../src/tape/tools/index.ts';
import { bookFact, plain, quoteFact } from './sample.ts';

type Levels = Map<number, number>;

/** The facts of `tape`, sorted; without the sides of trades where `hasSides` is false. */
export function factsOf(tape: Tape, hasSides: boolean): readonly string[] {
  const facts: string[] = [];
  const [market] = tape.markets;
  const price = (ticks: number) => plain(formatScaled(ticks, market?.priceDecimals ?? 0));
  const size = (lots: number) => plain(formatScaled(lots, market?.sizeDecimals ?? 0));
  const bids: Levels = new Map();
  const asks: Levels = new Map();
  const orders = new Map<number, { readonly kind: number; readonly ticks: number; size: number }>();
  let quotes: { bid?: readonly [string, string]; ask?: readonly [string, string] } = {};
  let candle: string[] = [];
  let touched = new Set<'book' | 'quotes' | 'orders'>();
  let atUs = 0;
  const flush = () => {
    const levels = (side: Levels, sign: number) =>
      [...side]
        .sort(([a], [b]) => (a - b) * sign)
        .map(([ticks, lots]) => [price(ticks), size(lots)] as const);
    if (touched.has('book')) facts.push(bookFact(atUs, levels(bids, -1), levels(asks, 1)));
    if (touched.has('quotes')) facts.push(quoteFact(atUs, quotes.bid, quotes.ask));
    if (touched.has('orders'))
      facts.push(
        `O ${atUs} ${[...orders].map(([id, order]) => `${id}:${order.kind === EVENT.bidOrder ? 'b' : 'a'}:${price(order.ticks)}:${order.size}`).join(' ')}`,
      );
    touched = new Set();
    quotes = {};
  };
  const take = (row: EventRow) => {
    const { kind, id } = row;
    if (kind === EVENT.bidLevel || kind === EVENT.askLevel) {
      const side = kind === EVENT.bidLevel ? bids : asks;
      if (row.size === 0) side.delete(row.price);
      else side.set(row.price, row.size);
      touched.add('book');
    } else if (kind === EVENT.bookReset) for (const side of [bids, asks, orders]) side.clear();
    else if (kind === EVENT.buyTrade || kind === EVENT.sellTrade)
      facts.push(
        `T ${row.exchangeUs} ${price(row.price)} ${size(row.size)}${hasSides ? ` ${kind === EVENT.buyTrade ? 'buy' : 'sell'}` : ''}`,
      );
    else if (kind === EVENT.bestBid || kind === EVENT.bestAsk) {
      quotes[kind === EVENT.bestBid ? 'bid' : 'ask'] = [price(row.price), size(row.size)];
      touched.add('quotes');
    } else if (kind === EVENT.candleOpen) candle = [price(row.price)];
    else if (kind === EVENT.candleHigh || kind === EVENT.candleLow) candle.push(price(row.price));
    else if (kind === EVENT.candleClose)
      facts.push(`C ${row.exchangeUs} ${[...candle, price(row.price), size(row.size)].join(' ')}`);
    else if (kind === EVENT.feed) facts.push(`F ${row.exchangeUs} ${tape.feedLine(id)}`);
    else if (kind === EVENT.bidOrder || kind === EVENT.askOrder) {
      orders.set(id, { kind, ticks: row.price, size: row.size });
      touched.add('orders');
    } else if (kind === EVENT.orderReduced || kind === EVENT.orderExecuted || kind === EVENT.orderDeleted) {
      const order = orders.get(id);
      if (order !== undefined) order.size -= row.size;
      if (kind === EVENT.orderDeleted || order?.size === 0) orders.delete(id);
      touched.add('orders');
    }
  };
  for (const row of rowsOf(tape.batches())) {
    if (row.exchangeUs !== atUs) flush();
    atUs = row.exchangeUs;
    take(row);
  }
  flush();
  return facts.toSorted();
}
