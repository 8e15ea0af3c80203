/**
 * @module
 * I6: every intent is told its end to the strategy that asked for it, under the number of the intent: that it was not
 * executed, that it was rejected, or how its order ended. Held in the life that sent it, once all is healed; an order of
 * an earlier life is of a strategy that is not there any more.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { recoversSinceMs, type Scene, sceneOf } from './support/scene.ts';
import { placesOf } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I6'], begin }];

/** After the end, and after the healing. */
const WITHIN_MS = 30_000;
const BLOCKS_BETWEEN = 4;
const ENDS: ReadonlySet<unknown> = new Set([
  'filled',
  'canceled',
  'expired',
  'rejected',
  'notExecuted',
  'voided',
]);

/** An intent that has been sent and whose end was not told. */
interface Open {
  readonly intentId: string;
  readonly strategyId: string;
  /** Of the order that it became. */
  order?: { readonly market: number; readonly orderSeq: bigint };
  /** Since when there is an end to be told. */
  endedAtMs?: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const intents = new Intents(scene);
  let blocks = 0;
  scene.onLog((_applied, entry, { receipt }) => {
    if (entry.kind === 'epoch') intents.endAll();
    const write = receipt === undefined ? undefined : scene.writes.byReceipt(receipt);
    if (receipt === undefined || write === undefined) return;
    for (const { kind, state, inputIndex, market, orderSeq } of receipt.items) {
      const intentId = placesOf(write)[inputIndex]?.intentId;
      if (kind === 'place' && state === 'accepted' && orderSeq !== undefined && intentId !== undefined)
        intents.accepted(intentId, { market, orderSeq });
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') intents.clear();
      else if (sight.kind === 'recorded') intents.recorded(sight);
      else if (sight.kind === 'audit') intents.told(sight);
    },
    onBlock: () => {
      if (++blocks % BLOCKS_BETWEEN === 0) intents.check();
    },
  };
}

class Intents {
  readonly #scene: Scene;
  readonly #open = new Map<string, Open>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  clear(): void {
    this.#open.clear();
  }

  /** The orders of a ledger are gone with it. */
  endAll(): void {
    for (const open of this.#open.values()) open.endedAtMs ??= this.#scene.nowMs;
  }

  recorded(sight: Sight): void {
    const row = rowOf(sight);
    if (row?.type === 'write') {
      for (const { intentId, strategyId } of placesOf({ row: row.value }))
        this.#open.set(intentId, { intentId, strategyId });
      return;
    }
    // What was refused may still be executed: it has no end yet.
    if (row?.type !== 'outcome' || row.value.outcome === 'refused') return;
    const write = this.#scene.writes.byRequestId(row.value.requestId);
    const placed = new Set(row.value.placed?.map(({ intentId }) => intentId));
    for (const { intentId } of write === undefined ? [] : placesOf(write)) {
      const open = this.#open.get(intentId);
      if (open !== undefined && !placed.has(intentId)) open.endedAtMs ??= this.#scene.nowMs;
    }
  }

  /** An order has the number `order`: where replacements keep theirs, the one that had it before is over. */
  accepted(intentId: string, order: { readonly market: number; readonly orderSeq: bigint }): void {
    for (const open of this.#open.values())
      if (open.order?.orderSeq === order.orderSeq && open.order.market === order.market)
        open.endedAtMs ??= this.#scene.nowMs;
    const open = this.#open.get(intentId);
    if (open !== undefined) open.order = order;
  }

  told({ event }: Extract<Sight, { kind: 'audit' }>): void {
    if (event.type !== 'OrderChanged' || !ENDS.has(event.fields['status'])) return;
    const open = this.#open.get(event.correlationId ?? '');
    if (open === undefined) return;
    this.#open.delete(open.intentId);
    const { strategy } = event.fields;
    if (strategy !== open.strategyId)
      this.#scene.world.violate(
        'I6',
        `the end of intent ${open.intentId} is told to ${String(strategy ?? 'nobody')}, ${open.strategyId} asked for it`,
      );
  }

  check(): void {
    const { nowMs, world } = this.#scene;
    for (const open of this.#open.values()) {
      const { order } = open;
      if (order !== undefined && this.#scene.openOrder(order.market, order.orderSeq) === undefined)
        open.endedAtMs ??= nowMs;
    }
    const freeSinceMs = recoversSinceMs(this.#scene);
    if (freeSinceMs === undefined || world.isPaused() || world.life().state !== 'running') return;
    for (const { intentId, strategyId, endedAtMs } of this.#open.values()) {
      if (endedAtMs === undefined || nowMs <= Math.max(endedAtMs, freeSinceMs) + WITHIN_MS) continue;
      this.#open.delete(intentId);
      world.violate('I6', `intent ${intentId} ended at ${endedAtMs} ms, and ${strategyId} was not told`);
    }
  }
}
