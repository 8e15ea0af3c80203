/** @module What can be read of accounts and books. */
import { ppm, quantums } from '../../domain/index.ts';
import type { AccountState, Holding } from './accounts/account.ts';
import { accruedFunding, valueAt } from './accounts/position.ts';
import { tierOf } from './fees.ts';
import { marginFigures } from './margin.ts';
import { type BookSide, BUY, type OrderBook, SELL } from './matching/order-book.ts';
import { isSwitchSpent } from './schedule-cancel.ts';
import type { VenueState } from './state.ts';
import type { VenueAccount, VenueLevels, VenuePosition } from './types.ts';

/** Cash, and value at the index with funding not yet paid. */
export function equityOf(account: AccountState): bigint {
  let equity = account.collateral;
  for (const holding of account.holdings.values())
    equity += valueAt(holding, holding.market.indexTicks) + accruedFunding(holding);
  return equity;
}

/** The summary of an account. */
export function accountView(state: VenueState, account: AccountState): VenueAccount {
  const figures = marginFigures(state, account);
  const rates = tierOf(state, account);
  return {
    account: account.number,
    collateral: quantums(account.collateral),
    equity: quantums(equityOf(account)),
    netCollateral: quantums(figures.netCollateral),
    initialMargin: quantums(figures.initialMargin),
    orderMargin: quantums(figures.orderMargin),
    maintenanceMargin: quantums(figures.maintenanceMargin),
    withdrawable: quantums(figures.withdrawable),
    takerFeePpm: ppm(Number(rates.takerPpm)),
    makerFeePpm: ppm(Number(rates.makerPpm)),
    feeTier: state.tiers.length === 0 ? undefined : rates.tier,
    scheduleCancelAtMs: account.scheduleCancelAtMs,
    isSwitchSpent: isSwitchSpent(state, account),
  };
}

/** Positions that are not zero, by market number. */
export function positionViews(account: AccountState): readonly VenuePosition[] {
  return [...account.holdings.values()]
    .filter((holding) => holding.lots !== 0)
    .sort((a, b) => a.market.number - b.market.number)
    .map(positionView);
}

function positionView(holding: Holding): VenuePosition {
  return {
    market: holding.market.number,
    lots: holding.lots,
    costBasis: quantums(holding.costBasis),
    unrealizedPnl: quantums(valueAt(holding, holding.market.indexTicks) - holding.costBasis),
    accruedFunding: quantums(accruedFunding(holding)),
    initialMarginPpm: ppm(holding.initialMarginPpm),
  };
}

/** Both sides of a book, best first, at most `depth` levels each. */
export function bookView(book: OrderBook, depth: number): { bids: VenueLevels; asks: VenueLevels } {
  return { bids: levels(book, BUY, depth), asks: levels(book, SELL, depth) };
}

function levels(book: OrderBook, side: BookSide, depth: number): VenueLevels {
  const found: [number, number][] = [];
  if (depth <= 0) return found;
  book.forEachLevel(side, (priceTicks, lots) => found.push([priceTicks, lots]) < depth);
  return found;
}
