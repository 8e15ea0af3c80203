/**
 * @module
 * Every code with which the runtime itself denies an intent, before risk sees it. With the table of risk it makes the
 * reference page of denials.
 */

/** All codes. */
export const INTENT_CODES = {
  INTENT_MALFORMED: {
    control: 'intent',
    meaning: 'What was asked for does not have the form of an intent.',
    remedy: 'Use context.quote with bids and asks, or context.place with an order draft.',
  },
  INTENT_MARKET_UNKNOWN: {
    control: 'intent',
    meaning: 'The market is not one of those this strategy is configured for.',
    remedy: 'Add the market to the strategy in the configuration.',
  },
  INTENT_PRICE_OFF_TICK: {
    control: 'intent',
    meaning: 'A price does not fit the tick of its market.',
    remedy: 'Round with floorTicks or ceilTicks; nothing is rounded silently.',
  },
  INTENT_SIZE_OFF_LOT: {
    control: 'intent',
    meaning: 'A size does not fit the lot of its market.',
    remedy: 'Give a size with fewer decimals; nothing is rounded silently.',
  },
  INTENT_PRICE_UNKNOWN: {
    control: 'intent',
    meaning: 'No price of the market has come by which the slices of a time-weighted order are limited.',
    remedy: 'Ask again when view.prices or view.midTicks shows a price.',
  },
  INTENT_SLICES_TOO_MANY: {
    control: 'intent',
    meaning: 'A time-weighted order has more slices than steps of size.',
    remedy: 'Ask for fewer slices or a larger size.',
  },
  INTENT_POSITION_MISSING: {
    control: 'intent',
    meaning: 'A take-profit or stop-loss has no position to close on its side.',
    remedy:
      'Ask when view.inventoryLots shows the position; for a stop before its entry use placeConditional.',
  },
  INTENT_POSITION_SHARED: {
    control: 'intent',
    meaning: 'A take-profit or stop-loss would close more than what its strategy holds.',
    remedy: 'Give the market to one strategy alone, or use placeConditional with a size of its own.',
  },
  INTENT_LEVELS_TOO_MANY: {
    control: 'intent',
    meaning: 'A target has more levels than one write should carry.',
    remedy: 'State fewer levels.',
  },
  INTENT_ORDER_UNKNOWN: {
    control: 'intent',
    meaning: 'The order to cancel is not a working order of this strategy.',
    remedy: 'Cancel orders from view.orders only.',
  },
  INTENT_QUEUE_FULL: {
    control: 'intent',
    meaning: 'Too many orders of the strategy wait for their lane.',
    remedy: 'Wait for outcomes before asking for more.',
  },
  INTENT_EXPIRED: {
    control: 'intent',
    meaning: 'The order waited too long for its lane: the market it was meant for is gone.',
    remedy: 'Decide again; give the strategy its own lane if this happens often.',
  },
  INTENT_LANE_HALTED: {
    control: 'intent',
    meaning: 'The lane of the strategy has halted: nothing can be sent through its wallet.',
    remedy: 'Wait for onResumed; `ballast status` shows why the lane has halted and what to do.',
  },
  INTENT_WITHDRAWN: {
    control: 'intent',
    meaning: 'The orders of the strategy were canceled while this one still waited for its lane.',
    remedy: 'Nothing was sent. Ask again where the order is still wanted.',
  },
  INTENT_STRATEGY_NOT_RUNNING: {
    control: 'intent',
    meaning: 'The strategy has not started yet, or was stopped.',
    remedy: 'Ask for orders from onStart on, and never after onStop.',
  },
} as const;

/** A code of {@link INTENT_CODES}. */
export type IntentCode = keyof typeof INTENT_CODES;
