/**
 * @module
 * I25: the bars that strategies decide by are those of the exchange (obligation O94): once all is healed, each closed bar
 * of one minute that was told from its first fill on has the open, high, low, close and volume that the fills of its
 * minute make, and a minute without a fill has none. A bar that the bot came into midway is not looked at.
 */
import type { BotView, Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import type { Applied } from './support/truth.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I25'], begin }];

const MINUTE_MS = 60_000;
/** A bar is looked at so long after its minute: longer than any frame takes in healed times. */
const SETTLED_MS = 5_000;

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
  /** Bars of each market by their start, as far as their fills were seen. */
  readonly #bars = new Map<number, Map<number, Bar>>();
  /** Stamp of the last block. */
  #blockAtMs = 0;
  /** Stamp of the block from which on all is told; `undefined`: nothing is. */
  #toldSinceMs: number | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.onLog(({ events }, { kind }, { at }) => {
      this.#blockAtMs = at.blockAtMs;
      // A ledger that is begun anew has bars of its own.
      if (kind === 'epoch') this.#bars.clear();
      if (kind === 'epoch' && this.#toldSinceMs !== undefined) this.#toldSinceMs = at.blockAtMs;
      for (const event of events) if (event.kind === 'Fill') this.#fill(event);
    });
  }

  see(sight: Sight): void {
    if (sight.kind === 'closed') this.#toldSinceMs = undefined;
    else if (sight.kind === 'healed' && this.#toldSinceMs !== undefined) this.#toldSinceMs = this.#blockAtMs;
    else if (sight.kind === 'frame' && /^\{"channel":"(?:subscribed|lagged)"/.test(sight.text))
      this.#toldSinceMs = this.#blockAtMs;
    else if (sight.kind === 'life' && sight.what === 'stopping') this.check();
  }

  /** Holds what the bot believes against the fills. */
  check(): void {
    const { world, healedAtMs } = this.#scene;
    const candles = world.view()?.candles;
    if (candles === undefined || healedAtMs === undefined || this.#toldSinceMs === undefined) return;
    for (const { market } of world.exchange.control.venue.markets()) {
      const believed = new Map(candles[market.symbol]?.map((bar) => [bar.startAtMs, bar]));
      const own = this.#bars.get(market.signingMarketId) ?? new Map<number, Bar>();
      if (candles[market.symbol] === undefined) continue;
      for (const startAtMs of new Set([...own.keys(), ...believed.keys()])) {
        if (startAtMs <= this.#toldSinceMs || startAtMs + MINUTE_MS + SETTLED_MS > this.#blockAtMs) continue;
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
