/**
 * @module
 * The account of the local venue: what a fill, a fee and a settlement do to cash and position, and the facts that
 * report it in the order of the private stream. The arithmetic is the exchange's own (`accounts`, `fees`, `margin`);
 * this file only puts the steps in order. Every change of cash is a ledger entry, so the sum of the ledger is the cash.
 *
 *   fill ─► FillRecorded ─► OrderOpened or OrderEnded ─► LedgerRecorded (trade, fee) ─► PositionUpdated ─► AccountUpdated
 */
import { product, type UnixMs, unixMs } from '../../core/index.ts';
import {
  type Cursor,
  type Fact,
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type Position,
  type Proof,
  ppm,
  quantums,
  type Seq,
  ticks,
} from '../../domain/index.ts';
import type { AccountState, CashChange, Holding, VenueState } from '../../exchange/engine/index.ts';
import {
  accruedFunding,
  applyTrade,
  equityOf,
  feeOf,
  marginFigures,
  noteVolume,
  post,
  ratesOf,
  TakerFee,
  tierOf,
  valueAt,
} from '../../exchange/engine/index.ts';
import type { LocalOrder } from './local-order.ts';

/** Orders of one log entry at most (exchange.md#order-numbers). */
const RECORDS_MAX = 65_536;

/** One execution of an own order. */
export interface LocalFill {
  /** Size in lots. */
  readonly lots: number;
  /** Price in ticks. */
  readonly priceTicks: number;
  /** Role in the fill. */
  readonly role: 'maker' | 'taker';
  /** Fee in quantums; below 0: a rebate. */
  readonly fee: bigint;
}

/** The facts of an entry, as they arrive at the bot: the answer, then the stream. */
export interface Packet {
  /** Facts in order. */
  readonly facts: readonly Fact[];
  /** Where the first of them is with which the port to the bot itself changes, and how many there are. */
  readonly portAt: number;
  /** Number of facts that change the port. */
  readonly portCount: number;
  /** True if a fill is among them. */
  readonly hasFills: boolean;
}

/** See the module. */
export class LocalAccount {
  readonly state: VenueState;
  readonly account: AccountState;
  /**
   * Facts of the entry under way, in order: of the answer to a command, and of the stream after it. Slots are reused.
   */
  readonly #answers: (Fact | undefined)[] = [];
  #answerCount = 0;
  readonly #facts: (Fact | undefined)[] = [];
  #factCount = 0;
  /** The first of each with which the port to the bot changes. */
  #portAnswer = -1;
  #portFact = -1;
  #portCount = 0;
  readonly #touched = new Set<Holding>();
  readonly #symbols = new Map<number, MarketSymbol>();
  #seq = 0;
  /** The log entry and its proof as facts carry them: made once an entry, when the first of them is emitted. */
  #emittedSeq: Seq | undefined;
  #streamProof: Proof | undefined;
  /** What the positions of its fills and entries in history begin with. */
  #cursorHead: string | undefined;
  /** The order that traded last: its number gives its cost. */
  #traded: LocalOrder | undefined;
  #idx = 0;
  #records = 0;
  #atMs: UnixMs = unixMs(0);

  constructor(state: VenueState, account: AccountState) {
    this.state = state;
    this.account = account;
    for (const { number, market } of state.markets.values()) this.#symbols.set(number, market.symbol);
  }

  /** A new log entry at this time: an arrival of a command, a row that fills, a settlement. */
  begin(us: number): void {
    this.#seq++;
    this.#emittedSeq = undefined;
    this.#streamProof = undefined;
    this.#cursorHead = undefined;
    this.#idx = 0;
    this.#records = 0;
    this.#atMs = unixMs(Math.floor(us / 1000));
    this.state.log.at = { seq: this.#seq, sub: 0, blockAtMs: this.#atMs };
  }

  /** True if this entry has changed a position or its funding. */
  get hasTraded(): boolean {
    return this.#touched.size > 0;
  }

  get atMs(): UnixMs {
    return this.#atMs;
  }

  /** The log entry under way. */
  get seq(): Seq {
    this.#emittedSeq ??= BigInt(this.#seq) as Seq;
    return this.#emittedSeq;
  }

  /** The number of the next order of this entry (exchange.md#order-numbers). */
  nextOrderSeq(): bigint {
    return BigInt(this.#seq * RECORDS_MAX + this.#records++);
  }

  /** Adds a fact to the answer of the command under way. */
  answer(fact: Fact): void {
    this.#answers[this.#answerCount++] = fact;
  }

  /** Adds a fact of the stream. */
  emit(fact: Fact): void {
    this.#facts[this.#factCount++] = fact;
  }

  /** As {@link answer}, of a fact with which the port to the bot changes. */
  answerForPort(fact: Fact): void {
    if (this.#portAnswer < 0) this.#portAnswer = this.#answerCount;
    this.#portCount++;
    this.answer(fact);
  }

  /** As {@link emit}, of a fact with which the port to the bot changes. */
  emitForPort(fact: Fact): void {
    if (this.#portFact < 0) this.#portFact = this.#factCount;
    this.#portCount++;
    this.emit(fact);
  }

  /** The facts of the entry: the answer, then the stream, positions and account that changed with it last; none: undefined. */
  takeFacts(): Packet | undefined {
    const hasFills = this.#touched.size > 0;
    if (hasFills) this.#emitChanges();
    const answered = this.#answerCount;
    const count = answered + this.#factCount;
    if (count === 0) return undefined;
    const portAt = this.#portAnswer < 0 ? answered + this.#portFact : this.#portAnswer;
    const portCount = this.#portCount;
    this.#portAnswer = -1;
    this.#portFact = -1;
    this.#portCount = 0;
    const facts = new Array<Fact>(count);
    for (let at = 0; at < answered; at++) {
      facts[at] = this.#answers[at] as Fact;
      this.#answers[at] = undefined;
    }
    for (let at = answered; at < count; at++) {
      facts[at] = this.#facts[at - answered] as Fact;
      this.#facts[at - answered] = undefined;
    }
    this.#answerCount = 0;
    this.#factCount = 0;
    return { facts, portAt, portCount, hasFills };
  }

  /** A resting order trades. The book has forgotten these lots already. */
  fillMaker(order: LocalOrder, filledLots: number, priceTicks: number): void {
    const { holding } = order;
    this.state.orders.onTraded(order, filledLots);
    const notional = product(priceTicks, filledLots) * holding.market.market.quantumsPerTickLot;
    const fee = feeOf(notional, ratesOf(this.state, holding).makerPpm);
    this.#apply(order, filledLots, notional);
    this.emit(this.#fillFact(order, { lots: filledLots, priceTicks, role: 'maker', fee }));
    this.emitOrder(order);
    this.#postTrade(order, notional);
    const kind = fee < 0n ? 'maker_rebate' : 'maker_fee';
    this.#post({ kind, amount: -fee, market: holding.market.number, orderSeq: order.terms.orderSeq });
  }

  /**
   * An order takes: `legs` are [price, lots] in the order of the book. Its fee is charged once
   * (exchange.md#market-rules).
   */
  fillTaker(order: LocalOrder, legs: readonly (readonly [number, number])[]): void {
    if (legs.length === 0) return;
    const { holding, terms } = order;
    const perTickLot = holding.market.market.quantumsPerTickLot;
    const charge = new TakerFee(ratesOf(this.state, holding).takerPpm);
    for (const [priceTicks, filledLots] of legs) {
      const notional = product(priceTicks, filledLots) * perTickLot;
      const fee = charge.add(notional);
      this.#apply(order, filledLots, notional);
      this.emit(this.#fillFact(order, { lots: filledLots, priceTicks, role: 'taker', fee }));
    }
    for (const [priceTicks, filledLots] of legs)
      this.#postTrade(order, product(priceTicks, filledLots) * perTickLot);
    const market = holding.market.number;
    this.#post({ kind: 'taker_fee', amount: -charge.charged, market, orderSeq: terms.orderSeq });
  }

  /** The exchange closes a position at mark: a fill of a separate order, whose fee holds the fund's. */
  closeAtMark(order: LocalOrder, fundFee: (notional: bigint) => bigint): void {
    const { holding, terms } = order;
    const { market } = holding;
    const notional = product(market.markTicks, terms.lots) * market.market.quantumsPerTickLot;
    const fee = new TakerFee(ratesOf(this.state, holding).takerPpm).add(notional);
    const { number } = market;
    const { orderSeq } = terms;
    // Emitted below, when the fund's share is known: it is taken of what remains after the trade.
    const place = this.#factCount++;
    this.#apply(order, terms.lots, notional);
    this.#postTrade(order, notional);
    this.#post({ kind: 'taker_fee', amount: -fee, market: number, orderSeq });
    const extra = fundFee(notional);
    this.#post({ kind: 'liquidation_fee', amount: -extra, market: number, orderSeq });
    const fill = { lots: terms.lots, priceTicks: market.markTicks, role: 'taker', fee: fee + extra } as const;
    this.#facts[place] = this.#fillFact(order, fill);
  }

  /** Moves funding that has accrued into cash. */
  payFunding(holding: Holding): void {
    const amount = accruedFunding(holding);
    holding.fundingIndexE12 = holding.market.fundingIndexE12;
    if (amount === 0n) return;
    this.#post({ kind: 'funding', amount, market: holding.market.number });
    this.#touched.add(holding);
  }

  /** Cash that is no trade: a deposit, or what the insurance fund pays. */
  deposit(kind: 'deposit' | 'insurance', amount: bigint): void {
    this.#post({ kind, amount });
    if (kind === 'insurance') this.emitAccount();
  }

  /** Reports the state of an order: open, or at its end. `ref`: under which number, where it is not its own. */
  emitOrder(
    order: Pick<LocalOrder, 'status' | 'remainingLots' | 'ref' | 'working'>,
    ref: OrderRef = order.ref,
  ): void {
    const { status, remainingLots } = order;
    const { seq } = this;
    if (status === 'open') {
      this.emit({ type: 'OrderOpened', order: order.working(), seq });
      return;
    }
    this.#streamProof ??= { by: 'stream', id: `${this.#seq}` };
    const proof = this.#streamProof;
    if (status === 'filled' || remainingLots === 0)
      this.emit({ type: 'OrderEnded', ref, status, seq, proof });
    else this.emit({ type: 'OrderEnded', ref, status, remainingLots: lots(remainingLots), seq, proof });
  }

  #apply(order: LocalOrder, filledLots: number, notional: bigint): void {
    const { holding, terms } = order;
    this.#traded = order;
    const isBuy = terms.side === 'buy';
    this.payFunding(holding);
    applyTrade(holding, isBuy ? filledLots : -filledLots, isBuy ? notional : -notional);
    noteVolume(this.state, this.account, notional);
    this.#touched.add(holding);
  }

  #fillFact(order: LocalOrder, { lots: filledLots, priceTicks, role, fee }: LocalFill): Fact {
    return {
      type: 'FillRecorded',
      fill: {
        id: this.#nextCursor(),
        orderId: order.orderId,
        symbol: order.symbol,
        side: order.terms.side,
        role,
        priceTicks: ticks(priceTicks),
        sizeLots: lots(filledLots),
        fee: quantums(fee),
        atMs: this.#atMs,
      },
    };
  }

  #postTrade(order: LocalOrder, notional: bigint): void {
    const { holding, terms } = order;
    const amount = terms.side === 'buy' ? -notional : notional;
    this.#post({ kind: 'trade', amount, market: holding.market.number, orderSeq: terms.orderSeq });
  }

  #post(change: CashChange): void {
    post(this, this.account, change);
  }

  /** Of `post`: cash has changed. */
  onCash(_account: number, { kind, amount, market, orderSeq }: CashChange): void {
    this.emit({
      type: 'LedgerRecorded',
      entry: {
        id: this.#nextCursor(),
        kind,
        amount: quantums(amount),
        symbol: market === undefined ? null : (this.#symbols.get(market) ?? null),
        orderId: orderSeq === undefined ? null : this.#orderIdOf(orderSeq),
        atMs: this.#atMs,
      },
    });
  }

  #emitChanges(): void {
    for (const holding of this.#touched) {
      this.emit({ type: 'PositionUpdated', position: positionOf(holding), seq: this.seq });
    }
    this.#touched.clear();
    this.emitAccount();
  }

  /** Reports the current account. */
  emitAccount(): void {
    const { initialMargin, maintenanceMargin, withdrawable } = marginFigures(this.state, this.account);
    const { takerPpm, makerPpm } = tierOf(this.state, this.account);
    const account = {
      collateral: quantums(this.account.collateral),
      equity: quantums(equityOf(this.account)),
      initialMargin: quantums(initialMargin),
      maintenanceMargin: quantums(maintenanceMargin),
      withdrawable: quantums(withdrawable),
      takerFeePpm: ppm(Number(takerPpm)),
      makerFeePpm: ppm(Number(makerPpm)),
    };
    this.emit({ type: 'AccountUpdated', account, seq: this.seq });
  }

  #nextCursor(): Cursor {
    this.#cursorHead ??= `${this.#seq}-0-`;
    return `${this.#cursorHead}${this.#idx++}` as Cursor;
  }

  #orderIdOf(orderSeq: bigint): OrderId {
    const traded = this.#traded;
    return traded?.terms.orderSeq === orderSeq ? traded.orderId : (orderSeq.toString() as OrderId);
  }
}

/** A holding as the exchange publishes it. */
function positionOf(holding: Holding): Position {
  const { market } = holding;
  return {
    symbol: market.market.symbol,
    sizeLots: lots(holding.lots),
    costBasis: quantums(holding.costBasis),
    unrealizedPnl: quantums(valueAt(holding, market.indexTicks) - holding.costBasis),
    accruedFunding: quantums(accruedFunding(holding)),
  };
}
