/**
 * @module
 * Outcome of accounts whose net collateral is below their maintenance margin (exchange.md#market-rules: nc - hold
 * < mmr; there is no spot here, so nothing is held). Looked at with each block, after funding.
 *
 * Own choices where the source names the steps but not their rules, in their order:
 * 1. The account's orders are canceled, those that wait outside the book too.
 * 2. Its positions are closed in the book, that with the largest maintenance margin first, until the rest is covered:
 *    an IOC order whose limit is the price at which net collateral and insurance fund together are used up.
 * 3. Of what was closed the insurance fund takes a fee, as far as the account has more than its maintenance margin.
 * 4. An account that has nothing left and still has a position, because the book is too thin, is closed at mark against
 *    those who hold the other side, the most profitable first (Deleverage).
 * 5. A debt without a position is paid by the insurance fund, and what the fund does not reach by all accounts in
 *    proportion to their net collateral (SocializedLoss).
 */
import { ceilDivide, floorDivide, product } from '../../core/index.ts';
import type { AccountState, Holding } from './accounts/account.ts';
import { HOUSE_ACCOUNT } from './accounts/account.ts';
import { post } from './accounts/ledger.ts';
import { applyTrade, valueAt } from './accounts/position.ts';
import { sweepWaiting } from './commands/cancel-waiting.ts';
import { RECORDS_MAX } from './commands/waiting.ts';
import { feeOf, partsOf, ratesOf, takerFeeBound } from './fees.ts';
import { coverDebt } from './insurance.ts';
import { maintenanceMarginOf, netCollateral, requiredMargin } from './margin.ts';
import { cancelOrder, payFunding } from './matching/execution.ts';
import { preview } from './matching/preview.ts';
import { placeOrder } from './orders/placement.ts';
import type { VenueState } from './state.ts';

/** A price is a u32 in canonical bytes (exchange.md#command-bytes). */
const PRICE_MAX = 0xffff_ffff;

/** Closing one account fills orders of others, which may then have to be closed too; the rest waits for the next block. */
const PASSES_MAX = 20;

/** Liquidates who must be, by rising account number, until none is left. */
export function liquidateAccounts(state: VenueState): void {
  for (let pass = 0; pass < PASSES_MAX; pass++) if (!liquidatePass(state)) return;
}

/** Gives whether something was closed. */
function liquidatePass(state: VenueState): boolean {
  let hasClosed = false;
  for (const account of state.accounts) {
    if (account.number === HOUSE_ACCOUNT || account.holdings.size === 0) continue;
    // Initial margin is more than maintenance margin: who covers it is far from it. Both values are kept anyway.
    if (netCollateral(state, account) >= requiredMargin(state, account)) continue;
    if (isLiquidatable(state, account)) {
      const before = lotsOf(account);
      liquidate(state, account);
      hasClosed ||= lotsOf(account) !== before;
    }
    if (account.collateral < 0n && positionsOf(account).length === 0) coverDebt(state, account);
  }
  return hasClosed;
}

/** Lots of all positions together, whatever their side. */
function lotsOf(account: AccountState): number {
  let sum = 0;
  for (const { lots } of account.holdings.values()) sum += Math.abs(lots);
  return sum;
}

function isLiquidatable(state: VenueState, account: AccountState): boolean {
  const maintenance = maintenanceOf(account);
  return maintenance > 0n && netCollateral(state, account) < maintenance;
}

function maintenanceOf(account: AccountState): bigint {
  let sum = 0n;
  for (const holding of account.holdings.values())
    sum += maintenanceMarginOf(holding, Math.abs(holding.lots));
  return sum;
}

function liquidate(state: VenueState, account: AccountState): void {
  for (const order of state.orders.of(account)) cancelOrder(state, order, 'Liquidation');
  sweepWaiting(state, account, 'Liquidation');
  for (const holding of positionsOf(account)) {
    closeInBook(state, holding);
    if (!isLiquidatable(state, account)) return;
  }
  for (const holding of positionsOf(account)) {
    if (netCollateral(state, account) > 0n) return;
    deleverage(state, holding);
  }
}

/** Positions, that with the largest maintenance margin first. */
function positionsOf(account: AccountState): readonly Holding[] {
  const open = [...account.holdings.values()].filter(({ lots }) => lots !== 0);
  const margin = (holding: Holding) => maintenanceMarginOf(holding, Math.abs(holding.lots));
  return open.sort((a, b) => Number(margin(b) - margin(a)) || a.market.number - b.market.number);
}

/** Takes what the book gives down to the price at which account and fund together have nothing. */
function closeInBook(state: VenueState, holding: Holding): void {
  const { account, market, lots } = holding;
  if (!market.isTradable) return;
  const side = lots > 0 ? 'sell' : 'buy';
  const size = Math.abs(lots);
  const notional = product(market.markTicks, size) * market.market.quantumsPerTickLot;
  const fee = takerFeeBound(ratesOf(state, holding), partsOf(state, holding, undefined), notional);
  const budget = netCollateral(state, account) + state.insuranceFund - fee;
  const price = priceAt(holding, budget);
  if (preview(state.orders, holding, { side, priceTicks: price, lots: size }).lots === 0) return;
  const orderSeq = BigInt(state.log.at.seq * RECORDS_MAX + state.log.takeRecordSubs(1));
  const { number } = market;
  state.log.emit({
    kind: 'Liquidation',
    account: account.number,
    market: number,
    side,
    lots: size,
    orderSeq,
  });
  const order = { market: number, side, price, lots: BigInt(size), tif: 'ioc', reduceOnly: true } as const;
  const placed = placeOrder(state, account, order, { orderSeq, goodTilMs: 0, nowMs: 0 });
  if (typeof placed === 'string') return;
  const closed = placed.terms.lots - placed.remainingLots;
  payLiquidationFee(state, holding, product(market.markTicks, closed) * market.market.quantumsPerTickLot);
}

/** The fund's fee, never more than what the account has beyond the margin of what it still holds. */
function payLiquidationFee(state: VenueState, { account, market }: Holding, notional: bigint): void {
  const wanted = feeOf(notional, state.liquidationFeePpm);
  const free = netCollateral(state, account) - maintenanceOf(account);
  const amount = wanted < free ? wanted : free;
  if (amount <= 0n) return;
  post(state.log, account, { kind: 'liquidation_fee', amount: -amount, market: market.number });
  post(state.log, state.house, { kind: 'liquidation_fee', amount, market: market.number });
  state.changeFund(amount);
}

/** The worst price at which closing the whole position at `price` instead of mark costs `budget`, on the tick inside. */
function priceAt({ market, lots }: Holding, budget: bigint): number {
  const { tickStep, quantumsPerTickLot } = market.market;
  const step = BigInt(tickStep);
  const perTick = BigInt(Math.abs(lots)) * quantumsPerTickLot;
  const atMark = BigInt(market.markTicks) * perTick;
  const ticks =
    lots > 0
      ? ceilDivide(positive(atMark - budget), perTick * step) * step
      : floorDivide(atMark + budget, perTick * step) * step;
  const highest = BigInt(PRICE_MAX - (PRICE_MAX % tickStep));
  return Number(ticks < step ? step : ticks > highest ? highest : ticks);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

/** Closes the position against the other side, the most profitable first, at mark: no account gains or loses by it. */
function deleverage(state: VenueState, holding: Holding): void {
  const { account, market } = holding;
  if (!market.isTradable) return;
  const priceTicks = market.markTicks;
  for (const counter of counterparts(state, holding)) {
    if (holding.lots === 0) return;
    const size = Math.min(Math.abs(holding.lots), Math.abs(counter.lots));
    const lots = holding.lots > 0 ? -size : size;
    exchange(state, holding, { lots, priceTicks });
    exchange(state, counter, { lots: -lots, priceTicks });
    state.log.emit({
      kind: 'Deleverage',
      account: account.number,
      counterAccount: counter.account.number,
      market: market.number,
      side: lots > 0 ? 'buy' : 'sell',
      priceTicks,
      lots: size,
    });
  }
}

function exchange(
  state: VenueState,
  holding: Holding,
  { lots, priceTicks }: { readonly lots: number; readonly priceTicks: number },
): void {
  const { market, account } = holding;
  const notional = product(priceTicks, lots) * market.market.quantumsPerTickLot;
  payFunding(state, holding);
  applyTrade(holding, lots, notional);
  post(state.log, account, { kind: 'deleverage', amount: -notional, market: market.number });
}

/** Those who hold the other side of a market, the most profitable first: profit at mark by what was paid. */
function counterparts(state: VenueState, { market, lots }: Holding): readonly Holding[] {
  const found: { holding: Holding; profit: bigint; cost: bigint }[] = [];
  for (const account of state.accounts) {
    const holding = account.holdings.get(market.number);
    if (holding === undefined || holding.lots === 0 || holding.lots > 0 === lots > 0) continue;
    const profit = valueAt(holding, market.markTicks) - holding.costBasis;
    const cost = holding.costBasis < 0n ? -holding.costBasis : holding.costBasis;
    found.push({ holding, profit, cost: cost === 0n ? 1n : cost });
  }
  const order = (a: bigint, b: bigint) => (a > b ? -1 : a < b ? 1 : 0);
  return found.sort((a, b) => order(a.profit * b.cost, b.profit * a.cost)).map(({ holding }) => holding);
}
