/**
 * @module
 * Continuous controls of positions that stand (risk-and-keys M9, M13): inventory that stays near its limit, and funding
 * that is about to cost too much. Either lets the market only be reduced until it is over. Pure but for what it remembers.
 */
import {
  type AccountView,
  type MarketState,
  type MarketSymbol,
  notionalOf,
  type Quantums,
  valuationTicksOf,
} from '../domain/index.ts';
import type { Verdict } from './verdict.ts';

/** Limits of these controls. */
export interface PositionControlLimits {
  /** M9: a position above this notional for longer than {@link inventoryMsMax}. */
  readonly inventoryNotionalMax: Quantums;
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

  /** What has changed since the last look. */
  tick(nowMs: number): readonly Verdict[] {
    const symbols = new Set([...this.#account.activeSymbols(), ...this.#held.M9, ...this.#held.M13]);
    return [...symbols].flatMap((symbol) => this.#judge(symbol, nowMs));
  }

  #judge(symbol: MarketSymbol, nowMs: number): readonly Verdict[] {
    const record = this.#markets.get(symbol);
    const ticks = record === undefined ? undefined : valuationTicksOf(record);
    if (record?.market === undefined || ticks === undefined) return [];
    const positionLots = this.#account.positionLots(symbol);
    const notional: bigint = notionalOf(record.market, ticks, Math.abs(positionLots) as typeof positionLots);
    const payment = (notional * BigInt(Math.abs(record.prices?.fundingRatePpm ?? 0))) / PPM;
    const { inventoryMsMax, fundingMax } = this.#limits;
    const nearMs = this.#nearLimitMs(symbol, notional, nowMs);
    const inventory = `a position of ${notional} quantums is near its limit for ${nearMs} ms`;
    const funding = `the next funding of ${payment} quantums is above ${fundingMax}`;
    return [
      ...this.#set('M9', symbol, nearMs > inventoryMsMax ? inventory : undefined),
      ...this.#set('M13', symbol, payment > fundingMax ? funding : undefined),
    ];
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

  /** A verdict where the control changes its mind. */
  #set(control: Control, symbol: MarketSymbol, reason: string | undefined): readonly Verdict[] {
    const held = this.#held[control];
    if (held.has(symbol) === (reason !== undefined)) return [];
    const scope = { kind: 'market', symbol } as const;
    if (reason === undefined) {
      held.delete(symbol);
      return [{ control, scope, stand: { state: 'active', reason: '' }, isCanceling: false }];
    }
    held.add(symbol);
    const stand = { state: 'reducing', reason: `${control}: ${reason}` } as const;
    return [{ control, scope, stand, isCanceling: true }];
  }
}
