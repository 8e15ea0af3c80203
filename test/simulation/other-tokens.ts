/**
 * @module
 * Somebody pays tokens into the bot's account that are no collateral: nothing goes wrong by that, and none of it may be
 * counted as cash (obligation O9).
 */
import { must, type Random } from '../../src/core/index.ts';
import { TOKENS } from '../../src/exchange/index.ts';
import type { OpenWorld } from './world.ts';

const MINUTE_MS = 60_000;
/** Mostly amounts that would be some of collateral too. */
const COMMON_DECIMALS = 6;
const FINE_SHARE = 0.3;
const UNITS_MAX = 5_000_000_000;

/** Pays in from now on until the world is healed. */
export function payInTokens(world: OpenWorld, random: Random, perMinute: number): void {
  const { clock, exchange, account } = world;
  clock.after(random.exponential(MINUTE_MS / perMinute), () => {
    if (world.isHealed) return;
    const { token, decimals } = must(
      TOKENS[random.integer(1, TOKENS.length - 1)],
      'a token beside the first',
    );
    const scale = 10n ** BigInt(random.chance(FINE_SHARE) ? 0 : decimals - COMMON_DECIMALS);
    const amount = BigInt(random.integer(1, UNITS_MAX)) * scale;
    exchange.control.deposit(account.address, amount, account.subaccount, token);
    payInTokens(world, random, perMinute);
  });
}
