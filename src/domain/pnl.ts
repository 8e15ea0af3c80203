/**
 * @module
 * Profit and loss at average cost, exact in bigint quantums. Whatever a division rounds off stays in the open cost and
 * comes out at the close, so that for any history of fills and any price `realized + value - cost = value - net
 * notional paid`, digit-exact (obligations I3). What this does not do: fees and funding are booked beside it, never
 * mixed in.
 */
import { assert, product } from '../core/index.ts';
import { type Side, signedLots } from './side.ts';
import { type Lots, lots, type Quantums, quantums, type Ticks } from './units.ts';

/** The parts of a change of equity, each signed as it changes equity except `fees`, which are positive when paid. */
export interface Pnl {
  readonly realized: Quantums;
  readonly unrealized: Quantums;
  readonly fees: Quantums;
  readonly funding: Quantums;
}

/** Δequity without transfers: realized + unrealized + funding - fees (obligations I3). */
export function totalOf(pnl: Pnl): Quantums {
  return quantums(pnl.realized + pnl.unrealized + pnl.funding - pnl.fees);
}

/** Some that was bought or sold. */
export interface Execution {
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** One position at average cost. */
export class CostBook {
  #sizeLots = 0;
  #cost = 0n;
  #realized = 0n;
  #perTickLot = 1n;
  /** Of what was taken over, what no execution explains yet. */
  #adoptedLots = 0;
  #adoptedCost = 0n;

  /** Signed size: positive is long. */
  get sizeLots(): Lots {
    return this.#sizeLots as Lots;
  }

  /** Signed notional paid for what is open. */
  get cost(): Quantums {
    return quantums(this.#cost);
  }

  /** Profit of what was closed. */
  get realized(): Quantums {
    return quantums(this.#realized);
  }

  /** Quantums per tick and lot of what was booked last. */
  get perTickLot(): bigint {
    return this.#perTickLot;
  }

  /** Books one execution, and gives its notional. `perTickLot` is the market's quantums per tick and lot. */
  apply(execution: Execution, perTickLot: bigint): bigint {
    const { side, priceTicks, sizeLots } = execution;
    if (!(sizeLots > 0)) assert(false, `an execution of at least one lot, got ${sizeLots}`);
    const notional = product(priceTicks, sizeLots) * perTickLot;
    this.#book(signedLots(side, sizeLots), side === 'buy' ? -notional : notional, perTickLot);
    return notional;
  }

  /** Books a change of size that was no execution, and the cash that was received for it. */
  move(changeLots: Lots, cash: Quantums, perTickLot: bigint): void {
    assert(changeLots !== 0, 'a move of at least one lot');
    this.#book(changeLots, cash, perTickLot);
  }

  /** Of the cash, what belongs to lots that are closed makes profit, the rest is the cost of what is opened. */
  #book(change: number, cash: bigint, perTickLot: bigint): void {
    this.#perTickLot = perTickLot;
    const before = this.#sizeLots;
    const isClosing = before !== 0 && before > 0 !== change > 0;
    const closed = isClosing ? Math.sign(before) * Math.min(Math.abs(change), Math.abs(before)) : 0;
    if (closed === 0) this.#cost -= cash;
    else {
      const cashOut = closed === -change ? cash : (cash * BigInt(-closed)) / BigInt(change);
      const costOut = closed === before ? this.#cost : (this.#cost * BigInt(closed)) / BigInt(before);
      this.#realized += cashOut - costOut;
      this.#cost -= costOut + cash - cashOut;
    }
    this.#sizeLots = lots(before + change);
  }

  /** Takes over a position that no fill of ours explains, at the cost the exchange publishes for it. */
  adopt(sizeLots: Lots, cost: Quantums, perTickLot: bigint): void {
    this.#sizeLots = lots(this.#sizeLots + sizeLots);
    this.#cost += cost;
    this.#adoptedLots += sizeLots;
    this.#adoptedCost += cost;
    this.#perTickLot = perTickLot;
  }

  /**
   * Books an execution that is a part of what was taken over, and came to light later: it changes no position. Once executions
   * explain all lots, what was paid for them beyond the cost that was taken over is profit. Gives its notional.
   */
  explain({ side, priceTicks, sizeLots }: Execution, perTickLot: bigint): bigint {
    const notional = product(priceTicks, sizeLots) * perTickLot;
    this.#adoptedLots -= signedLots(side, sizeLots);
    this.#adoptedCost -= side === 'buy' ? notional : -notional;
    if (this.#adoptedLots !== 0) return notional;
    this.#realized += this.#adoptedCost;
    this.#adoptedCost = 0n;
    return notional;
  }

  /** What is open at `priceTicks`, signed. */
  valueAt(priceTicks: Ticks): Quantums {
    return quantums(BigInt(this.#sizeLots) * BigInt(priceTicks) * this.#perTickLot);
  }

  /** value - cost; 0 for a flat position whatever the price. */
  unrealizedAt(priceTicks: Ticks): Quantums {
    return quantums(this.valueAt(priceTicks) - this.#cost);
  }

  /** The average price of what is open in ticks, with fractions, for people; `undefined` when flat. */
  averageEntryTicks(): number | undefined {
    if (this.#sizeLots === 0) return undefined;
    const perLotMilli = (this.#cost * 1000n) / (BigInt(this.#sizeLots) * this.#perTickLot);
    return Number(perLotMilli) / 1000;
  }
}
