/**
 * @module
 * An account of a background participant: cash to begin with, more of it by an explicit deposit when it runs low, so
 * that the ledger stays whole. What this does not do: decide what to trade.
 */
import type { CanonicalOrder, CanonicalOrderId, Quantums, Side } from '../../domain/index.ts';
import type { CommandOutcome } from '../engine/index.ts';
import type { FlowHost } from './flow-port.ts';

/** An order that takes at once and never rests. */
export interface TakeOrder {
  /** Signing id of the market. */
  readonly market: number;
  /** Buy or sell. */
  readonly side: Side;
  /** The worst price it accepts, in ticks. */
  readonly limitTicks: number;
  /** Size in lots. */
  readonly lots: number;
}

/** One internal account and the commands that participants need. */
export class FlowAccount {
  readonly number: number;
  /** Deposits after the first one. */
  topUps = 0;
  readonly #host: FlowHost;
  readonly #cash: Quantums;

  /** Makes the account with `cash` quantums. */
  constructor(host: FlowHost, cash: Quantums) {
    this.#host = host;
    this.#cash = cash;
    this.number = host.createAccount(cash);
  }

  /** Takes what is there at the limit or better (IOC). */
  take({ market, side, limitTicks, lots }: TakeOrder): CommandOutcome {
    return this.#host.submit({
      kind: 'PlaceOrder',
      account: this.number,
      market,
      side,
      price: limitTicks,
      lots: BigInt(lots),
      tif: 'ioc',
      reduceOnly: false,
      goodTilMs: 0,
      nowMs: this.#host.nowMs(),
      router: 0,
      routerFeePpm: 0,
    });
  }

  /** Cancels first, then places, in one log entry. */
  replace(cancels: readonly CanonicalOrderId[], orders: readonly CanonicalOrder[]): CommandOutcome {
    return this.#host.submit({
      kind: 'BatchReplace',
      account: this.number,
      nowMs: this.#host.nowMs(),
      cancels,
      orders,
    });
  }

  /** Signed position in lots. */
  positionLots(market: number): number {
    return this.#host.positions(this.number).find((position) => position.market === market)?.lots ?? 0;
  }

  /** Deposits the first amount again when less than half of it is free. */
  topUpIfDrained(): void {
    if (this.#host.account(this.number).withdrawable * 2n >= this.#cash) return;
    this.#host.deposit(this.number, this.#cash);
    this.topUps++;
  }
}
