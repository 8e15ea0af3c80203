import { describe, expect, test } from 'vitest';
import { FILL_MODELS } from '../../../../src/research/venue/index.ts';
import { LocalRig } from '../../../support/local-rig.ts';

const LEVEL_MODELS = FILL_MODELS.filter((name) => name !== 'fifo');
const QUEUE_MODELS = LEVEL_MODELS.filter((name) => name !== 'trade-through');

/** Bids of 100 lots at 99, asks of 100 at 101. */
function standing(model: (typeof LEVEL_MODELS)[number], exponent?: number): LocalRig {
  const rig = new LocalRig({ model, ...(exponent === undefined ? {} : { exponent }) });
  return rig.book(
    [
      [99, 100],
      [98, 50],
    ],
    [
      [101, 100],
      [102, 50],
    ],
  );
}

describe('golden cases of queue and liquidity (P13)', () => {
  test.each(QUEUE_MODELS)(
    'a cancel of a stranger does not put you first (%s, nautilus_trader#4370)',
    (model) => {
      const rig = standing(model);
      const id = rig.rest('buy', 99, 10);
      rig.frame(['bidLevel', 99, 90]);
      // Ten of a hundred left; with nobody behind us all of them stood before us.
      expect(rig.venue.queueOf(id)?.aheadLots).toBe(90);
      rig.frame(['sellTrade', 99, 90]);
      expect(rig.fills).toEqual([]);
      rig.frame(['sellTrade', 99, 4]).tick();
      expect(rig.filledOf(id)).toBe(4);
    },
  );

  test.each(LEVEL_MODELS)(
    'the same liquidity does not fill two orders (%s, nautilus_trader#2564)',
    (model) => {
      const rig = standing(model);
      const [first, second] = rig.place(
        { side: 'buy', price: 100, size: 10 },
        { side: 'buy', price: 100, size: 10 },
      ) as [never, never];
      rig.frame(['sellTrade', 99, 12]).tick();
      expect([rig.filledOf(first), rig.filledOf(second)]).toEqual([10, 2]);
    },
  );

  test.each(LEVEL_MODELS)(
    'a level that was taken is not there for the next taker (%s, nautilus_trader#5017)',
    (model) => {
      const rig = standing(model);
      rig.place({ side: 'buy', price: 101, size: 70, tif: 'ioc' });
      rig.place({ side: 'buy', price: 101, size: 70, tif: 'ioc' });
      expect(rig.fills.map(([, size]) => size)).toEqual([70, 30]);
      // What is shown again is not new, what is shown on top of it is.
      rig.frame(['askLevel', 101, 100]);
      rig.place({ side: 'buy', price: 101, size: 70, tif: 'ioc' });
      rig.frame(['askLevel', 101, 120]);
      rig.place({ side: 'buy', price: 101, size: 70, tif: 'ioc' });
      expect(rig.fills.map(([, size]) => size)).toEqual([70, 30, 20]);
      rig.frame(['askLevel', 101, 0]).frame(['askLevel', 101, 40]);
      rig.place({ side: 'buy', price: 101, size: 70, tif: 'ioc' });
      expect(rig.fills.at(-1)?.[1]).toBe(40);
    },
  );

  test.each(LEVEL_MODELS)(
    'no fill without a trade unless the book crosses (%s, hftbacktest#158)',
    (model) => {
      const rig = standing(model);
      const id = rig.rest('buy', 99, 10);
      rig.frame(['bidLevel', 99, 1]).frame(['bidLevel', 99, 0]).frame(['bidLevel', 99, 20]);
      rig.frame(['bidLevel', 98, 0]).frame(['askLevel', 100, 5]).tick();
      expect(rig.fills).toEqual([]);
      rig.frame(['askLevel', 99, 4]).tick();
      expect(rig.fills).toEqual([[id, 4, 99]]);
    },
  );

  test.each(LEVEL_MODELS)('a crossing book fills at the price of the resting order, once (%s)', (model) => {
    const rig = standing(model);
    const id = rig.rest('sell', 100, 10);
    rig.frame(['bidLevel', 102, 6]).frame(['bidLevel', 102, 6]).tick();
    expect(rig.fills).toEqual([[id, 6, 100]]);
    rig.frame(['bidLevel', 102, 8]).tick();
    expect(rig.filledOf(id)).toBe(8);
  });

  test.each(LEVEL_MODELS)('a partial fill is one lot step at least and keeps the rest (%s)', (model) => {
    const rig = new LocalRig({ model, markets: [{ ...new LocalRig().markets[0]!, lotStep: 5 as never }] });
    rig.book([[99, 100]], [[101, 100]]);
    const id = rig.rest('buy', 100, 20);
    rig.frame(['sellTrade', 99, 12]).tick();
    expect(rig.filledOf(id)).toBe(10);
    expect(rig.account.workingOrder(id)?.remainingLots).toBe(10);
  });
});

describe('trade-through', () => {
  test('trades at the price itself fill nothing, those beyond it do', () => {
    const rig = standing('trade-through');
    const id = rig.rest('sell', 101, 10);
    rig.frame(['buyTrade', 101, 500]).tick();
    expect(rig.fills).toEqual([]);
    expect(rig.venue.queueOf(id)).toBeUndefined();
    rig.frame(['buyTrade', 102, 7]).tick();
    expect(rig.fills).toEqual([[id, 7, 101]]);
  });
});

describe('queue models', () => {
  test.each(QUEUE_MODELS)('the queue in front shrinks by trades, what goes beyond it fills (%s)', (model) => {
    const rig = standing(model);
    const id = rig.rest('sell', 101, 10);
    expect(rig.venue.queueOf(id)).toEqual({ aheadLots: 100, atRestLots: 100 });
    // The level is shown without what was traded: that was no cancel.
    rig.frame(['buyTrade', 101, 60], ['askLevel', 101, 40]);
    expect(rig.venue.queueOf(id)).toEqual({ aheadLots: 40, atRestLots: 100 });
    rig.frame(['buyTrade', 101, 44]).tick();
    expect(rig.fills).toEqual([[id, 4, 101]]);
  });

  test('two own orders at one price share the volume in their order', () => {
    const rig = standing('queue-risk-averse');
    const first = rig.rest('buy', 99, 10);
    rig.frame(['bidLevel', 99, 120]);
    const second = rig.rest('buy', 99, 10);
    rig.frame(['sellTrade', 99, 115]).tick();
    // A hundred before the first, ten for it, and five of the twenty between the two.
    expect([rig.filledOf(first), rig.filledOf(second)]).toEqual([10, 0]);
    expect(rig.venue.queueOf(second)?.aheadLots).toBe(15);
    rig.frame(['sellTrade', 99, 18]).tick();
    expect(rig.filledOf(second)).toBe(3);
  });

  test.each(QUEUE_MODELS)('a reset or a hole gives no queue for free (%s)', (model) => {
    const rig = standing(model);
    const id = rig.rest('buy', 99, 10);
    // The new book ends above the price: what stands there is not known.
    rig.book([[100, 5]], [[101, 100]]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(100);
    rig.frame(['hole', 0, 0, rig.us + 5000]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(100);
    const late = rig.rest('buy', 99, 10);
    expect(rig.venue.queueOf(late)?.aheadLots).toBeNaN();
    rig.tick(10_000).book(
      [
        [99, 300],
        [98, 5],
      ],
      [[101, 100]],
    );
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(100);
    expect(rig.venue.queueOf(late)).toEqual({ aheadLots: 300, atRestLots: Number.NaN });
    rig.book(
      [
        [99, 30],
        [98, 5],
      ],
      [[101, 100]],
    );
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(30);
  });

  test('in a hole nothing is taken and nothing crosses', () => {
    const rig = standing('queue-power');
    rig.frame(['hole', 0, 0, rig.us + 60_000_000]);
    expect(rig.place({ side: 'buy', price: 101, size: 5, tif: 'fok' })).toEqual(['FokInsufficientLiquidity']);
    const id = rig.rest('buy', 101, 5, 'postOnly');
    expect(rig.fills).toEqual([]);
    rig
      .tick(60_000_000)
      .book([[99, 10]], [[101, 3]])
      .tick();
    expect(rig.fills).toEqual([[id, 3, 101]]);
  });

  test('behind all that is shown the queue is not known until the level is', () => {
    const rig = standing('queue-log');
    const id = rig.rest('buy', 90, 10);
    expect(rig.venue.queueOf(id)?.aheadLots).toBeNaN();
    rig.frame(['sellTrade', 90, 50]).tick();
    expect(rig.fills).toEqual([]);
    rig.frame(['bidLevel', 90, 25]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(25);
    // A trade beyond the price proves that nobody was left before it.
    rig.frame(['sellTrade', 89, 4]).tick();
    expect(rig.filledOf(id)).toBe(4);
  });

  test('with best quotes alone the queue is that of the best price', () => {
    const rig = new LocalRig({ model: 'queue-risk-averse' });
    rig.frame(['bestBid', 99, 100], ['bestAsk', 101, 80]);
    const id = rig.rest('buy', 99, 10);
    const behind = rig.rest('buy', 97, 10);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(100);
    rig.frame(['bestBid', 99, 60]).frame(['bestBid', 100, 5]).frame(['bestBid', 99, 70]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(60);
    expect(rig.venue.queueOf(behind)?.aheadLots).toBeNaN();
    // The best falls below the price: nobody else is left there.
    rig.frame(['bestBid', 98, 70]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(0);
    rig.frame(['bestAsk', 99, 4]).tick();
    expect(rig.fills).toEqual([[id, 4, 99]]);
  });
});

describe('taking', () => {
  test('walks the levels, best first, at their prices', () => {
    const rig = standing('trade-through');
    const [id] = rig.place({ side: 'buy', price: 102, size: 120 });
    expect(rig.fills).toEqual([
      [id, 100, 101],
      [id, 20, 102],
    ]);
  });

  test('the rest of a gtc order rests, that of an ioc order is dropped, fok is all or nothing', () => {
    const rig = standing('trade-through');
    const rest = rig.rest('buy', 101, 130);
    expect(rig.account.workingOrder(rest)?.remainingLots).toBe(30);
    rig.cancel(rest).frame(['askLevel', 101, 0], ['askLevel', 101, 10]);
    const [ioc] = rig.place({ side: 'buy', price: 101, size: 30, tif: 'ioc' });
    expect(rig.account.endOf(ioc as never)).toBe('canceled');
    expect(rig.filledOf(ioc as never)).toBe(10);
    expect(rig.place({ side: 'sell', price: 99, size: 101, tif: 'fok' })).toEqual([
      'FokInsufficientLiquidity',
    ]);
    const [fok] = rig.place({ side: 'sell', price: 99, size: 100, tif: 'fok' });
    expect(rig.account.endOf(fok as never)).toBe('filled');
  });

  test('a post-only order that would cross is refused, against own orders too', () => {
    const rig = standing('queue-power');
    expect(rig.place({ side: 'buy', price: 101, size: 5, tif: 'postOnly' })).toEqual(['PostOnlyWouldCross']);
    rig.rest('sell', 100, 5);
    expect(rig.place({ side: 'buy', price: 100, size: 5, tif: 'postOnly' })).toEqual(['PostOnlyWouldCross']);
  });

  test('nobody trades with himself: the resting order in the way leaves', () => {
    const rig = standing('queue-power');
    const own = rig.rest('sell', 100, 5);
    const deep = rig.rest('sell', 102, 5);
    const [taker] = rig.place({ side: 'buy', price: 101, size: 20 });
    expect(rig.fills).toEqual([[taker, 20, 101]]);
    expect(rig.account.endOf(own)).toBe('canceled');
    expect(rig.account.endOf(deep)).toBeUndefined();
  });

  test('an own order behind the taken part of its level stays and moves up', () => {
    const rig = standing('queue-power');
    const own = rig.rest('sell', 101, 5);
    rig.place({ side: 'buy', price: 101, size: 60, tif: 'ioc' });
    expect(rig.venue.queueOf(own)?.aheadLots).toBe(40);
    rig.place({ side: 'buy', price: 101, size: 60, tif: 'ioc' });
    expect(rig.account.endOf(own)).toBe('canceled');
  });
});
