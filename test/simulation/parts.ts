/**
 * @module
 * Words that the parts of a world share.
 */
import type { PreparedStrategy } from '../../src/bot/setup/index.ts';
import type { ConfigSource } from '../../src/config/index.ts';
import type { Crypto } from '../../src/wire/crypto/index.ts';
import type { Sight } from './types.ts';

/** A sight before its time is put on it. */
export type SightWithoutTime = Sight extends infer One
  ? One extends Sight
    ? Omit<One, 'atMs'>
    : never
  : never;

/** What the bot is started with, in every life. */
export interface BotProgram {
  readonly seed: number;
  readonly source: ConfigSource;
  readonly strategies: readonly PreparedStrategy[];
  readonly crypto: Crypto;
}

/** Is a life over that is told to be so? */
export function isOver(what: Extract<Sight, { readonly kind: 'life' }>['what']): boolean {
  return what === 'killed' || what === 'ended' || what === 'refused' || what === 'failed';
}
