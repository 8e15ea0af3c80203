/**
 * @module
 * I25: the bars that strategies decide by are those of the exchange (obligations O94, O103): each closed bar of one minute
 * that began after the healing has the open, high, low, close and volume that the fills of its minute make, whether it was
 * told live or read behind an interruption, and a minute without a fill has none. Bars of before may have lost a frame in
 * silence (F25), and a ledger that is begun again has bars of its own.
 */
import type { BotView, Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { Subscribed } from './support/subscribed.ts';
import type { Applied } from './support/truth.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I25'], begin }];

const MINUTE_MS = 60_000;
/** A bar is looked at so long after its minute: longer than any frame takes in healed times. */
const SETTLED_MS = 5_000;
/** So long after it has subscribed the bot has read what it missed. */
const READ_MS = 30_000;

type Bar = BotView['candles'][string][number];
type Fill = Extract<Applied['events'][number], { readonly kind: 'Fill' }>;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const watch = new BarWatch(scene);
  return {
    onSight: (sight) => {
      scene.see(sight);
      watch.see(sight);
    },
    atQuiescence: () => watch.check(),
  };
}

class BarWatch {
  readonly #scene: Scene;
  readonly #subscribed = new Subscribed('candles');
  /** Bars of each market by their start, as far as their fills were seen. */
  readonly #bars = new Map<number, Map<number, Bar>>();
  /** Stamp of the last block. */
  #blockAtMs = 0;
  /** Stamp of the block of the healing, or of a later ledger: bars of before are not looked at. */
  #sinceMs: number | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.onLog(({ events }, { kind }, { at }) => {
      this.#blockAtMs = at.blockAtMs;
      if (kind === 'epoch') this.#beginEpoch();
      for (const event of events) if (event.kind === 'Fill') this.#fill(event);
    });
  }

  see(sight: Sight): void {
    this.#subscribed.see(sight);
    if (sight.kind === 'healed') this.#sinceMs = this.#blockAtMs;
    else if (sight.kind === 'life' && sight.what === 'stopping') this.check();
  }

  /** A ledger that is begun again has bars of its own. */
  #beginEpoch(): void {
    this.#bars.clear();
    if (this.#sinceMs !== undefined) this.#sinceMs = this.#blockAtMs;
  }

  /** Holds what the bot believes against the fills. */
  check(): void {
    const { nowMs, world } = this.#scene;
    const candles = world.view()?.candles;
    if (candles === undefined || this.#sinceMs === undefined) return;
    const { sinceMs } = this.#subscribed;
    if (sinceMs === undefined || nowMs - sinceMs < READ_MS) return;
    for (const { market } of world.exchange.control.venue.markets()) {
      const believed = new Map(candles[market.symbol]?.map((bar) => [bar.startAtMs, bar]));
      const own = this.#bars.get(market.signingMarketId) ?? new Map<number, Bar>();
      if (candles[market.symbol] === undefined) continue;
      for (const startAtMs of new Set([...own.keys(), ...believed.keys()])) {
        if (startAtMs <= this.#sinceMs || startAtMs + MINUTE_MS + SETTLED_MS > this.#blockAtMs) continue;
        const [is, seems] = [wordsOf(own.get(startAtMs)), wordsOf(believed.get(startAtMs))];
        if (is !== seems)
          world.violate('I25', `the bar of ${market.symbol} at ${startAtMs} is ${is}, the bot has ${seems}`);
      }
    }
  }

  #fill({ market, priceTicks, lots, blockAtMs }: Fill): void {
    const bars = this.#bars.get(market) ?? new Map<number, Bar>();
    const startAtMs = blockAtMs - (blockAtMs % MINUTE_MS);
    const before = bars.get(startAtMs);
    bars.set(startAtMs, {
      startAtMs,
      openTicks: before?.openTicks ?? priceTicks,
      highTicks: Math.max(before?.highTicks ?? priceTicks, priceTicks),
      lowTicks: Math.min(before?.lowTicks ?? priceTicks, priceTicks),
      closeTicks: priceTicks,
      volumeLots: (before?.volumeLots ?? 0) + lots,
    });
    this.#bars.set(market, bars);
  }
}

function wordsOf(bar: Bar | undefined): string {
  if (bar === undefined) return 'none';
  const { openTicks, highTicks, lowTicks, closeTicks, volumeLots } = bar;
  return `${openTicks} ${highTicks} ${lowTicks} ${closeTicks} with ${volumeLots}`;
}
