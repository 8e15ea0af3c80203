/**
 * @module
 * I25: public trades go on (obligation O103): of two that were made after the healing the bot has at least the first a while
 * after the second, and none that the log does not have. One with a false place hides the others until the next one comes
 * (F76), and a ledger that is begun again has places of its own.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { Subscribed } from './support/subscribed.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I25'], begin }];

/** A trade is looked at so long after it: the exchange's list was asked for meanwhile, and more than once. */
const SETTLED_MS = 15_000;

interface Made {
  readonly seq: bigint;
  readonly blockAtMs: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const watch = new TradeWatch(scene);
  return {
    onSight: (sight) => {
      scene.see(sight);
      watch.see(sight);
    },
    atQuiescence: () => watch.check(),
  };
}

class TradeWatch {
  readonly #scene: Scene;
  readonly #subscribed = new Subscribed('trades');
  /** Trades of each market since the healing, the beginning of its ledger, and the bot's newest subscription or pause. */
  readonly #made = new Map<number, Made[]>();
  #blockAtMs = 0;
  #isHealed = false;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.onLog(({ events }, { kind }, { at }) => {
      this.#blockAtMs = at.blockAtMs;
      // A process that stands still hears of nothing.
      if (kind === 'epoch' || scene.world.isPaused()) this.#made.clear();
      for (const event of events)
        if (event.kind === 'Fill')
          this.#add(event.market, { seq: BigInt(event.seq), blockAtMs: event.blockAtMs });
    });
  }

  see(sight: Sight): void {
    const { sinceMs } = this.#subscribed;
    this.#subscribed.see(sight);
    if (sight.kind === 'healed') this.#isHealed = true;
    if (sight.kind === 'healed' || this.#subscribed.sinceMs !== sinceMs) this.#made.clear();
    else if (sight.kind === 'life' && sight.what === 'stopping') this.check();
  }

  /** Looks whether the bot still hears of trades. */
  check(): void {
    const { world } = this.#scene;
    const trades = world.view()?.trades;
    if (!this.#isHealed || trades === undefined || this.#subscribed.sinceMs === undefined) return;
    for (const { market } of world.exchange.control.venue.markets()) {
      if (!(market.symbol in trades)) continue;
      const made = this.#made.get(market.signingMarketId) ?? [];
      const least = made.filter(({ blockAtMs }) => blockAtMs + SETTLED_MS <= this.#blockAtMs).at(-2);
      const newest = made.at(-1);
      const known = trades[market.symbol];
      if (least === undefined || newest === undefined) continue;
      if (known === undefined || known < least.seq || known > newest.seq)
        world.violate(
          'I25',
          `trades of ${market.symbol} go on to ${newest.seq}, and the bot has none after ${known ?? 'none'}`,
        );
    }
  }

  #add(market: number, made: Made): void {
    const list = this.#made.get(market) ?? [];
    list.push(made);
    this.#made.set(market, list);
  }
}
