/**
 * @module
 * I1: a fill is told to the strategy whose order it was, over restarts too, as long as the journal was not lost or changed:
 * what a strategy holds is what its own orders have bought and sold.
 */
import type { AuditEvent } from '../../../src/core/index.ts';
import type { FaultId, Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { placesOf } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I1'], begin }];

/** With these the journal that knew it is torn, gone, or another one. */
const FORGETTING: readonly FaultId[] = ['F57', 'F58'];

/** Whose an order is: its strategy, and the nonce scope of the write that placed it. */
interface Owner {
  readonly strategy: string | undefined;
  readonly scope: string;
  /** The write was signed in the ledger before: this one closes it, and its orders may be told as nobody's (O119). */
  readonly isVoid: boolean;
}

/** By epoch and order number. */
type Owners = ReadonlyMap<string, Owner>;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const owners = new Map<string, Owner>();
  scene.onLog((_applied, _entry, { receipt }) => {
    const write = receipt === undefined ? undefined : scene.writes.byReceipt(receipt);
    const { epoch } = scene.truth.current;
    if (receipt === undefined || write?.row === undefined) return;
    for (const { kind, state, orderSeq, inputIndex } of receipt.items) {
      if (kind !== 'place' || state !== 'accepted' || orderSeq === undefined) continue;
      owners.set(keyOf(epoch, orderSeq.toString()), {
        strategy: placesOf(write)[inputIndex]?.strategyId,
        scope: write.scope,
        isVoid: write.row.epoch !== epoch,
      });
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind !== 'audit' || sight.event.type !== 'FillApplied') return;
      if (FORGETTING.some((id) => scene.struck.has(id))) return;
      const problem = problemOf(scene, owners, sight.event);
      if (problem !== undefined) world.violate('I1', problem);
    },
  };
}

function problemOf({ truth, world }: Scene, owners: Owners, { fields }: AuditEvent): string | undefined {
  const { id, orderId, strategy } = fields;
  const ownersIn = (epochs: Scene['truth']['epochs']): readonly Owner[] =>
    epochs.flatMap(({ epoch }) => owners.get(keyOf(epoch, String(orderId))) ?? []);
  const known = ownersIn(truth.epochs);
  if (known.some((owner) => owner.strategy === strategy)) return undefined;
  // Orders of the ledger before belong to nobody in this one, and what another wallet has left open nobody resolves.
  const isServed = ({ scope, isVoid }: Owner): boolean =>
    !isVoid && world.agents().some((agent) => scope === `agent:${agent.toLowerCase()}`);
  if (strategy === undefined && !ownersIn([truth.current]).some(isServed)) return undefined;
  const wanted = known.map((owner) => owner.strategy).join() || 'nobody';
  return `fill ${String(id)} of order ${String(orderId)} is told to ${String(strategy ?? 'nobody')}, not to ${wanted}`;
}

function keyOf(epoch: string, orderSeq: string): string {
  return `${epoch} ${orderSeq}`;
}
