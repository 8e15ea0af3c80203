/**
 * @module
 * What the stream layer is held against: a socket, `JSON.parse`, and books of integers by market. It checks nothing, joins
 * nothing and has no listener.
 */
import { WebSocket } from 'ws';
import { must } from '../../../src/core/index.ts';
import { MARKET } from '../../book-frames.ts';
import { toInteger } from '../../to-integer.ts';
import { symbolAt } from './wire.ts';

const DEPTH_MAX = 64;

interface WireFrame {
  readonly channel: string;
  readonly data: { readonly symbol: string; readonly bids: string[][]; readonly asks: string[][] };
}

class Side {
  readonly ticks = new Float64Array(DEPTH_MAX);
  readonly lots = new Float64Array(DEPTH_MAX);
  count = 0;

  take(levels: readonly string[][]): void {
    for (let at = 0; at < levels.length; at++) {
      const level = levels[at]!;
      this.ticks[at] = toInteger(level[0]!, MARKET.priceDecimals);
      this.lots[at] = toInteger(level[1]!, MARKET.sizeDecimals);
    }
    this.count = levels.length;
  }
}

/** A client that reads the books of the first markets. */
export interface BareReader {
  /** Frames of books since it began. */
  readonly frames: number;
  close(): void;
}

/** Connects and subscribes. */
export async function openBareReader(port: number, markets: number): Promise<BareReader> {
  const books = new Map<string, { readonly bids: Side; readonly asks: Side }>();
  let frames = 0;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/ws`, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as WireFrame;
    if (frame.channel !== 'book') return;
    const book = must(books.get(frame.data.symbol), 'a book that was asked for');
    book.bids.take(frame.data.bids);
    book.asks.take(frame.data.asks);
    frames++;
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  for (let index = 0; index < markets; index++) {
    const symbol = symbolAt(index);
    books.set(symbol, { bids: new Side(), asks: new Side() });
    socket.send(JSON.stringify({ method: 'subscribe', params: { channel: 'book', symbol }, id: index + 1 }));
  }
  return {
    get frames() {
      return frames;
    },
    close: () => socket.terminate(),
  };
}
