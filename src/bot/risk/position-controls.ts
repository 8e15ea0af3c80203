/**
 * @module
 * Continuous controls of open positions (denials.md M9, M13): inventory that stays near its limit, and funding
 * that is about to cost too much. Either lets the market only be reduced until it is over. Pure but for what it
 * remembers.
 */
import {
  type AccountView,
  type MarketState,
  type MarketSymbol,
  notionalOf,
  type Quantums,
  valuationTicksOf,
} from '../../domain/index.ts';
import { money } from './check.ts';
import type { Verdict } from './verdict.ts';

/** Limits of these controls. */
export interface PositionControlLimits {
  /** M9: a position above this notional for longer than {@link inventoryMsMax}. */
  readonly inventoryNotionalMax: Quantums;
  /** How long inventory may stay near its limit, ms. */
  readonly inventoryMsMax: number;
  /** M13: what the next funding payment of a market may come to, paid or received. */
  readonly fundingMax: Quantums;
}

type Control = 'M9' | 'M13';

const PPM = 1_000_000n;

/** See the module. */
export class PositionControls {
  readonly #limits: PositionControlLimits;
  readonly #account: AccountView;
  readonly #markets: MarketState;
  readonly #nearLimitSinceMs = new Map<MarketSymbol, number>();
  /** Markets that each control holds. */
  readonly #held: Readonly<Record<Control, Set<MarketSymbol>>> = { M9: new Set(), M13: new Set() };

  constructor(
    limits: PositionControlLimits,
    sources: { readonly account: AccountView; readonly markets: MarketState },
  ) {
    this.#limits = limits;
    this.#account = sources.account;
    this.#markets = sources.markets;
  }

  /** Adds what has changed since the last look. */
  tick(nowMs: number, verdicts: Verdict[]): void {
    const { M9, M13 } = this.#held;
    const active = this.#account.activeSymbols();
    const symbols = M9.size + M13.size === 0 ? active : new Set([...active, ...M9, ...M13]);
    for (const symbol of symbols) this.#check(symbol, nowMs, verdicts);
  }

  #check(symbol: MarketSymbol, nowMs: number, verdicts: Verdict[]): void {
    const record = this.#markets.get(symbol);
    const ticks = record === undefined ? undefined : valuationTicksOf(record);
    const market = record?.market;
    if (market === undefined || ticks === undefined) return;
    const positionLots = this.#account.positionLots(symbol);
    const notional: bigint = notionalOf(market, ticks, Math.abs(positionLots) as typeof positionLots);
    const ratePpm = Math.abs(record?.prices?.fundingRatePpm ?? 0);
    const payment = ratePpm === 0 ? 0n : (notional * BigInt(ratePpm)) / PPM;
    const { inventoryMsMax, fundingMax } = this.#limits;
    const text = (amount: bigint): string => money(market, amount);
    const nearMs = this.#nearLimitMs(symbol, notional, nowMs);
    const near =
      nearMs > inventoryMsMax && `a position of ${text(notional)} is near its limit for ${nearMs} ms`;
    const costly =
      payment > fundingMax && `the next funding of ${text(payment)} is above ${text(fundingMax)}`;
    this.#set('M9', { symbol, reason: near }, verdicts);
    this.#set('M13', { symbol, reason: costly }, verdicts);
  }

  #nearLimitMs(symbol: MarketSymbol, notional: bigint, nowMs: number): number {
    if (notional <= this.#limits.inventoryNotionalMax) {
      this.#nearLimitSinceMs.delete(symbol);
      return 0;
    }
    const sinceMs = this.#nearLimitSinceMs.get(symbol) ?? nowMs;
    this.#nearLimitSinceMs.set(symbol, sinceMs);
    return nowMs - sinceMs;
  }

  /** Adds a verdict where the control changes its mind. Without a reason it lets go. */
  #set(
    control: Control,
    { symbol, reason }: { readonly symbol: MarketSymbol; readonly reason: string | false },
    verdicts: Verdict[],
  ): void {
    const held = this.#held[control];
    if (held.has(symbol) === (reason !== false)) return;
    const scope = { kind: 'market', symbol } as const;
    if (reason === false) {
      held.delete(symbol);
      verdicts.push({ control, scope, trading: { state: 'active', reason: '' }, isCanceling: false });
      return;
    }
    held.add(symbol);
    const trading = { state: 'reducing', reason: `${control}: ${reason}` } as const;
    verdicts.push({ control, scope, trading, isCanceling: true });
  }
}
