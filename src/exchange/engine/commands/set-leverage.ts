/** @module Sets an account's own initial margin fraction in a market: it can only be raised above the market's. */
import type { AccountState } from '../accounts/account.ts';
import { MILLION } from '../amounts.ts';
import { netCollateral, requiredMargin } from '../margin.ts';
import type { VenueState } from '../state.ts';
import { type Result, rejected } from './outcome.ts';

/**
 * Sets it when it is between the market's fraction and the whole notional (exchange.md#fields: a multiple such as 5 is
 * `InvalidLeverage`) and the account's margin reaches for it.
 */
export function runSetLeverage(
  state: VenueState,
  account: AccountState,
  command: { market: number; customImfPpm: number },
): Result {
  const market = state.markets.get(command.market);
  if (market === undefined) return rejected('UnknownMarket');
  const { customImfPpm } = command;
  if (customImfPpm < market.market.initialMarginPpm || customImfPpm > MILLION)
    return rejected('InvalidLeverage');
  const holding = account.holding(market);
  const before = holding.initialMarginPpm;
  holding.initialMarginPpm = customImfPpm;
  holding.requiredForLots = -1;
  const isRaised = holding.initialMarginPpm > before;
  if (isRaised && netCollateral(state, account) < requiredMargin(state, account)) {
    holding.initialMarginPpm = before;
    holding.requiredForLots = -1;
    return rejected('InsufficientMargin');
  }
  state.log.emit({ kind: 'LeverageSet', account: account.number, market: market.number, customImfPpm });
  return { status: 'executed', items: [] };
}
