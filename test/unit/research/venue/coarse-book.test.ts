/** Books whose prices are coarser than those of orders: every tenth tick is shown, and holds what rests above it. */
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../../src/domain/index.ts';
import type { FillModelName } from '../../../../src/research/venue/types.ts';
import { LocalRig } from '../../../support/local-rig.ts';
import { aMarket } from '../../exchange/engine/desk.ts';

const STEP = 10;
const QUEUE_MODELS = ['queue-risk-averse', 'queue-power', 'queue-log'] as const;

/** Bids of 100 lots shown at 990, of 50 at 980; asks of 100 at 1,010, of 50 at 1,020. */
function shown(model: FillModelName, bookStep: number | undefined = STEP): LocalRig {
  const market = aMarket(bookStep === undefined ? {} : { bookStep: ticks(bookStep) });
  return new LocalRig({ model, markets: [market] }).book(
    [
      [990, 100],
      [980, 50],
    ],
    [
      [1010, 100],
      [1020, 50],
    ],
  );
}

describe('a book that shows every tenth tick', () => {
  test.each(QUEUE_MODELS)(
    'an order between two shown prices stands behind the level that holds it (%s)',
    (model) => {
      const rig = shown(model);
      const bid = rig.rest('buy', 985, 10);
      const ask = rig.rest('sell', 1013, 10);
      expect([rig.venue.queueOf(bid), rig.venue.queueOf(ask)]).toEqual([
        { aheadLots: 50, atRestLots: 50 },
        { aheadLots: 100, atRestLots: 100 },
      ]);
      // At its price 50 lots stand before it; a trade beyond its price fills it.
      rig.frame(['sellTrade', 985, 50]).tick();
      expect(rig.fills).toEqual([]);
      rig.frame(['sellTrade', 985, 4]).tick();
      expect(rig.filledOf(bid)).toBe(4);
      rig.frame(['buyTrade', 1014, 3]).tick();
      expect(rig.filledOf(ask)).toBe(3);
      expect(rig.venue.ordersBetweenLevels).toBe(2);
    },
  );

  test('it was the first of an empty level where every price is shown', () => {
    const rig = new LocalRig({ model: 'queue-risk-averse' }).book(
      [
        [990, 100],
        [980, 50],
      ],
      [[1010, 100]],
    );
    const bid = rig.rest('buy', 985, 10);
    expect(rig.venue.queueOf(bid)?.aheadLots).toBe(0);
    expect(rig.venue.ordersBetweenLevels).toBeUndefined();
  });

  test.each(QUEUE_MODELS)(
    'trades at better prices of its level, and what leaves it, shorten its queue (%s)',
    (model) => {
      const rig = shown(model);
      const bid = rig.rest('buy', 992, 10);
      rig.frame(['sellTrade', 996, 60]).frame(['bidLevel', 990, 40]).tick();
      expect(rig.venue.queueOf(bid)?.aheadLots).toBe(40);
      rig.frame(['bidLevel', 990, 15]).tick();
      expect(rig.venue.queueOf(bid)?.aheadLots).toBe(15);
      // Of the level below: nothing of it is before the order.
      rig.frame(['sellTrade', 1001, 9]).frame(['bidLevel', 980, 5]).tick();
      expect(rig.venue.queueOf(bid)?.aheadLots).toBe(15);
      expect(rig.fills).toEqual([]);
    },
  );

  test('an order at a shown price stands there, and is not counted', () => {
    const rig = shown('queue-risk-averse');
    expect(rig.venue.queueOf(rig.rest('buy', 990, 10))?.aheadLots).toBe(100);
    expect(rig.venue.ordersBetweenLevels).toBe(0);
  });

  test('a shown price crosses where it stands', () => {
    const rig = shown('queue-risk-averse');
    const bid = rig.rest('buy', 1005, 10);
    rig.frame(['askLevel', 1000, 4]).tick();
    expect(rig.fills).toEqual([[bid, 4, 1005]]);
    const ask = rig.rest('sell', 1025, 10);
    rig.frame(['bidLevel', 1020, 5]).tick();
    expect(rig.filledOf(ask)).toBe(0);
    rig.frame(['bidLevel', 1030, 5]).tick();
    expect(rig.filledOf(ask)).toBe(5);
  });

  test('a level that is shown again behind a hole puts nobody further forward than it says', () => {
    const rig = shown('queue-risk-averse');
    const bid = rig.rest('buy', 985, 10);
    rig.book([[980, 20]], [[1010, 5]]);
    expect(rig.venue.queueOf(bid)?.aheadLots).toBe(20);
    rig.book([[980, 70]], [[1010, 5]]);
    expect(rig.venue.queueOf(bid)?.aheadLots).toBe(20);
  });

  test('an order in a level of which nothing is shown is the first there, behind all that is shown not known', () => {
    const rig = shown('queue-risk-averse');
    rig.frame(['bidLevel', 970, 5]);
    const inside = rig.rest('buy', 1003, 10);
    const deep = rig.rest('buy', 965, 10);
    expect(rig.venue.queueOf(inside)?.aheadLots).toBe(0);
    expect(rig.venue.queueOf(deep)?.aheadLots).toBeNaN();
    rig.frame(['bidLevel', 1000, 30]).tick();
    expect(rig.venue.queueOf(inside)?.aheadLots).toBe(0);
  });

  test('what we take of a level is gone before our own order in it', () => {
    const rig = shown('queue-risk-averse');
    const ask = rig.rest('sell', 1013, 10);
    rig.place({ side: 'buy', price: 1010, size: 30, tif: 'ioc' });
    expect(rig.venue.queueOf(ask)?.aheadLots).toBe(70);
  });
});
