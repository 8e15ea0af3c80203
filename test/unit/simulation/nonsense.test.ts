import { describe, expect, test } from 'vitest';
import type { StrategyHandlers } from '../../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../../src/domain/index.ts';
import { NONSENSE, type Nonsense } from '../../simulation/strategies/nonsense.ts';
import { aRig, OTHER, setupOf, strategyOf } from '../../support/bot-rig.ts';
import { BTC, MAKER, START_MS } from '../../support/trading-builders.ts';

/** Does one form when its timer is due. */
const author = ({ act }: Nonsense) =>
  strategyOf((context) => ({
    onTimer: (() => act(context, context.market(BTC))) as StrategyHandlers['onTimer'] & object,
  }));
const other = strategyOf((context) => ({
  onBook: ({ symbol, bestBidTicks = ticks(1) }) => {
    if (symbol === BTC)
      context.quote(BTC, { bids: [{ priceTicks: ticks(bestBidTicks - 20), sizeLots: lots(10) }], asks: [] });
  },
}));

describe('intents that mean nothing (F64)', () => {
  test('come in more than two hundred forms, each with a name of its own', () => {
    expect(new Set(NONSENSE.map(({ name }) => name)).size).toBe(NONSENSE.length);
    expect(NONSENSE.length).toBeGreaterThan(200);
  });

  test('reach no exchange and stop nobody but their author', () => {
    const wrong: string[] = [];
    for (const one of NONSENSE) {
      const rig = aRig([setupOf(author(one)), setupOf(other, { id: OTHER, lane: 'lane-2' as never })], {
        restartDelaysMs: [],
      });
      rig.book(999_990, 1_000_010);
      const before = rig.venue.submitted.length;
      rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'now', atMs: START_MS });
      rig.clock.advance(50);
      const sent = rig.venue.submitted.slice(before);
      const { state } = rig.bot.status();
      if (sent.length > 0) wrong.push(`${one.name}: it was sent`);
      rig.book(999_890, 999_910);
      const quotes = rig.bot.account.workingOrders(BTC).map(({ priceTicks }) => Number(priceTicks));
      if (state !== 'quoting' || !quotes.includes(999_870))
        wrong.push(`${one.name}: the run is ${state}, ${quotes}`);
    }
    expect(wrong).toEqual([]);
  });
});
