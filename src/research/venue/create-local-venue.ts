/**
 * @module
 * The local venue: commands on their way in, rows of the market, time, and answers on their way out, joined. See `types`.
 *
 *   submit ─► entry ─► arrival ─► local orders ─┐
 *   onRow ──► matcher, charges ─────────────────┼─► facts ─► response ─► sink
 *   advance ► expiry, switch, funding ──────────┘
 */
import { assert, FewMap, must, type UnixMs, unixMs } from '../../core/index.ts';
import {
  type Approved,
  type Command,
  cancelsOf,
  EVENT,
  type Fact,
  type LaneId,
  MARKET_STATUSES,
  type MarketSymbol,
  type OrderId,
  placesOf,
  type RequestId,
  type RoutedCommand,
  type SafetyCommand,
  type TradingCommand,
} from '../../domain/index.ts';
import { AccountState, OpenOrders, runSetLeverage, VenueState } from '../../exchange/engine/index.ts';
import { AccountCharges } from './account-charges.ts';
import { BotPort } from './bot-port.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { laterOf, missedOf } from './disturbance.ts';
import { SAFETY_LANE } from './lanes.ts';
import { LevelMatcher } from './level-matcher.ts';
import { LocalAccount, type Packet } from './local-account.ts';
import { LocalMarket } from './local-market.ts';
import type { LocalOrder } from './local-order.ts';
import { LocalOrders, type MarketSlot, type PendingSend } from './local-orders.ts';
import type { MatcherPorts } from './matcher.ts';
import { fillModelOf } from './models/fill-model.ts';
import { OneWay } from './models/one-way.ts';
import { OrderMatcher } from './order-matcher.ts';
import { passOver } from './passing.ts';
import { RequestIds } from './request-ids.ts';
import { venueSettingsOf } from './settings.ts';
import { takeUntil } from './taking.ts';
import type { EmittedLevels, LocalVenue, LocalVenueOptions, MarketRows } from './types.ts';

const MS_US = 1000;
const HOUR_MS = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;
const MILLION = 1_000_000;

/** Makes a local venue. @throws AssertionError for options that make none. */
export function createLocalVenue(options: LocalVenueOptions): LocalVenue {
  return new LocalVenueParts(options);
}

/** A command on its way. */
interface Parcel extends PendingSend {
  readonly lane: LaneId;
  readonly requestId: RequestId;
  readonly command: Command;
}

class LocalVenueParts implements LocalVenue {
  nowUs = 0;
  dueUs = NEVER;
  leadUs = 0;
  readonly entryUs: number;
  readonly #options: LocalVenueOptions;
  readonly #state: VenueState;
  readonly #account: LocalAccount;
  readonly #slots: readonly MarketSlot[];
  readonly #localOrders: LocalOrders;
  readonly #charges: AccountCharges;
  readonly #port: BotPort;
  readonly #entry: OneWay;
  readonly #response: OneWay;
  readonly #parcels = new DeliveryQueue<Parcel>();
  readonly #answers = new DeliveryQueue<Packet>();
  readonly #readyFacts = new FewMap<LaneId, Fact>();
  readonly #ids = new RequestIds();
  #expiryUs = NEVER;
  /** The trigger of the switch at the exchange; 0: not armed. */
  #triggerMs = 0;
  /** A log entry is under way. */
  #isOpen = false;
  /** No position is held. */
  #isFlat = true;

  constructor(options: LocalVenueOptions) {
    this.#options = options;
    this.#state = new VenueState(venueSettingsOf(options), new OpenOrders(false));
    const account = new AccountState(this.#state.accounts.length);
    this.#state.accounts.push(account);
    this.#account = new LocalAccount(this.#state, account);
    this.#port = new BotPort({
      ...options,
      nowMs: () => this.nowUs / MS_US,
      send: (lane, command) => this.#send(lane, command),
    });
    this.#entry = new OneWay(options.latency.entry, options.random.fork('entry'));
    this.entryUs = this.#entry.leastUs;
    const later = laterOf(options.disturbance, options.random);
    this.#response = new OneWay(options.latency.response, options.random.fork('response'), later);
    this.#slots = options.markets.map((_market, place) => this.#makeSlot(place));
    this.#localOrders = new LocalOrders(this.#account, {
      slots: this.#slots,
      refreshMark: (slot, fallback) => this.#refreshMark(slot, fallback),
      noteExpiry: (goodTilMs) => this.#noteExpiry(goodTilMs),
    });
    this.#charges = new AccountCharges(this.#account, {
      slots: this.#slots,
      intervalUs: (options.fundingIntervalMs ?? HOUR_MS) * MS_US,
      begin: (us) => this.#begin(us),
      cancelAll: () => this.#localOrders.endAll(),
    });
  }

  open(us: number): void {
    const { sink, markets, collateral } = this.#options;
    this.nowUs = us;
    for (const market of markets) sink({ type: 'MarketChanged', market });
    this.#begin(us);
    this.#account.deposit('deposit', collateral);
    this.#account.emitAccount();
    const { seq, atMs } = this.#account;
    this.#isOpen = false;
    sink({ type: 'OrdersReplaced', orders: [], seq, isComplete: true });
    sink({ type: 'PositionsReplaced', positions: [], seq });
    for (const fact of this.#account.takeFacts()?.facts ?? []) sink(fact);
    sink({ type: 'AccountSynced', seq, epoch: 'local' });
    this.#port.open(atMs);
    this.#schedule();
  }

  isReady(lane: LaneId): boolean {
    return this.#port.isReady(lane);
  }

  submit({ lane, command }: Approved<RoutedCommand<TradingCommand>>): void {
    if (!this.isReady(lane)) assert(false, `lane ${lane} to be ready`);
    this.#send(lane, command);
  }

  submitSafety(command: SafetyCommand): void {
    this.#port.join(command);
  }

  // biome-ignore lint/complexity/useMaxParams: the columns of a row, so that no object is made
  onRow(
    kind: number,
    flags: number,
    market: number,
    us: number,
    price: number,
    size: number,
    id: number,
  ): void {
    if (us > this.dueUs) this.advance(us);
    const slot = this.#slots[market];
    if (slot === undefined) return;
    if (kind <= EVENT.bookReset || kind > EVENT.fundingSettled) {
      slot.matcher.onRow(kind, flags, us, price, size, id);
      if (kind === EVENT.marketStatus) this.#setStatus(slot, size);
      else if (kind === EVENT.buyTrade || kind === EVENT.sellTrade) this.#onTrade(slot, us);
    } else this.#onPublished(slot, us, { kind, price, size, id });
    if (this.#isOpen) this.#end(us);
  }

  takeRows(rows: MarketRows, from: number, to: number, limitUs: number): number {
    if ((rows.exchangeUs[from] as number) > this.dueUs) this.advance(rows.exchangeUs[from] as number);
    return takeUntil(this, this.#slots, rows, from, to, limitUs);
  }

  passRows(rows: MarketRows, others: Int32Array, levels: readonly EmittedLevels[]): boolean {
    if (this.leadUs !== NEVER || this.#slots.some(({ matcher }) => !matcher.isPlain)) return false;
    passOver(this, { rows, others, levels }, this.#slots);
    return true;
  }

  advance(us: number): void {
    while (this.dueUs <= us) {
      const atUs = this.dueUs;
      // At one time: what time does, then what arrives, then what is heard of it.
      if (atUs === this.#timerUs()) this.#onTimer(atUs);
      else if (atUs === this.#parcels.dueUs) this.#arrive(atUs);
      else this.#deliver(atUs);
    }
  }

  queueOf(orderId: OrderId): { readonly aheadLots: number; readonly atRestLots: number } | undefined {
    const order = this.#localOrders.get(orderId);
    return order === undefined
      ? undefined
      : this.#slotAt(order.holding.market.ordinal).matcher.queueOf(order);
  }

  get ordersBetweenLevels(): number | undefined {
    const counts = this.#slots.flatMap(({ matcher }) => matcher.restedBetween ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
  }

  balance(): ReturnType<LocalVenue['balance']> {
    for (const slot of this.#slots) if (slot.market.holding.lots !== 0) this.#refreshMark(slot, 0);
    return this.#charges.balance();
  }

  #makeSlot(number: number): MarketSlot {
    const market = new LocalMarket(this.#state.market(number), this.#account.account);
    const { disturbance, random } = this.#options;
    const ports: MatcherPorts = {
      begin: (us) => this.#begin(us),
      fill: (order, lots) => this.#localOrders.fill(order, lots),
      filled: (order, lots) => this.#localOrders.filled(order, lots),
      cancel: (order) => this.#localOrders.end(order, 'canceled'),
      isMissed: missedOf(disturbance, random, number),
      dropped: (order) => this.#localOrders.dropped(order),
      requeue: (order) => this.#state.orders.requeue(order),
      inSlot: (slot) => this.#state.orders.inSlot(market.state, slot) as LocalOrder,
    };
    const model = fillModelOf(this.#options.fillModel);
    const matcher =
      model === undefined ? new OrderMatcher(market, ports) : new LevelMatcher(market, model, ports);
    return { market, matcher };
  }

  #send(lane: LaneId, command: Command): void {
    const requestId = this.#ids.next();
    const sentAtMs = unixMs(Math.floor(this.nowUs / MS_US));
    const parcel: Parcel = { lane, requestId, command, proof: { by: 'answer', id: requestId }, sentAtMs };
    this.#port.take(lane);
    this.#parcels.put(parcel, this.#entry.arrivalOf(this.nowUs));
    this.dueUs = Math.min(this.dueUs, this.#parcels.dueUs);
    const places = placesOf(command);
    const cancels = cancelsOf(command);
    this.#options.sink({ type: 'WriteSent', lane, requestId, places, cancels, atMs: sentAtMs });
  }

  #arrive(us: number): void {
    const parcel = this.#parcels.take();
    if (parcel === undefined) return;
    this.#begin(us);
    const { requestId, command, lane } = parcel;
    const account = this.#account;
    const outcome = this.#execute(command, parcel) ? 'executed' : 'rejected';
    const resolved: Fact = { type: 'WriteResolved', lane, requestId, outcome, seq: account.seq };
    if (lane === SAFETY_LANE) account.answerForPort(resolved);
    else account.answer(resolved);
    if (command.kind === 'scheduleCancel' && outcome === 'executed')
      account.answerForPort({
        type: 'SwitchArmed',
        triggerAtMs: command.triggerAtMs as UnixMs,
        atMs: account.atMs,
      });
    if (lane !== SAFETY_LANE) account.emitForPort(this.#laneReady(lane));
    this.#end(us);
    // One whose trigger was reached on its way fires with the block after it.
    if (this.#localOrders.hasWaiting) for (const slot of this.#slots) this.#fire(slot, us);
    this.#slice(us);
  }

  /** True if anything of it was carried out. */
  #execute(command: Command, sending: PendingSend): boolean {
    switch (command.kind) {
      case 'place':
      case 'replace':
      case 'cancel':
        return this.#localOrders.run(cancelsOf(command), placesOf(command), sending);
      case 'cancelAll':
        return this.#localOrders.cancelAll(sending);
      case 'setLeverage':
        return this.#setLeverage(command.symbol, command.leverage);
      case 'scheduleCancel': {
        const { triggerAtMs } = command;
        if (triggerAtMs !== 0 && triggerAtMs < Math.max(this.#account.atMs, sending.sentAtMs)) return false;
        this.#triggerMs = triggerAtMs;
        return true;
      }
    }
  }

  #setLeverage(symbol: MarketSymbol, leverage: number): boolean {
    const slot = this.#localOrders.slotOf(symbol);
    if (slot === undefined) return false;
    this.#refreshMark(slot, 0);
    const command = { market: slot.market.state.number, customImfPpm: Math.floor(MILLION / leverage) };
    const { log } = this.#state;
    log.begin(log.at);
    const { status } = runSetLeverage(this.#state, this.#account.account, command);
    log.finish();
    return status === 'executed';
  }

  /** Gives what was heard to the bot. */
  #deliver(us: number): void {
    if (us > this.nowUs) this.nowUs = us;
    const packet = this.#answers.take();
    if (packet !== undefined) this.#port.hand(packet);
    this.#schedule();
  }

  /** When time itself does something next. A method: a getter that is private is looked up by each call. */
  #timerUs(): number {
    const triggerUs = this.#triggerMs === 0 ? NEVER : this.#triggerMs * MS_US;
    return Math.min(this.#expiryUs, triggerUs, this.#charges.dueUs, this.#localOrders.nextSliceAtMs * MS_US);
  }

  #onTimer(us: number): void {
    if (this.#expiryUs <= us) {
      this.#begin(us);
      this.#expire(Math.floor(us / MS_US));
    }
    if (this.#triggerMs !== 0 && this.#triggerMs * MS_US <= us) {
      this.#begin(us);
      this.#triggerMs = 0;
      this.#localOrders.endAll();
      this.#account.emitForPort({ type: 'SwitchFired', atMs: this.#account.atMs });
    }
    this.#slice(us);
    if (this.#charges.dueUs <= us) this.#charges.advance(us);
    if (this.#isOpen) this.#end(us);
    else this.#schedule();
  }

  #expire(nowMs: number): void {
    const { orders } = this.#state;
    for (let order = orders.takeExpired(nowMs); order; order = orders.takeExpired(nowMs))
      this.#localOrders.end(order as LocalOrder, 'expired');
    this.#expiryUs = NEVER;
    for (const { terms } of this.#localOrders.all())
      if (terms.goodTilMs !== 0) this.#noteExpiry(terms.goodTilMs);
  }

  /** The last valid instant is a millisecond: an order ends with the next one. */
  #noteExpiry(goodTilMs: number): void {
    this.#expiryUs = Math.min(this.#expiryUs, (goodTilMs + 1) * MS_US);
  }

  #onPublished(
    slot: MarketSlot,
    us: number,
    row: { readonly kind: number; readonly price: number; readonly size: number; readonly id: number },
  ): void {
    const { market } = slot;
    const { kind, price, size, id } = row;
    if (kind === EVENT.fundingRate) this.#charges.onRate(market, size, { us, nextMs: id });
    else if (kind === EVENT.fundingSettled)
      this.#charges.onSettled(market, us, { ratePpb: size, priceTicks: price });
    else {
      this.#charges.onPrice(market, price, kind === EVENT.mark);
      if (market.holding.lots !== 0) this.#charges.revalue(us);
      if (this.#localOrders.hasWaiting) this.#fire(slot, us);
    }
    this.#schedule();
  }

  /** Without a published mark, trades move the price of the margin check. */
  #onTrade(slot: MarketSlot, us: number): void {
    const { market, matcher } = slot;
    if (this.#localOrders.hasWaiting && !market.hasIndex && !market.hasMark) {
      this.#charges.refreshMark(market, matcher.midTicks(), 0);
      this.#fire(slot, us);
    }
    if (market.hasMark || market.holding.lots === 0) return;
    this.#charges.refreshMark(market, matcher.midTicks(), 0);
    this.#charges.revalue(us);
  }

  /** The index price may have reached triggers. */
  #fire(slot: MarketSlot, us: number): void {
    if (!this.#localOrders.isDue(slot)) return;
    this.#begin(us);
    this.#localOrders.fire(slot);
    this.#end(us);
  }

  /** Slices of orders that are worked over time may be due. */
  #slice(us: number): void {
    if (this.#localOrders.nextSliceAtMs * MS_US > us) return;
    this.#begin(us);
    this.#localOrders.slice();
    this.#end(us);
  }

  #setStatus({ market }: MarketSlot, place: number): void {
    const status = MARKET_STATUSES[place];
    if (status !== undefined) market.state.setStatus(status);
  }

  #refreshMark({ market, matcher }: MarketSlot, fallbackTicks: number): void {
    if (!market.hasMark) this.#charges.refreshMark(market, matcher.midTicks(), fallbackTicks);
  }

  #slotAt(place: number): MarketSlot {
    return must(this.#slots[place], `market ${place}`);
  }

  /** One fact a lane: it says the same each time. */
  #laneReady(lane: LaneId): Fact {
    let fact = this.#readyFacts.get(lane);
    if (fact === undefined) {
      fact = { type: 'LaneReady', lane };
      this.#readyFacts.set(lane, fact);
    }
    return fact;
  }

  #begin(us: number): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#account.begin(us);
  }

  #end(us: number): void {
    if (this.#account.hasTraded) {
      this.#charges.liquidate(us);
      this.#isFlat = this.#slots.every(({ market }) => market.holding.lots === 0);
    }
    this.#isOpen = false;
    const packet = this.#account.takeFacts();
    if (packet !== undefined) this.#answers.put(packet, this.#response.arrivalOf(us));
    if (this.#localOrders.hasClosed) this.#sweep(us);
    this.#schedule();
  }

  /** With the block after a position was closed what follows it leaves. */
  #sweep(us: number): void {
    this.#begin(us);
    this.#localOrders.endClosed();
    this.#end(us);
  }

  #schedule(): void {
    this.dueUs = Math.min(this.#timerUs(), this.#parcels.dueUs, this.#answers.dueUs);
    this.leadUs = this.#localOrders.isEmpty && this.#isFlat ? NEVER : this.#response.leastUs;
  }
}
