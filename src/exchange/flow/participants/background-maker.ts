/**
 * @module Another maker: several levels around an index price that it follows with a lag, leaning against its
 * inventory. Its spread is wide, so that a sensible maker quotes inside it; its depth keeps the market two-sided. What
 * this does not do: take (its orders are post-only and stay one tick off what others offer), or compete for the best
 * price.
 */
import type { Random } from '../../../core/index.ts';
import {
  type CanonicalOrder,
  ceilToTick,
  floorToTick,
  type Market,
  type Side,
} from '../../../domain/index.ts';
import type { VenueLevels, VenueOrder } from '../../engine/index.ts';
import { FlowAccount } from '../flow-account.ts';
import { lotsWorth, partOf } from '../trade-size.ts';
import type { Participant, ParticipantContext } from './participant.ts';

/** How a background maker quotes. Distances in ppm of the price, amounts in quantums. */
export interface BackgroundMakerSettings {
  /** Time between two looks, ms; each pause is drawn from half of it to one and a half. */
  readonly requoteMs: number;
  /** Levels per side. */
  readonly levels: number;
  /** From the fair price to the first level, and from level to level. */
  readonly halfSpreadPpm: number;
  /** Distance between levels, in parts per million of the price. */
  readonly stepPpm: number;
  /** Notional of the first level; each further one is half of it larger. */
  readonly notional: number;
  /** Fraction of the distance to the index price that its fair price moves per look. */
  readonly follow: number;
  /** Inventory at which it leans by `skewPpm`, and the most it leans. */
  readonly inventoryNotional: number;
  /** Shift of the quotes by inventory, in parts per million. */
  readonly skewPpm: number;
  /** It keeps its quotes while the fair price is nearer than this to the quoted one. */
  readonly deadbandPpm: number;
}

/** One maker in one market. */
export class BackgroundMaker implements Participant {
  readonly #context: ParticipantContext;
  readonly #settings: BackgroundMakerSettings;
  readonly #random: Random;
  readonly #account: FlowAccount;
  #fair: number;
  #quotedCenter = 0;
  #nextAtMs: number;

  constructor(context: ParticipantContext, settings: BackgroundMakerSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#random = context.host.random(context.name);
    this.#account = new FlowAccount(context.host, context.cash);
    this.#fair = context.index.nowTicks;
    this.#nextAtMs = context.host.nowMs();
    this.onBlock(this.#nextAtMs);
  }

  onBlock(nowMs: number): void {
    if (nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + this.#settings.requoteMs * (0.5 + this.#random.next());
    this.#account.topUpIfDrained();
    this.#fair += (this.#context.index.nowTicks - this.#fair) * this.#settings.follow;
    this.#requote(this.#fair - this.#lean());
  }

  /** How far it quotes below its fair price because it is long, in ticks. */
  #lean(): number {
    const { host, market } = this.#context;
    const lots = this.#account.positionLots(market);
    const notional = lots * this.#fair * Number(host.marketView(market).market.quantumsPerTickLot);
    const share = notional / this.#settings.inventoryNotional;
    return partOf(this.#fair, this.#settings.skewPpm) * Math.max(-1, Math.min(1, share));
  }

  #requote(center: number): void {
    const { host, market: number } = this.#context;
    const own = host.openOrders(this.#account.number);
    const isWhole =
      own.length === 2 * this.#settings.levels && own.every((order) => order.remainingLots === order.lots);
    const moved = Math.abs(center - this.#quotedCenter);
    if (isWhole && moved < partOf(center, this.#settings.deadbandPpm)) return;
    this.#quotedCenter = center;
    const { market } = host.marketView(number);
    const { bids, asks } = host.book(number, own.length + 1);
    // After a jump the quotes of slower traders may be beyond the fair price: rejected orders would leave a side empty.
    const buyMax = (othersBest(asks, own) ?? Number.POSITIVE_INFINITY) - market.tickStep;
    const sellMin = (othersBest(bids, own) ?? 0) + market.tickStep;
    this.#account.replace(
      own.map((order) => ({ market: number, orderSeq: order.orderSeq })),
      [
        ...this.#ladder(market, 'buy', Math.min(center, buyMax / (1 - this.#nearest()))),
        ...this.#ladder(market, 'sell', Math.max(center, sellMin / (1 + this.#nearest()))),
      ],
    );
  }

  /** Distance of the first level as a fraction of the price. */
  #nearest(): number {
    return partOf(1, this.#settings.halfSpreadPpm);
  }

  #ladder(market: Market, side: Side, center: number): readonly CanonicalOrder[] {
    const { levels, halfSpreadPpm, stepPpm, notional } = this.#settings;
    return Array.from({ length: levels }, (_, level) => {
      const distance = partOf(center, halfSpreadPpm + level * stepPpm);
      const price =
        side === 'buy' ? floorToTick(market, center - distance) : ceilToTick(market, center + distance);
      const lots = lotsWorth(market, price, notional * (1 + level / 2));
      return {
        market: market.signingMarketId,
        side,
        price,
        lots: BigInt(lots),
        tif: 'postOnly' as const,
        reduceOnly: false,
      };
    });
  }
}

/** The best price of another participant. */
function othersBest(levels: VenueLevels, own: readonly VenueOrder[]): number | undefined {
  const ownLots = (priceTicks: number) =>
    own.reduce((sum, order) => sum + (order.priceTicks === priceTicks ? order.remainingLots : 0), 0);
  return levels.find(([priceTicks, lots]) => lots > ownLots(priceTicks))?.[0];
}
