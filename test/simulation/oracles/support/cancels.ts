/**
 * @module
 * Orders that nobody takes out of the book: they rest, their cancel is not on its way, and nothing is in the way of one.
 */
import type { OwnOrder, Scene } from './scene.ts';

/** What a command cancels by number; `undefined`: all there is. */
function canceledBy(
  command:
    | { readonly kind: string; readonly orders?: readonly unknown[]; readonly cancels?: readonly unknown[] }
    | undefined,
): readonly string[] | undefined {
  if (command?.kind === 'cancelAll') return undefined;
  const named = (command?.kind === 'cancel' ? command.orders : command?.cancels) ?? [];
  return (named as readonly { readonly orderId: string }[]).map(({ orderId }) => orderId);
}

/**
 * Own orders that rest without a cancel on its way, while the bot could send one: its account is SYNCED, and no write is
 * open that left before `sinceMs` (its lane may be blocked).
 */
export function forgottenOrders(scene: Scene, sinceMs: number): readonly OwnOrder[] {
  const { world, writes } = scene;
  if (world.isPaused() || world.view()?.account !== 'synced') return [];
  const canceled = new Set<string>();
  for (const { row, sentAtMs } of writes.open) {
    if ((sentAtMs[0] ?? 0) <= sinceMs) return [];
    const ids = canceledBy(row?.command);
    if (ids === undefined) return [];
    for (const id of ids) canceled.add(id);
  }
  return scene.restingOrders().filter(({ orderSeq }) => !canceled.has(orderSeq.toString()));
}
