/**
 * @module
 * A trading desk for tests: a venue, a log position that moves on its own, and short words for commands.
 */
import { unixMs } from '../../../../src/core/index.ts';
import {
  type CanonicalCommand,
  type CanonicalOrder,
  lots,
  type Market,
  type MarketSymbol,
  ppm,
  quantums,
  type Side,
  ticks,
} from '../../../../src/domain/index.ts';
import {
  type CommandOutcome,
  createVenue,
  type VenueEvent,
  type VenueKernel,
  type VenueSettings,
} from '../../../../src/exchange/engine/index.ts';

/** A market with one tick, one lot and 1,000 quantums for both, 20x, maintenance 3 %. */
export function aMarket(changes: Partial<Market> = {}): Market {
  return {
    symbol: 'BTC-USD' as MarketSymbol,
    signingMarketId: 0,
    priceDecimals: 0,
    sizeDecimals: 3,
    tickStep: ticks(1),
    lotStep: lots(1),
    status: 'Active',
    quantumsPerTickLot: 1000n,
    initialMarginPpm: ppm(50_000),
    maintenanceFractionPpm: ppm(600_000),
    minNotional: quantums(0n),
    ...changes,
  };
}

/** Settings of a venue without fees; one market at an index of 100 ticks. */
export function someSettings(changes: Partial<VenueSettings> = {}): VenueSettings {
  return {
    markets: [{ market: aMarket(), indexTicks: ticks(100) }],
    takerFeePpm: ppm(0),
    makerFeePpm: ppm(0),
    fundingIntervalMs: 3_600_000,
    impactNotional: quantums(1_000_000n),
    openOrdersMax: 1000,
    scheduleCancelLeadMs: 0,
    ...changes,
  };
}

export type OrderTerms = Partial<CanonicalOrder> & { goodTilMs?: number; nowMs?: number };

const DEPOSIT = quantums(1_000_000_000_000n);

export class Desk {
  readonly venue: VenueKernel;
  readonly events: VenueEvent[] = [];
  seq = 0;
  nowMs = unixMs(1_700_000_000_000);

  constructor(settings: Partial<VenueSettings> = {}) {
    this.venue = createVenue(someSettings(settings));
  }

  get at() {
    return { seq: ++this.seq, sub: 0, blockAtMs: this.nowMs };
  }

  /** An account with a deposit. */
  trader(deposit: bigint = DEPOSIT): number {
    const account = this.venue.createAccount();
    if (deposit > 0n) this.keep(this.venue.deposit(account, quantums(deposit), this.at));
    return account;
  }

  execute(command: CanonicalCommand): CommandOutcome {
    const outcome = this.venue.execute(command, this.at);
    this.keep(outcome.events);
    return outcome;
  }

  place(
    account: number,
    side: Side,
    price: number,
    size: number | bigint,
    terms: OrderTerms = {},
  ): CommandOutcome {
    return this.execute({
      kind: 'PlaceOrder',
      account,
      ...anOrder(side, price, size, terms),
      goodTilMs: terms.goodTilMs ?? 0,
      nowMs: terms.nowMs ?? 0,
      router: 0,
      routerFeePpm: 0,
    });
  }

  /** Places and gives the number. @throws when it is not accepted. */
  mustPlace(account: number, side: Side, price: number, size: number, terms: OrderTerms = {}): bigint {
    const { items, reason } = this.place(account, side, price, size, terms);
    const orderSeq = items[0]?.orderSeq;
    if (orderSeq === undefined) throw new Error(`expected an accepted order, got ${reason}`);
    return orderSeq;
  }

  cancel(account: number, orderSeq: bigint, market = 0): CommandOutcome {
    return this.execute({ kind: 'CancelOrder', account, orderId: { market, orderSeq } });
  }

  index(price: number, market = 0): readonly VenueEvent[] {
    return this.keep(this.venue.setIndexPrice(market, price, this.at));
  }

  /** Opens a block `passedMs` later. */
  block(passedMs: number): readonly VenueEvent[] {
    this.nowMs = unixMs(this.nowMs + passedMs);
    return this.keep(this.venue.beginBlock(this.at));
  }

  bookOf(market = 0) {
    return this.venue.book(market, 100);
  }

  lotsOf(account: number, market = 0): number {
    return this.venue.positions(account).find((position) => position.market === market)?.lots ?? 0;
  }

  keep(events: readonly VenueEvent[]): readonly VenueEvent[] {
    this.events.push(...events);
    return events;
  }
}

export function anOrder(
  side: Side,
  price: number,
  size: number | bigint,
  terms: OrderTerms = {},
): CanonicalOrder {
  return {
    market: terms.market ?? 0,
    side,
    price,
    lots: BigInt(size),
    tif: terms.tif ?? 'gtc',
    reduceOnly: terms.reduceOnly ?? false,
  };
}

/** The events of one kind. */
export function eventsOf<K extends VenueEvent['kind']>(
  events: readonly VenueEvent[],
  kind: K,
): Extract<VenueEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<VenueEvent, { kind: K }> => event.kind === kind);
}
