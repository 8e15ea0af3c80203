import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { EVENT, FLAG_END } from '../../../../src/domain/index.ts';
import { type RecordedRows, TapePlayback } from '../../../../src/exchange/flow/recorded-source.ts';

type Row = readonly [kind: number, atMs: number, price: number, size: number, more?: Partial<Rest>];
interface Rest {
  readonly market: number;
  readonly flags: number;
  readonly id: number;
}

/** Rows as one block; each is a frame of its own unless it says other flags. */
function block(...rows: readonly Row[]): RecordedRows {
  const rest = (name: keyof Rest, otherwise: number) =>
    rows.map(([, , , , more]) => more?.[name] ?? otherwise);
  return {
    rows: rows.length,
    kind: rows.map(([kind]) => kind),
    flags: rest('flags', FLAG_END),
    market: rest('market', 0),
    exchangeUs: rows.map(([, atMs]) => atMs * 1_000),
    price: rows.map(([, , price]) => price),
    size: rows.map(([, , , size]) => size),
    id: rest('id', 0),
  };
}

function played(blocks: Iterable<RecordedRows>, options: { market?: number; bookStep?: number } = {}) {
  const onFailure = sinon.spy();
  const source = new TapePlayback(blocks, {
    market: 0,
    ...options,
    onFailure,
  });
  const events: unknown[] = [];
  for (let event = source.shift(); event !== undefined; event = source.shift()) events.push(event);
  return { events, onFailure, tradesMoved: source.tradesMoved };
}

const level = (priceTicks: number, sizeLots: number) => ({ priceTicks, sizeLots });
const more = { flags: 0 };

describe('a tape as a source of recorded events', () => {
  test('gives one set of levels a frame, trades at once, index prices and gaps', () => {
    const { events } = played([
      block(
        [EVENT.bookReset, 1_000, 0, 0, more],
        [EVENT.bidLevel, 1_000, 99, 5, more],
        [EVENT.askLevel, 1_000, 101, 6],
        [EVENT.sellTrade, 1_001, 99, 2],
      ),
      block(
        [EVENT.index, 1_002, 100, 0],
        [EVENT.mark, 1_002, 100, 0],
        [EVENT.bidLevel, 1_003, 99, 0, more],
        [EVENT.bidLevel, 1_003, 98, 7],
        [EVENT.hole, 6_003, 0, 0, { id: 9_000_000 }],
      ),
    ]);
    expect(events).toEqual([
      { kind: 'levels', atMs: 1_000, bids: [level(99, 5)], asks: [level(101, 6)] },
      { kind: 'trade', atMs: 1_001, aggressor: 'sell', priceTicks: 99, sizeLots: 2 },
      { kind: 'mark', atMs: 1_002, indexTicks: 100 },
      { kind: 'levels', atMs: 1_003, bids: [level(98, 7)], asks: [level(101, 6)] },
      { kind: 'gap', atMs: 6_003, untilMs: 9_000 },
    ]);
  });

  test('begins with the first levels of its own market and leaves the rows of others out', () => {
    const own = { market: 1 };
    const { events } = played(
      [
        block(
          [EVENT.bidLevel, 1_000, 99, 5],
          [EVENT.buyTrade, 1_001, 99, 5, own],
          [EVENT.index, 1_001, 99, 0, own],
          [EVENT.bidLevel, 1_002, 98, 1, own],
          [EVENT.buyTrade, 1_003, 99, 5],
          [EVENT.feed, 1_004, 0, 0, own],
        ),
      ],
      own,
    );
    expect(events).toEqual([{ kind: 'levels', atMs: 1_002, bids: [level(98, 1)], asks: [] }]);
  });

  test('gives the best 20 levels of a deeper book', () => {
    const bids = Array.from({ length: 30 }, (_, at): Row => [EVENT.bidLevel, 1_000, 71 + at, 1, more]);
    const { events } = played([block(...bids, [EVENT.askLevel, 1_000, 101, 1])]);
    const [first] = events as { bids: readonly { priceTicks: number }[] }[];
    expect(first?.bids).toHaveLength(20);
    expect(first?.bids.map(({ priceTicks }) => priceTicks).at(-1)).toBe(81);
  });

  test.each([
    ['buy', EVENT.buyTrade, 1_020, 1_020],
    ['buy', EVENT.buyTrade, 1_029, 1_020],
    ['buy', EVENT.buyTrade, 1_030, 1_030],
    ['sell', EVENT.sellTrade, 1_004, 1_000],
    ['sell', EVENT.sellTrade, 999, 999],
  ])('of a coarse book: a %s within the step of the best price takes that price', (_, kind, price, taken) => {
    const book: readonly Row[] = [
      [EVENT.bidLevel, 1_000, 1_000, 1, more],
      [EVENT.askLevel, 1_000, 1_020, 1],
    ];
    const { events, tradesMoved } = played([block(...book, [kind, 1_001, price, 1])], { bookStep: 10 });
    expect(events[1]).toMatchObject({ priceTicks: taken });
    expect(tradesMoved).toBe(price === taken ? 0 : 1);
  });

  test.each([
    ['ask', EVENT.buyTrade, [1_000, 1_001], 1_005, 1_001],
    ['bid', EVENT.sellTrade, [999, 1_000], 1_005, 999],
  ])(
    'of a coarse book: an %s that was moved out of a locked one is still met',
    (_, kind, best, price, taken) => {
      const book: readonly Row[] = [
        [EVENT.bidLevel, 1_000, best[0] ?? 0, 1, more],
        [EVENT.askLevel, 1_000, best[1] ?? 0, 1],
      ];
      const { events } = played([block(...book, [kind, 1_001, price, 1])], { bookStep: 10 });
      expect(events[1]).toMatchObject({ priceTicks: taken });
    },
  );

  test('error: plays what was read before the damage, reports it once, and ends', () => {
    const damage = new Error('damaged');
    function* blocks() {
      yield block([EVENT.bidLevel, 1_000, 99, 5]);
      throw damage;
    }
    const { events, onFailure } = played(blocks());
    expect(events).toHaveLength(1);
    sinon.assert.calledOnceWithExactly(onFailure, damage);
  });
});
