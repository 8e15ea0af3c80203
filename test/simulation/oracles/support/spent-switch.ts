/**
 * @module
 * An exchange whose switch may fire so often a day (ambiguity A3) arms none any more after that, and without one no order
 * may rest (obligation O78): a right bot stands still until the day is over, or does not start.
 */
import type { OracleWorld } from '../../types.ts';
import type { Scene } from './scene.ts';

/** Can no switch of the bot's account be armed today any more? */
export function isSwitchSpent({ exchange, accountId }: Pick<OracleWorld, 'exchange' | 'accountId'>): boolean {
  return exchange.control.venue.account(accountId).isSwitchSpent;
}

/** Was the last life refused for want of a switch? What it had sent is resolved by a start of the next day. */
export function isRefusedUnarmed({ life, world }: Scene): boolean {
  return life?.end === 'refused' && isSwitchSpent(world);
}
