/**
 * @module
 * Finds moments at which nothing is under way between bot and exchange, so that what both believe can be compared. What
 * is compared is of the account: a bot that asks for the book of an idle market again each second is at rest all the same.
 */
import type { Sight } from './types.ts';
import type { OpenWorld } from './world.ts';

/** Longer than all but the rarest frame takes, and shorter than a block. */
const HOPS = 20;
const MARGIN_MS = 20;
const TRAFFIC: ReadonlySet<Sight['kind']> = new Set([
  'request',
  'arrived',
  'answer',
  'noAnswer',
  'sent',
  'frame',
  'recorded',
  'durable',
]);

const BOOKS: ReadonlySet<string> = new Set(['book', 'bbo']);
const ANSWERS: ReadonlySet<string> = new Set(['subscribed', 'unsubscribed']);

/** True of a frame that brings a book, asks for one, or answers that; of nothing that names another channel beside it. */
export function isOfBooks(text: string): boolean {
  const channels = [...text.matchAll(/"channel":"([a-zA-Z]+)"/g)].map(([, name = '']) => name);
  return (
    channels.some((name) => BOOKS.has(name)) && channels.every((name) => BOOKS.has(name) || ANSWERS.has(name))
  );
}

/** Watches for rest. */
export class Quiet {
  readonly #world: OpenWorld;
  readonly #forMs: number;
  #lastMs = 0;
  #flying = 0;

  constructor(world: OpenWorld) {
    this.#world = world;
    const { frameMs } = world.plan.latency;
    this.#forMs = Math.min(HOPS * frameMs, world.exchange.settings.blockMs - 2 * MARGIN_MS) + MARGIN_MS;
    world.watch((sight) => this.#note(sight));
    world.exchange.control.watch(({ events }) => {
      if (events.length > 0) this.#lastMs = world.clock.monotonicMs();
    });
  }

  /** Is nothing under way, and does the bot know where it stands? */
  isNow(): boolean {
    const { bot, clock } = this.#world;
    if (this.#flying > 0 || clock.monotonicMs() - this.#lastMs < this.#forMs) return false;
    const view = bot.life.state === 'running' && !bot.isPaused ? bot.life.view() : undefined;
    return view !== undefined && view.unresolved === 0 && view.account === 'synced';
  }

  #note(sight: Sight): void {
    if ((sight.kind === 'frame' || sight.kind === 'sent') && isOfBooks(sight.text)) return;
    if (TRAFFIC.has(sight.kind)) this.#lastMs = sight.atMs;
    if (sight.kind === 'request') this.#flying++;
    else if (sight.kind === 'answer' || sight.kind === 'noAnswer') this.#flying--;
    // What was under way from a life that is over is answered to nobody.
    else if (sight.kind === 'life' && sight.what === 'started') this.#flying = 0;
  }
}
