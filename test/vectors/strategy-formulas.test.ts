/** The bundled strategies' formulas against figures computed elsewhere. */
import { describe, expect, test } from 'vitest';
import { modelQuotesOf } from '../../strategies/avellaneda-stoikov/quotes.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';

interface Vectors {
  tolerance: number;
  avellanedaStoikov: {
    mid: number;
    inventory: number;
    gamma: number;
    sigma: number;
    k: number;
    timeLeft: number;
    reservation: number;
    spread: number;
    bid: number;
    ask: number;
  }[];
}

const isThere = hasShared('vectors', 'strategy-formulas.json');
const { tolerance, avellanedaStoikov } = isThere
  ? readSharedJson<Vectors>('vectors', 'strategy-formulas.json')
  : { tolerance: 0, avellanedaStoikov: [] };

describe.skipIf(!isThere)('Avellaneda and Stoikov', () => {
  test.each(avellanedaStoikov)(
    'quotes $bid and $ask with an inventory of $inventory and $timeLeft left',
    ({ k: kappa, reservation, spread, bid, ask, ...input }) => {
      const quotes = modelQuotesOf({ ...input, kappa });
      for (const [name, value] of Object.entries({ reservation, spread, bid, ask }))
        expect(Math.abs(quotes[name as keyof typeof quotes] - value), name).toBeLessThanOrEqual(tolerance);
    },
  );

  test('has cases', () => expect(avellanedaStoikov.length).toBeGreaterThan(0));
});
