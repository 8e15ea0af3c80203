/** @module P17: makers do not take. */
import type { OrderSpec } from '../../../domain/index.ts';
import { type OrderCheck, price } from '../check.ts';
import type { ReviewContext } from '../review-context.ts';

/** Checks that maker strategies only send post-only orders, and that these do not cross. */
export const postOnly: OrderCheck = {
  control: 'P17',
  codes: ['RISK_POST_ONLY_REQUIRED', 'RISK_POST_ONLY_WOULD_CROSS'],
  review(spec, scene) {
    const { market } = scene.here;
    if (market === undefined) return undefined;
    if (spec.timeInForce !== 'postOnly') {
      if (!scene.strategyLimits(spec.strategyId).isPostOnly || spec.reduceOnly) return undefined;
      return {
        code: 'RISK_POST_ONLY_REQUIRED',
        message: `expected a post-only order of ${spec.strategyId}, got ${spec.timeInForce}`,
      };
    }
    // What it would cross when it fires nobody knows.
    if (spec.trigger !== undefined) return undefined;
    const touch = externalTouch(spec, scene);
    const isCrossing =
      touch !== undefined && (spec.side === 'buy' ? spec.priceTicks >= touch : spec.priceTicks <= touch);
    if (!isCrossing) return undefined;
    return {
      code: 'RISK_POST_ONLY_WOULD_CROSS',
      message: `expected a post-only ${spec.side} behind ${price(market, touch)}, got ${price(market, spec.priceTicks)}`,
    };
  },
};

/** The best price of the other side once this round's cancels have run: own orders on their way out do not count. */
function externalTouch(spec: OrderSpec, scene: ReviewContext): number | undefined {
  const { record, askTicks, bidTicks } = scene.here;
  const touch = spec.side === 'buy' ? askTicks : bidTicks;
  if (!scene.hasCancels || record?.book === undefined || touch === undefined) return touch;
  const { book, bbo } = record;
  const isBookNewest = bbo === undefined || bbo.receivedAtMs <= book.receivedAtMs;
  const other = spec.side === 'buy' ? 'sell' : 'buy';
  const canceledLots = scene.canceledLotsAt(other, touch);
  if (isBookNewest && canceledLots === 0) return touch;
  if (!isBookNewest) {
    const size = other === 'sell' ? bbo?.askLots : bbo?.bidLots;
    if (canceledLots < (size ?? 0)) return touch;
  }
  const [count, prices, sizes] =
    other === 'sell'
      ? [book.askCount, book.askTicks, book.askLots]
      : [book.bidCount, book.bidTicks, book.bidLots];
  for (let level = 0; level < count; level++) {
    const ticks = prices[level] ?? 0;
    if ((sizes[level] ?? 0) > scene.canceledLotsAt(other, ticks)) return ticks;
  }
  return undefined;
}
