/**
 * @module
 * I27: an ordered end leaves no open orders and says so, and what it says is true; any other end fails by a name. Once
 * all is healed nothing keeps it from being proven.
 */
import type { FaultId, Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { isRefusedUnarmed } from './support/spent-switch.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I27'], begin }];

/** Faults by which somebody else places orders for the account. */
const OTHER_WRITERS: readonly FaultId[] = ['F46', 'F69', 'F70', 'F72'];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  let stoppedHealed = false;
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind !== 'life') return;
      if (sight.what === 'stopping') stoppedHealed = world.isHealed;
      if (sight.what === 'failed' || sight.what === 'refused') checkName(world, sight);
      if (sight.what === 'ended') checkReport(scene);
    },
    atEnd: () => {
      const resting = scene.restingOrders().length;
      if (resting > 0) world.violate('I27', `${resting} orders rest when all is over`);
      const last = scene.life;
      if (!stoppedHealed || isRefusedUnarmed(scene)) return;
      if (last?.end !== 'ended')
        world.violate(
          'I27',
          `the last life was stopped in order, it ${last?.end ?? 'goes on'}: ${whyOf(world)}`,
        );
      else if (!isProven(world.life().report)) world.violate('I27', `the end is not proven: ${whyOf(world)}`);
    },
  };
}

/** Does the report say that the book is empty and the books agree? */
function isProven(report: unknown): boolean {
  const { openOrders, unresolved, reconciled } = fieldsOf(report);
  return openOrders === 0 && unresolved === 0 && reconciled === true;
}

function checkReport(scene: Scene): void {
  const { world } = scene;
  const report = world.life().report;
  if (fieldsOf(report)['openOrders'] !== 0) return;
  // Orders that others put there are not the bot's to prove away: its own are.
  const isShared = OTHER_WRITERS.some((id) => world.plan.faults[id] !== undefined);
  const { venue } = world.exchange.control;
  const { accountId } = world;
  const all = () => [...venue.openOrders(accountId), ...venue.waitingOrders(accountId)];
  const orders = isShared ? scene.restingOrders() : all();
  if (orders.length > 0)
    world.violate('I27', `the end says that the book is empty, ${orders.length} orders rest`);
}

function checkName(world: OracleWorld, { what, why }: Extract<Sight, { kind: 'life' }>): void {
  const { failure } = world.life();
  const code = fieldsOf(failure)['code'];
  if (typeof code !== 'string' || code === '')
    world.violate(
      'I27',
      `the process ${what} without a name: ${why ?? failure?.message ?? 'nothing was said'}`,
    );
}

function whyOf(world: OracleWorld): string {
  const { report, failure } = world.life();
  const { openOrders, unresolved, reconciled, differences, stopReason } = fieldsOf(report);
  return (
    failure?.message ?? JSON.stringify({ openOrders, unresolved, reconciled, differences, stopReason })
  ).slice(0, 400);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
