/**
 * Symptom: at the end of its faults the simulation canceled every stop of the account, own ones too, and told of an alarm
 * without a fault when the bot took that for the dead man's switch (swarm seed 3748).
 */
import { expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { aCalmWorld } from '../support/calm-world.ts';

test('the healing takes away stops of others and leaves those of the bot', async () => {
  const { world } = await aCalmWorld();
  const { control } = world.exchange;
  const { accountId } = world.account;
  const { market, indexTicks } = must(control.venue.markets()[0], 'a market');
  const price = 2 * indexTicks - ((2 * indexTicks) % market.tickStep);
  const placeStop = (): bigint => {
    const { status } = control.execute({
      ...{ kind: 'PlaceConditional', account: accountId, market: market.signingMarketId, side: 'buy' },
      ...{ price, lots: BigInt(market.lotStep), tif: 'gtc', reduceOnly: false, goodTilMs: 0 },
      ...{ triggerPrice: price, triggerAbove: true, nowMs: world.clock.nowMs() },
    });
    expect(status).toBe('executed');
    return must(control.venue.triggerOrders(accountId).at(-1), 'the stop').orderSeq;
  };
  const own = placeStop();
  const foreign = placeStop();
  world.foreignStops.add(foreign);

  world.heal();

  expect(control.venue.triggerOrders(accountId).map(({ orderSeq }) => orderSeq)).toEqual([own]);
});
