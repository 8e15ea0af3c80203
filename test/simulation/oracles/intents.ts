/**
 * @module
 * I5 and I6: an intent is executed at most once and by a write that the journal knows, and every one of them comes to a
 * proven end, over all lives of the bot.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { recoversSinceMs, type Scene, sceneOf } from './support/scene.ts';
import { isRefusedUnarmed } from './support/spent-switch.ts';
import type { Receipt } from './support/truth.ts';
import { placesOf, type Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I5', 'I6'], begin }];

/** After the healing, the start of the life that came later, or the end of a wait that the exchange ordered. */
const WITHIN_MS = 30_000;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const executed = new Map<string, Write>();
  const labels = new Set<string>();
  /** When the open writes of this life were judged. */
  let judgedLife = 0;
  scene.onLog((_applied, _entry, { receipt }) => {
    if (receipt?.nonceConsumed === true) once(scene, receipt, { executed, labels });
  });
  // A wallet whose grant is gone is replaced by a person; nobody can spend a nonce of the old one any more.
  const isServed = (scope: string): boolean =>
    world.agents().some((agent) => scope === `agent:${agent.toLowerCase()}`);
  const openSince = (untilMs: number): readonly Write[] =>
    [...scene.writes.open].filter(
      ({ isDurable, outcome, recordedAtMs, scope }) =>
        isDurable && outcome === undefined && (recordedAtMs ?? 0) <= untilMs && isServed(scope),
    );
  return {
    onSight: (sight) => scene.see(sight),
    onBlock: () => {
      const { life } = scene;
      const fromMs = recoversSinceMs(scene);
      if (fromMs === undefined || life === undefined || life.number === judgedLife) return;
      if (scene.nowMs <= fromMs + WITHIN_MS) return;
      judgedLife = life.number;
      for (const { nonce, scope } of openSince(fromMs))
        world.violate('I6', `nonce ${nonce} of ${scope} is open ${WITHIN_MS} ms after all was healed`);
    },
    atEnd: () => {
      // A journal that was damaged on the disk is refused by name; what stood in it is for a person to find.
      if (scene.life?.end === 'refused' && (scene.struck.has('F57') || scene.struck.has('F58'))) return;
      if (isRefusedUnarmed(scene)) return;
      for (const { nonce, scope } of openSince(scene.nowMs))
        world.violate('I6', `nonce ${nonce} of ${scope} has no proven end when all is over`);
    },
  };
}

function once(
  scene: Scene,
  receipt: Receipt,
  { executed, labels }: { readonly executed: Map<string, Write>; readonly labels: Set<string> },
): void {
  const { world, writes } = scene;
  const write = writes.byReceipt(receipt);
  const what = `nonce ${receipt.request.nonce} of ${receipt.scope}`;
  // A second bot that signs with the same wallet is a fault of the run, not a write of ours (F69, F72).
  if (write === undefined || write.sentAtMs.length === 0) return;
  if (write.row === undefined) {
    world.violate('I5', `${what} was executed and the journal does not know it`);
    return;
  }
  for (const { kind, state, inputIndex } of receipt.items) {
    if (kind !== 'place' || state !== 'accepted') continue;
    const place = placesOf(write)[inputIndex];
    if (place === undefined) {
      world.violate('I5', `${what} placed item ${inputIndex}, which its record does not have`);
      continue;
    }
    const before = executed.get(place.intentId);
    if (before !== undefined)
      world.violate('I5', `intent ${place.intentId} was executed twice, by ${what} too`);
    executed.set(place.intentId, write);
    const label = receipt.request.clientOrderIds[inputIndex];
    if (label === undefined) continue;
    if (labels.has(label)) world.violate('I5', `client order id ${label} twice`);
    labels.add(label);
  }
}
