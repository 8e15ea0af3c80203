/** @module What the oracles may look at of a simulated world, and where they report. */
import { toHex } from '../../src/core/index.ts';
import { isExternal } from '../../src/wire/crypto/index.ts';
import type { OracleWorld } from './types.ts';
import type { OpenWorld } from './world.ts';

/** `world` as its oracles see it; what breaks an invariant goes to `violate`. */
export function oracleWorldOf(world: OpenWorld, violate: OracleWorld['violate']): OracleWorld {
  const { plan, clock, exchange, account } = world;
  return {
    plan,
    clock,
    exchange,
    accountId: account.accountId,
    address: account.address,
    get isHealed() {
      return world.isHealed;
    },
    view: () => world.bot.life.view(),
    life: () => world.bot.life,
    isPaused: () => world.bot.isPaused,
    agents: () => world.agents(),
    secrets: () => [
      account.privateKey,
      ...world.wallets().flatMap(({ key }) => (isExternal(key) ? [] : [toHex(key.exposeBytes())])),
    ],
    hit: (what) => world.hit(what),
    violate,
  };
}
