/**
 * @module
 * A bot that dies and finds its journal damaged at the next start: it must refuse it by name, or say at the start which
 * scopes were used by writes that it does not know, before its first new write (invariant I20).
 */

import { JournalState } from '../../../src/bot/journal/index.ts';
import type { Random } from '../../../src/core/index.ts';
import type { Damage } from '../../../test/simulation/disk-damage.ts';
import type { Sight } from '../../../test/simulation/types.ts';
import type { OpenWorld } from '../../../test/simulation/world.ts';
import type { Deed } from './deed.ts';

const NAMED = /^journal (?:behind|empty):/;
const DIES_MS = { min: 8_000, max: 30_000 } as const;

/** Damages a journal and watches what becomes of it. */
export class DamageDeed implements Deed {
  readonly violations: string[] = [];
  /** A journal was damaged, and a bot has made its first new write on it. */
  isReached = false;
  deaths = 0;
  readonly #world: OpenWorld;
  readonly #kind: Damage;
  readonly #random: Random;
  /** Highest nonces that the journal knew before. */
  #before = new Map<string, bigint>();
  /** Scopes that must be named before the first new write. */
  #unnamed = new Set<string>();
  #isDamaged = false;
  #mustBeRefused = false;
  /** Highest nonces that the exchange has seen used. */
  readonly #usedNonces = new Map<string, bigint>();

  constructor(world: OpenWorld, kind: Damage, random: Random) {
    this.#world = world;
    this.#kind = kind;
    this.#random = random;
    world.clock.after(random.integer(DIES_MS.min, DIES_MS.max), () => this.#strike());
    world.watch((sight) => this.#see(sight));
    world.exchange.control.watch(({ receipt }) => {
      if (receipt?.nonceConsumed === true) this.#usedNonces.set(receipt.scope, receipt.request.nonce);
    });
  }

  #strike(): void {
    const { bot, disk } = this.#world;
    if (bot.life.state !== 'running') return;
    this.#world.tell({ kind: 'fault', id: 'F57', what: 'begun' });
    bot.kill('powerLoss');
    this.deaths++;
    this.#before = this.#highest();
    const lost = disk.damage(this.#kind, this.#random);
    this.#isDamaged = lost > 0;
    this.#mustBeRefused = this.#kind === 'bit flip' || this.#kind === 'lost row';
  }

  #see(sight: Sight): void {
    if (!this.#isDamaged) return;
    if (sight.kind === 'log' && NAMED.test(sight.message))
      this.#unnamed.delete(String(sight.fields['scope']));
    else if (sight.kind === 'recorded' && sight.type === 'write') this.#checkNamed();
    else if (sight.kind === 'life') this.#live(sight);
  }

  #live({ what, why = '' }: Extract<Sight, { readonly kind: 'life' }>): void {
    if (what === 'started' && !this.#mustBeRefused) this.#unnamed = this.#used();
    if (what === 'refused' && this.#mustBeRefused) {
      this.#mustBeRefused = false;
      if (!why.includes('expected an intact journal')) this.violations.push(`refused as "${why}"`);
    } else if (what === 'ready' && this.#mustBeRefused) {
      this.#mustBeRefused = false;
      this.violations.push(`a journal with a ${this.#kind} was taken for an intact one`);
    }
  }

  #checkNamed(): void {
    if (this.#mustBeRefused) return;
    this.isReached = true;
    this.#isDamaged = false;
    for (const scope of this.#unnamed)
      this.violations.push(`writes of ${scope} are missing, and a new write is made before that is said`);
  }

  /** Scopes in which the exchange has used more than the journal knows now, and less than it knew before. */
  #used(): Set<string> {
    const now = this.#highest();
    const scopes = [...this.#before].filter(([scope, before]) => (now.get(scope) ?? -1n) < before);
    return new Set(
      scopes.map(([scope]) => scope).filter((scope) => this.#isUsedBeyond(scope, now.get(scope))),
    );
  }

  /** At least one of the lost writes has used its nonce. */
  #isUsedBeyond(scope: string, known: bigint | undefined): boolean {
    const used = this.#usedNonces.get(scope);
    return used !== undefined && used > (known ?? -1n);
  }

  #highest(): Map<string, bigint> {
    const state = new JournalState();
    for (const record of this.#world.disk.records()) state.apply(record);
    return new Map(state.image().highest);
  }
}
