/**
 * @module
 * I28: every anomaly raises a warning or an error within a second, and a run without faults raises none.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I28'], begin }];

const WITHIN_MS = 1_000;
const ALARMS_TOLD_MAX = 3;

/** Anomalies by the audit event that notes them. A state that is let go again is none. */
function anomalyOf({ event }: Extract<Sight, { kind: 'audit' }>): string | undefined {
  const { type, fields } = event;
  if (type === 'AnomalySeen') return String(fields['kind']);
  if (type === 'TradingStateChanged' && fields['state'] !== 'active')
    return `trading ${String(fields['state'])}`;
  if (
    type === 'StrategyFailed' ||
    type === 'InboxOverflowed' ||
    type === 'KernelCrashed' ||
    type === 'PositionBare'
  )
    return type;
  return undefined;
}

/** Controls that hold trading back. */
function follow({ event }: Extract<Sight, { kind: 'audit' }>, held: Set<unknown>): void {
  if (event.type !== 'TradingStateChanged') return;
  if (event.fields['state'] === 'active') held.delete(event.fields['control']);
  else held.add(event.fields['control']);
}

interface Waiting {
  readonly what: string;
  readonly atMs: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const isFaultless = Object.keys(world.plan.faults).length === 0;
  let waiting: Waiting[] = [];
  const held = new Set<unknown>();
  let alarmedAtMs = Number.NEGATIVE_INFINITY;
  let falseAlarms = 0;
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what !== 'ready') {
        waiting = [];
        if (sight.what === 'started') held.clear();
      } else if (sight.kind === 'audit') {
        const what = anomalyOf(sight);
        follow(sight, held);
        // While a control holds trading for the same reason the alarm stands already: it is not raised for each order.
        const stands = sight.event.type === 'AnomalySeen' && held.size > 0;
        if (what !== undefined && !stands && sight.atMs - alarmedAtMs > WITHIN_MS)
          waiting.push({ what, atMs: sight.atMs });
      } else if (sight.kind === 'log' && sight.level !== 'info') {
        alarmedAtMs = sight.atMs;
        waiting = [];
        if (isFaultless && ++falseAlarms <= ALARMS_TOLD_MAX)
          world.violate('I28', `an alarm without a fault: ${sight.message}`);
      }
    },
    onBlock: () => {
      const [first] = waiting;
      if (first === undefined || scene.nowMs - first.atMs <= WITHIN_MS || world.isPaused()) return;
      waiting = [];
      world.violate('I28', `no alarm for ${first.what} of ${first.atMs} ms`);
    },
  };
}
