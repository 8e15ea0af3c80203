import { expect, test } from 'vitest';
import type { StrategyContext } from '../../../../src/bot/strategy/index.ts';
import { lots, type OrderId, ticks } from '../../../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, LANE, MAKER, START_MS } from '../../../support/trading-builders.ts';

const BY = { actor: 'ann', reason: 'lunch' } as const;

const level = (price: number) => ({ priceTicks: ticks(price), sizeLots: lots(10) });

/** A maker that does with each book of BTC what the test says. */
function aMaker(act: (context: StrategyContext) => void, options: Parameters<typeof aRig>[1] = {}): Rig {
  return aRig(
    strategyOf((context) => ({
      onBook: (view) => {
        if (view.symbol === BTC) act(context);
      },
    })),
    options,
  );
}

const both = (context: StrategyContext): void =>
  context.quote(BTC, { bids: [level(999_980)], asks: [level(1_000_020)] });

/** Code and words by side. */
function gapsOf({ bot }: Rig): Record<string, string> {
  const reasons = bot.status().markets.find(({ symbol }) => symbol === BTC)?.noQuoteReasons ?? [];
  return Object.fromEntries(reasons.map(({ side, code, reason }) => [side, `${code} | ${reason}`]));
}

test('a strategy that has said nothing has not asked', () => {
  const rig = aMaker(() => undefined);
  expect(gapsOf(rig)).toEqual({
    bid: 'notAsked | no quotes were ever asked for',
    ask: 'notAsked | no quotes were ever asked for',
  });
});

test('sides are told apart: one is quoted, the other is not wanted', () => {
  const rig = aMaker((context) => context.quote(BTC, { bids: [level(999_980)], asks: [] }));
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)).toEqual({ ask: 'notWanted | the strategy wants no ask' });
});

test('a filled side says so until another order is there', () => {
  let isQuoting = true;
  const rig = aMaker((context) => {
    if (isQuoting) both(context);
  });
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)).toEqual({});
  isQuoting = false;
  rig.fill('101' as OrderId);
  expect(gapsOf(rig)).toEqual({ bid: 'ended | order 101 was filled' });
  isQuoting = true;
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)).toEqual({});
});

test('a denial has its code and its numbers', () => {
  const rig = aMaker((context) => context.quote(BTC, { bids: [level(500_000)], asks: [level(1_000_020)] }));
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)).toEqual({
    bid: expect.stringMatching(/^denied \| RISK_PRICE_OUTSIDE_COLLAR: .*[0-9]/),
  });
});

test('a write under way, an unresolved one and a rejection', () => {
  const rig = aMaker(both);
  rig.venue.isInstant = false;
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)['ask']).toMatch(/^inFlight \| an order is on its way: run-1.*, write 0x0001$/);
  rig.feed({ type: 'WriteUnresolved', lane: LANE, requestId: '0x0001' as never, why: 'no answer' } as never);
  expect(gapsOf(rig)['ask']).toBe(`writeUnresolved | a write of lane ${LANE} has no proven outcome: 0x0001`);
  rig.venue.reject('price too old');
  expect(gapsOf(rig)['ask']).toBe('rejected | the last order was rejected: price too old');
});

test('a person, old data, a failed strategy and the end', async () => {
  let isFailing = false;
  const rig = aMaker(
    (context) => {
      if (isFailing) throw new Error('no idea');
      both(context);
    },
    { restartDelaysMs: [] },
  );
  rig.book(999_990, 1_000_010);
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', BY);
  expect(gapsOf(rig)['bid']).toBe('haltedByPerson | ann: lunch');
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'active', BY);
  expect(gapsOf(rig)['bid']).toBe('pulled | lunch');
  rig.clock.advance(5_000);
  keepArmed(rig);
  expect(gapsOf(rig)['bid']).toMatch(/^marketStale \| data of BTC-PERP is 5000 ms old/);
  isFailing = true;
  rig.book(999_990, 1_000_010);
  expect(gapsOf(rig)['bid']).toBe('strategyFailed | onBook threw: no idea');
  await rig.bot.stop('enough');
  expect(gapsOf(rig)['bid']).toMatch(/^stopped/);
});

test('the rows of the journal cover every millisecond of a side without a gap between them', async () => {
  let isQuoting = true;
  const rig = aMaker((context) => {
    if (isQuoting) both(context);
    else context.pullQuotes('enough');
  });
  for (let second = 0; second < 20; second++) {
    isQuoting = second % 5 < 3;
    keepArmed(rig);
    rig.book(999_990, 1_000_010);
    if (second === 7) rig.fill(rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId);
    if (second === 12) rig.bot.setTrading({ kind: 'account' }, 'halted', BY);
    rig.clock.advance(700);
    if (second === 12) rig.bot.setTrading({ kind: 'account' }, 'active', BY);
    rig.clock.advance(300);
  }
  await rig.bot.stop('enough');
  const rows = rig.audit.typesOf('QuoteGapEnded').map(({ fields }) => fields);
  const ofBid = rows.filter(({ symbol, side, forMs }) => symbol === BTC && side === 'bid' && forMs !== 0);
  const covered = ofBid.map(({ code, sinceMs, forMs }) => [code, Number(sinceMs) - START_MS, forMs]);
  expect(covered).toEqual([
    ['notWanted', 3_000, 2_000],
    ['ended', 7_000, 1_000],
    ['notWanted', 8_000, 2_000],
    ['haltedByPerson', 12_000, 700],
    ['pulled', 12_700, 300],
    ['notWanted', 13_000, 2_000],
    ['notWanted', 18_000, 2_000],
  ]);
  // What lasts has a row from its first look on: a crash leaves it.
  expect(rig.audit.typesOf('QuoteGapBegan').length).toBeGreaterThan(5);
  expect(rows.every(({ strategy }) => strategy === MAKER)).toBe(true);
});
