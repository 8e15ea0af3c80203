/** @module The best orders of others: what every price of ours is compared with. Pure. */
import type { Ticks } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';

/** The best orders of others, both sides of them. */
export interface Touch {
  readonly bidTicks: Ticks;
  readonly askTicks: Ticks;
  /** Their mid, with a half. */
  readonly midTicks: number;
}

/** The touch of a market; `undefined` while a side is empty. */
export function touchOf(view: MarketView): Touch | undefined {
  const { externalBidTicks: bidTicks, externalAskTicks: askTicks } = view;
  if (bidTicks === undefined || askTicks === undefined) return undefined;
  return { bidTicks, askTicks, midTicks: (bidTicks + askTicks) / 2 };
}

/** The touch of a market that takes orders and whose data is fresh; `undefined`: nothing is to be sent now. */
export function tradableTouchOf(view: MarketView): Touch | undefined {
  return view.isFresh && view.isTradable ? touchOf(view) : undefined;
}
