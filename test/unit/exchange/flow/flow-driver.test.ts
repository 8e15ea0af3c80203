import { describe, expect, test } from 'vitest';
import { quantums } from '../../../../src/domain/index.ts';
import {
  createSyntheticParticipants,
  type FlowHost,
  type Participants,
} from '../../../../src/exchange/index.ts';
import { startTestExchange } from '../../../support/test-exchange.ts';

/** A flow that runs one function at its start and notes its blocks. */
function aFlow(
  start: (host: FlowHost) => void,
): Participants & { readonly blocksAtMs: number[]; events: number } {
  const flow = {
    name: 'test',
    blocksAtMs: [] as number[],
    events: 0,
    start,
    onBlock: (_host: FlowHost, blockAtMs: number) => void flow.blocksAtMs.push(blockAtMs),
    onEvents: (_host: FlowHost, events: readonly object[]) => {
      flow.events += events.length;
    },
  };
  return flow;
}

describe('background flow', () => {
  test('acts at block boundaries: its timers first, in order of time and creation, then its block', async () => {
    const venue = await startTestExchange();
    const seen: string[] = [];
    const flow = aFlow((host) => {
      host.at(host.nowMs() + 150, () => seen.push('b'));
      host.at(host.nowMs() + 150, () => seen.push('c'));
      host.at(host.nowMs() + 120, () => seen.push('a'));
      host.at(host.nowMs() + 130, () => seen.push('never')).cancel();
    });
    venue.exchange.attachParticipants(flow);
    venue.blocks(1);
    expect(seen).toEqual([]);
    venue.blocks(1);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(flow.blocksAtMs).toEqual([venue.nowMs - 100, venue.nowMs]);
    venue.exchange.stop();
  });

  test('its orders are in the same log and the same book, its accounts belong to nobody', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.subscribe({ channel: 'trades', symbol: 'BTC-USD' });
    const flow = aFlow((host) => {
      const account = host.createAccount(quantums(10_000_000_000n));
      const place = {
        kind: 'PlaceOrder',
        account,
        market: 0,
        side: 'sell',
        price: 1_000_000,
        lots: 10n,
      } as const;
      const outcome = host.submit({
        ...place,
        tif: 'gtc',
        reduceOnly: false,
        goodTilMs: 0,
        nowMs: 0,
        router: 0,
        routerFeePpm: 0,
      });
      expect(outcome.status).toBe('executed');
      expect(host.openOrders(account)).toHaveLength(1);
      expect(host.book(0, 1).asks).toEqual([[1_000_000, 10]]);
    });
    venue.exchange.attachParticipants(flow);
    venue.place([{ price: '100000.0', size: '0.0010', timeInForce: 'ioc' }]);
    expect(stream.of('trades')).toHaveLength(1);
    venue.blocks(1);
    expect(flow.events).toBeGreaterThan(2);
    venue.exchange.stop();
  });

  test('a synthetic market has a two-sided book and trades within seconds, the same for the same seed', async () => {
    const books: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const venue = await startTestExchange();
      venue.exchange.attachParticipants(createSyntheticParticipants());
      venue.clock.advance(10_000);
      const book = venue.get('/v1/markets/BTC-USD/book').json;
      expect(book.bids.length * book.asks.length).toBeGreaterThan(0);
      expect(venue.get('/v1/markets/BTC-USD/trades').json.trades.length).toBeGreaterThan(5);
      books.push(book);
      venue.exchange.stop();
    }
    expect(books[0]).toEqual(books[1]);
  });
});
