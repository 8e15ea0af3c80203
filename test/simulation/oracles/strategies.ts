/**
 * @module
 * I17: a strategy that failed or was stopped cannot act: nothing is recorded in its name until it is started again, and
 * within a second its orders are gone, or their cancel is on its way, unless a lane is blocked.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I17'], begin }];

const WITHIN_MS = 1_000;

interface Ended {
  readonly strategy: string;
  readonly atMs: number;
  isJudged: boolean;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const ended = new Map<string, Ended>();
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') ended.clear();
      else if (sight.kind === 'audit') follow(sight, ended);
      else if (sight.kind === 'recorded' && ended.size > 0) checkRow(world, sight, ended);
    },
    onBlock: () => {
      for (const one of ended.values()) {
        if (one.isJudged || scene.nowMs < one.atMs + WITHIN_MS) continue;
        one.isJudged = true;
        checkOrders(scene, one);
      }
    },
  };
}

function follow({ atMs, event }: Extract<Sight, { kind: 'audit' }>, ended: Map<string, Ended>): void {
  const strategy = String(event.fields['strategy']);
  if (event.type === 'StrategyStarted') ended.delete(strategy);
  if (event.type === 'StrategyFailed' || event.type === 'StrategyStopped')
    ended.set(strategy, { strategy, atMs, isJudged: false });
}

function checkRow(world: OracleWorld, sight: Sight, ended: ReadonlyMap<string, Ended>): void {
  const row = rowOf(sight);
  if (row?.type !== 'write') return;
  const { kind, orders } = row.value.command;
  if (kind !== 'place' && kind !== 'replace') return;
  for (const { strategyId, reduceOnly, intentId } of orders ?? [])
    if (ended.has(strategyId) && !reduceOnly)
      world.violate('I17', `${strategyId} has ended and places ${intentId}`);
}

/** Orders that rest without a cancel on its way, while every lane could have carried one. */
function checkOrders(scene: Scene, { strategy, atMs }: Ended): void {
  const { world, writes } = scene;
  if (world.isPaused() || world.life().state !== 'running') return;
  if ([...writes.open].some(({ sentAtMs }) => (sentAtMs[0] ?? 0) <= atMs)) return;
  const canceled = new Set<string>();
  for (const write of writes.open) {
    if (write.row?.command.kind === 'cancelAll') return;
    for (const { orderId } of cancelsOf(write.row?.command)) canceled.add(orderId);
  }
  const left = scene
    .restingOrders()
    .filter((order) => order.strategyId === strategy && !canceled.has(order.orderSeq.toString()));
  // A request that was refused or lost on the way is sent again by the bot in its own time.
  const isDisturbed = Object.keys(world.plan.faults).length > 0 && !world.isHealed;
  if (left.length > 0 && !isDisturbed)
    world.violate('I17', `${left.length} orders of ${strategy} rest ${WITHIN_MS} ms after its end`);
}

function cancelsOf(
  command:
    | { readonly kind: string; readonly orders?: readonly unknown[]; readonly cancels?: readonly unknown[] }
    | undefined,
): readonly { readonly orderId: string }[] {
  const named = command?.kind === 'cancel' ? command.orders : command?.cancels;
  return (named ?? []) as readonly { readonly orderId: string }[];
}
