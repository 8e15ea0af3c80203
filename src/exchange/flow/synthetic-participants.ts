/**
 * @module
 * The background of an exchange that has no recording: in each market its own index price, makers that keep a
 * two-sided book, takers without a reason who fill a maker, and one informed taker who makes it lose. Everything
 * follows from the seed of the exchange.
 *
 *   block ─▶ index price steps that are due ─▶ makers ─▶ informed taker ─▶ noise takers
 *
 * What this does not do: react to fees or to who else is there, or stop.
 */
import type { UnixMs } from '../../core/index.ts';
import { type Quantums, quantums } from '../../domain/index.ts';
import type { FlowHost, Participants } from './flow-port.ts';
import { IndexPriceProcess, type IndexPriceSettings } from './index-price-process.ts';
import { BackgroundMaker, type BackgroundMakerSettings } from './participants/background-maker.ts';
import { InformedTaker, type InformedTakerSettings } from './participants/informed-taker.ts';
import { type NoiseTakerSettings, NoiseTakers } from './participants/noise-takers.ts';
import type { Participant, ParticipantContext } from './participants/participant.ts';

/** Settings of the synthetic flow; the same for each market. */
export interface SyntheticParticipantsSettings {
  /** Unique name. */
  readonly name: string;
  /** `signingMarketId`s of the markets to live in; empty: all. */
  readonly markets: readonly number[];
  /** Walk of the index price. */
  readonly index: IndexPriceSettings;
  /** Takers without information. */
  readonly noise: NoiseTakerSettings;
  /** Takers that know the next price. */
  readonly informed: Omit<InformedTakerSettings, 'stepMs'>;
  /** Makers, one per entry. */
  readonly makers: readonly BackgroundMakerSettings[];
  /**
   * When another source sets an index price, the market continues from there if true; else it returns to its own walk.
   */
  readonly followsIndex: boolean;
  /** Cash of each participant in quantums; deposited again when half of it is gone. */
  readonly cash: Quantums;
}

const USDC = 1_000_000;

/** Defaults for a lively demo: fills several times per second, and jumps that hurt who is slow. */
export function defaultSyntheticParticipants(): SyntheticParticipantsSettings {
  const maker: BackgroundMakerSettings = {
    requoteMs: 500,
    levels: 5,
    halfSpreadPpm: 500,
    stepPpm: 200,
    notional: 10_000 * USDC,
    follow: 0.6,
    inventoryNotional: 250_000 * USDC,
    skewPpm: 150,
    deadbandPpm: 40,
  };
  return {
    name: 'synthetic',
    markets: [],
    index: { stepMs: 1_000, stepPpm: 60, jumpProbability: 0.06, jumpPpm: 2_000, reversion: 0.0005 },
    noise: {
      perSecond: 5,
      notional: 120 * USDC,
      sweepProbability: 0.01,
      sweepNotional: 15_000 * USDC,
      tolerancePpm: 5_000,
    },
    informed: { marginPpm: 50, notionalMax: 10_000 * USDC },
    makers: [maker, { ...maker, requoteMs: 900, halfSpreadPpm: 600, stepPpm: 300, follow: 0.3 }],
    followsIndex: false,
    cash: quantums(10n ** 13n),
  };
}

/** A flow of seeded participants; `settings` are laid over {@link defaultSyntheticParticipants}. */
export function createSyntheticParticipants(
  settings: Partial<SyntheticParticipantsSettings> = {},
): Participants {
  return new SyntheticParticipants({ ...defaultSyntheticParticipants(), ...settings });
}

class SyntheticParticipants implements Participants {
  readonly name: string;
  readonly recipe: SyntheticParticipantsSettings;
  readonly #settings: SyntheticParticipantsSettings;
  #markets: readonly SyntheticMarket[] = [];

  constructor(settings: SyntheticParticipantsSettings) {
    this.name = settings.name;
    this.recipe = settings;
    this.#settings = settings;
  }

  start(host: FlowHost): void {
    const { markets } = this.#settings;
    this.#markets = host
      .markets()
      .map((view) => view.market.signingMarketId)
      .filter((market) => markets.length === 0 || markets.includes(market))
      .map((market) => new SyntheticMarket(host, market, this.#settings));
  }

  onBlock(_host: FlowHost, blockAtMs: UnixMs): void {
    for (const market of this.#markets) market.onBlock(blockAtMs);
  }
}

/** One market's index price and participants. */
class SyntheticMarket {
  readonly #host: FlowHost;
  readonly #market: number;
  readonly #index: IndexPriceProcess;
  readonly #stepMs: number;
  readonly #followsIndex: boolean;
  readonly #participants: readonly Participant[];
  #stepAtMs: number;

  constructor(host: FlowHost, market: number, settings: SyntheticParticipantsSettings) {
    const view = host.marketView(market);
    const nameOf = (part: string) => `${settings.name}/${view.market.symbol}/${part}`;
    this.#host = host;
    this.#market = market;
    this.#stepMs = settings.index.stepMs;
    this.#followsIndex = settings.followsIndex;
    this.#stepAtMs = host.nowMs() + this.#stepMs;
    this.#index = new IndexPriceProcess(view.indexTicks, settings.index, host.random(nameOf('index')));
    const context = (part: string): ParticipantContext => ({
      host,
      market,
      index: this.#index,
      name: nameOf(part),
      cash: settings.cash,
    });
    this.#participants = [
      ...settings.makers.map((maker, at) => new BackgroundMaker(context(`maker-${at}`), maker)),
      new InformedTaker(context('informed'), { ...settings.informed, stepMs: this.#stepMs }),
      new NoiseTakers(context('noise'), settings.noise),
    ];
  }

  onBlock(nowMs: number): void {
    if (this.#followsIndex) this.#follow();
    // Steps that a jump of the block time left out are made up for, but set once.
    if (this.#stepAtMs <= nowMs) {
      while (this.#stepAtMs <= nowMs) {
        this.#index.step();
        this.#stepAtMs += this.#stepMs;
      }
      this.#host.setIndexPrice(this.#market, this.#index.nowTicks);
    }
    for (const participant of this.#participants) participant.onBlock(nowMs);
  }

  #follow(): void {
    const { indexTicks } = this.#host.marketView(this.#market);
    if (indexTicks !== this.#index.nowTicks) this.#index.moveTo(indexTicks);
  }
}
