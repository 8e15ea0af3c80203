/**
 * @module
 * What must be looked after even when nothing happens: data that grows old, a switch that runs out, continuous
 * controls, strategies to be saved, a run that has been degraded too long (denials.md P16: pull at once, cancel all
 * after 5 s).
 */
import type { UnixMs } from '../../core/index.ts';
import type { AccountState, MarketState } from '../../domain/index.ts';
import type { RiskGate, RiskMonitor, TradingStates } from '../risk/index.ts';
import type { Canceler } from './canceler.ts';
import type { Flattener } from './flattener.ts';
import type { KeptHalts } from './kept-halts.ts';
import type { Kernel } from './kernel.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { StrategySupervisor } from './strategy-supervisor.ts';

/** How often the guard looks. */
export const GUARD_PERIOD_MS = 500;
/** Orders that are still out this long after data or account became doubtful go by cancel-all. */
const CANCEL_ALL_AFTER_MS = 5_000;
/** How often strategies are saved. */
const SAVE_PERIOD_MS = 5_000;

/** What the guard looks after. */
export interface GuardParts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly risk: RiskGate;
  readonly trading: TradingStates;
  /** The continuous controls; `undefined`: the run has none. */
  readonly monitor: RiskMonitor | undefined;
  readonly kernel: Kernel;
  readonly lifecycle: Lifecycle;
  readonly canceler: Canceler;
  readonly supervisor: StrategySupervisor;
  readonly keptHalts: KeptHalts;
  /** Closes all positions; `undefined`: the run cannot. */
  readonly flattener: Flattener | undefined;
  /** The local time, Unix ms. */
  now(): UnixMs;
}

/** Looks after a run. */
export class Guard {
  readonly #parts: GuardParts;
  #lookedAtMs: number;
  #savedAtMs: number;
  #escalatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#lookedAtMs = parts.now();
    this.#savedAtMs = this.#lookedAtMs;
  }

  /** When it looked last: H3 is checked with it. */
  get lookedAtMs(): number {
    return this.#lookedAtMs;
  }

  /** The run starts: until now there was nothing to look after, however long reading the account has taken. */
  begin(): void {
    this.#lookedAtMs = this.#parts.now();
  }

  /** One look, as part of a turn. */
  look(): void {
    const { kernel, monitor, lifecycle, supervisor, keptHalts, flattener, now } = this.#parts;
    const nowMs = now();
    this.#lookedAtMs = nowMs;
    kernel.gaps.keep();
    if (lifecycle.isEnding) return;
    // Nothing was lost, only late: by now it is handled.
    lifecycle.reason('inbox', undefined);
    kernel.review();
    supervisor.sweep();
    this.#sweepHalted();
    this.#lookAtData(nowMs);
    if (monitor !== undefined) kernel.apply(monitor.tick(nowMs));
    keptHalts.keep(nowMs);
    this.#escalate(nowMs);
    flattener?.step();
    if (nowMs - this.#savedAtMs < SAVE_PERIOD_MS) return;
    this.#savedAtMs = nowMs;
    supervisor.save();
    keptHalts.save(nowMs);
  }

  #lookAtData(nowMs: number): void {
    const { account, markets, kernel, risk } = this.#parts;
    const { dataAgeMsMax } = risk.limits;
    for (const symbol of markets.symbols()) {
      const dataAtMs = markets.get(symbol)?.dataAtMs;
      if (dataAtMs === undefined || Math.abs(nowMs - dataAtMs) <= dataAgeMsMax) continue;
      const hasOrders = account.workingOrders(symbol).length > 0;
      if (hasOrders) kernel.degradeMarket(symbol, `data of ${symbol} is ${nowMs - dataAtMs} ms old`);
    }
  }

  /** Orders of what is halted go, however often their cancel does not come through; what reduces may rest (I23). */
  #sweepHalted(): void {
    const { account, markets, trading, canceler } = this.#parts;
    for (const symbol of markets.symbols())
      for (const order of account.workingOrders(symbol)) {
        if (order.strategyId === undefined || order.reduceOnly) continue;
        const { state, reason } = trading.of(order.strategyId, symbol);
        if (state === 'halted') canceler.cancel(order, reason);
      }
  }

  #escalate(nowMs: number): void {
    const { kernel, account, canceler } = this.#parts;
    if (nowMs - this.#escalatedAtMs < CANCEL_ALL_AFTER_MS) return;
    const { staleMarkets, degradedSinceMs } = kernel;
    if (staleMarkets.size === 0 && degradedSinceMs === undefined) return;
    const isOld = (sinceMs: number | undefined) =>
      sinceMs !== undefined && nowMs - sinceMs >= CANCEL_ALL_AFTER_MS;
    const staleWithOrders = [...staleMarkets].some(
      ([symbol, { sinceMs }]) => isOld(sinceMs) && account.workingOrders(symbol).length > 0,
    );
    if (!staleWithOrders && !(isOld(degradedSinceMs) && account.hasOpenOrders)) return;
    this.#escalatedAtMs = nowMs;
    canceler.send(
      { kind: 'cancelAll' },
      `orders are still out after ${CANCEL_ALL_AFTER_MS} ms without trusted data`,
    );
  }
}
