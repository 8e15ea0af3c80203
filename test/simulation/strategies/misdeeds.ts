/**
 * @module
 * How a fault tells a strategy of its world to misbehave. They meet in the strategy's own log: the strategy says that it
 * waits and hands over where orders are taken, so no world ever reaches the strategies of another.
 *
 *   strategy ── log: GREETING {hand} ──▶ sight ──▶ Command of the world ◀── fault strikes
 *   strategy ◀── hand.obey(misdeed) ──────────────────┘
 */
import { must } from '../../../src/core/index.ts';
import type { Sight, World } from '../types.ts';

/** Handlers and moments of a strategy in which it can throw. */
export const MOMENTS = [
  'create',
  'onLoad',
  'onStart',
  'onBook',
  'onTimer',
  'onOrder',
  'onFill',
  'onDenied',
  'onSave',
  'onStop',
] as const;

/** See {@link MOMENTS}. */
export type Moment = (typeof MOMENTS)[number];

/** What a strategy does wrong, and who is told once it has done so. */
export type Misdeed = { onDone(): void } & (
  | { readonly kind: 'throw'; readonly at: Moment }
  | { readonly kind: 'reject' | 'neverSettle' }
  /** Keeps this much memory, half of it outside of the heap, for some rounds. */
  | { readonly kind: 'hoard'; readonly bytes: number; readonly rounds: number }
  /** Hands in forms of nonsense, by number. */
  | { readonly kind: 'nonsense'; readonly first: number; readonly count: number }
  /** So many quotes in each of so many calls. */
  | { readonly kind: 'flood'; readonly perCall: number; readonly calls: number }
  /** Places an order and cancels all it has, again and again. */
  | { readonly kind: 'pingPong'; readonly calls: number }
  /** The same order so many times. */
  | { readonly kind: 'duplicates'; readonly count: number }
  /** Each of so many calls takes its time. */
  | { readonly kind: 'slow'; readonly calls: number; busy(): void }
  /** Quotes although it was told that data is stale, for some rounds. */
  | { readonly kind: 'stubborn'; readonly rounds: number }
  /** Stops itself and acts on; `leave` takes what it still does when it is long gone. */
  | { readonly kind: 'afterStop'; leave(act: () => void): void }
);

/** Where a strategy takes orders: a later one replaces an earlier one. */
export interface Hand {
  obey(misdeed: Misdeed): void;
}

/** What a strategy says each time it waits. */
export const GREETING = 'a hostile strategy waits';

/** What goes with {@link GREETING}. */
export interface Greeting {
  readonly strategy: string;
  /** `create`: it is being made, and does as it is told before that is over. */
  readonly at: 'create' | 'round';
  readonly hand: Hand;
}

const COMMANDS = new WeakMap<World, Command>();

/** All hostile strategies of one world. */
export class Command {
  /** Those that live, by name, in the order in which they spoke first. */
  readonly #hands = new Map<string, Hand>();
  #forNext: Misdeed | undefined;

  private constructor(world: World) {
    world.watch((sight) => this.#hear(sight));
  }

  /** The command of a world: it hears strategies from its first use on. */
  static of(world: World): Command {
    const known = COMMANDS.get(world) ?? new Command(world);
    COMMANDS.set(world, known);
    return known;
  }

  /** Orders a misdeed of one that lives, chosen by a number in [0, 1); false when none was heard of. */
  order(misdeed: Misdeed, choice: number): boolean {
    const hands = [...this.#hands.values()];
    if (hands.length === 0) return false;
    must(hands[Math.floor(choice * hands.length)], 'a hand').obey(misdeed);
    return true;
  }

  /** Orders a misdeed of the next one that is made; ends with what it gives. */
  orderNext(misdeed: Misdeed): () => void {
    this.#forNext = misdeed;
    return () => {
      if (this.#forNext === misdeed) this.#forNext = undefined;
    };
  }

  #hear(sight: Sight): void {
    if (sight.kind === 'life' && sight.what === 'started') this.#hands.clear();
    if (sight.kind !== 'log' || sight.message !== GREETING) return;
    const { strategy, at, hand } = sight.fields as unknown as Greeting;
    if (at === 'round') {
      this.#hands.set(strategy, hand);
      return;
    }
    this.#hands.delete(strategy);
    const misdeed = this.#forNext;
    this.#forNext = undefined;
    if (misdeed !== undefined) hand.obey(misdeed);
  }
}
