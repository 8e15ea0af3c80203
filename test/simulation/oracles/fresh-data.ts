/**
 * @module
 * I25: nothing is placed on stale knowledge. The account is SYNCED, the market was heard of within the limit of the
 * configuration by the exchange's own time (what was held back on its way is old when it arrives), and after `lagged` a
 * snapshot of the open orders has come first.
 */
import type { FaultId, Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { limitsOfConfig } from './support/limits.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I25'], begin }];

/** What was decided before waits at most this long for its lane. */
const IN_THE_LANE_MS = 1_500;
/** What shows a market's quotes; nothing else proves that they are not held back. */
const MARKET_CHANNELS = /^\{"channel":"(book|bbo)"/;
const INSTANT = /"ts":"?([0-9]+)/;
/** Less than this is no delay, whatever the blocks. */
const LATE_MS_MIN = 1_000;
/** The bot knows the exchange's clock to within some milliseconds. */
const CLOCK_MS = 100;
/** Faults that make the exchange's time another one, or say another one. */
const OTHER_TIMES: readonly FaultId[] = ['F23', 'F49'];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const watch = new Freshness(scene);
  return {
    onSight: (sight) => {
      scene.see(sight);
      watch.see(sight);
    },
    onBlock: () => watch.noteBlock(),
  };
}

class Freshness {
  readonly #scene: Scene;
  readonly #ageMsMax: number;
  /** A block is stamped, not a frame: what shows the block that runs is new, however long that block is. */
  readonly #lateMsMin: number;
  /** When the quotes of each market were last heard of. */
  readonly #heardAtMs = new Map<string, number>();
  #laggedAtMs: number | undefined;
  /** Time of the exchange less that of the world. */
  #aheadMs: number | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#ageMsMax = limitsOfConfig(scene.world.plan.config).marketDataAgeMs;
    this.#lateMsMin = Math.max(LATE_MS_MIN, scene.world.exchange.settings.blockMs + CLOCK_MS);
  }

  see(sight: Sight): void {
    if (sight.kind === 'life' && sight.what === 'started') {
      this.#heardAtMs.clear();
      this.#laggedAtMs = undefined;
    } else if (sight.kind === 'frame') this.#hear(sight);
    else if (sight.kind === 'recorded') this.#check(sight);
  }

  noteBlock(): void {
    this.#aheadMs = this.#scene.world.exchange.blockAtMs - this.#scene.nowMs;
  }

  /** When the exchange made a frame that says so, unless it came in time. */
  #madeAtMs(text: string, atMs: number): number {
    const tsMs = Number(INSTANT.exec(text)?.[1] ?? Number.NaN);
    if (this.#aheadMs === undefined || Number.isNaN(tsMs) || this.#scene.plans(...OTHER_TIMES)) return atMs;
    const madeAtMs = tsMs - this.#aheadMs;
    return atMs - madeAtMs < this.#lateMsMin ? atMs : madeAtMs;
  }

  #hear({ text, atMs }: Extract<Sight, { kind: 'frame' | 'sent' }>): void {
    if (MARKET_CHANNELS.test(text)) {
      const symbol = /"symbol":"([^"]*)"/.exec(text)?.[1];
      if (symbol !== undefined) this.#heardAtMs.set(symbol, this.#madeAtMs(text, atMs));
    } else if (text.startsWith('{"channel":"lagged"')) this.#laggedAtMs ??= atMs;
    else if (text.startsWith('{"channel":"orders"') && text.includes('"isSnapshot":true'))
      this.#laggedAtMs = undefined;
  }

  #check(sight: Sight & { readonly kind: 'recorded' | 'durable' }): void {
    const row = rowOf(sight);
    if (row?.type !== 'write') return;
    const { kind, orders = [] } = row.value.command;
    if (kind !== 'place' && kind !== 'replace') return;
    const raising = orders.filter(({ reduceOnly }) => !reduceOnly);
    if (raising.length === 0) return;
    const { world } = this.#scene;
    const account = world.view()?.account;
    if (account !== 'synced')
      world.violate('I25', `an order is placed while the account is ${account ?? 'not known'}`);
    if (this.#laggedAtMs !== undefined && sight.atMs - this.#laggedAtMs > IN_THE_LANE_MS)
      world.violate(
        'I25',
        `an order is placed ${sight.atMs - this.#laggedAtMs} ms after lagged, without a snapshot`,
      );
    // A process that stood still finds old frames and old decisions together.
    if (this.#scene.plans('F52', 'F53')) return;
    for (const symbol of new Set(raising.map((order) => order.symbol))) {
      const heardAtMs = this.#heardAtMs.get(symbol);
      const ageMs = heardAtMs === undefined ? Number.POSITIVE_INFINITY : sight.atMs - heardAtMs;
      if (ageMs > this.#ageMsMax + IN_THE_LANE_MS)
        world.violate('I25', `an order is placed in ${symbol}, which was heard of ${ageMs} ms ago`);
    }
  }
}
