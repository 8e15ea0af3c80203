import { expect, test } from 'vitest';
import { must, seededRandom, VirtualClock } from '../../../src/core/index.ts';
import { Exchange } from '../../../src/exchange/index.ts';
import { loadCrypto } from '../../../src/wire/crypto/index.ts';
import { FAULTS } from '../../simulation/faults/exchange-market.ts';
import type { World } from '../../simulation/types.ts';

const SECOND_MS = 1_000;

test('markets whose rules were changed while they were changed have the first ones in the end (F39, I13)', async () => {
  const clock = new VirtualClock(1_767_700_020_000);
  const random = seededRandom('markets');
  const exchange = new Exchange({ clock, random, crypto: await loadCrypto() });
  exchange.start();
  const world = { clock, exchange, isHealed: false, bot: { life: { number: 1, state: 'running' } } };
  const rulesNow = () => {
    const { market } = must(exchange.control.venue.markets()[0], 'a market');
    return { tickStep: market.tickStep, lotStep: market.lotStep, status: market.status };
  };
  const before = rulesNow();
  const seen = { ticks: new Set<number>(), lots: new Set<number>() };
  const other = must(
    FAULTS.find(({ id }) => id === 'F39'),
    'the fault',
  );
  for (let n = 0; n < 60; n++) {
    other.strike({ ...world, hit: () => undefined } as unknown as World, random.fork(`strike ${n}`));
    clock.advance(SECOND_MS);
    seen.ticks.add(rulesNow().tickStep);
    seen.lots.add(rulesNow().lotStep);
  }
  expect(Math.min(seen.ticks.size, seen.lots.size)).toBeGreaterThan(2);
  clock.advance(2 * 60 * SECOND_MS);
  expect(rulesNow()).toEqual(before);
});
