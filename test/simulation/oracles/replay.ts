/**
 * @module
 * I21: what a life holds in memory of its account's history is what a replay of the journal's rows gives. The rows are
 * folded here a second time, over all lives: every fill and ledger entry that is held stands in a row with these very
 * contents, and everything that a row made durable is held.
 */
import type { BotView, Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { type EffectsRow, rowOf } from './support/journal-text.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I21'], begin }];

const BLOCKS_BETWEEN = 32;

/** Contents by id, and whether they are on the disk for certain. */
type Entries = Map<string, { readonly text: string; isSure: boolean }>;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const replay = new Replay();
  let blocks = 0;
  const look = (): void => {
    const view = world.view();
    if (view === undefined || world.life().state === 'over') return;
    const problem = replay.problemOf(view);
    if (problem !== undefined) world.violate('I21', problem);
  };
  return {
    onSight: (sight) => {
      scene.see(sight);
      const row = rowOf(sight);
      if (row?.type === 'effects') replay.take(row.value, sight.kind === 'durable');
      else if (row?.type === 'epoch' && sight.kind === 'recorded') replay.beginEpoch(row.value.epoch);
      // Rows are gone from the disk, or changed: which of them, the next life finds out.
      else if (sight.kind === 'fault' && sight.what === 'begun' && ['F57', 'F58'].includes(sight.id))
        replay.doubt();
      else if (sight.kind === 'life' && sight.what === 'ready') look();
    },
    onBlock: () => {
      if (++blocks % BLOCKS_BETWEEN === 0) look();
    },
    atQuiescence: look,
  };
}

class Replay {
  #epoch = '';
  readonly #fills: Entries = new Map();
  readonly #ledger: Entries = new Map();

  /** Rows of another ledger count no more. */
  beginEpoch(epoch: string): void {
    this.#epoch = epoch;
    this.#fills.clear();
    this.#ledger.clear();
  }

  take({ epoch, fills, ledger }: EffectsRow, isSure: boolean): void {
    if (epoch !== this.#epoch) this.beginEpoch(epoch);
    for (const fill of fills) this.#fills.set(fill.id, { text: textOf(fill), isSure });
    for (const entry of ledger) this.#ledger.set(entry.id, { text: entryText(entry), isSure });
  }

  doubt(): void {
    for (const entries of [this.#fills, this.#ledger])
      for (const entry of entries.values()) entry.isSure = false;
  }

  problemOf({ epoch, fills, ledger }: BotView): string | undefined {
    if (epoch !== this.#epoch) return undefined;
    const heldFills = fills.map((fill) => [fill.id, textOf(fill)] as const);
    const heldLedger = ledger.map((entry) => [entry.id, entryText(entry)] as const);
    return differing('fill', heldFills, this.#fills) ?? differing('ledger entry', heldLedger, this.#ledger);
  }
}

function differing(
  what: string,
  held: readonly (readonly [id: string, text: string])[],
  replayed: Entries,
): string | undefined {
  const ids = new Set<string>();
  for (const [id, text] of held) {
    const own = replayed.get(id);
    if (own === undefined) return `${what} ${id} is held, and no row has it`;
    if (own.text !== text) return `${what} ${id} is held as ${text}, its row says ${own.text}`;
    ids.add(id);
  }
  for (const [id, { isSure }] of replayed)
    if (isSure && !ids.has(id)) return `${what} ${id} stands in a durable row and is not held`;
  return undefined;
}

function entryText({ amount, otherToken }: BotView['ledger'][number]): string {
  return otherToken === undefined ? String(amount) : `${otherToken.amount} of token ${otherToken.token}`;
}

function textOf({ symbol, side, priceTicks, sizeLots }: BotView['fills'][number]): string {
  return `${side} ${sizeLots} ${symbol} at ${priceTicks}`;
}
