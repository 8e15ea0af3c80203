/**
 * @module
 * Every code with which risk can deny, with its control (denials.md), meaning and remedy. The reference page of denials
 * is made from this table.
 */

/** One row: control, what happened, what to do. */
export interface DenialCodeRow {
  /** Id of the check, such as P16. */
  readonly control: string;
  /** What was denied and why. */
  readonly meaning: string;
  /** What to do. */
  readonly remedy: string;
}

/** All codes. */
export const DENIAL_CODES = {
  RISK_ORDER_MALFORMED: {
    control: 'P1',
    meaning: 'A field of the order is not of its kind.',
    remedy: 'Use what the market view gives: ticksOf, floorTicks, ceilTicks, lotsOf.',
  },
  RISK_MARKET_UNKNOWN: {
    control: 'P1',
    meaning: 'The exchange has not described this market.',
    remedy: 'Check the symbol against /v1/markets.',
  },
  RISK_MARKET_NOT_ALLOWED: {
    control: 'P1',
    meaning: 'The market is not on the allow-list of this run.',
    remedy: 'Add the symbol to the markets of the configuration.',
  },
  RISK_MARKET_NOT_TRADABLE: {
    control: 'P1',
    meaning: 'The market is not open for orders.',
    remedy: 'Wait until the exchange shows it as Active; cancels still work.',
  },
  RISK_TWAP_NOT_OF_VAULT: {
    control: 'P1',
    meaning: 'The exchange takes no time-weighted order for a vault.',
    remedy: 'Use the TWAP of the SDK: its children are plain orders.',
  },
  RISK_TPSL_NOT_OF_VAULT: {
    control: 'P1',
    meaning: 'The exchange takes no take-profit and no stop-loss of a position for a vault.',
    remedy: 'Use placeConditional, or a Bracket, whose exits are orders of their own.',
  },
  RISK_PRICE_INVALID: {
    control: 'P1',
    meaning: 'The price is not a valid multiple of the tick.',
    remedy: 'Round with view.floorTicks or view.ceilTicks; nothing is rounded silently.',
  },
  RISK_SIZE_INVALID: {
    control: 'P1',
    meaning: 'The size is not a valid multiple of the lot.',
    remedy: 'Make sizes with view.lotsOf; nothing is rounded silently.',
  },
  RISK_NOTIONAL_BELOW_MINIMUM: {
    control: 'P1',
    meaning: 'The order is smaller than the market allows.',
    remedy: 'Raise the size to the minimum notional of the market.',
  },
  RISK_ORDER_NOTIONAL_ABOVE_LIMIT: {
    control: 'P2',
    meaning: 'One order is worth too much.',
    remedy: 'Split the order, or raise risk.maxOrderNotional.',
  },
  RISK_ORDER_SIZE_ABOVE_LIMIT: {
    control: 'P2',
    meaning: 'One order is larger than the size limit of its market.',
    remedy: 'Split the order.',
  },
  RISK_PRICE_OUTSIDE_COLLAR: {
    control: 'P3',
    meaning: 'The price is too far from the reference price (median of mark, mid and last).',
    remedy: 'Check the model of the price; widen risk.priceCollar only with a reason.',
  },
  RISK_PRICE_CROSSES_TOO_FAR: {
    control: 'P3',
    meaning: 'The price goes too far through the other side of the book.',
    remedy: 'Price the order nearer to the touch.',
  },
  RISK_REFERENCE_MISSING: {
    control: 'P4',
    meaning: 'There is no price to check the order or a position with.',
    remedy: 'Wait for book or prices; check the subscriptions of the market.',
  },
  RISK_REFERENCE_DIVERGED: {
    control: 'P4',
    meaning: 'Two sources of the reference price disagree.',
    remedy: 'Look at the market before trading continues; quotes are pulled meanwhile.',
  },
  RISK_POSITION_ABOVE_LIMIT: {
    control: 'P5',
    meaning: 'The worst-case position of the market would pass its limit.',
    remedy: 'Quote smaller or let working orders end first: an old order and its replacement both count.',
  },
  RISK_GROSS_POSITION_ABOVE_LIMIT: {
    control: 'P5',
    meaning: 'All worst-case positions added up would pass the limit.',
    remedy: 'Reduce a position, or raise risk.maxGrossExposure.',
  },
  RISK_NET_POSITION_ABOVE_LIMIT: {
    control: 'P5',
    meaning: 'All worst-case positions of one sign, netted, would pass the limit.',
    remedy: 'Reduce or hedge a position, or raise risk.maxNetExposure.',
  },
  RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT: {
    control: 'P6',
    meaning: 'Too many open orders on one side of a market.',
    remedy: 'Use fewer levels, or raise risk.maxOpenOrdersPerSide.',
  },
  RISK_OPEN_ORDERS_ABOVE_LIMIT: {
    control: 'P6',
    meaning: 'Too many open orders in all.',
    remedy: 'Use fewer levels, or raise risk.maxOpenOrders.',
  },
  RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT: {
    control: 'P7',
    meaning: 'The open orders of the market are worth too much.',
    remedy: 'Quote smaller, or raise risk.maxOpenNotionalPerMarket.',
  },
  RISK_OPEN_NOTIONAL_ABOVE_LIMIT: {
    control: 'P7',
    meaning: 'All open orders together are worth too much.',
    remedy: 'Quote smaller, or raise risk.maxOpenNotional.',
  },
  RISK_LEVERAGE_ABOVE_LIMIT: {
    control: 'P8',
    meaning: 'If everything open were executed, gross notional over equity would pass the limit.',
    remedy: 'Quote smaller or add collateral.',
  },
  RISK_LEVERAGE_SETTING_INVALID: {
    control: 'P8',
    meaning: 'The leverage is not between 1 and what the market allows.',
    remedy: 'Choose an integer up to 1,000,000 / initial margin in ppm.',
  },
  RISK_EQUITY_UNKNOWN: {
    control: 'P9',
    meaning: 'No equity is known to compare margins with, or it is not above zero.',
    remedy: 'Wait for the account channel; check the account selection.',
  },
  RISK_MARGIN_COVERAGE_BELOW_LIMIT: {
    control: 'P9',
    meaning: 'Equity would cover the worst-case maintenance margin too few times.',
    remedy: 'Quote smaller or add collateral.',
  },
  RISK_FREE_COLLATERAL_BELOW_LIMIT: {
    control: 'P9',
    meaning: 'Too little collateral would remain free.',
    remedy: 'Quote smaller or add collateral.',
  },
  RISK_LIQUIDATION_TOO_CLOSE: {
    control: 'P9',
    meaning: 'An adverse move of the configured size could lead to liquidation.',
    remedy: 'Quote smaller or add collateral.',
  },
  RISK_DUPLICATE_ORDER: {
    control: 'P10',
    meaning: 'The same order is on its way already.',
    remedy: 'Wait for its outcome; give levels different prices or one larger size.',
  },
  RISK_LANE_RATE_EXCEEDED: {
    control: 'P11',
    meaning: 'The lane has written too often.',
    remedy: 'Requote less often; raise the requote threshold of the strategy.',
  },
  RISK_STRATEGY_RATE_EXCEEDED: {
    control: 'P11',
    meaning: 'The strategy would take more than its share of the account write budget.',
    remedy: 'Requote less often; raise the requote threshold of the strategy.',
  },
  RISK_STRATEGY_THROTTLED: {
    control: 'M8',
    meaning: 'The strategy replaces one order in a loop, or sends hundreds of orders for each trade.',
    remedy: 'Requote less often; until the loop is over one write a second goes out.',
  },
  RISK_SELF_TRADE: {
    control: 'P12',
    meaning: 'The order would trade with an order of the same account.',
    remedy: 'Cancel the other order first, or move the price.',
  },
  RISK_REDUCE_ONLY_WOULD_INCREASE: {
    control: 'P13',
    meaning: 'A reduce-only order is larger than what is certainly left to reduce.',
    remedy: 'Cancel other closing orders first, or make it smaller.',
  },
  RISK_EXPIRY_PAST: {
    control: 'P14',
    meaning: 'The order would be expired on arrival.',
    remedy: 'Set the expiry from the clock of the context.',
  },
  RISK_EXPIRY_TOO_FAR: {
    control: 'P14',
    meaning: 'The lifetime of the order is longer than allowed.',
    remedy: 'Set an earlier expiry; the switch bounds orders without one.',
  },
  RISK_EXPIRY_UNSUPPORTED: {
    control: 'P14',
    meaning: 'Batches and replaces cannot carry an expiry.',
    remedy: 'Place the order on its own, or leave the expiry out.',
  },
  RISK_SWITCH_NOT_ARMED: {
    control: 'P15',
    meaning: "The dead man's switch is not armed and confirmed long enough.",
    remedy: 'Wait for the next heartbeat; see the reasons it was held back for.',
  },
  RISK_MARKET_DATA_STALE: {
    control: 'P16',
    meaning: 'Book and best quotes of the market are too old or not trusted.',
    remedy: 'Wait for the stream; placement continues on its own.',
  },
  RISK_ACCOUNT_NOT_SYNCED: {
    control: 'P16',
    meaning: 'The state of the account has a gap.',
    remedy: 'Wait until reconciliation ends; placement continues on its own.',
  },
  RISK_POST_ONLY_REQUIRED: {
    control: 'P17',
    meaning: 'The strategy is a maker and sent an order that can take.',
    remedy: 'Use postOnly, or configure the strategy as one that may take.',
  },
  RISK_POST_ONLY_WOULD_CROSS: {
    control: 'P17',
    meaning: 'A post-only order would cross the book and be rejected.',
    remedy: 'Price it on its own side of the best price of the other side.',
  },
  RISK_STRATEGY_ORDERS_ABOVE_LIMIT: {
    control: 'P18',
    meaning: 'The strategy has too many open orders.',
    remedy: 'Use fewer levels, or raise its limits.maxOpenOrders.',
  },
  RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT: {
    control: 'P18',
    meaning: 'The open orders of the strategy are worth too much.',
    remedy: 'Quote smaller, or raise its limits.maxOpenNotional.',
  },
  RISK_STRATEGY_POSITION_ABOVE_LIMIT: {
    control: 'P18',
    meaning: 'The worst-case position of the strategy would pass its limit.',
    remedy: 'Quote smaller, or raise risk.maxPositionNotional.',
  },
  RISK_STRATEGY_LOSS_ABOVE_LIMIT: {
    control: 'P18',
    meaning: 'The strategy has lost more than its limit; only reducing orders pass.',
    remedy: 'Find out why, then raise its limits.maxLoss and restart it.',
  },
  RISK_TRADING_REDUCING: {
    control: 'trading state',
    meaning: 'Only orders that reduce a position may be sent.',
    remedy: 'Resume when the reason named is gone.',
  },
  RISK_TRADING_HALTED: {
    control: 'trading state',
    meaning: 'No order that could raise risk may be sent.',
    remedy: 'Resume when the reason named is gone.',
  },
} as const satisfies Record<string, DenialCodeRow>;

/** A code of {@link DENIAL_CODES}. */
export type DenialCode = keyof typeof DENIAL_CODES;
