/**
 * @module
 * I17: a strategy that failed or was stopped cannot act: nothing is recorded in its name until it is started again, and
 * within a second its orders are gone, or their cancel is on its way, unless a lane is blocked. Where other faults than
 * those of strategies strike, what was refused or lost on its way leaves again in the bot's own time: there it has longer.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { forgottenOrders } from './support/cancels.ts';
import { rowOf } from './support/journal-text.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I17'], begin }];

const WITHIN_MS = 1_000;
/** Where requests can be refused or lost: without a break, and while nothing else holds the bot back. */
const DISTURBED_MS = 10_000;
/** Faults of strategies that leave the bot alone otherwise: for these the second holds. */
const OF_STRATEGIES: ReadonlySet<string> = new Set(['F61', 'F62', 'F63', 'F64', 'F65', 'F67']);

interface Ended {
  readonly strategy: string;
  readonly atMs: number;
  /** Since when its orders rest although nothing is in the way of their cancel. */
  idleSinceMs: number | undefined;
  isEmitted: boolean;
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
      for (const one of ended.values()) look(scene, one);
    },
  };
}

function look(scene: Scene, one: Ended): void {
  const { nowMs, world } = scene;
  if (one.isEmitted || nowMs < one.atMs + WITHIN_MS) return;
  const isRunning = world.life().state === 'running';
  const forgotten = isRunning ? forgottenOrders(scene, one.atMs) : [];
  const left = forgotten.filter(({ strategyId }) => strategyId === one.strategy);
  if (left.length === 0) {
    one.idleSinceMs = undefined;
    return;
  }
  one.idleSinceMs ??= nowMs;
  const isCalm = Object.keys(world.plan.faults).every((id) => OF_STRATEGIES.has(id));
  if (!isCalm && nowMs < one.idleSinceMs + DISTURBED_MS) return;
  one.isEmitted = true;
  world.violate('I17', `${left.length} orders of ${one.strategy} rest ${nowMs - one.atMs} ms after its end`);
}

function follow({ atMs, event }: Extract<Sight, { kind: 'audit' }>, ended: Map<string, Ended>): void {
  const strategy = String(event.fields['strategy']);
  if (event.type === 'StrategyStarted') ended.delete(strategy);
  if (event.type === 'StrategyFailed' || event.type === 'StrategyStopped')
    ended.set(strategy, { strategy, atMs, idleSinceMs: undefined, isEmitted: false });
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
