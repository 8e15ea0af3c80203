/**
 * @module
 * I1: fills applied by the bot are the account's fills, none lost, none twice; held at each record of effects, at the
 * start of a life (I21: what was durable is still there) and when all is quiet.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { agreesAtLast, fillsDiffer } from './support/agreement.ts';
import { type EffectsRow, rowOf } from './support/journal-text.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I1', 'I21'], begin }];

/** Fills of one epoch that are in the journal: surely, or perhaps because a life died over them. */
interface Kept {
  readonly epoch: string;
  readonly sure: Set<string>;
  readonly perhaps: Set<string>;
  /** Fills of the log that come before or at the last one that was kept. */
  upTo: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const effects = new EffectsWatch(scene);
  const checks = agreesAtLast(scene, 'I1', fillsDiffer);
  return {
    ...checks,
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'fault' && sight.what === 'begun' && (sight.id === 'F57' || sight.id === 'F58'))
        effects.doubt();
      else if (sight.kind === 'life') {
        if (sight.what === 'ready') effects.atStart();
        else if (sight.what !== 'started' && sight.what !== 'paused' && sight.what !== 'resumed')
          effects.died();
      } else {
        const row = rowOf(sight);
        if (row?.type === 'epoch' && sight.kind === 'recorded') effects.beginEpoch(row.value.epoch);
        if (row?.type === 'effects') effects.take(row.value, sight.kind === 'durable');
      }
    },
  };
}

class EffectsWatch {
  readonly #scene: Scene;
  #kept: Kept = emptyOf('');
  readonly #pending = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  take({ epoch, fills }: EffectsRow, isDurable: boolean): void {
    if (epoch !== this.#kept.epoch) this.beginEpoch(epoch);
    for (const { id, symbol, side, priceTicks, sizeLots } of fills) {
      if (isDurable) {
        this.#pending.delete(id);
        this.#kept.sure.add(id);
        continue;
      }
      const own = this.#scene.truth.epoch(epoch)?.fills.get(id);
      if (own === undefined)
        this.#violate(`fill ${id} was applied in epoch ${epoch}, which does not have it`);
      else if (own.side !== side || own.priceTicks !== priceTicks || own.lots !== sizeLots)
        this.#violate(`fill ${id} of ${symbol} was applied with other contents`);
      if (this.#kept.sure.has(id) || this.#pending.has(id)) this.#violate(`fill ${id} was applied twice`);
      this.#pending.add(id);
    }
    if (!isDurable) this.#checkNoGap(epoch, fills.at(-1)?.id);
  }

  beginEpoch(epoch: string): void {
    this.#kept = emptyOf(epoch);
    this.#pending.clear();
  }

  /** What was handed over and not acknowledged may be on the disk or not. */
  died(): void {
    for (const id of this.#pending) this.#kept.perhaps.add(id);
    this.#pending.clear();
  }

  /** The disk has lost or changed rows. */
  doubt(): void {
    this.died();
    for (const id of this.#kept.sure) this.#kept.perhaps.add(id);
    this.#kept.sure.clear();
    this.#kept.upTo = 0;
  }

  /** A life that is ready holds everything that was durable before it. */
  atStart(): void {
    const view = this.#scene.world.view();
    if (view === undefined || view.epoch !== this.#kept.epoch) return;
    const held = new Set(view.fills.map(({ id }) => id));
    const lost = [...this.#kept.sure].find((id) => !held.has(id));
    if (lost !== undefined)
      this.#scene.world.violate('I21', `fill ${lost} was durable and is not known to the next life`);
  }

  /** The cursor stands at the last fill: everything before it in the log must have been applied. */
  #checkNoGap(epoch: string, last: string | undefined): void {
    const truth = this.#scene.truth.epoch(epoch);
    if (last === undefined || truth === undefined) return;
    const ids = [...truth.fills.keys()];
    const end = ids.indexOf(last);
    const { sure, perhaps } = this.#kept;
    for (let at = this.#kept.upTo; at < end; at++) {
      const id = ids[at] ?? '';
      // What was withheld in silence is found later, at the latest at rest.
      if (!sure.has(id) && !perhaps.has(id) && !this.#pending.has(id) && !this.#scene.withheld.has(id))
        this.#violate(`the cursor stands at fill ${last}, fill ${id} before it was never applied`);
    }
    this.#kept.upTo = Math.max(this.#kept.upTo, end);
  }

  #violate(what: string): void {
    this.#scene.world.violate('I1', what);
  }
}

function emptyOf(epoch: string): Kept {
  return { epoch, sure: new Set(), perhaps: new Set(), upTo: 0 };
}
