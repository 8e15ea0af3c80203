/**
 * @module
 * One exchange, one account, many lanes, thousands of writes in virtual time: answers get lost, requests vanish or come
 * late, and an oracle on the exchange's side holds what was executed against what the lanes say of it.
 *
 *   lanes ─▶ lossy pipe ─▶ exchange ─▶ log: executed requests, accepted labels
 *     └────▶ facts: what became of each intent ◀─ compared ─┘
 */

import { createExecutor, type Executor } from '../../../src/bot/execution/index.ts';
import { createInMemoryJournal } from '../../../src/bot/journal/index.ts';
import { must, seededRandom, silentLog, VirtualClock } from '../../../src/core/index.ts';
import {
  approve,
  type ClientOrderId,
  type Fact,
  type IntentId,
  type LaneId,
  lots,
  type MarketSymbol,
  type OrderRef,
  type OrderSpec,
  type StrategyId,
  type TradingCommand,
  ticks,
} from '../../../src/domain/index.ts';
import { Exchange, type FundedSeedAccount } from '../../../src/exchange/index.ts';
import { loadCrypto, makeDomain } from '../../../src/wire/crypto/index.ts';
import { createApiWallet } from '../../../src/wire/gateway/index.ts';
import { keyedCrypto } from '../../../test/simulation/keyed-crypto.ts';
import { Judge, type SegmentVerdict } from './judge.ts';
import { type Losses, LossyPipe } from './pipe.ts';

/** What a segment is made of. */
export interface SegmentOptions {
  readonly seed: number;
  /** Trading writes; renewals of the switch and fences come on top. */
  readonly writes: number;
  readonly lanes: number;
  readonly losses: Losses;
}

/** Virtual time begins at a round minute. */
const START_MS = 1_767_700_020_000;
const SAFETY = 'safety' as LaneId;
const SYMBOL = 'BTC-USD' as MarketSymbol;
const STRATEGY = 'writer' as StrategyId;
/** Far from the index price: nothing is ever filled. */
const PRICE_TICKS = 900_000;
/** The longest a segment may take in virtual time beyond what its writes need. */
const OVERTIME_MS = 120_000;
const WRITE_MS_MAX = 1_000;
const STEP_MS = 1_000;
/** A late delivery is over by then. */
const LATE_MS = 10_000;

/** Runs one segment to its end. @throws Error when it does not end. */
export async function runSegment(options: SegmentOptions): Promise<SegmentVerdict> {
  const segment = await Segment.open(options);
  return await segment.run();
}

class Segment {
  readonly #options: SegmentOptions;
  readonly #clock: VirtualClock;
  readonly #exchange: Exchange;
  readonly #judge: Judge;
  readonly #pipe: LossyPipe;
  readonly #executor: Executor;
  readonly #random;
  /** The order that each lane last placed and not yet canceled. */
  readonly #resting = new Map<LaneId, OrderRef>();
  #submitted = 0;

  static async open(options: SegmentOptions): Promise<Segment> {
    const crypto = keyedCrypto(await loadCrypto());
    return new Segment(options, crypto);
  }

  private constructor(options: SegmentOptions, crypto: ReturnType<typeof keyedCrypto>) {
    const clock = new VirtualClock(START_MS);
    const random = seededRandom(`writes ${options.seed}`);
    const exchange = new Exchange({
      clock,
      crypto,
      random: seededRandom(`exchange ${options.seed}`),
      settings: { ipWeightLimit: 1e9, accountWeightLimit: 1e9, receiptsMax: 1e6 },
    });
    const account = exchange.control.createFundedAccount({ apiWallets: options.lanes + 1 });
    exchange.start();
    this.#options = options;
    this.#clock = clock;
    this.#exchange = exchange;
    this.#random = random;
    this.#judge = new Judge(exchange, clock);
    this.#pipe = new LossyPipe({
      exchange,
      clock,
      random: random.fork('pipe'),
      address: account.address,
      losses: options.losses,
      onLost: (body, isVanished) => this.#judge.lost(body, isVanished),
      onReceipt: (query, isAnswered) => this.#judge.asked(query, isAnswered),
    });
    this.#executor = this.#makeExecutor(crypto, account);
  }

  async run(): Promise<SegmentVerdict> {
    const { writes, lanes } = this.#options;
    const started = this.#executor.start();
    await this.#until('the lanes to open', () => this.#executor.isArmed(1000), OVERTIME_MS);
    await started;
    const longestMs = (writes / lanes) * WRITE_MS_MAX + OVERTIME_MS;
    await this.#until('all writes to be sent', () => this.#submitted >= writes, longestMs);
    this.#pipe.heal();
    await this.#until('all writes to be resolved', () => this.#executor.unresolved() === 0, OVERTIME_MS);
    const stopping = this.#executor.stop();
    await this.#advance(LATE_MS);
    const proof = await stopping;
    this.#exchange.stop();
    return this.#judge.verdict({ writes: this.#submitted, isBookEmpty: proof.isProven });
  }

  #makeExecutor(crypto: ReturnType<typeof keyedCrypto>, account: FundedSeedAccount): Executor {
    const clock = this.#clock;
    const domain = makeDomain(crypto, this.#exchange.settings.domain);
    const markets = this.#exchange.control.venue.markets().map(({ market }) => market);
    return createExecutor({
      clock,
      random: this.#random.fork('executor'),
      log: silentLog,
      pipe: this.#pipe,
      journal: createInMemoryJournal(),
      sink: (fact) => this.#take(fact),
      context: {
        signingAccountId: account.accountId,
        market: (symbol) => markets.find((market) => market.symbol === symbol),
        marketById: (id) => markets.find((market) => market.signingMarketId === id),
      },
      account: { address: account.address, subaccount: 0 },
      lanes: account.apiWallets.map(({ key }, at) => ({
        id: at === 0 ? SAFETY : (`lane-${at}` as LaneId),
        signer: createApiWallet({ crypto, domain, key }),
      })),
      safetyLane: SAFETY,
      serverNowMs: () => clock.nowMs(),
      health: () => [],
      timeouts: { answerMs: 1_000 },
      onBug: (error) => {
        throw error;
      },
    });
  }

  #take(fact: Fact): void {
    this.#judge.hear(fact);
    if (fact.type === 'OrderAccepted') {
      const lane = laneOfIntent(fact.spec.intentId);
      this.#resting.set(lane, { orderId: fact.orderId, symbol: SYMBOL });
    } else if (fact.type === 'LaneReady') this.#clock.soon(() => this.#submit(fact.lane));
  }

  #submit(lane: LaneId): void {
    if (this.#submitted >= this.#options.writes || !this.#executor.isReady(lane)) return;
    const command = this.#nextCommand(lane);
    this.#submitted++;
    this.#judge.submitted(command);
    this.#executor.submit(approve({ lane, command }));
  }

  /** Places when nothing rests, otherwise replaces; now and then a round only cancels. */
  #nextCommand(lane: LaneId): TradingCommand {
    const resting = this.#resting.get(lane);
    this.#resting.delete(lane);
    if (resting === undefined) return { kind: 'place', orders: [this.#spec(lane)] };
    const orders = this.#random.chance(0.2) ? [] : [this.#spec(lane)];
    return { kind: 'replace', symbol: SYMBOL, cancels: [resting], orders };
  }

  #spec(lane: LaneId): OrderSpec {
    return {
      intentId: `${lane} ${this.#submitted}` as IntentId,
      strategyId: STRATEGY,
      symbol: SYMBOL,
      side: 'buy',
      priceTicks: ticks(PRICE_TICKS + this.#random.integer(0, 100)),
      sizeLots: lots(100),
      timeInForce: 'postOnly',
      reduceOnly: false,
      clientOrderId: `w${this.#submitted}` as ClientOrderId,
      expiresAtMs: 0,
    };
  }

  async #until(what: string, holds: () => boolean, withinMs: number): Promise<void> {
    const untilMs = this.#clock.monotonicMs() + withinMs;
    while (!holds()) {
      if (this.#clock.monotonicMs() > untilMs) throw new Error(`expected ${what} within ${withinMs} ms`);
      await this.#advance(STEP_MS);
    }
  }

  async #advance(durationMs: number): Promise<void> {
    await this.#clock.advanceAsync(durationMs);
  }
}

function laneOfIntent(intentId: IntentId): LaneId {
  return must(String(intentId).split(' ')[0], 'the lane of an intent') as LaneId;
}
