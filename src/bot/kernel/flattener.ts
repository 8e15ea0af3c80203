/**
 * @module
 * Closes all positions after a kill: reduce-only orders that take at once, within the collar of risk, in pieces of
 * the largest order allowed, until the account is flat. It goes through risk like everyone else.
 */
import {
  type AccountState,
  bestAskOf,
  bestBidOf,
  ceilToTick,
  floorToLot,
  floorToTick,
  type IntentId,
  type LaneId,
  type Lots,
  type MarketRecord,
  type MarketState,
  type MarketSymbol,
  notionalOf,
  type OrderSpec,
  type StrategyId,
  type VenuePort,
} from '../../domain/index.ts';
import type { RiskGate, RiskView } from '../risk/index.ts';
import type { Recorder } from './audit-recorder.ts';
import { specOf } from './order-spec.ts';

/** Whose orders these are. */
const OPERATOR = 'operator' as StrategyId;

/** What a flattener works with. */
export interface FlattenerPorts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly risk: RiskGate;
  readonly venue: VenuePort;
  readonly recorder: Recorder;
  readonly lane: LaneId;
  /** What risk sees now. */
  view(): RiskView;
  /** A new intent id. */
  nextIntentId(): IntentId;
}

/** Closes positions while it is switched on. */
export class Flattener {
  readonly #ports: FlattenerPorts;
  /** What it closes: these markets, or all. */
  #markets: ReadonlySet<MarketSymbol> | 'all' | undefined;

  constructor(ports: FlattenerPorts) {
    this.#ports = ports;
  }

  /** True while it is at work. */
  get isOn(): boolean {
    return this.#markets !== undefined;
  }

  /** Begins to close the position of a market beside what it closes already; `undefined`: all positions. */
  begin(symbol: MarketSymbol | undefined): void {
    const now = this.#markets;
    if (symbol === undefined || now === 'all') this.#markets = 'all';
    else this.#markets = new Set([...(now ?? []), symbol]);
  }

  /** Leaves a market as it is, and with it all others where it closes all; `undefined`: leaves off. */
  end(symbol: MarketSymbol | undefined): void {
    const now = this.#markets;
    if (now === undefined) return;
    if (symbol === undefined || now === 'all') this.#markets = undefined;
    else {
      const left = [...now].filter((one) => one !== symbol);
      this.#markets = left.length === 0 ? undefined : new Set(left);
    }
  }

  /** One step: one order per market with a position, while the lane is free; ends on its own when all is flat. */
  step(): void {
    const markets = this.#markets;
    if (markets === undefined) return;
    const { account, venue, lane, risk, recorder } = this.#ports;
    let isFlat = true;
    for (const symbol of account.activeSymbols()) {
      const positionLots = account.positionLots(symbol);
      if (positionLots === 0 || (markets !== 'all' && !markets.has(symbol))) continue;
      isFlat = false;
      // Working orders are on their way out already; what is closing must end before more is sent.
      const isBusy = account.exposure(symbol).buyOrders + account.exposure(symbol).sellOrders > 0;
      const record = this.#ports.markets.get(symbol);
      if (isBusy || record === undefined || !venue.isReady(lane)) continue;
      const spec = this.#closing(record, positionLots);
      if (spec === undefined) continue;
      const { intentId, strategyId } = spec;
      const command = { kind: 'place', orders: [spec] } as const;
      const review = risk.review([{ lane, strategyId, intentId, command }], this.#ports.view());
      for (const { code, message } of review.denied)
        recorder.record('IntentDenied', { strategy: strategyId, symbol, code, message }, intentId);
      for (const approved of review.approved) {
        account.reserve({ lane, places: [spec], cancels: [], atMs: this.#ports.view().nowMs });
        recorder.record('CommandApproved', { strategy: strategyId, lane, kind: 'place' }, intentId);
        venue.submit(approved);
      }
    }
    if (isFlat) this.#markets = undefined;
  }

  #closing(record: MarketRecord, positionLots: Lots): OrderSpec | undefined {
    const { market } = record;
    const side = positionLots > 0 ? 'sell' : 'buy';
    const touch = side === 'sell' ? bestBidOf(record) : bestAskOf(record);
    if (market === undefined || touch === undefined) return undefined;
    const { orderNotionalMax, crossingPpm } = this.#ports.risk.limits;
    // A tick inside the collar: rounding must not carry the price over it.
    const reach = (touch * crossingPpm) / 1_000_000;
    const priceTicks =
      side === 'sell' ? ceilToTick(market, touch - reach) : floorToTick(market, touch + reach);
    const perLot = notionalOf(market, priceTicks, 1 as Lots);
    const lotsMax = perLot === 0n ? 0 : Number(orderNotionalMax / perLot);
    const sizeLots = floorToLot(market, Math.min(Math.abs(positionLots), lotsMax));
    if (sizeLots === 0) return undefined;
    const names = { intentId: this.#ports.nextIntentId(), strategyId: OPERATOR };
    const { symbol } = record;
    const terms = { symbol, side, timeInForce: 'ioc', reduceOnly: true, expiresAtMs: 0 } as const;
    return specOf(names, terms, { priceTicks, sizeLots });
  }
}
