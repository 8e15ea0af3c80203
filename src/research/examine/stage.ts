/**
 * @module
 * The stage of a scenario: the bot of live runs with one strategy, on a virtual clock between drawn markets and an exchange
 * that does what the scenario tells it. It numbers each event, and keeps the first thing that is wrong with the strategy.
 */
import { diffQuotes } from '../../bot/execution/index.ts';
import {
  type Bot,
  type BotOptions,
  createBot,
  inMemoryStrategyStore,
  type StrategyStore,
} from '../../bot/kernel/index.ts';
import { createRiskGate } from '../../bot/risk/index.ts';
import {
  type Random,
  seededRandom,
  silentAudit,
  silentLog,
  silentMeter,
  type UnixMs,
  VirtualClock,
} from '../../core/index.ts';
import {
  type Cursor,
  type Fact,
  type LaneId,
  lots,
  type MarketSymbol,
  type Seq,
  type Side,
  type StrategyId,
  type Ticks,
} from '../../domain/index.ts';
import { MortalClock } from './mortal-clock.ts';
import { summaryOf } from './stage-account.ts';
import { StageMarket } from './stage-market.ts';
import type { StageOptions } from './stage-options.ts';
import { StageRecord } from './stage-record.ts';
import { type StageOrder, StageVenue } from './stage-venue.ts';
import type { BrokenBy, Finding, Subject } from './subject.ts';
import { watchedStrategy } from './watched-strategy.ts';

/** When examinations begin: a Monday, noon in UTC. */
const START_MS = 1_799_668_800_000 as UnixMs;
const LANE = 'examined' as LaneId;
/** Between two frames of a market, ms. */
const FRAME_MS = 250;
/** A step of the drawn mid, ppm. */
const STEP_PPM = 15;
const PRICES_EACH = 4;

/** See the module. */
export class Stage {
  readonly clock = new VirtualClock(START_MS);
  readonly random: Random = seededRandom(17);
  readonly markets: ReadonlyMap<string, StageMarket>;
  readonly venue: StageVenue;
  readonly record: StageRecord;
  /** The most that was held, lots by market. */
  readonly mostHeld = new Map<string, number>();
  readonly #subject: Subject;
  readonly #options: StageOptions;
  readonly #symbols: readonly string[];
  readonly #history: Fact[] = [];
  readonly #store: StrategyStore = inMemoryStrategyStore();
  #botClock: MortalClock;
  #bot: Bot;
  #runs = 0;
  #isSilent = false;
  #eventCount = 0;
  #eventText = 'the start';
  #finding: Finding | undefined;

  constructor(subject: Subject, options: StageOptions = {}) {
    this.#subject = subject;
    this.#options = options;
    this.#symbols = options.symbols ?? subject.symbols;
    this.markets = new Map(this.#symbols.map((symbol, at) => [symbol, new StageMarket(symbol, at)]));
    this.record = new StageRecord({
      ...options,
      markets: this.markets,
      isUnrecorded: options.isUnrecorded === true,
      eventNumber: () => this.#eventCount,
      fail: (expected, got) => this.fail(expected, got),
    });
    this.venue = new StageVenue({
      clock: this.clock,
      markets: this.markets,
      ...(options.isUnrecorded === true ? {} : { history: this.#history }),
      onWrite: (command) => this.record.wrote(command),
      onBook: (symbol) => this.#show(this.markets.get(symbol)),
    });
    if (options.saved !== undefined) this.#store.save(this.id, options.saved);
    this.#botClock = new MortalClock(this.clock);
    this.#bot = this.#makeBot();
  }

  get id(): StrategyId {
    return this.#subject.name as StrategyId;
  }

  get bot(): Bot {
    return this.#bot;
  }

  /** The first market. @throws where a scenario without markets asks for one. */
  get market(): StageMarket {
    return [...this.markets.values()][0] ?? new StageMarket('BTC-USD', 0);
  }

  /** True if the strategy ended with an error in words, such as one of a size that its market does not have. */
  get isRefused(): boolean {
    return this.record.ended?.isConfigError === true;
  }

  get finding(): Finding | undefined {
    return this.#finding;
  }

  get event(): BrokenBy {
    const atMs = Math.round(this.clock.nowMs() - START_MS);
    return { number: this.#eventCount, atMs, text: this.#eventText };
  }

  /** Events so far. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** What the strategy saved last, JSON; `undefined`: nothing. */
  get saved(): string | undefined {
    return this.#store.load(this.id);
  }

  /** Keeps what is wrong, with the event: the first counts. */
  fail(expected: string, got: string): void {
    this.#finding ??= { event: this.event, expected, got };
  }

  /** Makes the strategy, shows it its markets, and starts it. @throws ConfigError as the strategy does. */
  start(): this {
    this.#begin('the start');
    this.#bot.start();
    this.#introduce();
    this.#check();
    return this;
  }

  /** One event, after which the strategy is looked at. */
  do(text: string, act: () => void): void {
    this.#begin(text);
    act();
    this.#check();
  }

  /** A fact, as an event. */
  tell(text: string, ...facts: readonly Fact[]): void {
    this.do(text, () => {
      for (const fact of facts) this.venue.tell(fact);
    });
  }

  /** The book of a market as it is now; what it trades through is filled. `ageMs`: it arrived that long ago. */
  book(market: StageMarket = this.market, ageMs = 0): void {
    this.do(`book ${market.symbol} ${market.describe()}`, () => {
      this.venue.match(market);
      this.#show(market, ageMs);
    });
  }

  #show(market: StageMarket | undefined, ageMs = 0): void {
    if (market === undefined || this.#isSilent) return;
    const book = market.book(this.venue.resting.values(), (this.clock.nowMs() - ageMs) as UnixMs);
    this.venue.sink({ type: 'BookUpdated', book });
    this.venue.sink({ type: 'BboUpdated', bbo: market.bbo(book) });
  }

  prices(market: StageMarket = this.market, gapPpm = 0): void {
    const prices = market.prices(this.clock.nowMs(), gapPpm);
    this.do(`prices ${market.symbol}`, () => this.venue.sink({ type: 'PricesUpdated', prices }));
  }

  /** A trade of others at a price of the book, which reaches as deep as `lots`. */
  trade(side: Side, market: StageMarket = this.market): void {
    const level = side === 'buy' ? market.asks[0] : market.bids[0];
    if (level === undefined) return;
    const [priceTicks, size] = level;
    const [price, sizeLots] = [priceTicks as Ticks, lots(Math.max(1, Math.floor(size / 4)))];
    this.do(`trade ${market.symbol} ${side} at ${priceTicks} ticks`, () => {
      for (const order of this.ordersOf(side === 'buy' ? 'sell' : 'buy', market))
        if (side === 'buy' ? order.priceTicks <= priceTicks : order.priceTicks >= priceTicks)
          this.venue.fill(order, sizeLots);
      const id = `${this.nextSeq()}-0-0` as Cursor;
      const trade = {
        id,
        symbol: market.symbol,
        aggressor: side,
        priceTicks: price,
        sizeLots,
        atMs: this.clock.nowMs(),
      };
      this.venue.sink({ type: 'TradePrinted', trade });
    });
  }

  /** Own orders that rest, best first. */
  ordersOf(side?: Side, market?: StageMarket): readonly StageOrder[] {
    const all = [...this.venue.resting.values()].filter(
      (order) => (side ?? order.side) === order.side && (market ?? order).symbol === order.symbol,
    );
    return all.sort((a, b) => (a.side === 'buy' ? b.priceTicks - a.priceTicks : a.priceTicks - b.priceTicks));
  }

  /** Time passes; timers fire, and books show what becomes of own orders. */
  wait(ms: number): void {
    this.do(`${ms} ms pass`, () => this.clock.advance(ms));
  }

  /** Time passes without any frame; timers fire. */
  silence(ms: number): void {
    this.do(`${ms} ms without a frame`, () => {
      this.#isSilent = true;
      this.clock.advance(ms);
      this.#isSilent = false;
    });
  }

  /** A market as it is on most days, for so long. `stepPpm` 0: nothing changes in it. */
  calm(ms: number, { stepPpm = STEP_PPM, frameMs = FRAME_MS } = {}): void {
    const frames = Math.round(ms / frameMs);
    for (let frame = 0; frame < frames && this.#finding === undefined; frame++)
      this.frame(frame, { stepPpm, frameMs });
  }

  /** One frame of each market, with prices and a trade now and then. */
  frame(frame: number, { stepPpm = STEP_PPM, frameMs = FRAME_MS } = {}): void {
    this.do(`${frameMs} ms pass`, () => this.clock.advance(frameMs));
    for (const market of this.markets.values()) {
      if (stepPpm > 0) market.walk(this.random, stepPpm);
      this.book(market);
      if (frame % PRICES_EACH === 0) this.prices(market);
      if (stepPpm > 0 && this.random.chance(0.2))
        this.trade(this.random.chance(0.5) ? 'buy' : 'sell', market);
    }
  }

  /** The process dies, as it does in a crash, and starts again after a while with what was saved and what the exchange knows. */
  restart(deadMs = 5_000): void {
    this.do('the process dies', () => {
      this.#botClock.isDead = true;
      this.venue.die();
      this.clock.advance(deadMs);
    });
    this.do('the bot starts again', () => {
      this.#botClock = new MortalClock(this.clock);
      const past = [...this.#history];
      this.#bot = this.#makeBot();
      this.#bot.start();
      for (const { market } of this.markets.values()) this.venue.sink({ type: 'MarketChanged', market });
      for (const fact of past) this.#bot.sink(fact);
      this.#introduce();
    });
  }

  /** The definition of a market changes. */
  redefine(text: string, market: StageMarket, change: Partial<StageMarket['market']>): void {
    market.market = { ...market.market, ...change };
    market.shape();
    this.tell(`${market.symbol}: ${text}`, { type: 'MarketChanged', market: market.market });
  }

  /** The account is joined without a gap. */
  synced(epoch?: string): Fact {
    return { type: 'AccountSynced', seq: this.nextSeq(), ...(epoch === undefined ? {} : { epoch }) };
  }

  /** A position in the log after all before. */
  nextSeq(): Seq {
    return this.venue.nextSeq();
  }

  /** What the strategy holds in a market, signed lots. */
  heldLots(symbol: string): number {
    return this.#bot.account.positionLots(symbol as MarketSymbol, this.id);
  }

  #makeBot(): Bot {
    const { definition, limits, parameters } = this.#subject;
    const { watch = {} } = this.#options;
    const watched = watchedStrategy(definition, { within: (run) => run(), onWrite: undefined, ...watch });
    const options: BotOptions = {
      runId: `examine-${++this.#runs}`,
      clock: this.#botClock,
      random: seededRandom(7),
      log: silentLog,
      meter: silentMeter,
      audit: silentAudit,
      auditLevel: 'off',
      risk: createRiskGate(limits(this.#symbols)),
      venue: this.venue,
      reconcileQuotes: diffQuotes,
      strategies: [
        {
          id: this.id,
          definition: watched,
          parameters: this.#options.parameters ?? parameters,
          symbols: this.#symbols as readonly MarketSymbol[],
          lane: LANE,
        },
      ],
      store: this.#store,
      restartDelaysMs: [],
      ...this.record.taps(),
      onCrash: (thrown) => {
        throw thrown;
      },
    };
    const bot = createBot(options);
    this.venue.revive((fact) => bot.sink(fact));
    return bot;
  }

  /** What a bot hears before its strategies start. */
  #introduce(): void {
    const nowMs = this.clock.nowMs();
    for (const market of this.markets.values()) {
      const book = market.book(this.venue.resting.values(), nowMs);
      this.venue.sink({ type: 'MarketChanged', market: market.market });
      this.venue.sink({ type: 'BookUpdated', book });
      this.venue.sink({ type: 'PricesUpdated', prices: market.prices(nowMs) });
    }
    this.venue.sink({ type: 'AccountUpdated', account: summaryOf(), seq: this.nextSeq() });
    this.venue.sink(this.synced());
  }

  #begin(text: string): void {
    this.#eventCount++;
    this.#eventText = text;
  }

  #check(): void {
    for (const symbol of this.markets.keys())
      this.mostHeld.set(symbol, Math.max(Math.abs(this.heldLots(symbol)), this.mostHeld.get(symbol) ?? 0));
    const { ended } = this.record;
    if (ended?.state === 'failed') this.fail('handlers that throw nothing and return nothing', ended.reason);
  }
}
