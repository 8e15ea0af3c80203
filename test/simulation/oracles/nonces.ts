/**
 * @module
 * I7 and I9: one lane, one open write. Consumed nonces of a scope are contiguous, a second payload is signed for a nonce
 * only after a fence record or a proven refusal, and nothing goes on to a new nonce while one is open.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import type { Receipt } from './support/truth.ts';
import type { Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I7', 'I9'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const watch = new ScopeWatch(scene);
  scene.onLog((_applied, entry, { receipt }) => {
    // A rollback takes the counters back with everything else.
    if (entry.kind === 'epoch') watch.beginEpoch();
    if (receipt?.nonceConsumed === true) watch.consumed(receipt);
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      const write = scene.writes.sentBy(sight)?.write;
      if (write !== undefined) watch.sent(write);
    },
  };
}

class ScopeWatch {
  readonly #scene: Scene;
  /** The last nonce of a scope that the log consumed. */
  readonly #consumed = new Map<string, bigint>();
  /** The same at the end of the ledger before: a new one that keeps its state goes on from there. */
  readonly #consumedBefore = new Map<string, bigint>();
  readonly #highestSent = new Map<string, bigint>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  beginEpoch(): void {
    for (const [scope, nonce] of this.#consumed) this.#consumedBefore.set(scope, nonce);
    this.#consumed.clear();
    this.#highestSent.clear();
  }

  consumed({ scope, request: { nonce } }: Receipt): void {
    const before = this.#consumed.get(scope);
    this.#consumed.set(scope, nonce);
    if (before === undefined || nonce === before + 1n || this.#mayRestart(nonce)) return;
    // Wallets of others count on their own, and so does a second bot on the same wallet (F69, F72).
    const isOwn = this.#scene.writes.hasScope(scope);
    if (!isOwn || this.#scene.struck.has('F69') || this.#scene.struck.has('F72')) return;
    this.#violate('I7', `nonce ${nonce} of ${scope} was consumed after ${before}`);
  }

  sent(write: Write): void {
    const { scope, nonce } = write;
    this.#checkPayload(write);
    this.#checkOpen(write);
    const highest = this.#highestSent.get(scope);
    const known = maxOf(highest, this.#consumed.get(scope));
    // A lane that began at what a replica showed that was behind goes on where the ledger before had ended.
    const isNextOfBefore = nonce - 1n === this.#consumedBefore.get(scope);
    if (known !== undefined && nonce > known + 1n && !isNextOfBefore)
      this.#violate('I7', `nonce ${nonce} of ${scope} left after ${known}: one was left out`);
    if (highest === undefined || nonce > highest) this.#highestSent.set(scope, nonce);
  }

  /** A grant that is given again may begin at 0 (ambiguity A15). */
  #mayRestart(nonce: bigint): boolean {
    return nonce === 0n && this.#scene.world.plan.ambiguities['A15'] === 'restarts';
  }

  #checkPayload(write: Write): void {
    const { scope, nonce, bytes, row } = write;
    if (row?.kind === 'fence') return;
    for (const other of this.#scene.writes.ofNonce(scope, nonce)) {
      if (other.bytes === bytes || other.sentAtMs.length === 0) continue;
      const isOutOfTheWay = other.outcome?.outcome === 'refused' || other.outcome?.outcome === 'notSent';
      if (!isOutOfTheWay && !this.#isOfAnotherLedger(other, write))
        this.#violate('I7', `a second payload for nonce ${nonce} of ${scope} without a fence`);
    }
  }

  #checkOpen(write: Write): void {
    for (const other of this.#scene.writes.open)
      if (other.scope === write.scope && other.nonce < write.nonce && other.isDurable)
        this.#violate(
          'I9',
          `nonce ${write.nonce} of ${write.scope} left while ${other.nonce} had no proven end`,
        );
  }

  /**
   * After a rollback (fault F40) or a new grant (ambiguity A15) numbers are given again; a life whose disk has lost rows
   * (F57, F58) burns the number that it finds with a harmless write (obligation O122).
   */
  #isOfAnotherLedger(one: Write, other: Write): boolean {
    const { struck } = this.#scene;
    const isForgotten = one.life !== other.life && (struck.has('F57') || struck.has('F58'));
    return isForgotten || one.row?.epoch !== other.row?.epoch || this.#mayRestart(0n);
  }

  #violate(id: 'I7' | 'I9', what: string): void {
    this.#scene.world.violate(id, what);
  }
}

function maxOf(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
