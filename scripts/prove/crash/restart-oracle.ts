/**
 * @module
 * What a death must leave and a restart must do, in addition to the oracles of the swarm: every write that was under way is
 * resolved before the first new one (obligation O34), and a dead bot has no open orders one block after its trigger
 * (invariant I11). It reads rows as text and the exchange's book; it shares nothing with the bot.
 */
import type { Sight } from '../../../test/simulation/types.ts';
import type { OpenWorld } from '../../../test/simulation/world.ts';

interface Row {
  readonly requestId: string;
  readonly kind?: string;
  readonly outcome?: string;
  readonly nonceConsumed?: boolean;
}

/** How often a death left something behind: a run in which that never happens proves nothing. */
export interface RestartFigures {
  /** Writes that a life found open at its start. */
  readonly openAtStart: number;
  /** Deaths with orders in the book. */
  readonly ordersAtDeath: number;
}

/** See the module. */
export class RestartOracle {
  readonly violations: string[] = [];
  readonly #world: OpenWorld;
  /** Requests that the life found open at its start and has not resolved yet. */
  #open = new Set<string>();
  #isDead = false;
  #openAtStart = 0;
  #ordersAtDeath = 0;

  constructor(world: OpenWorld) {
    this.#world = world;
    world.watch((sight) => this.#see(sight));
    world.exchange.control.watch((_applied, entry, at) => {
      if (entry.kind === 'block' && this.#isDead) this.#checkBook(at.blockAtMs);
    });
  }

  get figures(): RestartFigures {
    return { openAtStart: this.#openAtStart, ordersAtDeath: this.#ordersAtDeath };
  }

  #see(sight: Sight): void {
    if (sight.kind === 'life') this.#live(sight.what);
    if (sight.kind !== 'recorded') return;
    const row = JSON.parse(sight.body) as Row;
    if (sight.type === 'outcome') this.#open.delete(row.requestId);
    else if (sight.type === 'write' && row.kind === 'write' && this.#open.size > 0) {
      this.#violate(`a new write while ${this.#open.size} of an earlier life are not resolved (O34)`);
      this.#open.clear();
    }
  }

  #live(what: Extract<Sight, { readonly kind: 'life' }>['what']): void {
    if (what === 'started') {
      this.#isDead = false;
      this.#open = this.#openOnDisk();
      this.#openAtStart += this.#open.size;
    } else if (what === 'killed') {
      this.#isDead = true;
      if (this.#bookSize() > 0) this.#ordersAtDeath++;
    } else if (what === 'ended') this.#isDead = true;
  }

  /** Requests of the disk without an end: refused ones live on until their nonce is spent. */
  #openOnDisk(): Set<string> {
    const open = new Set<string>();
    for (const { type, value } of this.#world.disk.records()) {
      if (type === 'write') open.add(value.requestId);
      else if (type === 'outcome' && (value.nonceConsumed || value.outcome === 'notSent'))
        open.delete(value.requestId);
    }
    return open;
  }

  #checkBook(blockAtMs: number): void {
    const { exchange, account } = this.#world;
    const { scheduleCancelAtMs } = exchange.control.venue.account(account.accountId);
    if (blockAtMs <= scheduleCancelAtMs + exchange.settings.blockMs || this.#bookSize() === 0) return;
    this.#violate(`${this.#bookSize()} orders of a dead bot rest a block after its trigger (I11)`);
    this.#isDead = false;
  }

  #bookSize(): number {
    const { exchange, account } = this.#world;
    return exchange.control.venue.openOrders(account.accountId).length;
  }

  #violate(what: string): void {
    this.violations.push(`${Math.round(this.#world.clock.monotonicMs())} ms: ${what}`);
  }
}
