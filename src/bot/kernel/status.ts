/**
 * @module
 * A snapshot of a run for people: plain data, amounts as decimal text. Made when asked for, never kept.
 */
import { formatScaled, type UnixMs } from '../../core/index.ts';
import {
  type AccountState,
  bestAskOf,
  bestBidOf,
  type Fill,
  formatPrice,
  formatSize,
  isOutsideBook,
  type Market,
  type MarketRecord,
  type MarketState,
  type Pnl,
  type StrategyId,
  type Ticks,
  totalOf,
  valuationTicksOf,
  type WorkingOrder,
} from '../../domain/index.ts';
import {
  type LossMonitor,
  nameOfScope,
  type RiskLimits,
  strictest,
  type TradingScope,
  type TradingStates,
} from '../risk/index.ts';
import type { GapCode } from './gap-reasons.ts';
import type { QuoteGap } from './gap-watch.ts';
import type { Health } from './health.ts';
import type { RunState } from './lifecycle.ts';
import { type LimitStatus, limitStatus } from './limit-status.ts';
import { type LossStatus, lossesOf } from './loss-status.ts';
import type { StrategyHost } from './strategy-host.ts';

/** Profit and loss as decimal text in the collateral. */
export interface PnlText {
  /** PnL after fees and funding, decimal text in collateral. */
  readonly total: string;
  /** Realized PnL, decimal text in collateral. */
  readonly realized: string;
  /** Unrealized PnL at the valuation price, decimal text in collateral. */
  readonly unrealized: string;
  /** Fees, decimal text in collateral. */
  readonly fees: string;
  /** Funding, decimal text in collateral. */
  readonly funding: string;
}

/** One working order. */
export interface WorkingOrderView {
  readonly orderId: string;
  /** Id of the owner; `undefined`: none is known. */
  readonly strategy: string | undefined;
  readonly side: 'buy' | 'sell';
  /** Decimal text. */
  readonly price: string;
  /** Decimal text. */
  readonly size: string;
  /** Size not filled yet, decimal text. */
  readonly remaining: string;
  /** What it waits for outside the book, in words: a side of a trigger, or its next slice. Absent: it is in the book. */
  readonly waitsFor?: string;
}

/** Why a strategy has no order on one side of a market. */
export interface NoQuoteReason {
  readonly strategy: string;
  readonly side: 'bid' | 'ask';
  /** One of the reasons of quote-gaps.md. */
  readonly code: GapCode;
  /** The reason, in words, with numbers. */
  readonly reason: string;
  /** How long it has held for this reason, ms. */
  readonly durationMs: number;
}

/** One market. */
export interface MarketStatus {
  readonly symbol: string;
  /** Best bid, decimal text; `undefined`: the side is empty. */
  readonly bid: string | undefined;
  /** Best ask, decimal text; `undefined`: the side is empty. */
  readonly ask: string | undefined;
  /** Mark price, decimal text; `undefined`: not known. */
  readonly mark: string | undefined;
  /** True while the data are recent enough to trade on. */
  readonly isFresh: boolean;
  /** Trading state of this market alone: active, reducing or halted, with the reason. */
  readonly trading: string;
  /** The same with that of the account: what holds for a new order. */
  readonly inEffect: string;
  /** Signed position, decimal text. */
  readonly position: string;
  /** Of the position, what no strategy owns, decimal text. */
  readonly unowned: string;
  /** Average entry price, decimal text; `undefined`: no position. */
  readonly averagePrice: string | undefined;
  /** Unrealized PnL, decimal text in collateral. */
  readonly unrealized: string;
  readonly orders: readonly WorkingOrderView[];
  /** Why a strategy has no order on a side here (quote-gaps.md). */
  readonly noQuoteReasons: readonly NoQuoteReason[];
}

/** One strategy. */
export interface StrategyStatus {
  /** Name of the instance. */
  readonly id: string;
  /** Name of the strategy. */
  readonly name: string;
  /** State of the instance. */
  readonly state: string;
  /** The reason, in words. */
  readonly reason: string;
  /** How often it has failed. */
  readonly failures: number;
  /** Trading state of this strategy alone: active, throttled, reducing or halted, with the reason. */
  readonly trading: string;
  /** The same with that of the account: what holds for a new order. */
  readonly inEffect: string;
  readonly pnl: PnlText;
  /** Number of fills. */
  readonly fills: number;
  /** Fills as maker. */
  readonly makerFills: number;
  /** Signed inventory by market, decimal text. */
  readonly inventory: Readonly<Record<string, string>>;
  /** Its parameters in the form of a configuration, as they are now. */
  readonly parameters: unknown;
}

/** One of the last fills. */
export interface FillStatus {
  readonly id: string;
  /** Time of the fill, Unix ms; `null`: not known. */
  readonly atMs: number | null;
  readonly symbol: string;
  /** Id of the owner; `undefined`: none is known. */
  readonly strategy: string | undefined;
  readonly side: 'buy' | 'sell';
  /** Whether the order rested (maker) or took (taker). */
  readonly role: 'maker' | 'taker';
  /** Decimal text. */
  readonly price: string;
  /** Decimal text. */
  readonly size: string;
}

/** A halt that only a person ends. */
export interface HaltStatus {
  /** Id of the control (denials.md), `operator`, or the lane that has halted. */
  readonly control: string;
  /** `account`, a market or the id of a strategy. */
  readonly scope: string;
  /** The reason, in words. */
  readonly reason: string;
}

/** A run at one instant. */
export interface BotStatus {
  /** Name of the run. */
  readonly runId: string;
  readonly atMs: UnixMs;
  readonly state: RunState;
  /** Why the run does not trade; empty: it does. */
  readonly reasons: readonly string[];
  /** Trading state of the account and its reason. */
  readonly trading: { readonly state: string; readonly reason: string };
  /** Losses that are limited (denials.md M4). */
  readonly losses: readonly LossStatus[];
  /** Every limit with what is used of it, orders on their way included. */
  readonly limits: readonly LimitStatus[];
  /** What is halted until a person resumes it. */
  readonly halts: readonly HaltStatus[];
  /** Time until the dead man's switch fires, ms (`undefined`: not armed), and why it is not renewed. */
  readonly switch: { readonly armedForMs: number | undefined; readonly held: readonly string[] };
  /** Equity, decimal text in collateral; `undefined`: not known. */
  readonly equity: string | undefined;
  /** Cash, decimal text in collateral. */
  readonly cash: string;
  readonly pnl: PnlText;
  readonly strategies: readonly StrategyStatus[];
  readonly markets: readonly MarketStatus[];
  /** Newest first. */
  readonly fills: readonly FillStatus[];
  /** Writes whose answer has not come. */
  readonly inFlight: number;
  /** Number of writes whose outcome is not known. */
  readonly unresolved: number;
  /** Orders and intents that risk denied. */
  readonly denials: number;
  /** Facts that the run has handled. */
  readonly facts: number;
  readonly health: Health;
}

/** What a status is made of. */
export interface StatusSources {
  /** Name of the run. */
  readonly runId: string;
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly trading: TradingStates;
  readonly limits: RiskLimits;
  /** Losses by scope; `undefined`: the run has no controls. */
  readonly losses: LossMonitor | undefined;
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  /** Sides without an order. */
  readonly gaps: readonly QuoteGap[];
  readonly health: Health;
  readonly state: RunState;
  /** Why the run does not trade. */
  readonly reasons: readonly string[];
  /** The newest fills with their owners. */
  readonly recentFills: readonly { readonly fill: Fill; readonly strategyId: StrategyId | undefined }[];
  /** Orders and intents that risk denied. */
  readonly denials: number;
  /** Facts that the run has handled. */
  readonly facts: number;
  readonly nowMs: UnixMs;
  readonly serverNowMs: UnixMs;
}

/** The status of a run. */
export function statusOf(sources: StatusSources): BotStatus {
  const { account, markets, trading, hosts, nowMs } = sources;
  const scale = moneyScaleOf(markets);
  const money = (amount: bigint) => formatScaled(amount, scale);
  const markOf = (symbol: MarketRecord['symbol']) => markets.valuationTicks(symbol);
  const pnlText = (pnl: Pnl): PnlText => ({
    total: money(totalOf(pnl)),
    realized: money(pnl.realized),
    unrealized: money(pnl.unrealized),
    fees: money(pnl.fees),
    funding: money(pnl.funding),
  });
  const writes = account.pendingWrites();
  const { armedUntilMs } = account;
  return {
    runId: sources.runId,
    atMs: nowMs,
    state: sources.state,
    reasons: sources.reasons,
    trading: trading.ofScope({ kind: 'account' }),
    losses: lossesOf(sources.losses, money),
    limits: limitStatus(
      { ...sources, strategies: hosts.keys(), profitOf: (id) => totalOf(account.pnl(markOf, id)) },
      money,
    ),
    halts: haltsOf(trading),
    switch: {
      armedForMs: armedUntilMs === undefined ? undefined : armedUntilMs - sources.serverNowMs,
      held: account.switchHeldReasons,
    },
    equity: account.summary === undefined ? undefined : money(account.summary.equity),
    cash: money(account.ledgerSum),
    pnl: pnlText(account.pnl(markOf)),
    strategies: Array.from(hosts.values(), (host) =>
      strategyStatus(host, sources, pnlText(account.pnl(markOf, host.id))),
    ),
    markets: Array.from(markets.symbols()).flatMap((symbol) => marketStatus(symbol, sources, money)),
    fills: sources.recentFills.flatMap(({ fill, strategyId }) => {
      const market = markets.get(fill.symbol)?.market;
      return market === undefined ? [] : [fillStatus(fill, market, strategyId)];
    }),
    inFlight: writes.filter((write) => !write.isUnresolved).length,
    unresolved: writes.filter((write) => write.isUnresolved).length,
    denials: sources.denials,
    facts: sources.facts,
    health: sources.health,
  };
}

/** These let go on their own: positions that agree again, a pause that is over, a market that is tried again. */
const LETTING_GO: ReadonlySet<string> = new Set(['M3', 'M5', 'M17']);

/** What is halted until a person resumes it. */
export function haltsOf(trading: TradingStates): readonly HaltStatus[] {
  return trading
    .halts()
    .filter(({ holder }) => !LETTING_GO.has(holder))
    .map(({ scope, holder, reason }) => ({ control: holder, scope: nameOfScope(scope), reason }));
}

function strategyStatus(host: StrategyHost, sources: StatusSources, pnl: PnlText): StrategyStatus {
  const { account, markets, trading } = sources;
  let fills = 0;
  let makerFills = 0;
  const inventory: Record<string, string> = {};
  for (const symbol of host.setup.symbols) {
    const own = account.inventory(symbol, host.id);
    const market = markets.get(symbol)?.market;
    if (own === undefined || market === undefined) continue;
    fills += own.fillCounts.all;
    makerFills += own.fillCounts.maker;
    inventory[symbol] = formatSize(market, own.sizeLots);
  }
  return {
    id: host.id,
    name: host.setup.definition.name,
    state: host.state,
    reason: host.reason,
    failures: host.failureCount,
    ...tradingOf(trading, { kind: 'strategy', strategyId: host.id }),
    pnl,
    fills,
    makerFills,
    inventory,
    parameters: host.parameters,
  };
}

function tradingOf(states: TradingStates, scope: TradingScope): Pick<StrategyStatus, 'trading' | 'inEffect'> {
  const [own, account] = [states.ofScope(scope), states.ofScope({ kind: 'account' })];
  const trading = own.state === 'active' ? own.state : `${own.state}: ${own.reason}`;
  const isOwn = strictest(own, account) === own;
  return { trading, inEffect: isOwn ? trading : `${account.state} with the account` };
}

function marketStatus(
  symbol: MarketRecord['symbol'],
  sources: StatusSources,
  money: (amount: bigint) => string,
): readonly MarketStatus[] {
  const { account, markets, gaps, nowMs } = sources;
  const record = markets.get(symbol);
  const market = record?.market;
  if (record === undefined || market === undefined) return [];
  const price = (ticks: Ticks | undefined) => (ticks === undefined ? undefined : formatPrice(market, ticks));
  const position = account.inventory(symbol)?.position;
  const mark = valuationTicksOf(record);
  const average = position?.averageEntryTicks();
  const noQuoteReasons = gaps
    .filter((gap) => gap.symbol === symbol)
    .map(({ strategyId, side, reason: { code, detail }, sinceMs }) => ({
      ...{ strategy: strategyId, side, code, reason: detail },
      durationMs: nowMs - sinceMs,
    }));
  return [
    {
      symbol,
      bid: price(bestBidOf(record)),
      ask: price(bestAskOf(record)),
      mark: price(record.prices?.markTicks),
      isFresh: record.staleReason === undefined && record.dataAtMs !== undefined,
      ...tradingOf(sources.trading, { kind: 'market', symbol }),
      position: formatSize(market, account.positionLots(symbol)),
      unowned: formatSize(market, account.unownedLots(symbol)),
      averagePrice: average === undefined ? undefined : price(Math.round(average) as Ticks),
      unrealized: money(mark === undefined ? 0n : (position?.unrealizedAt(mark) ?? 0n)),
      orders: account.workingOrders(symbol).map((order) => ({
        orderId: order.orderId,
        strategy: order.strategyId,
        side: order.side,
        price: formatPrice(market, order.priceTicks),
        size: formatSize(market, order.sizeLots),
        remaining: formatSize(market, order.remainingLots),
        ...(isOutsideBook(order) ? { waitsFor: waitText(market, order) } : {}),
      })),
      noQuoteReasons,
    },
  ];
}

const LEG_WORDS = { takeProfit: 'take-profit', stopLoss: 'stop-loss' } as const;

function waitText(market: Market, { trigger, twap }: WorkingOrder): string {
  if (twap !== undefined) {
    const { slicesDone, slices, nextSliceAtMs } = twap;
    const when = nextSliceAtMs === 0 ? '' : ` at ${new Date(nextSliceAtMs).toISOString().slice(11, 19)}`;
    return `slice ${slicesDone + 1} of ${slices}${when}`;
  }
  if (trigger === undefined || trigger.priceTicks === 0) return 'a trigger that the exchange does not show';
  const leg = trigger.leg === undefined ? '' : `, ${LEG_WORDS[trigger.leg]} of the position`;
  return `index at or ${trigger.isAbove ? 'above' : 'below'} ${formatPrice(market, trigger.priceTicks)}${leg}`;
}

function fillStatus(fill: Fill, market: Market, strategyId: StrategyId | undefined): FillStatus {
  return {
    id: fill.id,
    atMs: fill.atMs,
    symbol: fill.symbol,
    strategy: strategyId,
    side: fill.side,
    role: fill.role,
    price: formatPrice(market, fill.priceTicks),
    size: formatSize(market, fill.sizeLots),
  };
}

/** Decimals of the collateral, the same for all markets of an exchange. */
function moneyScaleOf(markets: MarketState): number {
  for (const symbol of markets.symbols()) {
    const market = markets.get(symbol)?.market;
    if (market !== undefined)
      return market.priceDecimals + market.sizeDecimals + market.quantumsPerTickLot.toString().length - 1;
  }
  return 6;
}
