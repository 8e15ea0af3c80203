/** @module All checks that look at one order, in the order in which they speak: the cheapest and plainest first. */
import type { OrderCheck } from '../check.ts';
import { duplicate } from './duplicate.ts';
import { expiry } from './expiry.ts';
import { freshness } from './freshness.ts';
import { leverage } from './leverage.ts';
import { marginCover } from './margin-cover.ts';
import { marketRules } from './market-rules.ts';
import { openNotional } from './open-notional.ts';
import { openOrders } from './open-orders.ts';
import { orderSize } from './order-size.ts';
import { position } from './position.ts';
import { postOnly } from './post-only.ts';
import { priceCollar } from './price-collar.ts';
import { reduceOnly } from './reduce-only.ts';
import { referenceSanity } from './reference-sanity.ts';
import { selfMatch } from './self-match.ts';
import { strategyBudget } from './strategy-budget.ts';
import { switchArmed } from './switch-armed.ts';
import { tradingState } from './trading-state.ts';

/** The checks of {@link OrderCheck} form: P1 to P10, P12 to P18 and the trading state. P11 checks whole writes. */
export const ORDER_CHECKS: readonly OrderCheck[] = [
  marketRules,
  tradingState,
  freshness,
  switchArmed,
  referenceSanity,
  orderSize,
  priceCollar,
  expiry,
  reduceOnly,
  postOnly,
  duplicate,
  selfMatch,
  openOrders,
  openNotional,
  position,
  leverage,
  marginCover,
  strategyBudget,
];
