/**
 * @module
 * Days of one account that three strategies trade in one market, on virtual time: the whole bot lives a few minutes at a time
 * and starts again, the exchange lives on in between. There are rebates, fees, funding each hour, deposits, withdrawals,
 * transfers to and from a subaccount, lives that end by a crash, and liquidations. Each run that ends in order is attested and
 * verified, and so is the whole time.
 */
import { join } from 'node:path';
import type { Attestation, AttestFacts } from '../../src/bot/live/attest/document.ts';
import { checkAttestation } from '../../src/bot/live/attest/verify.ts';
import { parseConfig } from '../../src/config/index.ts';
import { must, type Random, seededRandom } from '../../src/core/index.ts';
import { type CanonicalCommand, ppm, quantums, ticks } from '../../src/domain/index.ts';
import { planOf } from '../simulation/plan.ts';
import type { BotView } from '../simulation/types.ts';
import { type OpenWorld, openWorld } from '../simulation/world.ts';
import { attested, readWorld } from './attested-run.ts';

/** What came of the days. */
export interface AttestedDays {
  /** What must not be, in words; empty: all holds. */
  readonly problems: readonly string[];
  /** Of the first start to the last end. */
  readonly whole: Attestation;
  /** Runs that were attested, and runs that a crash ended. */
  readonly attested: number;
  readonly crashed: number;
  readonly liquidations: number;
  readonly fills: number;
  /** How often the shares were compared with the account. */
  readonly compared: number;
  /** Kinds of entries of the ledger. */
  readonly kinds: ReadonlySet<string>;
}

const SYMBOL = 'BTC-USD';
const MARKET = 0;
const HOUR_MS = 3_600_000;
const USD = 1_000_000n;
const BLOCK_MS = 2_000;
const STEP_MS = 1_000;
/** How long a life trades, at the least. */
const LIFE_MS = 40_000;
const LIVES_PER_DAY = 2;
/** Of so many lives one ends by a crash. */
const CRASH_EVERY = 7;
const CRASHED = 3;
/** Moves of the price against the account until it is liquidated, at most. */
const MOVES_MAX = 60;

const CONFIG = `
environment: { name: sim }
markets: [{ symbol: BTC-USD, leverage: 20 }]
strategies:
  - name: ladder
    module: strategies/two-sided-ladder/index.ts
    markets: [BTC-USD]
    parameters: { levels: 2, size: 0.03, maxInventory: 0.3, touch: ignore, halfSpreadPpm: 300, levelSpacingPpm: 200, skewPpm: 100, requoteTicks: 50, requoteInterval: 2s }
  - name: pinger
    module: strategies/ping-pong/index.ts
    markets: [BTC-USD]
    parameters: { size: 0.05, maxInventory: 0.5, halfSpreadPpm: 400, profitPpm: 300, spacingPpm: 200, giveUpPpm: 20000, requoteTicks: 50, requoteInterval: 2s }
  - name: errands
    module: test/simulation/strategies/errands.ts
    markets: [BTC-USD]
    parameters: { size: 0.02, every: 3s }
risk:
  capital: 1000000
  postOnly: false
  maxOpenOrdersPerSide: 30
  maxSameSideFillsPer10s: 1000
  maxTurnoverPer10s: 1000%
  maxDailyLoss: 100%
  maxDrawdown: 100%
  maxLossPerMinute: 100%
  maxReferenceDeviation: 0.05
`;

/** Lets `days` pass. */
export async function attestedDays(options: {
  readonly seed: number;
  readonly days: number;
}): Promise<AttestedDays> {
  const root = join(import.meta.dirname, '..', '..');
  const source = parseConfig(CONFIG, join(root, 'month.yaml'));
  const plan = {
    ...planOf(options.seed, []),
    ...({ ambiguities: {}, config: 'calm', signatures: 'keyed', isStill: true, subaccount: 0 } as const),
    latency: { requestMs: 3, answerMs: 3, frameMs: 2, journalMs: 1 },
    settings: {
      ...{ blockMs: BLOCK_MS, replicaLagMs: 1, takerFeePpm: ppm(500), makerFeePpm: ppm(-20) },
      ...{ historyMax: 1_000_000, fundingIntervalMs: HOUR_MS },
    },
  };
  const world = await openWorld(plan, source);
  try {
    return await new Days(world, seededRandom(`${options.seed} month`)).live(options.days);
  } finally {
    world.close();
  }
}

class Days {
  readonly #world: OpenWorld;
  readonly #random: Random;
  readonly #crowd: number;
  readonly #problems: string[] = [];
  readonly #facts: AttestFacts[] = [];
  readonly #price: { now: number; readonly usual: number };
  /** How far the book is from the index: who holds positions pays for it, or is paid. */
  #bias = 0;
  #lives = 0;
  #attested = 0;
  #crashed = 0;
  #liquidations = 0;
  #compared = 0;

  constructor(world: OpenWorld, random: Random) {
    const { control } = world.exchange;
    this.#world = world;
    this.#random = random;
    this.#crowd = control.createParticipant(quantums(1_000_000_000n * USD));
    const { indexTicks } = control.venue.marketView(MARKET);
    this.#price = { now: indexTicks, usual: indexTicks };
    control.subaccount({ account: world.account.address });
    control.watch(({ events }) => {
      for (const event of events)
        if (event.kind === 'Liquidation' && event.account === world.account.accountId) this.#liquidations++;
    });
  }

  async live(days: number): Promise<AttestedDays> {
    const forced = Math.max(1, Math.floor((days * 2) / 3));
    for (let day = 1; day <= days; day++) {
      for (let hour = 0; hour < 24; hour++) {
        const isLife = hour % (24 / LIVES_PER_DAY) === 6;
        // What was held may be closed before the price has gone far enough: then it is tried again.
        const isDue = day % forced === 0 || (day > forced && this.#liquidations === 0);
        if (isLife) await this.#life({ isForced: isDue });
        if (hour % 5 === 2) this.#moveCash();
        await this.#pass(HOUR_MS - (this.#world.clock.monotonicMs() % HOUR_MS), HOUR_MS / 4);
      }
    }
    // The last run ends in order, so that the whole time has an end.
    if (this.#lives % CRASH_EVERY === CRASHED - 1) await this.#life({ isForced: false });
    await this.#life({ isForced: false });
    return await this.#result();
  }

  /** The bot lives, and the market with it; then it ends, in order or not. */
  async #life({ isForced }: { readonly isForced: boolean }): Promise<void> {
    const { bot, clock } = this.#world;
    const number = ++this.#lives;
    this.#bias = 0;
    this.#quote();
    await clock.advanceAsync(BLOCK_MS);
    bot.start();
    const { life } = bot;
    const untilMs = clock.monotonicMs() + LIFE_MS + this.#random.integer(0, LIFE_MS);
    while (clock.monotonicMs() < untilMs && bot.isAlive) await this.#second(life.view());
    if (isForced) await this.#liquidate(() => this.#second(life.view()));
    if (number % CRASH_EVERY === CRASHED) {
      bot.kill('crash');
      this.#crashed++;
      return;
    }
    bot.terminate();
    for (let n = 0; bot.isAlive && n < 120; n++) await clock.advanceAsync(STEP_MS);
    const { attestFacts, failure } = life;
    if (attestFacts === undefined) this.#note(`life ${number} ended without its facts: ${failure?.message}`);
    else await this.#attest(`run-${number}`, attestFacts, life.view());
  }

  /** A second in which the price moves and somebody takes. */
  async #second(view: BotView | undefined): Promise<void> {
    this.#move(this.#random.integer(-60, 60));
    this.#quote();
    if (this.#random.chance(0.5)) this.#take();
    if (this.#random.chance(0.02)) this.#moveCash();
    await this.#world.clock.advanceAsync(STEP_MS);
    this.#compare(view);
  }

  /** Strategies hold the account between them, each as its bot has it. */
  #compare(view: BotView | undefined): void {
    if (view === undefined || view.account !== 'synced') return;
    this.#compared++;
    const { owned, positions } = view;
    const held = Object.values(owned).reduce((sum, lots) => sum + (lots[SYMBOL] ?? 0), 0);
    if (held !== positions[SYMBOL]) this.#note(`owners hold ${held} lots, the account ${positions[SYMBOL]}`);
    if (owned['-']?.[SYMBOL] !== 0)
      this.#note(`life ${this.#lives}: ${owned['-']?.[SYMBOL]} lots of ${positions[SYMBOL]} are nobody's`);
  }

  /** Most of the cash goes, then the price goes against what is held. */
  async #liquidate(second: () => Promise<void>): Promise<void> {
    const { control } = this.#world.exchange;
    const { accountId } = this.#world.account;
    const before = this.#liquidations;
    const lotsNow = () => control.venue.positions(accountId)[0]?.lots ?? 0;
    for (let n = 0; n < MOVES_MAX && lotsNow() === 0; n++) await second();
    const taken = control.venue.account(accountId).withdrawable;
    control.transfer({
      ...{ from: this.#world.account.address, to: this.#world.account.address, toSubaccount: 1 },
      amount: taken,
    });
    for (let n = 0; n < MOVES_MAX && this.#liquidations === before && lotsNow() !== 0; n++) {
      this.#move(-Math.sign(lotsNow()) * Math.round(this.#price.now / 200));
      this.#quote();
      await second();
    }
    control.transfer({
      ...{ from: this.#world.account.address, fromSubaccount: 1, to: this.#world.account.address },
      amount: taken,
    });
    await second();
  }

  async #attest(runId: string, facts: AttestFacts, view: BotView | undefined): Promise<void> {
    this.#facts.push(facts);
    const document = await this.#document(runId, facts);
    if (document === undefined) return;
    this.#attested++;
    // What the statement says that each holds at the end is what its bot has.
    for (const { owner, lotsAtEnd } of document.statement.owners) {
      const own = view?.owned[owner === 'account' ? '-' : owner]?.[SYMBOL] ?? 0;
      if ((lotsAtEnd[SYMBOL] ?? 0) !== own)
        this.#note(`${runId}: ${owner} holds ${own} lots, attested are ${lotsAtEnd[SYMBOL] ?? 0}`);
    }
  }

  /** Attests and verifies. */
  async #document(runId: string, facts: AttestFacts): Promise<Attestation | undefined> {
    try {
      const { document, records, signedBy } = await attested(this.#world, runId, facts);
      const { differences } = checkAttestation(document, signedBy, records);
      for (const difference of differences) this.#note(`${runId}: ${difference}`);
      return document;
    } catch (thrown) {
      this.#note(`${runId}: ${String(thrown)}`);
      return undefined;
    }
  }

  async #result(): Promise<AttestedDays> {
    const [first, last] = [this.#facts[0], this.#facts.at(-1)];
    const facts = { ...must(last, 'a run that ended'), start: must(first, 'a run that ended').start };
    const whole = must(await this.#document('all', facts), `an attestation: ${this.#problems.join('; ')}`);
    const { snapshot } = await readWorld(this.#world);
    return {
      ...{ problems: this.#problems, whole, attested: this.#attested, crashed: this.#crashed },
      ...{ liquidations: this.#liquidations, compared: this.#compared, fills: snapshot.fills.length },
      kinds: new Set(snapshot.ledger.map(({ kind }) => kind)),
    };
  }

  /** Time without a bot, with a price that moves. */
  async #pass(forMs: number, stepMs: number): Promise<void> {
    for (let left = forMs; left > 0; left -= stepMs) {
      this.#move(this.#random.integer(-200, 200));
      this.#bias = this.#random.integer(-30, 30) / 10_000;
      this.#quote();
      await this.#world.clock.advanceAsync(Math.min(stepMs, left));
    }
  }

  #move(byTicks: number): void {
    const home = Math.round((this.#price.usual - this.#price.now) / 200);
    this.#price.now += byTicks + home;
    this.#world.exchange.control.price({ symbol: SYMBOL, price: ticks(this.#price.now) });
  }

  /** A wide book around the price, of those who do not mind. */
  #quote(): void {
    const { control } = this.#world.exchange;
    control.execute({ kind: 'CancelAll', account: this.#crowd });
    for (const [buys, away] of [
      [true, 0.9992],
      [false, 1.0008],
      [true, 0.95],
      [false, 1.05],
    ] as const)
      this.#order({
        buys,
        price: Math.round(this.#price.now * (away + this.#bias)),
        lots: 50_000,
        tif: 'gtc',
      });
  }

  #take(): void {
    const buys = this.#random.chance(0.5);
    const price = Math.round(this.#price.now * (buys ? 1.002 : 0.998));
    this.#order({ buys, price, lots: this.#random.integer(1, 800), tif: 'ioc' });
  }

  #order({
    buys,
    price,
    lots,
    tif,
  }: {
    buys: boolean;
    price: number;
    lots: number;
    tif: 'gtc' | 'ioc';
  }): void {
    const command: CanonicalCommand = {
      ...{ kind: 'PlaceOrder', account: this.#crowd, market: MARKET, side: buys ? 'buy' : 'sell', price },
      ...{ lots: BigInt(lots), tif, reduceOnly: false, goodTilMs: 0, nowMs: 0, router: 0, routerFeePpm: 0 },
    };
    this.#world.exchange.control.execute(command);
  }

  /** Cash comes, goes, or changes its subaccount. */
  #moveCash(): void {
    const { control } = this.#world.exchange;
    const { address } = this.#world.account;
    const amount = quantums(BigInt(this.#random.integer(1_000_000, 900_000_000)));
    const which = this.#random.integer(0, 3);
    if (which === 0) control.fund({ account: address, amount });
    else if (control.venue.account(this.#world.account.accountId).withdrawable < amount) return;
    else if (which === 1) control.withdraw({ account: address, amount });
    else if (which === 2) control.transfer({ from: address, to: address, toSubaccount: 1, amount });
    else {
      control.fund({ account: address, subaccount: 1, amount });
      control.transfer({ from: address, fromSubaccount: 1, to: address, amount });
    }
  }

  #note(what: string): void {
    if (this.#problems.length < 20) this.#problems.push(what);
  }
}
