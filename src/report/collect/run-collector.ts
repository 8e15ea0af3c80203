/**
 * @module
 * Collects what a run leaves for reports, in every mode the same way, while it happens. A bot that is given one joins
 * it to its state and passes it facts about the account, changes of orders and fills; the caller that runs the bot
 * calls `finish`.
 *
 *   kernel ── facts, changes ──► collector ◄── timers of the run's clock (samples, markouts)
 *                                    └── finish ──► RunRecord ──► report
 *
 * Facts about markets cost nothing here: what is seen of a market is read when a sample or a markout is due. Memory is
 * bounded by {@link SAMPLES_MAX} and {@link QUOTES_MAX}; fills are all kept, about 300 bytes each.
 */
import type { Clock, Timer, UnixMs } from '../../core/index.ts';
import {
  type AccountChange,
  type Fact,
  isFundingEntry,
  type LedgerEntry,
  type MarketSymbol,
  midOf,
  type OrderId,
  type RecordedFill,
  type RunCounts,
  type RunRecord,
} from '../../domain/index.ts';
import type { CollectedBot, RunCollector, RunCollectorOptions, RunProgress } from './collector.ts';
import { RunBooks } from './run-books.ts';
import { CourseCollector } from './run-course.ts';
import { RunLatency } from './run-latency.ts';
import { RunMarkouts } from './run-markouts.ts';
import { QUOTES_MAX, RunQuotes } from './run-quotes.ts';
import { SAMPLES_MAX, SampleColumns } from './run-samples.ts';

/** Milliseconds between samples where nothing else is said. */
const SAMPLE_PERIOD_MS = 1_000;

/** A collector: hand it to `createBot` as `collector`. */
export function createRunCollector(options: RunCollectorOptions): RunCollector {
  return new Collector(options);
}

type MutableCounts = { -readonly [Name in keyof RunCounts]: number };
type OpenFill = RecordedFill & { laterMidTicks: readonly number[] };

/** Instead of the later prices of a fill, which it is given at the end. */
const NOT_DUE: readonly number[] = [];
const NO_QUEUE = { aheadLots: Number.NaN, atRestLots: Number.NaN };

class Collector implements RunCollector {
  readonly #options: RunCollectorOptions;
  readonly #clock: Clock;
  readonly #fills: OpenFill[] = [];
  readonly #markouts = new RunMarkouts();
  readonly #quotes: RunQuotes;
  readonly #counts: MutableCounts = {
    intents: 0,
    denied: 0,
    ordersPlaced: 0,
    ordersRejected: 0,
    ordersCanceled: 0,
    ordersFilled: 0,
    writes: 0,
    makerFills: 0,
    takerFills: 0,
  };
  #bot: CollectedBot | undefined;
  #books: RunBooks | undefined;
  #samples: SampleColumns | undefined;
  /** Markets of strategies, then the others that are known. */
  #symbols: readonly MarketSymbol[] = [];
  #isOn = false;
  #isClosed = false;
  readonly course = new CourseCollector(() => this.#nowMs());
  #fromMs = 0;
  #beganAtMs = 0;
  #deniedBefore = 0;
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #nextSampleMs = Number.POSITIVE_INFINITY;
  #ledgerSpan: RunRecord['ledgerSpan'];
  readonly #fundings: NonNullable<RunRecord['fundings']>[number][] = [];
  readonly #latency = new RunLatency();
  /** Sums of what fills and funding brought, quantums. */
  readonly #parts = { spread: 0, fees: 0, funding: 0 };
  #equityAtBegin = 0;
  readonly progress: RunProgress;
  #timer: Timer | undefined;
  /** When it fires; Infinity: there is none. */
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(options: RunCollectorOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.progress = {
      collateralDecimals: options.identity.collateralDecimals,
      profit: () => this.#profit(),
      past: (rowsMax, pointsMax, fillsMax) => {
        const [atMs = [], ...columns] = this.#samples?.newest(rowsMax, pointsMax) ?? [];
        const markets = this.#symbols.map((symbol, place) => ({
          symbol,
          midTicks: columns[2 * place] ?? [],
          inventoryLots: columns[2 * place + 1] ?? [],
        }));
        return { atMs, markets, fills: this.#fills.slice(-fillsMax) };
      },
    };
    const queueAtRestOf = (orderId: OrderId) => options.queueOf?.(orderId)?.atRestLots ?? Number.NaN;
    this.#quotes = new RunQuotes(options.quotesMax ?? QUOTES_MAX, queueAtRestOf);
    this.#fromMs = options.clock.nowMs();
    this.#beganAtMs = options.clock.monotonicMs();
  }

  join(bot: CollectedBot): void {
    this.#bot = bot;
  }

  begin(): void {
    const bot = this.#bot;
    if (this.#isOn || bot === undefined) return;
    this.#isOn = true;
    this.#symbols = [...new Set([...bot.symbols, ...bot.markets.symbols()])];
    const { samplePeriodMs = SAMPLE_PERIOD_MS, samplesMax = SAMPLES_MAX } = this.#options;
    this.#samples = new SampleColumns(this.#symbols.length, samplePeriodMs, samplesMax);
    this.#books = new RunBooks({ ...bot, symbols: this.#symbols });
    this.#fromMs = this.#clock.nowMs();
    this.#beganAtMs = this.#clock.monotonicMs();
    this.#deniedBefore = bot.denials();
    this.course.begin(bot.hosts());
    this.#books.begin();
    this.#equityAtBegin = Number(this.#books.equity());
    this.#sample(this.#fromMs);
    this.#arm();
  }

  intent(): void {
    if (!this.#isClosed) this.#counts.intents++;
  }

  leaveEpoch(): void {
    if (this.#isOn) this.#books?.leaveEpoch();
  }

  observe(fact: Fact): void {
    if (!this.#isOn) return;
    switch (fact.type) {
      case 'WriteSent':
        this.#counts.writes++;
        this.#latency.sent(fact.requestId, this.#nowMs());
        return;
      case 'WriteResolved':
        this.#latency.resolved(fact.requestId, this.#nowMs());
        return;
      case 'OrderAccepted':
        this.#counts.ordersPlaced++;
        return;
      case 'AccountSynced':
        this.#books?.enterEpoch();
        return;
      default:
        return;
    }
  }

  change(change: AccountChange): void {
    if (!this.#isOn) return;
    if (change.type === 'OrderChanged') {
      this.course.changed(change);
      this.#follow(change);
    } else if (change.type === 'FillApplied') this.#addFill(change);
    else if (change.type === 'LedgerApplied') this.#book(change.entry);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    const nowMs = this.#nowMs();
    const toMs = Math.floor(nowMs);
    if (this.#isOn) {
      this.#takeDue(nowMs);
      if (toMs > this.#sampledAtMs) this.#sample(toMs);
    }
    this.#counts.denied = (this.#bot?.denials() ?? 0) - this.#deniedBefore;
    this.course.close();
    this.#isOn = false;
    this.#isClosed = true;
  }

  finish(): RunRecord {
    this.close();
    const toMs = Math.floor(this.#nowMs()) as UnixMs;
    for (const [row, fill] of this.#fills.entries()) fill.laterMidTicks = this.#markouts.of(row);
    const { strategies = [], symbols = [], markets } = this.#bot ?? {};
    const totals = this.#books?.totals();
    const used = new Set([...symbols, ...(totals?.byStrategy.map(({ symbol }) => symbol) ?? [])]);
    const known = this.#symbols.flatMap((symbol, place) => {
      const market = markets?.get(symbol)?.market;
      if (market === undefined || !used.has(symbol)) return [];
      const { priceDecimals, sizeDecimals, quantumsPerTickLot } = market;
      return [{ place, market: { symbol, priceDecimals, sizeDecimals, quantumsPerTickLot } }];
    });
    const zero = 0n as RunRecord['residual'];
    const quoted = this.#quotes.finish(toMs);
    const latency = this.#latency.finish();
    const pnl = { realized: zero, unrealized: zero, fees: zero, funding: zero };
    return {
      ...this.#options.identity,
      fromMs: this.#fromMs as UnixMs,
      toMs,
      markets: known.map(({ market }) => market),
      strategies,
      ...(totals ?? {
        ...{ equityStart: zero, equityEnd: zero, transfers: zero, residual: zero, pnl, ledger: [] },
        byStrategy: [],
      }),
      counts: this.#counts,
      ...this.course.finish(this.#bot?.hosts() ?? [], markets, toMs),
      samples: (this.#samples ?? new SampleColumns(0, SAMPLE_PERIOD_MS)).finish(
        known.map(({ place }) => place),
      ),
      fills: this.#fills,
      get quotes() {
        return quoted.quotes;
      },
      quoteSampling: quoted.quoteSampling,
      ...(quoted.triggers.length === 0 ? {} : { triggers: quoted.triggers }),
      quoting: quoted.quoting,
      ...(this.#ledgerSpan === undefined ? {} : { ledgerSpan: this.#ledgerSpan }),
      ...(this.#fundings.length === 0 ? {} : { fundings: this.#fundings }),
      ...(latency === undefined ? {} : { latency }),
    };
  }

  #book(entry: LedgerEntry): void {
    const { id, symbol, amount } = entry;
    const { entries, first } = this.#ledgerSpan ?? { entries: 0, first: id };
    this.#ledgerSpan = { entries: entries + 1, first, last: id };
    if (!isFundingEntry(entry) || symbol === null) return;
    this.#fundings.push({ atMs: Math.floor(this.#nowMs()), symbol, amount });
    this.#parts.funding += Number(amount);
  }

  #addFill({ fill, strategyId, intentId }: Extract<AccountChange, { type: 'FillApplied' }>): void {
    const { orderId, symbol, side, role, priceTicks, sizeLots, fee } = fill;
    this.#counts[role === 'maker' ? 'makerFills' : 'takerFills']++;
    this.#quotes.fire(orderId);
    const queue = this.#options.queueOf?.(orderId) ?? NO_QUEUE;
    const nowMs = this.#nowMs();
    const midTicks = this.#midOf(symbol);
    const better = side === 'buy' ? midTicks - priceTicks : priceTicks - midTicks;
    const perTickLot = this.#bot?.markets.get(symbol)?.market?.quantumsPerTickLot ?? 0n;
    if (!Number.isNaN(better)) this.#parts.spread += better * sizeLots * Number(perTickLot);
    this.#parts.fees += Number(fee ?? 0n);
    this.#fills.push({
      atMs: fill.atMs ?? (Math.floor(nowMs) as UnixMs),
      strategyId,
      intentId,
      orderId,
      symbol,
      side,
      role,
      priceTicks,
      sizeLots,
      fee,
      midTicks,
      laterMidTicks: NOT_DUE,
      queueAheadLots: queue.aheadLots,
      queueAtRestLots: Number.isNaN(queue.atRestLots)
        ? this.#quotes.queueAtRestLots(orderId)
        : queue.atRestLots,
    });
    this.#markouts.add(symbol, nowMs);
    this.#arm();
  }

  #profit(): ReturnType<RunProgress['profit']> {
    if (this.#books === undefined) return undefined;
    const total = Number(this.#books.equity()) - this.#equityAtBegin;
    const { spread, fees, funding } = this.#parts;
    return { ...this.#parts, total, inventory: total - spread + fees - funding };
  }

  #follow(change: Extract<AccountChange, { type: 'OrderChanged' }>): void {
    const { status, orderId } = change;
    const atMs = Math.floor(this.#nowMs()) as UnixMs;
    if (status === 'rejected') this.#counts.ordersRejected++;
    if (orderId === undefined) return;
    if (status === 'working' || status === 'fired') {
      // An order that came and went in one answer never rested.
      const order = this.#bot?.account.workingOrder(orderId);
      if (order !== undefined) this.#quotes.rest(order, atMs);
    } else if (status === 'filled') {
      this.#counts.ordersFilled++;
      this.#quotes.end(orderId, 'filled', atMs);
    } else if (status === 'canceled' || status === 'expired') {
      this.#counts.ordersCanceled++;
      this.#quotes.end(orderId, status, atMs);
    } else if (status === 'voided') this.#quotes.end(orderId, 'canceled', atMs);
  }

  /** Unix milliseconds that never run backwards, with fractions. */
  #nowMs(): number {
    return this.#fromMs + this.#clock.monotonicMs() - this.#beganAtMs;
  }

  readonly #midOf = (symbol: MarketSymbol): number => {
    const record = this.#bot?.markets.get(symbol);
    if (record === undefined || record.staleReason !== undefined) return Number.NaN;
    return midOf(record) ?? Number.NaN;
  };

  #sample(atMs: number): void {
    const account = this.#bot?.account;
    if (this.#samples === undefined || account === undefined) return;
    const samples = this.#samples;
    samples.add(atMs, Number(this.#books?.equity() ?? 0n));
    for (let place = 0; place < this.#symbols.length; place++) {
      const symbol = this.#symbols[place] as MarketSymbol;
      samples.setMarket(place, this.#midOf(symbol), account.positionLots(symbol));
    }
    this.#sampledAtMs = atMs;
    const { periodMs } = samples;
    this.#nextSampleMs = (Math.floor(atMs / periodMs) + 1) * periodMs;
  }

  /** Takes the samples and later prices that are due. */
  #takeDue(nowMs: number): void {
    // A timer may fire a rounding error early.
    const untilMs = nowMs + 1e-3;
    this.#markouts.take(untilMs, this.#midOf);
    while (this.#nextSampleMs <= untilMs) this.#sample(this.#nextSampleMs);
  }

  /** Sets the timer to what is due next, unless it will be there in time. */
  #arm(): void {
    const dueMs = Math.min(this.#nextSampleMs, this.#markouts.dueMs);
    if (this.#timerAtMs <= dueMs) return;
    this.#timer?.cancel();
    this.#timer = this.#clock.after(Math.max(0, dueMs - this.#nowMs()), this.#onDue);
    this.#timerAtMs = dueMs;
  }

  readonly #onDue = (): void => {
    this.#timer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    if (!this.#isOn) return;
    this.#takeDue(this.#nowMs());
    this.#arm();
  };
}
