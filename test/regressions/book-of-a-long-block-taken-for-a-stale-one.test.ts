/**
 * Symptom: on an exchange with blocks of 2.2 s a book that rightly stayed as it was for a block was called stale for half a
 * second, an alarm without a fault (I28): seed 7751 of the swarm. One trade, heard as a trade, as a fill and as the last
 * price, counted as three, and what it had taken was offered again in the same block. A book that had no block yet to
 * follow a trade beyond its best price was called stale as well.
 */
import { expect, test } from 'vitest';
import { ADDRESS, aFill, aScene, EPOCH, type Scene } from '../unit/wire/stream/scripted.ts';

const SYMBOL = 'BTC-USD';

interface Place {
  readonly seq: number;
  /** Time of its block. */
  readonly ts: number;
}

const show = (scene: Scene, { seq, ts }: Place, bids: readonly string[][]): void =>
  scene.socket().frame({
    ...{ channel: 'book', isSnapshot: true, seq },
    data: { symbol: SYMBOL, seq, ts, bids, asks: [['100.5', '1.0000']] },
  });

/** One execution, as a bot hears of it that has its own order in it. */
function execute(scene: Scene, { seq, ts }: Place, price: string): void {
  const id = `${seq}-65535-9`;
  const owner = { address: ADDRESS, subaccount: 0, epoch: EPOCH };
  const trade = { id, symbol: SYMBOL, side: 'sell', price, size: '0.0012', ts };
  const prices = { symbol: SYMBOL, markPrice: price, indexPrice: price, lastPrice: price };
  scene.socket().frame({ channel: 'trades', seq, data: trade });
  scene.socket().frame({ channel: 'fills', ...owner, seq, data: aFill(id, { price, ts }) });
  scene.socket().frame({ channel: 'prices', isSnapshot: true, seq: seq + 2, data: { prices: [prices] } });
}

/** A market whose blocks were seen for a while; the newest begins now. */
async function onBlocksOf(blockMs: number): Promise<{ readonly scene: Scene; readonly place: Place }> {
  const scene: Scene = aScene({
    market: [
      { channel: 'book', symbol: SYMBOL },
      { channel: 'trades', symbol: SYMBOL },
      { channel: 'prices' },
    ],
    exchangeTime: { ageOf: (exchangeMs) => scene.clock.nowMs() - exchangeMs, suspect: () => undefined },
  });
  await scene.sync();
  for (let block = 0; block < 3; block++) {
    await scene.advance(blockMs);
    show(scene, { seq: 20 + block, ts: scene.clock.nowMs() }, [['100.0', '1.0000']]);
  }
  return { scene, place: { seq: 30, ts: scene.clock.nowMs() } };
}

const whyStale = (scene: Scene): string[] => scene.of('MarketStale').map(({ reason }) => reason);

test.each([100, 2_209])(
  'a trade that is offered again within its block of %i ms leaves the book fresh',
  async (blockMs) => {
    const { scene, place } = await onBlocksOf(blockMs);
    execute(scene, place, '100.0');
    for (let passedMs = 0; passedMs < 4_000; passedMs += 1_000) {
      await scene.advance(1_000);
      const ts = place.ts + Math.floor((scene.clock.nowMs() - place.ts) / blockMs) * blockMs;
      show(scene, { seq: place.seq + 3 + passedMs, ts }, [['100.0', '1.0000']]);
    }
    expect(whyStale(scene)).toEqual([]);
    scene.stream.stop();
  },
);

test('a trade beyond the best price leaves the book fresh until a block has come that it can follow with', async () => {
  const { scene, place } = await onBlocksOf(2_209);
  await scene.advance(50);
  execute(scene, place, '99.0');
  await scene.advance(2_209 - 50);
  show(scene, { seq: 40, ts: scene.clock.nowMs() }, [['98.0', '1.0000']]);
  await scene.advance(500);
  expect(whyStale(scene)).toEqual([]);
  scene.stream.stop();
});

test.each([
  [100, 1_000],
  [2_209, 2_309],
] as const)(
  'a book that does not follow in blocks of %i ms is stale %i ms later',
  async (blockMs, staleMs) => {
    const { scene, place } = await onBlocksOf(blockMs);
    execute(scene, place, '99.0');
    await scene.advance(staleMs - 1);
    expect(whyStale(scene)).toEqual([]);
    // Books are looked at four times a second.
    await scene.advance(251);
    expect(whyStale(scene)).toEqual(['the book cannot be right: a trade is beyond its best price']);
    scene.stream.stop();
  },
);
