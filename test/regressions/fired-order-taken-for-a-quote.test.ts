/**
 * Symptom: an order that had waited for the index price was taken for ended when it fired, so that the next quote of its
 * strategy canceled it like a quote that is not wanted any more, and a report counted it as resting from its placement on.
 */
import { expect, test } from 'vitest';
import { order, type StrategyContext } from '../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC, MAKER, seq } from '../support/trading-builders.ts';

test('an order that fired stays when its strategy quotes', () => {
  let context: StrategyContext | undefined;
  const rig = aRig(
    strategyOf((given) => {
      context = given;
      return {
        onStart: () => {
          const draft = order.postOnly({ symbol: BTC, side: 'sell', price: '100500.0', size: '0.01' });
          given.placeConditional(draft, { triggerPrice: '100400.0', when: 'atOrAbove' });
        },
      };
    }),
  );
  const [waiting] = rig.bot.account.workingOrders(BTC, MAKER);
  if (waiting === undefined) throw new Error('expected an order that waits');
  const { trigger, ...plain } = waiting;
  expect(trigger).toBeDefined();
  rig.feed({ type: 'OrderOpened', order: plain, seq: seq(9) });
  context?.quote(BTC, { bids: [{ price: '99990.0', size: '0.01' }], asks: [] });
  rig.book(999_900, 1_000_100);
  const open = rig.bot.account.workingOrders(BTC, MAKER);
  expect(open.map(({ side, orderId }) => [side, orderId === waiting.orderId])).toEqual([
    ['sell', true],
    ['buy', false],
  ]);
  expect(rig.venue.safety).toEqual([]);
});
