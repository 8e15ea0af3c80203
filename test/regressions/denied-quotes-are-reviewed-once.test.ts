/** @module A quote that was denied is judged once for each time that it is stated, not again with each row of its market. */
import { expect, test } from 'vitest';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC } from '../support/trading-builders.ts';

test('a denied quote is denied once per word of its strategy', () => {
  let isAsking = true;
  const denials: string[] = [];
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () => {
        if (isAsking)
          context.quote(BTC, { bids: [{ priceTicks: ticks(1_000_010), sizeLots: lots(10) }], asks: [] });
      },
      onDenied: ({ code }) => {
        denials.push(code);
      },
    })),
  );
  rig.book(999_990, 1_000_010);
  isAsking = false;
  for (let row = 0; row < 10; row++) rig.book(999_990, 1_000_010);
  expect(denials).toEqual(['RISK_POST_ONLY_WOULD_CROSS']);
  isAsking = true;
  rig.book(999_990, 1_000_010);
  expect(denials).toEqual(['RISK_POST_ONLY_WOULD_CROSS', 'RISK_POST_ONLY_WOULD_CROSS']);
  expect(rig.venue.submitted).toEqual([]);
});
