/**
 * @module
 * The same strategy over the same recorded market with everything a gateway needs in between: lanes, nonces, journal,
 * signatures, requests, answers and frames, carried through the transport port in virtual time. The exchange behind it
 * matches by the same fill model: a participant does to our orders what a shadow of the local venue says happens to
 * them, and shows the recorded best prices, so that what would take is refused there as well.
 *
 *   tape ─┬─ at exchange time ─► shadow venue ─► participant ─► exchange ─► answers, frames ─► stream, lanes ─► bot
 *         └─ as delivered ────────────────────────────────────────────────────────────────────────────────► bot
 */
import { hostExchange, prepareStrategies } from '../../src/app/index.ts';
import { PaperBooks } from '../../src/app/paper-books.ts';
import { PaperWorld } from '../../src/app/paper-world.ts';
import { runPrepared } from '../../src/app/run.ts';
import { type StopSignal, stopAfter } from '../../src/app/stop-signal.ts';
import { throwAwaySigners } from '../../src/app/throw-away-signers.ts';
import type { BacktestOptions } from '../../src/backtest/index.ts';
import { Replay } from '../../src/backtest/replay/replay.ts';
import type { ConfigSource } from '../../src/config/index.ts';
import { must, seededRandom, silentLog, VirtualClock } from '../../src/core/index.ts';
import {
  type Approved,
  type Fact,
  type Fill,
  type LaneId,
  type Lots,
  type OrderSpec,
  type RoutedCommand,
  type StrategyId,
  type Ticks,
  type TradingCommand,
  ticks,
} from '../../src/domain/index.ts';
import { createInMemoryJournal } from '../../src/journal/index.ts';
import { RunLog } from '../../src/runtime/index.ts';
import { type Exchange, type Flow, type FlowHost, inProcessTransport } from '../../src/simulator/index.ts';
import { EVENT, FLAG_END } from '../../src/tape/index.ts';
import { createLocalVenue, type LocalVenue, type VenueOrder } from '../../src/venue/index.ts';
import { ShownSide } from '../../src/venue/local/shown-side.ts';
import { type Story, storyOf } from './run-story.ts';

/** What a run over the wire was, and when its strategies began. */
export interface WireRun {
  readonly story: Story;
  readonly beganAtMs: number;
  readonly requests: number;
}

const US = 1_000;
const LANE = 'shadow' as LaneId;

/** Runs over the wire from `fromMs` of the tape for `forMs`. */
export async function overTheWire(
  source: ConfigSource,
  options: BacktestOptions,
  { fromMs, forMs }: { readonly fromMs: number; readonly forMs: number },
): Promise<WireRun> {
  const clock = new VirtualClock(Math.ceil(fromMs));
  const [market] = options.tape.markets;
  const hosted = await hostExchange({
    ...{ clock, log: silentLog, seed: 7, accounts: 1, tape: undefined, symbol: undefined, isQuiet: true },
    settings: {
      markets: [{ market: must(market, 'a market'), indexTicks: ticks(firstTicks(options)) }],
      makerFeePpm: options.venue.fees.makerPpm,
      takerFeePpm: options.venue.fees.takerPpm,
    },
  });
  const { exchange } = hosted;
  const account = must(hosted.accounts[0], 'an account');
  await clock.advanceAsync(exchange.settings.blockMs);
  const log = new RunLog();
  const stop = stopAfter(clock, 1e9);
  const entryMs = partOf(options.latency.entry);
  const responseMs = partOf(options.latency.response);
  const carried = {
    clock,
    requestLatencyMs: entryMs,
    answerLatencyMs: responseMs,
    frameLatencyMs: responseMs,
  };
  let requests = 0;
  let sink: ((fact: Fact) => void) | undefined;
  let runId = '';
  let beganAtMs = 0;
  let stage: Stage | undefined;
  const running = runPrepared(
    {
      ...{ mode: 'sim', market: 'recorded', source, baseUrl: 'http://in.process', clock, log: silentLog },
      ...{ seed: 7, journalFolder: '', recordFolder: undefined, lockFolder: undefined, stop, beganAtMs: 0 },
      machine: {
        journal: createInMemoryJournal({ commit: { clock, delayMs: 0 } }),
        subscriptions: [],
        runLog: {
          log,
          begin: (header) => {
            runId = header.runId;
          },
          flush: async () => undefined,
          close: async () => undefined,
        },
        onBot: (bot) => {
          sink = bot.sink;
        },
        newTransport: () => {
          const transport = inProcessTransport(exchange, carried);
          return {
            request: (request) => {
              requests++;
              return transport.request(request);
            },
            open: (listener) => transport.open(listener),
          };
        },
      },
      signers: (environment, crypto) =>
        throwAwaySigners({
          ...{ environment, crypto, clock, config: source.config, privateKey: account.privateKey },
          randomBytes: keyBytes(),
        }),
      // Called when strategies have just begun.
      show: () => {
        beganAtMs = clock.nowMs();
        const told = must(sink, 'the bot');
        stage = new Stage({ options, clock, exchange, accountId: account.accountId, sink: told, beganAtMs });
        return () => undefined;
      },
    },
    { strategies: await prepareStrategies(source), crypto: hosted.crypto },
  );
  await pass({ clock, running, stop, until: () => beganAtMs > 0 && clock.nowMs() >= beganAtMs + forMs });
  stage?.end();
  const entries = log.take();
  stop.request({ by: 'halt', why: 'the end of the comparison' });
  await pass({ clock, running, stop, until: () => false });
  await hosted.stop();
  return { story: storyOf(entries, { runId, beganAtMs, untilMs: beganAtMs + forMs }), beganAtMs, requests };
}

/** The same on paper, from the instant at which the strategies began over the wire. */
export async function onPaper(
  source: ConfigSource,
  options: BacktestOptions,
  { fromMs, forMs }: { readonly fromMs: number; readonly forMs: number },
): Promise<Story> {
  const log = new RunLog();
  const strategies = await prepareStrategies(source);
  const writer = { log, begin: () => undefined, flush: async () => undefined, close: async () => undefined };
  const about = { mode: 'paper', seed: 7, collateralDecimals: 6, config: { file: '', text: '' } } as const;
  const world = new PaperWorld({
    ...{ ...options, fromUs: fromMs * US },
    ...{ books: new PaperBooks(new VirtualClock(0)), keptLog: { writer, about, strategies } },
    onCrash: (thrown) => {
      throw thrown;
    },
  });
  world.start();
  world.advanceTo((fromMs + forMs) * US);
  const { runId } = options.identity;
  return storyOf(log.take(), { runId, beganAtMs: fromMs, untilMs: fromMs + forMs });
}

/** Lets time pass until `until`, or until the run is over. */
async function pass(parts: {
  readonly clock: VirtualClock;
  readonly running: Promise<unknown>;
  readonly stop: StopSignal;
  until(): boolean;
}): Promise<void> {
  const { clock, running, until } = parts;
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  running.then(over, over);
  while (!isOver && !until()) await clock.advanceAsync(10);
  if (isOver) await running;
}

/** The recorded market, the shadow and the participant. */
class Stage implements Flow {
  readonly name = 'shadow';
  readonly #shadow: LocalVenue;
  readonly #replay: Replay;
  readonly #clock: VirtualClock;
  readonly #startUs: number;
  /** What of the recorded book is not taken: nobody is refused for what is gone (see `ShownSide`). */
  readonly #bids = new ShownSide(true);
  readonly #asks = new ShownSide(false);
  #isResetting = false;
  /** Price of the level row that is read now. */
  #levelTicks: number | undefined;
  /** Our orders at the exchange by the names they have in the shadow. */
  readonly #byShadow = new Map<string, VenueOrder>();
  readonly #shadowOf = new Map<string, string>();
  #host: FlowHost | undefined;
  #account = 0;
  #shown: { bid: number | undefined; ask: number | undefined } = { bid: undefined, ask: undefined };
  #isOver = false;

  constructor(parts: {
    readonly options: BacktestOptions;
    readonly clock: VirtualClock;
    readonly exchange: Exchange;
    readonly accountId: number;
    readonly sink: (fact: Fact) => void;
    readonly beganAtMs: number;
  }) {
    const { options, clock, exchange, accountId, sink, beganAtMs } = parts;
    this.#clock = clock;
    this.#startUs = clock.nowMs() * US - clock.monotonicMs() * US;
    const none = { kind: 'constant', us: 0 } as const;
    this.#shadow = createLocalVenue({
      ...options.venue,
      ...{ markets: options.tape.markets, fillModel: options.fillModel, lanes: [LANE] },
      latency: { entry: none, response: none },
      random: seededRandom(options.seed).fork('venue'),
      sink: (fact) => this.#hear(fact),
    });
    this.#replay = new Replay({
      ...{ tape: options.tape, feed: options.feed, random: seededRandom(options.seed).fork('feed') },
      toUs: options.toUs ?? options.tape.toUs,
      venue: this.#watched(),
      sink,
    });
    exchange.attachFlow(this);
    exchange.control.watch(({ events }) => {
      for (const event of events) {
        if (event.kind === 'OrderAccepted' && event.order.account === accountId && event.isResting)
          this.#later(() => this.#accepted(event.order));
        else if (event.kind === 'OrderCanceled' && event.order.account === accountId)
          this.#later(() => this.#gone(event.order));
      }
    });
    this.#shadow.nowUs = this.#nowUs;
    this.#shadow.open(this.#nowUs);
    this.#replay.skipTo(beganAtMs * US, clock.nowMs());
    this.#showTouch();
    this.#wait();
  }

  start(host: FlowHost): void {
    this.#host = host;
    this.#account = host.createAccount((10n ** 18n) as never);
  }

  end(): void {
    this.#isOver = true;
  }

  get #nowUs(): number {
    return Math.round(this.#startUs + this.#clock.monotonicMs() * US);
  }

  /** The log of the exchange is being written while it is watched: what follows from it comes right behind. */
  #later(action: () => void): void {
    this.#clock.soon(() => {
      if (!this.#isOver) action();
    });
  }

  #wait(): void {
    const { venueAtUs, botAtUs } = this.#replay;
    const nextUs = Math.min(venueAtUs, botAtUs, this.#shadow.dueUs);
    if (this.#isOver || nextUs === Number.POSITIVE_INFINITY) return;
    const delayMs = (nextUs - this.#startUs) / US - this.#clock.monotonicMs();
    this.#clock.after(Math.max(0, delayMs), () => this.#step(nextUs));
  }

  #step(us: number): void {
    if (this.#isOver) return;
    this.#shadow.nowUs = us;
    if (this.#replay.venueAtUs <= us) {
      this.#replay.feedVenue(us);
      this.#shadow.advance(us);
      this.#showTouch();
    } else if (this.#shadow.dueUs <= us) this.#shadow.advance(us);
    else this.#replay.feedBot(this.#clock.nowMs());
    this.#wait();
  }

  #watched(): Pick<LocalVenue, 'onRow' | 'dueUs'> {
    const shadow = this.#shadow;
    return {
      get dueUs() {
        return shadow.dueUs;
      },
      onRow: (kind, flags, market, us, price, size, id) => {
        this.#show(kind, price, size);
        shadow.onRow(kind, flags, market, us, price, size, id);
        if (shadow.dueUs <= us) shadow.advance(us);
        this.#levelTicks = undefined;
        if (!this.#isResetting || (flags & FLAG_END) === 0) return;
        this.#isResetting = false;
        this.#bids.settle();
        this.#asks.settle();
      },
    };
  }

  #show(kind: number, price: number, size: number): void {
    if (kind === EVENT.bookReset || kind === EVENT.hole) {
      this.#isResetting = true;
      this.#bids.void();
      this.#asks.void();
    } else if (kind === EVENT.bidLevel || kind === EVENT.askLevel) {
      (kind === EVENT.bidLevel ? this.#bids : this.#asks).set(price, size);
      this.#levelTicks = price;
    }
  }

  /** What the shadow tells of our orders happens to them at the exchange. */
  #hear(fact: Fact): void {
    if (fact.type === 'OrderAccepted') this.#shadowOf.set(fact.spec.intentId, fact.orderId);
    if (fact.type !== 'FillRecorded') return;
    if (this.#levelTicks !== undefined)
      (fact.fill.side === 'buy' ? this.#asks : this.#bids).take(this.#levelTicks, fact.fill.sizeLots);
    const order = [...this.#byShadow].find(([name]) => this.#shadowOf.get(name) === fact.fill.orderId)?.[1];
    if (order !== undefined) this.#fill(order, fact.fill);
  }

  /** The touch steps aside, somebody trades with our order at its price, the touch comes back. */
  #fill(order: VenueOrder, fill: Fill): void {
    const host = must(this.#host, 'the host');
    this.#clearTouch();
    host.submit({
      ...{ kind: 'PlaceOrder', account: this.#account, market: 0, price: order.priceTicks, tif: 'ioc' },
      ...{ side: order.side === 'buy' ? 'sell' : 'buy', lots: BigInt(fill.sizeLots), reduceOnly: false },
      ...{ goodTilMs: 0, nowMs: host.nowMs(), router: 0, routerFeePpm: 0 },
    });
    this.#shown = { bid: undefined, ask: undefined };
    this.#showTouch();
  }

  #accepted(order: VenueOrder): void {
    const name = `o-${order.orderSeq}`;
    this.#byShadow.set(name, order);
    this.#shadow.nowUs = this.#nowUs;
    const spec = {
      ...{ intentId: name, strategyId: 'shadow' as StrategyId, symbol: 'BTC-USD', side: order.side },
      ...{ priceTicks: order.priceTicks as Ticks, sizeLots: order.lots as Lots, timeInForce: order.tif },
      ...{ reduceOnly: order.reduceOnly, clientOrderId: '', expiresAtMs: 0 },
    } as unknown as OrderSpec;
    const routed = { lane: LANE, command: { kind: 'place', orders: [spec] } };
    this.#shadow.submit(routed as unknown as Approved<RoutedCommand<TradingCommand>>);
    this.#shadow.advance(this.#nowUs);
  }

  #gone(order: VenueOrder): void {
    const orderId = this.#shadowOf.get(`o-${order.orderSeq}`);
    this.#byShadow.delete(`o-${order.orderSeq}`);
    if (orderId === undefined) return;
    this.#shadow.nowUs = this.#nowUs;
    this.#shadow.submitSafety({ kind: 'cancel', orders: [{ symbol: 'BTC-USD', orderId } as never] });
    this.#shadow.advance(this.#nowUs);
  }

  #clearTouch(): void {
    const host = must(this.#host, 'the host');
    host.submit({ kind: 'CancelAll', account: this.#account });
  }

  /** The recorded best prices rest at the exchange, one order each. */
  #showTouch(): void {
    const host = must(this.#host, 'the host');
    const bid = this.#bids.bestAvailable;
    const ask = this.#asks.bestAvailable;
    if (bid === this.#shown.bid && ask === this.#shown.ask) return;
    this.#shown = { bid, ask };
    this.#clearTouch();
    for (const [side, price] of [['buy', bid] as const, ['sell', ask] as const]) {
      if (price < 0) continue;
      host.submit({
        ...{ kind: 'PlaceOrder', account: this.#account, market: 0, side, price, lots: 10_000n },
        ...{
          tif: 'postOnly',
          reduceOnly: false,
          goodTilMs: 0,
          nowMs: host.nowMs(),
          router: 0,
          routerFeePpm: 0,
        },
      });
    }
  }
}

function firstTicks({ tape }: BacktestOptions): number {
  for (const batch of tape.batches())
    for (let row = 0; row < batch.rows; row++)
      if (batch.kind[row] === EVENT.bidLevel) return batch.price[row] ?? 1;
  return 1;
}

function partOf(latency: BacktestOptions['latency']['entry']): number {
  if (latency.kind !== 'constant') throw new Error('expected a constant latency');
  return latency.us / US;
}

function keyBytes(): (count: number) => Uint8Array {
  const keys = seededRandom('keys');
  return (count) => Uint8Array.from({ length: count }, () => keys.integer(0, 255));
}
