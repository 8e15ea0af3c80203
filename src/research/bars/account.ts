/**
 * @module The account of a run over bars: cash beside a position at average cost, exact. Cash moves by notional, fee
 * and funding; profit is booked by fills; at the end the two are compared (the residual is 0).
 */
import { floorDivide } from '../../core/index.ts';
import {
  CostBook,
  type Lots,
  type Market,
  type Pnl,
  type Ppm,
  PRICE_TICKS_MAX,
  ppmOfTruncated,
  type Quantums,
  quantums,
  type Ticks,
} from '../../domain/index.ts';
import { TakerRate, type TakerTier } from './taker-rate.ts';

const MILLION = 1_000_000n;
/** From parts per billion of a tick-lot to quantums. */
const BILLION = 1_000_000_000n;

/** What an account is opened with. */
export interface BarTerms {
  /** Initial collateral in quantums. */
  readonly collateral: Quantums;
  /** Of the notional of each fill; a take-profit pays it too. */
  readonly takerPpm: Ppm;
  /** Other rates from a volume on, lowest first; absent: none. */
  readonly takerTiers?: readonly TakerTier[];
  /** What a fill at a market price is worse than the price, ticks. */
  readonly slippageTicks: number;
  /** Notional of the position at most, either way, at the price it grows at; absent: what the margin allows. */
  readonly positionNotionalMax?: Quantums;
}

/** What a fill was. */
export interface BookedFill {
  /** Fee in quantums; below 0: a rebate. */
  readonly fee: bigint;
  /** The share of the fee that opened a position, where a fill closed one and opened another. */
  readonly openingFee: bigint;
}

/** See the module. */
export class BarAccount {
  readonly #perTickLot: bigint;
  readonly #rate: TakerRate;
  readonly #initialPpm: bigint;
  /** Maintenance margin as a fraction of the notional, 10^-12. */
  readonly #maintenanceE12: bigint;
  readonly #book = new CostBook();
  readonly #start: bigint;
  readonly #notionalMax: bigint | undefined;
  #cash: bigint;
  #fees = 0n;
  #funding = 0n;
  #turnover = 0n;
  /** Signed. */
  lots = 0;
  /** Of what is held; NaN when flat. */
  averageEntryTicks = Number.NaN;
  /** Cash as a number, for charts: exact up to 2^53 quantums. */
  cash: number;
  /** At this price the margin is gone: at it and below for a long position, above for a short one; NaN: never. */
  liquidationTicks = Number.NaN;

  constructor(market: Market, { collateral, takerPpm, takerTiers, positionNotionalMax }: BarTerms) {
    this.#perTickLot = market.quantumsPerTickLot;
    this.#rate = new TakerRate(takerPpm, takerTiers);
    this.#initialPpm = BigInt(market.initialMarginPpm);
    this.#maintenanceE12 = this.#initialPpm * BigInt(market.maintenanceFractionPpm);
    this.#start = collateral;
    this.#notionalMax = positionNotionalMax;
    this.#cash = collateral;
    this.cash = Number(collateral);
  }

  /** Profit that is booked: realized, funding, less fees. */
  get booked(): bigint {
    return this.#book.realized + this.#funding - this.#fees;
  }

  get turnover(): Quantums {
    return quantums(this.#turnover);
  }

  /** Notional of `lots` (unsigned) at a price. */
  notional(lots: number, priceTicks: number): bigint {
    return BigInt(lots) * BigInt(priceTicks) * this.#perTickLot;
  }

  /** Lots that may be held at a price: equity there / initial margin of a lot, within the limit of the position. */
  affordableLots(priceTicks: number): number {
    const equity = this.#cash + this.#book.valueAt(priceTicks as Ticks);
    if (equity <= 0n) return 0;
    const perLot = BigInt(priceTicks) * this.#perTickLot;
    const byMargin = (equity * MILLION) / (this.#initialPpm * perLot);
    const byLimit = this.#notionalMax === undefined ? byMargin : this.#notionalMax / perLot;
    return Number(byMargin < byLimit ? byMargin : byLimit);
  }

  /** Books a fill of `changeLots` (signed, not 0) in the bar that opened at `openedUs`. */
  fill(changeLots: number, priceTicks: number, openedUs: number): BookedFill {
    const sizeLots = Math.abs(changeLots);
    const notional = this.notional(sizeLots, priceTicks);
    const takerPpm = this.#rate.take(openedUs, notional);
    const fee = ppmOfTruncated(quantums(notional), takerPpm);
    const closing =
      Math.sign(changeLots) === -Math.sign(this.lots) ? Math.min(sizeLots, Math.abs(this.lots)) : 0;
    const closingFee =
      closing === sizeLots ? fee : ppmOfTruncated(quantums(this.notional(closing, priceTicks)), takerPpm);
    this.#book.apply(
      {
        side: changeLots > 0 ? 'buy' : 'sell',
        priceTicks: priceTicks as Ticks,
        sizeLots: sizeLots as Lots,
      },
      this.#perTickLot,
    );
    this.#cash -= (changeLots > 0 ? notional : -notional) + fee;
    this.#fees += fee;
    this.#turnover += notional;
    this.lots = this.#book.sizeLots;
    this.averageEntryTicks = this.#book.averageEntryTicks() ?? Number.NaN;
    this.#moved();
    return { fee, openingFee: fee - closingFee };
  }

  /** Pays or receives funding on what is held, rounded down as a venue does. */
  settle(ratePpb: number, priceTicks: number): bigint {
    const parts = -BigInt(this.lots) * BigInt(ratePpb) * BigInt(priceTicks) * this.#perTickLot;
    const amount = floorDivide(parts, BILLION);
    this.#cash += amount;
    this.#funding += amount;
    this.#moved();
    return amount;
  }

  /** The books with what is open valued at a price. */
  close(priceTicks: number): {
    readonly pnl: Pnl;
    readonly equityStart: Quantums;
    readonly equityEnd: Quantums;
    readonly residual: Quantums;
  } {
    const price = priceTicks as Ticks;
    const pnl: Pnl = {
      realized: this.#book.realized,
      unrealized: this.#book.unrealizedAt(price),
      fees: quantums(this.#fees),
      funding: quantums(this.#funding),
    };
    const equityEnd = this.#cash + this.#book.valueAt(price);
    return {
      pnl,
      equityStart: quantums(this.#start),
      equityEnd: quantums(equityEnd),
      residual: quantums(equityEnd - this.#start - this.booked - pnl.unrealized),
    };
  }

  #moved(): void {
    this.cash = Number(this.#cash);
    this.liquidationTicks = this.lots === 0 ? Number.NaN : this.#liquidationTicks();
  }

  /** Where cash + value = maintenance margin, rounded to where it is surely gone. */
  #liquidationTicks(): number {
    const one = MILLION * MILLION;
    const perTick = BigInt(this.lots) * this.#perTickLot;
    if (this.lots > 0) {
      // Paid in full: no price takes it.
      if (this.#cash >= 0n) return Number.NaN;
      const kept = one - this.#maintenanceE12;
      return kept <= 0n ? PRICE_TICKS_MAX : Number(floorDivide(-this.#cash * one, perTick * kept));
    }
    return Number(-floorDivide(-this.#cash * one, -perTick * (one + this.#maintenanceE12)));
  }
}
