/**
 * @module
 * I4 at every block: terminal is terminal (obligation O82). An order that the bot told to have ended does not work again
 * in its books, within one life of its process and one ledger of the exchange.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I4'], begin }];

const ENDS: ReadonlySet<unknown> = new Set(['filled', 'canceled', 'expired']);
/** So long after a new ledger an end may still be one of the ledger before, whose orders can work again in the new one. */
const OLD_LEDGER_MS = 60_000;
const REMEMBERED_MAX = 1_000;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  // Where a replacement keeps the number, the number works again when its order is another one.
  if (world.plan.ambiguities['A10'] === 'kept') return {};
  const ended = new Map<string, string>();
  let epochAtMs = Number.NEGATIVE_INFINITY;
  scene.onLog((_applied, entry) => {
    if (entry.kind !== 'epoch') return;
    epochAtMs = scene.nowMs;
    ended.clear();
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') ended.clear();
      const end = sight.kind === 'audit' ? endOf(sight) : undefined;
      if (end === undefined || scene.nowMs - epochAtMs < OLD_LEDGER_MS) return;
      ended.set(end.orderId, end.status);
      if (ended.size <= REMEMBERED_MAX) return;
      for (const [oldest] of ended) {
        ended.delete(oldest);
        break;
      }
    },
    onBlock: () => {
      if (ended.size === 0) return;
      for (const { orderId } of world.view()?.openOrders ?? []) {
        const status = ended.get(orderId);
        if (status === undefined) continue;
        ended.delete(orderId);
        world.violate('I4', `order ${orderId} works again, the bot has told it ${status}`);
      }
    },
  };
}

function endOf({
  event,
}: Extract<Sight, { kind: 'audit' }>): { readonly orderId: string; readonly status: string } | undefined {
  const { orderId, status } = event.fields;
  if (event.type !== 'OrderChanged' || typeof orderId !== 'string' || !ENDS.has(status)) return undefined;
  return { orderId, status: String(status) };
}
