/**
 * @module
 * What plays on the wire's exchange: the recorded markets and a participant. So that the exchange matches by the fill model of
 * the other ways, the participant does to our orders what a shadow of the local venue, fed with the same rows, says
 * happens to them; and it shows the recorded best prices, so that what would take is refused there as well.
 *
 *   tape ─┬─ at exchange time ─► shadow venue ─► participant ─► exchange
 *         └─ as delivered ─────► facts of the markets ─► the publisher
 */

import { type Clock, must, seededRandom, type UnixMs } from '../../src/core/index.ts';
import type {
  Approved,
  Fact,
  Fill,
  LaneId,
  Lots,
  MarketFact,
  OrderSpec,
  RoutedCommand,
  StrategyId,
  Ticks,
  TradingCommand,
} from '../../src/domain/index.ts';
import { ticks } from '../../src/domain/index.ts';
import type { VenueOrder } from '../../src/exchange/engine/index.ts';
import type { Exchange, FlowHost, Participants } from '../../src/exchange/index.ts';
import type { BacktestOptions } from '../../src/research/backtest/index.ts';
import { Replay } from '../../src/research/backtest/replay/replay.ts';
import { createLocalVenue, type LocalVenue } from '../../src/research/venue/index.ts';
import { ShownSide } from '../../src/research/venue/shown-side.ts';
import { EVENT, FLAG_END } from '../../src/tape/format/index.ts';
import type { Transport } from '../../src/wire/gateway/index.ts';
import { type Agenda, RANK } from './agenda.ts';
import { rowByRow } from './row-by-row.ts';

const LANE = 'shadow' as LaneId;
const US_PER_MS = 1_000;
const LEGS: ReadonlySet<string> = new Set(['takeProfit', 'stopLoss']);
/** What stands at a best price: more than any strategy takes. */
const TOUCH_LOTS = 10_000n;

/** One market as it is shown. */
interface Shown {
  /** What of the recorded book is not taken: nobody is refused for what is gone (see `ShownSide`). */
  readonly bids: ShownSide;
  readonly asks: ShownSide;
  isResetting: boolean;
  /** The best prices that rest at the exchange; `undefined`: none are known to. */
  touch: { readonly bid: number; readonly ask: number } | undefined;
}

/** Carries requests, answers and frames between one bot and the exchange. */
export interface Carrier {
  /** A line of its own to the exchange. */
  transport(): Transport;
  /** Strategies begin: from now on it takes its time. */
  begin(): void;
  /** Does what writes one entry of the exchange's log: all that we hear of it comes at one time. */
  asEntry<T>(action: () => T): T;
}

/** What the stage stands between. */
export interface StageParts {
  readonly options: BacktestOptions;
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly exchange: Exchange;
  readonly ways: Pick<Carrier, 'asEntry'>;
  readonly accountId: number;
  /** Publishes what the tape says of the markets, when it is delivered. */
  publish(fact: MarketFact): void;
}

/** What the shadow needs of an order of ours. */
type Followed = Pick<VenueOrder, 'market' | 'side' | 'priceTicks' | 'lots' | 'tif' | 'reduceOnly'>;

/** What one of them took. */
type Taken = Pick<VenueOrder, 'market' | 'priceTicks' | 'lots'> & { readonly takerSide: VenueOrder['side'] };

type Watched = Pick<LocalVenue, 'onRow' | 'takeRows' | 'passRows' | 'dueUs' | 'leadUs'>;

/** See the module. Begins where the clock stands. */
export class WireStage implements Participants {
  readonly name = 'shadow';
  readonly #parts: StageParts;
  readonly #shadow: LocalVenue;
  readonly #replay: Replay;
  readonly #markets: readonly Shown[];
  /** Price and market of the level row that is read now. */
  #level: { readonly market: number; readonly ticks: number } | undefined;
  /** Our orders at the exchange by the names they have in the shadow. */
  readonly #byShadow = new Map<string, VenueOrder>();
  readonly #shadowOf = new Map<string, string>();
  #host: FlowHost | undefined;
  #account = 0;
  #takenCount = 0;
  /** When the next slice of an order that is worked over time is due, Unix ms. */
  #sliceAtMs = 0;
  readonly #pending: (() => void)[] = [];
  #isOver = false;

  constructor(parts: StageParts) {
    const { options, clock, exchange, accountId } = parts;
    this.#parts = parts;
    this.#markets = options.tape.markets.map(() => ({
      ...{ bids: new ShownSide(true), asks: new ShownSide(false), isResetting: false, touch: undefined },
    }));
    const none = { kind: 'constant', us: 0 } as const;
    const random = seededRandom(options.seed);
    this.#shadow = createLocalVenue({
      ...options.venue,
      ...{ markets: options.tape.markets, fillModel: options.fillModel, lanes: [LANE] },
      latency: { entry: none, response: none },
      random: random.fork('venue'),
      sink: (fact) => this.#hear(fact),
    });
    this.#replay = new Replay({
      ...{ tape: options.tape, feed: options.feed, random: random.fork('feed') },
      toUs: options.toUs ?? options.tape.toUs,
      clock: { nowMs: () => clock.nowMs(), mark: () => clock.nowMs(), timeOf: (nowMs) => nowMs as UnixMs },
      venue: this.#watched(),
      sink: (fact) => parts.publish(fact as MarketFact),
    });
    exchange.attachParticipants(this);
    exchange.control.watch(({ events }) => {
      for (const event of events) {
        if (event.kind === 'OrderAccepted' && event.order.account === accountId && event.isResting)
          this.#later(() => this.#accepted(event.order));
        else if (event.kind === 'OrderCanceled' && event.order.account === accountId)
          this.#later(() => this.#gone(event.order));
        else if (event.kind === 'ConditionalPlaced' && event.order.account === accountId)
          this.#later(() => this.#waits(event.order.market));
        else if (event.kind === 'TwapPlaced' && event.order.account === accountId)
          this.#later(() => this.#slice());
        else if (
          event.kind === 'Fill' &&
          [event.taker, event.maker].some(({ account }) => account === accountId)
        )
          this.#later(() => this.#traded(event, event.taker.account === accountId));
      }
    });
    const { nowUs } = parts.agenda;
    this.#shadow.nowUs = nowUs;
    this.#shadow.open(nowUs);
    this.#replay.skipTo(nowUs);
    this.#showTouches();
    this.#waitForRow();
    this.#waitForFrame();
  }

  start(host: FlowHost): void {
    this.#host = host;
    this.#account = host.createAccount((10n ** 18n) as never);
  }

  end(): void {
    this.#isOver = true;
  }

  /** The log of the exchange is being written while it is watched: what follows from it comes right behind. */
  #later(action: () => void): void {
    this.#pending.push(action);
    this.#parts.clock.soon(() => this.#catchUp());
  }

  #catchUp(): void {
    for (const action of this.#pending.splice(0)) if (!this.#isOver) action();
  }

  #waitForRow(): void {
    const us = Math.min(this.#replay.venueAtUs, this.#shadow.dueUs);
    if (us === Number.POSITIVE_INFINITY) return;
    this.#parts.agenda.at(us, RANK.row, () => {
      if (this.#isOver) return;
      this.#feedRows(us);
      this.#waitForRow();
    });
  }

  #feedRows(us: number): void {
    this.#shadow.nowUs = us;
    if (this.#replay.venueAtUs <= us) this.#replay.feedVenue(us);
    this.#shadow.advance(us);
    this.#showTouches();
  }

  #waitForFrame(): void {
    const us = this.#replay.botAtUs;
    if (us === Number.POSITIVE_INFINITY) return;
    this.#parts.agenda.at(us, RANK.frame, () => {
      if (this.#isOver) return;
      this.#replay.feedBot();
      this.#waitForFrame();
    });
  }

  #watched(): Watched {
    const shadow = this.#shadow;
    return rowByRow({
      get dueUs() {
        return shadow.dueUs;
      },
      // Each row is shown at the exchange.
      leadUs: 0,
      passRows: () => false,
      onRow: (...[kind, flags, market, us, price, size, id]: Parameters<LocalVenue['onRow']>) => {
        const shown = must(this.#markets[market], 'a market');
        this.#show(shown, { kind, market, price, size });
        // As at the local venue: what comes of one row is one entry, of which we hear at one time.
        this.#parts.ways.asEntry(() => {
          shadow.onRow(kind, flags, market, us, price, size, id);
          if (shadow.dueUs <= us) shadow.advance(us);
        });
        this.#level = undefined;
        if (kind === EVENT.index) this.#index(market, price);
        if (!shown.isResetting || (flags & FLAG_END) === 0) return;
        shown.isResetting = false;
        shown.bids.settle();
        shown.asks.settle();
      },
    });
  }

  /**
   * The exchange has the recorded index prices. One that is at a trigger begins a block there: the local venue looks with
   * each price.
   */
  #index(market: number, indexTicks: number): void {
    const { exchange, options } = this.#parts;
    const { symbol } = must(options.tape.markets[market], 'a market');
    const set = () => exchange.control.price({ symbol, price: ticks(indexTicks) });
    if (this.#isDue(market, indexTicks)) this.#beginBlock(set);
    else set();
  }

  /** One whose trigger was reached on its way fires at once, as at the local venue. */
  #waits(market: number): void {
    const { indexTicks } = this.#parts.exchange.control.venue.marketView(market);
    if (this.#isDue(market, indexTicks)) this.#beginBlock();
  }

  /** As at the local venue a slice goes out when it is due, and not with the next block of the clock. */
  #slice(): void {
    const { exchange, accountId, agenda, clock } = this.#parts;
    const nextMs = (): number =>
      Math.min(
        ...exchange.control.venue
          .waitingOrders(accountId)
          .map(({ waiting }) =>
            waiting?.kind === 'twap' ? waiting.nextSliceAtMs : Number.POSITIVE_INFINITY,
          ),
      );
    if (nextMs() <= clock.nowMs()) this.#beginBlock();
    const atMs = nextMs();
    if (atMs === Number.POSITIVE_INFINITY || atMs === this.#sliceAtMs) return;
    this.#sliceAtMs = atMs;
    // By the clock, before a block of its own at that time: that would write no entry that we hear of at one time.
    clock.after(atMs - agenda.nowUs / US_PER_MS, () => {
      if (this.#isOver) return;
      this.#feedRows(atMs * US_PER_MS);
      this.#slice();
    });
  }

  /** What our takers took is not there a second time, neither for the shadow nor at the exchange. */
  #traded({ market, priceTicks, lots, takerSide }: Taken, isTaker: boolean): void {
    if (isTaker) {
      const shown = must(this.#markets[market], 'a market');
      (takerSide === 'buy' ? shown.asks : shown.bids).take(priceTicks, lots);
      this.#level = undefined;
      const intentId = `t-${++this.#takenCount}`;
      this.#follow({ market, side: takerSide, priceTicks, lots, tif: 'ioc', reduceOnly: false }, intentId);
      this.#showTouches();
    }
    this.#sweep();
  }

  /** What follows a position leaves in a block of its own right after that is closed. */
  #sweep(): void {
    const { exchange, accountId } = this.#parts;
    const { venue } = exchange.control;
    const held = new Set(
      venue.positions(accountId).flatMap(({ market, lots }) => (lots === 0 ? [] : [market])),
    );
    const isLeft = venue
      .waitingOrders(accountId)
      .some(({ market, waiting }) => LEGS.has(waiting?.kind ?? '') && !held.has(market));
    if (isLeft) this.#beginBlock();
  }

  #isDue(market: number, indexTicks: number): boolean {
    const { exchange, accountId } = this.#parts;
    return exchange.control.venue.waitingOrders(accountId).some(({ market: where, waiting }) => {
      if (where !== market || waiting === undefined || waiting.kind === 'twap') return false;
      return waiting.isAbove ? indexTicks >= waiting.triggerTicks : indexTicks <= waiting.triggerTicks;
    });
  }

  #beginBlock(before: () => void = () => undefined): void {
    const { exchange, ways } = this.#parts;
    this.#showTouches();
    ways.asEntry(() => {
      before();
      exchange.beginBlock();
    });
    // What fired rests before the next row of the same time.
    this.#catchUp();
  }

  #show(
    shown: Shown,
    row: { readonly kind: number; readonly market: number; readonly price: number; readonly size: number },
  ): void {
    const { kind, market, price, size } = row;
    if (kind === EVENT.bookReset || kind === EVENT.hole) {
      shown.isResetting = true;
      shown.bids.void();
      shown.asks.void();
    } else if (kind === EVENT.bidLevel || kind === EVENT.askLevel) {
      (kind === EVENT.bidLevel ? shown.bids : shown.asks).set(price, size);
      this.#level = { market, ticks: price };
    } else if (kind === EVENT.bestBid || kind === EVENT.bestAsk) this.#level = { market, ticks: price };
  }

  /** What the shadow tells of our orders happens to them at the exchange. */
  #hear(fact: Fact): void {
    if (fact.type === 'OrderAccepted') this.#shadowOf.set(fact.spec.intentId, fact.orderId);
    if (fact.type !== 'FillRecorded') return;
    const { side, sizeLots, orderId } = fact.fill;
    if (this.#level !== undefined) {
      const { asks, bids } = must(this.#markets[this.#level.market], 'a market');
      (side === 'buy' ? asks : bids).take(this.#level.ticks, sizeLots);
    }
    const order = [...this.#byShadow].find(([name]) => this.#shadowOf.get(name) === orderId)?.[1];
    if (order !== undefined) this.#fill(order, fact.fill);
  }

  /** The touch steps aside, somebody trades with our order at its price, the touch comes back. */
  #fill(order: VenueOrder, fill: Fill): void {
    this.#clearTouches();
    const { market, priceTicks: price } = order;
    const side = order.side === 'buy' ? 'sell' : 'buy';
    this.#submit({ market, side, price, lots: BigInt(fill.sizeLots), tif: 'ioc' });
    this.#showTouches();
  }

  #accepted(order: VenueOrder): void {
    const name = `o-${order.orderSeq}`;
    this.#byShadow.set(name, order);
    this.#follow(order, name);
  }

  /** The shadow does what one of our orders does. */
  #follow(order: Followed, name: string): void {
    const { nowUs } = this.#parts.agenda;
    this.#shadow.nowUs = nowUs;
    const spec = {
      ...{
        intentId: name,
        strategyId: 'shadow' as StrategyId,
        symbol: this.#symbolOf(order),
        side: order.side,
      },
      ...{ priceTicks: order.priceTicks as Ticks, sizeLots: order.lots as Lots, timeInForce: order.tif },
      // The shadow does not know what was taken, so no position: that nothing is closed twice is the exchange's to see to.
      ...{ reduceOnly: false, clientOrderId: '', expiresAtMs: 0 },
    } as unknown as OrderSpec;
    const routed = { lane: LANE, command: { kind: 'place', orders: [spec] } };
    this.#shadow.submit(routed as unknown as Approved<RoutedCommand<TradingCommand>>);
    this.#shadow.advance(nowUs);
  }

  #gone(order: VenueOrder): void {
    const { nowUs } = this.#parts.agenda;
    const orderId = this.#shadowOf.get(`o-${order.orderSeq}`);
    this.#byShadow.delete(`o-${order.orderSeq}`);
    if (orderId === undefined) return;
    this.#shadow.nowUs = nowUs;
    const symbol = this.#symbolOf(order);
    this.#shadow.submitSafety({ kind: 'cancel', orders: [{ symbol, orderId } as never] });
    this.#shadow.advance(nowUs);
  }

  #symbolOf({ market }: Pick<VenueOrder, 'market'>): string {
    return must(this.#parts.options.tape.markets[market], 'a market').symbol;
  }

  #clearTouches(): void {
    must(this.#host, 'the host').submit({ kind: 'CancelAll', account: this.#account });
    for (const shown of this.#markets) shown.touch = undefined;
  }

  /** The recorded best prices rest at the exchange, one order each. */
  #showTouches(): void {
    const touches = this.#markets.map(({ bids, asks }) => ({
      bid: bids.bestAvailable,
      ask: asks.bestAvailable,
    }));
    const isSame = this.#markets.every(({ touch }, market) => {
      const { bid, ask } = must(touches[market], 'a touch');
      return touch?.bid === bid && touch.ask === ask;
    });
    if (isSame) return;
    this.#clearTouches();
    for (const [market, shown] of this.#markets.entries()) {
      const { bid, ask } = must(touches[market], 'a touch');
      shown.touch = { bid, ask };
      const touch = { market, lots: TOUCH_LOTS, tif: 'postOnly' } as const;
      if (bid >= 0) this.#submit({ ...touch, side: 'buy', price: bid });
      if (ask >= 0) this.#submit({ ...touch, side: 'sell', price: ask });
    }
  }

  #submit(order: {
    readonly market: number;
    readonly side: 'buy' | 'sell';
    readonly price: number;
    readonly lots: bigint;
    readonly tif: 'ioc' | 'postOnly';
  }): void {
    const host = must(this.#host, 'the host');
    host.submit({
      ...{ kind: 'PlaceOrder', account: this.#account, reduceOnly: false, goodTilMs: 0 },
      ...{ nowMs: host.nowMs(), router: 0, routerFeePpm: 0 },
      ...order,
    });
  }
}
