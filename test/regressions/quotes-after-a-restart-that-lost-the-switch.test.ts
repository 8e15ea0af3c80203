import { describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { defaultQuirks } from '../../src/exchange/state/quirks.ts';
import { runWholeBot, startOf } from '../support/whole-bot.ts';

const RESTART_MS = 17_300;

describe('an exchange that was started again and has forgotten the switch', () => {
  test('is given a new one before the first order after the gap (A14, O78, I11)', async () => {
    const { observed, world, report } = await runWholeBot({
      seed: 6,
      forMs: 40_000,
      settings: { quirks: { ...defaultQuirks(), A14: 'lost' } },
      prepare: ({ clock, exchange }) => {
        clock.after(RESTART_MS, () => exchange.control.restart({ down: 800 }));
      },
    });
    const gapMs = startOf(world) + RESTART_MS;
    const placed = must(
      observed.placedAtMs.find((atMs) => atMs > gapMs),
      'orders after the gap',
    );
    const armed = must(
      observed.armedAtMs.find((atMs) => atMs > gapMs),
      'a switch after the gap',
    );
    expect(armed).toBeLessThanOrEqual(placed);
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
  });
});
