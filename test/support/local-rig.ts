/**
 * @module
 * A local venue for tests: short words for rows and commands, the facts it told, and a state folded from them as a bot
 * folds them.
 */
import { seededRandom, unixMs } from '../../src/core/index.ts';
import {
  AccountState,
  approve,
  type ClientOrderId,
  type Fact,
  type IntentId,
  type LaneId,
  lots,
  type Market,
  type OrderId,
  type OrderSpec,
  ppm,
  quantums,
  type Side,
  type StrategyId,
  type TimeInForce,
  ticks,
} from '../../src/domain/index.ts';
import { createLocalVenue, type LocalVenueOptions } from '../../src/research/venue/index.ts';
import type { FillModelName } from '../../src/research/venue/types.ts';
import { EVENT, FLAG_END } from '../../src/tape/format/events.ts';
import { aMarket } from '../unit/exchange/engine/desk.ts';

export const LANE = 'lane' as LaneId;
export const START_US = 1_700_000_000_000_000;

export interface OrderInput {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly tif?: TimeInForce;
  readonly reduceOnly?: boolean;
  readonly expiresAtMs?: number;
  readonly symbol?: string;
}

export interface RigOptions extends Partial<Omit<LocalVenueOptions, 'markets' | 'fillModel'>> {
  readonly model?: FillModelName;
  readonly exponent?: number;
  readonly markets?: readonly Market[];
  readonly seed?: number;
}

/** See the module. Latency is 0 unless told; every call moves time by 1 ms. */
export class LocalRig {
  readonly facts: Fact[] = [];
  readonly account = new AccountState();
  readonly venue;
  readonly markets: readonly Market[];
  us = START_US;
  /** The last published mark. */
  lastMark: number | undefined;
  readonly hasQueue: boolean;
  #intents = 0;

  constructor({
    model = 'trade-through',
    exponent,
    markets = [aMarket()],
    seed = 1,
    ...rest
  }: RigOptions = {}) {
    this.markets = markets;
    this.hasQueue = model !== 'trade-through';
    this.venue = createLocalVenue({
      markets,
      fillModel: { name: model, ...(exponent === undefined ? {} : { exponent }) },
      latency: { entry: { kind: 'constant', us: 0 }, response: { kind: 'constant', us: 0 } },
      fees: { makerPpm: ppm(0), takerPpm: ppm(0) },
      collateral: quantums(1_000_000_000_000n),
      lanes: [LANE],
      random: seededRandom(seed),
      sink: (fact) => {
        this.facts.push(fact);
        this.account.fold(fact);
      },
      ...rest,
    });
    this.venue.open(this.us);
  }

  /** One frame: rows of [kind, price, size, id]. */
  frame(...rows: readonly (readonly [keyof typeof EVENT, number?, number?, number?])[]): this {
    this.tick();
    for (const [at, [kind, price = 0, size = 0, id = 0]] of rows.entries()) {
      const flags = at === rows.length - 1 ? FLAG_END : 0;
      if (kind === 'mark') this.lastMark = price;
      this.venue.onRow(EVENT[kind], flags, 0, this.us, price, size, id);
    }
    return this;
  }

  /** A whole book. */
  book(bids: readonly (readonly [number, number])[], asks: readonly (readonly [number, number])[]): this {
    return this.frame(
      ['bookReset'],
      ...bids.map(([price, size]) => ['bidLevel', price, size] as const),
      ...asks.map(([price, size]) => ['askLevel', price, size] as const),
    );
  }

  spec(input: OrderInput): OrderSpec {
    const intentId = `i-${++this.#intents}` as IntentId;
    return {
      intentId,
      strategyId: 's' as StrategyId,
      symbol: (input.symbol ?? this.markets[0]!.symbol) as Market['symbol'],
      side: input.side,
      priceTicks: ticks(input.price),
      sizeLots: lots(input.size),
      timeInForce: input.tif ?? 'gtc',
      reduceOnly: input.reduceOnly ?? false,
      clientOrderId: intentId as string as ClientOrderId,
      expiresAtMs: input.expiresAtMs === undefined ? 0 : unixMs(input.expiresAtMs),
    };
  }

  /** Places orders in one write. Gives what the answer said of each: the number, or the reason. */
  place(...inputs: readonly OrderInput[]): string[] {
    const orders = inputs.map((input) => this.spec(input));
    this.account.reserve({
      lane: LANE,
      places: orders,
      cancels: [],
      atMs: unixMs(Math.floor(this.us / 1000)),
    });
    return this.#submit(orders);
  }

  /** Places an order that waits outside the book. Gives its number, or why it was rejected. */
  placeOutside(spec: OrderSpec): OrderId {
    const [answer] = this.placeAllOutside([spec]);
    if (answer === undefined) throw new Error('expected an answer');
    return answer;
  }

  /** As {@link placeOutside}, of several in one write. */
  placeAllOutside(specs: readonly OrderSpec[]): OrderId[] {
    return this.#submit(specs) as OrderId[];
  }

  /** Numbers and statuses of the orders that have ended. */
  get ends(): readonly string[] {
    return this.facts.flatMap((fact) =>
      fact.type === 'OrderEnded' ? [`${fact.ref.orderId} ${fact.status}`] : [],
    );
  }

  #submit(orders: readonly OrderSpec[]): string[] {
    const from = this.facts.length;
    this.venue.nowUs = this.us;
    this.venue.submit(approve({ lane: LANE, command: { kind: 'place', orders } }));
    this.tick();
    return this.facts.slice(from).flatMap((fact) => {
      if (fact.type === 'OrderAccepted') return [fact.orderId];
      return fact.type === 'OrderRejected' ? [fact.reason] : [];
    });
  }

  /** Places one order that must be accepted. */
  rest(side: Side, price: number, size: number, tif: TimeInForce = 'gtc'): OrderId {
    return this.place({ side, price, size, tif })[0] as OrderId;
  }

  cancel(orderId: OrderId): this {
    this.venue.nowUs = this.us;
    this.venue.submitSafety({ kind: 'cancel', orders: [{ symbol: this.markets[0]!.symbol, orderId }] });
    return this.tick();
  }

  /** Sets the leverage of the market. Gives what came of it. */
  leverage(leverage: number): string | undefined {
    const { symbol } = this.markets[0]!;
    this.venue.submit(approve({ lane: LANE, command: { kind: 'setLeverage', symbol, leverage } }));
    this.tick();
    return this.facts.flatMap((fact) => (fact.type === 'WriteResolved' ? [fact.outcome] : [])).at(-1);
  }

  /** Moves time on. */
  tick(us = 1000): this {
    this.us += us;
    this.venue.advance(this.us);
    this.venue.nowUs = this.us;
    return this;
  }

  /** Fills told so far, as `[orderId, size, price]`. */
  get fills(): (readonly [OrderId, number, number])[] {
    return this.facts.flatMap((fact) =>
      fact.type === 'FillRecorded'
        ? [[fact.fill.orderId, fact.fill.sizeLots as number, fact.fill.priceTicks as number] as const]
        : [],
    );
  }

  /** Lots filled of one order. */
  filledOf(orderId: OrderId): number {
    return this.fills.reduce((sum, [id, size]) => (id === orderId ? sum + size : sum), 0);
  }
}
