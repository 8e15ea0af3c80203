/**
 * @module
 * The end of a market: with the block after its status became `FinalSettlement` its orders are canceled, whether they
 * rest or wait, and every position is settled in cash at the index price of that moment (exchange.md#market-rules; that
 * this happens at a block boundary is an own choice). Funding not yet paid is paid first. Positions of a market add up
 * to nothing, so what is paid does too.
 */
import type { Holding } from './accounts/account.ts';
import { post } from './accounts/ledger.ts';
import { valueAt } from './accounts/position.ts';
import { cancelWaiting } from './commands/cancel-waiting.ts';
import { cancelOrder, payFunding } from './matching/execution.ts';
import type { MarketState } from './prices/market-state.ts';
import type { VenueState } from './state.ts';

/** Settles the markets that have ended since the block before. */
export function settleEndedMarkets(state: VenueState): void {
  for (const market of state.markets.values()) {
    if (market.isSettled || market.market.status !== 'FinalSettlement') continue;
    market.isSettled = true;
    settle(state, market);
  }
}

function settle(state: VenueState, market: MarketState): void {
  let settled = 0;
  for (const account of state.accounts) {
    for (const order of state.orders.of(account))
      if (order.holding.market === market) cancelOrder(state, order, 'FinalSettlement');
    const waiting = [...state.triggers.of(account), ...state.twaps.of(account).map(({ terms }) => terms)];
    for (const one of waiting) {
      if (one.market !== market) continue;
      cancelWaiting(state, account, { market: market.number, orderSeq: one.orderSeq }, 'FinalSettlement');
    }
    const holding = account.holdings.get(market.number);
    if (holding === undefined || holding.lots === 0) continue;
    settlePosition(state, holding);
    settled++;
  }
  market.openInterestLots = 0;
  const { number, indexTicks } = market;
  state.log.emit({ kind: 'FinalSettled', market: number, indexTicks, positions: settled });
}

function settlePosition(state: VenueState, holding: Holding): void {
  const { account, market } = holding;
  payFunding(state, holding);
  const amount = valueAt(holding, market.indexTicks);
  holding.lots = 0;
  holding.costBasis = 0n;
  account.netCollateral = undefined;
  post(state.log, account, { kind: 'final_settlement', amount, market: market.number });
}
