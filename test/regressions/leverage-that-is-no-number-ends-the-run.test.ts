import { describe, expect, test } from 'vitest';
import type { StrategyContext } from '../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC, MAKER, START_MS } from '../support/trading-builders.ts';

/** A run with one strategy that does this when its timer is due. */
function doing(act: (context: StrategyContext) => void) {
  const rig = aRig(strategyOf((context) => ({ onTimer: () => void act(context) as undefined })));
  rig.book(999_990, 1_000_010);
  rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'now', atMs: START_MS });
  return rig;
}

/**
 * What a strategy asked for was put into a text only when it was routed, outside of the strategy's own call: what throws
 * there stopped everybody.
 */
describe('what a strategy hands over', () => {
  test.each([
    ['a symbol', Symbol('five')],
    ['an object whose text throws', { toString: () => [].at(0) as unknown as string }],
    ['text', '5'],
  ])('as leverage is denied when it is %s, and the run goes on (F64)', (_what, leverage) => {
    const rig = doing((context) => context.setLeverage(BTC, leverage as never));
    expect(rig.bot.status().state).not.toBe('stopping');
    expect(rig.audit.typesOf('IntentDenied').map(({ fields }) => fields['code'])).toEqual([
      'RISK_LEVERAGE_SETTING_INVALID',
    ]);
    expect(rig.venue.submitted).toEqual([]);
  });

  test('as a reason is kept as text: it goes into the journal when nobody can stop it any more (F64)', () => {
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    const rig = doing((context) => context.pullQuotes(cyclic as never, BTC));
    // Written down while it lasts, with the next look of the guard.
    rig.clock.advance(1_000);
    const details = rig.audit.events.map(({ fields }) => String(fields['detail']));
    expect(details.some((detail) => detail.includes('[object Object]'))).toBe(true);
    expect(() => JSON.stringify(rig.audit.events)).not.toThrow();
  });
});
