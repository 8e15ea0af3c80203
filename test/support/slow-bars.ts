/**
 * @module
 * A model of a run over bars that is slow and plain: bigint throughout, equity worked out again from all fills each time,
 * levels of liquidation found by search. Shares no code with the engine.
 */

import type { Market } from '../../src/domain/index.ts';
import type { BarTerms } from '../../src/research/bars/account.ts';
import type { SettlementColumns } from '../../src/research/bars/columns.ts';
import type { BarColumns } from '../../src/research/bars/index.ts';

/** What is wanted at each close, and the levels of the bar behind it; NaN: none. */
export interface BarScript {
  readonly targets: readonly number[];
  readonly stop: readonly number[];
  readonly take: readonly number[];
}

/** What the model gives; amounts in quantums. */
export interface SlowRun {
  readonly fills: (readonly [bar: number, lots: bigint, priceTicks: bigint, reason: string])[];
  readonly equity: readonly bigint[];
  readonly fees: bigint;
  readonly funding: bigint;
}

interface Parts {
  readonly market: Market;
  readonly bars: BarColumns;
  readonly settlements: SettlementColumns;
  readonly terms: BarTerms;
  readonly script: BarScript;
}

const E12 = 10n ** 12n;
const abs = (value: bigint) => (value < 0n ? -value : value);
const floorOf = (value: bigint, by: bigint) => value / by - (value % by < 0n ? 1n : 0n);

/** Runs the model. */
export function slowRun(parts: Parts): SlowRun {
  return new SlowBars(parts).run();
}

class SlowBars {
  readonly #parts: Parts;
  readonly #fills: SlowRun['fills'] = [];
  readonly #payments: bigint[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run(): SlowRun {
    const { bars, settlements, script } = this.#parts;
    const equity: bigint[] = [];
    for (let at = 0; at < bars.rows; at++) {
      const from = bars.openUs[at] ?? 0;
      const before = at === 0 ? Number.NEGATIVE_INFINITY : (bars.openUs[at - 1] ?? 0) + bars.barUs - 1;
      const open = this.#price('open', at);
      const known = at === 0 ? open : this.#price('close', at - 1);
      for (let one = 0; one < settlements.rows; one++) {
        const us = settlements.atUs[one] ?? 0;
        if (us > before && us <= from) this.#settle(one, known);
      }
      if (at > 0) this.#rebalance(at, BigInt(Math.trunc(script.targets[at - 1] ?? 0)), open);
      for (let one = 0; one < settlements.rows; one++) {
        const us = settlements.atUs[one] ?? 0;
        if (us > from && us < from + bars.barUs) this.#settle(one, open);
      }
      if (this.#held() !== 0n) this.#protect(at, open);
      equity.push(this.#equity(this.#price('close', at)));
    }
    const funding = this.#payments.reduce((sum, one) => sum + one, 0n);
    return { fills: this.#fills, equity, fees: this.#fees(), funding };
  }

  #price(name: 'open' | 'high' | 'low' | 'close', at: number): bigint {
    return BigInt(this.#parts.bars[name][at] ?? 0);
  }

  #held(): bigint {
    return this.#fills.reduce((sum, [, lots]) => sum + lots, 0n);
  }

  #fees(): bigint {
    const { market, terms } = this.#parts;
    return this.#fills.reduce(
      (sum, [, lots, price]) =>
        sum + (abs(lots) * price * market.quantumsPerTickLot * BigInt(terms.takerPpm)) / 1_000_000n,
      0n,
    );
  }

  /** All cash that ever moved, and what is held at a price. */
  #equity(price: bigint): bigint {
    const { market, terms } = this.#parts;
    const paid = this.#fills.reduce((sum, [, lots, at]) => sum + lots * at, 0n);
    const funding = this.#payments.reduce((sum, one) => sum + one, 0n);
    return (
      terms.collateral + (this.#held() * price - paid) * market.quantumsPerTickLot - this.#fees() + funding
    );
  }

  #settle(at: number, known: bigint): void {
    const { settlements, market } = this.#parts;
    const own = BigInt(settlements.priceTicks[at] ?? 0);
    const price = own > 0n ? own : known;
    const rate = BigInt(settlements.ratePpb[at] ?? 0);
    this.#payments.push(floorOf(-this.#held() * price * market.quantumsPerTickLot * rate, 10n ** 9n));
  }

  #slipped(price: bigint, change: bigint): bigint {
    const slip = BigInt(this.#parts.terms.slippageTicks);
    if (change > 0n) return price + slip;
    return price - slip > 1n ? price - slip : 1n;
  }

  #rebalance(at: number, target: bigint, open: bigint): void {
    const { market, terms } = this.#parts;
    const held = this.#held();
    if (target === held) return;
    const price = this.#slipped(open, target - held);
    let lots = target;
    const kept = held > 0n === target > 0n ? abs(held) : 0n;
    if (abs(target) > kept) {
      // The most lots whose initial margin the equity covers, tried from the target down by halves.
      const isCarried = (size: bigint) =>
        (terms.positionNotionalMax === undefined ||
          size * price * market.quantumsPerTickLot <= terms.positionNotionalMax) &&
        size * price * market.quantumsPerTickLot * BigInt(market.initialMarginPpm) <=
          this.#equity(price) * 1_000_000n;
      let [low, high] = [0n, abs(target) + 1n];
      while (high - low > 1n) {
        const middle = (low + high) / 2n;
        if (isCarried(middle)) low = middle;
        else high = middle;
      }
      lots = (target < 0n ? -1n : 1n) * (low > kept ? low : kept);
    }
    const change = lots - held;
    if (change === 0n) return;
    if (lots !== 0n && abs(change) * price * market.quantumsPerTickLot < market.minNotional) return;
    this.#fills.push([at, change, price, 'rule']);
  }

  #isGone(price: bigint): boolean {
    const { market } = this.#parts;
    const margin =
      abs(this.#held()) *
      price *
      market.quantumsPerTickLot *
      BigInt(market.initialMarginPpm) *
      BigInt(market.maintenanceFractionPpm);
    return this.#equity(price) * E12 <= margin;
  }

  /** Walks from the open to the worst price of the bar: what comes first on the way is done. */
  #protect(at: number, open: bigint): void {
    const { script } = this.#parts;
    const held = this.#held();
    const isLong = held > 0n;
    const [stop, take] = [script.stop[at] ?? Number.NaN, script.take[at] ?? Number.NaN];
    const worst = this.#price(isLong ? 'low' : 'high', at);
    const step = isLong ? -1n : 1n;
    for (let price = open; isLong ? price >= worst : price <= worst; price += step) {
      const isStopped = isLong ? Number(price) <= stop : Number(price) >= stop;
      const isGone = this.#isGone(price);
      if (!isStopped && !isGone) continue;
      const isOwn = isStopped && !(isGone && this.#isGoneFirst(stop));
      this.#fills.push([at, -held, this.#slipped(price, -held), isOwn ? 'stop' : 'liquidation']);
      return;
    }
    const best = this.#price(isLong ? 'high' : 'low', at);
    if (isLong ? Number(best) >= take : Number(best) <= take) {
      const level = BigInt(isLong ? Math.ceil(take) : Math.floor(take));
      this.#fills.push([at, -held, level, 'take']);
    }
  }

  /** Is the margin gone before the stop is reached, or with it? */
  #isGoneFirst(stop: number): boolean {
    return this.#isGone(BigInt(this.#held() > 0n ? Math.ceil(stop) : Math.floor(stop)));
  }
}
