import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../../src/core/index.ts';
import { type Fact, lots, type MarketSymbol, ppm, quantums, ticks, totalOf } from '../../src/domain/index.ts';
import { AccountCharges } from '../../src/research/venue/account-charges.ts';
import { FILL_MODELS } from '../../src/research/venue/index.ts';
import { takeChanges } from '../support/changes.ts';
import { LocalRig, type OrderInput } from '../support/local-rig.ts';
import { aMarket } from '../unit/exchange/engine/desk.ts';

const MARKET = aMarket({ lotStep: lots(2), initialMarginPpm: ppm(100_000) });
const TIFS = ['gtc', 'ioc', 'fok', 'postOnly'] as const;

/** A market that walks, trades and settles, with orders of ours in it. Small cash, so that margin and liquidation matter. */
function randomRun(seed: number, model: (typeof FILL_MODELS)[number], isMarked = true): LocalRig {
  const random = seededRandom(seed);
  const rig = new LocalRig({
    model,
    seed,
    markets: [MARKET],
    collateral: quantums(BigInt(random.integer(50_000, 20_000_000))),
    fees: { makerPpm: ppm(random.integer(-150, 200)), takerPpm: ppm(random.integer(0, 700)) },
    feeTiers: [{ volumeMin: quantums(100_000_000n), makerPpm: ppm(-50), takerPpm: ppm(333) }],
    latency: {
      entry: { kind: 'sampled', us: [100, 900, 5000] },
      response: { kind: 'sampled', us: [0, 300, 2500] },
    },
  });
  let mid = 1000;
  if (isMarked) rig.frame(['index', mid], ['mark', mid]);
  for (let step = 0; step < 150; step++) {
    const jump = random.chance(0.03) ? 150 : 6;
    mid = Math.max(200, mid + random.integer(-jump, jump));
    const sizes = () => random.integer(0, 20) * 2;
    const levels = [1, 2, 3].flatMap((away) => [
      ['bidLevel', mid - away, sizes()] as const,
      ['askLevel', mid + away, sizes()] as const,
    ]);
    rig.frame(['bookReset'], ...levels);
    rig.frame([
      random.chance(0.5) ? 'buyTrade' : 'sellTrade',
      mid + random.integer(-4, 4),
      2 + sizes(),
      step,
    ]);
    if (random.chance(0.4) && isMarked) rig.frame(['mark', mid + random.integer(-2, 2)]);
    if (random.chance(0.05)) rig.frame(['fundingRate', 0, random.integer(-4_000_000, 4_000_000)]);
    if (random.chance(0.02)) rig.frame(['fundingSettled', mid, random.integer(-9_000_000, 9_000_000)]);
    if (random.chance(0.03)) rig.frame(['hole', 0, 0, rig.us + 20_000]);
    if (random.chance(0.05)) rig.tick(random.integer(1, 3) * 1_800_000_000);
    const { us } = rig;
    if (random.chance(0.7) && rig.venue.isReady('lane' as never)) {
      const input = (): OrderInput => ({
        side: random.chance(0.5) ? 'buy' : 'sell',
        price: mid + random.integer(-4, 4),
        size: random.integer(1, 30) * 2,
        tif: TIFS[random.integer(0, 3)] ?? 'gtc',
        reduceOnly: random.chance(0.2),
        ...(random.chance(0.1) ? { expiresAtMs: us / 1000 + 50 } : {}),
      });
      rig.place(...Array.from({ length: random.integer(1, 3) }, input));
    }
    if (random.chance(0.1)) rig.venue.submitSafety({ kind: 'cancelAll' });
    if (random.chance(0.02))
      rig.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: (us / 1000 + 60_000) as never });
  }
  return rig.tick(10_000_000);
}

/** What is wrong with the books of a run; empty: nothing. */
function problemsOf(rig: LocalRig): string[] {
  const problems: string[] = [];
  const told = rig.facts.flatMap((fact) => (fact.type === 'LedgerRecorded' ? [fact.entry] : []));
  const cash = told.reduce((sum, { amount }) => sum + amount, 0n);
  const { collateral, equity } = rig.venue.balance();
  if (cash !== collateral) problems.push(`ledger ${cash}, cash ${collateral}`);
  const transfers = told
    .filter(({ kind }) => kind === 'deposit' || kind === 'insurance')
    .reduce((sum, { amount }) => sum + amount, 0n);
  const marks = rig.facts.length === 0 ? [] : [rig.lastMark];
  const pnl = rig.account.pnl(() => (marks[0] === undefined ? undefined : ticks(marks[0])));
  const residual = equity - transfers - totalOf(pnl);
  if (residual !== 0n) problems.push(`residual ${residual}`);
  for (const mismatch of rig.account.positionMismatches()) problems.push(`position ${mismatch.symbol}`);
  const anomalies = takeChanges(rig.account)
    .flatMap((change) => (change.type === 'AnomalySeen' ? [change] : []))
    // A liquidation is an order of the exchange, as it is there.
    .filter(({ kind }) => kind !== 'switchFired' && kind !== 'fillWithoutOrder' && kind !== 'unknownOrder');
  for (const { kind, detail } of anomalies) problems.push(`${kind}: ${detail}`);
  const symbol = MARKET.symbol as MarketSymbol;
  for (const order of rig.account.workingOrders(symbol))
    if (rig.venue.queueOf(order.orderId) === undefined && rig.hasQueue)
      problems.push(`order ${order.orderId} is gone`);
  return problems;
}

describe('a local account over random markets', () => {
  test.each(FILL_MODELS.filter((name) => name !== 'fifo'))(
    'the ledger is the cash, and the change of equity is realized + unrealized + funding - fees, exactly (%s)',
    (model) => {
      let filled = 0;
      let liquidated = 0;
      let funded = 0;
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
          const rig = randomRun(seed, model);
          filled += rig.fills.length;
          for (const fact of rig.facts) {
            if (fact.type !== 'LedgerRecorded') continue;
            if (fact.entry.kind === 'liquidation_fee' || fact.entry.kind === 'insurance') liquidated++;
            if (fact.entry.kind === 'funding') funded++;
          }
          expect(problemsOf(rig), `seed ${seed}`).toEqual([]);
        }),
        { numRuns: 25, seed: 20261122 },
      );
      // The flow must reach what is to be shown.
      expect(filled).toBeGreaterThan(500);
      expect(liquidated).toBeGreaterThan(0);
      expect(funded).toBeGreaterThan(10);
    },
  );

  test.each([true, false])(
    'a position is closed out when it must be, though most prices are not judged (marks published: %s)',
    (isMarked) => {
      let liquidated = 0;
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
          const { facts } = randomRun(seed, 'queue-power', isMarked);
          const always = vi.spyOn(AccountCharges.prototype, 'revalue').mockImplementation(function (
            this: AccountCharges,
            us,
          ) {
            this.liquidate(us);
          });
          const judged = randomRun(seed, 'queue-power', isMarked);
          always.mockRestore();
          expect(facts, `seed ${seed}`).toEqual(judged.facts);
          const isClosing = (fact: Fact) =>
            fact.type === 'LedgerRecorded' && fact.entry.kind === 'liquidation_fee';
          if (facts.some(isClosing)) liquidated++;
        }),
        { numRuns: 150, seed: 20261126 },
      );
      expect(liquidated).toBeGreaterThan(10);
    },
  );

  test('the same seed tells the same facts twice', () => {
    const said = (seed: number) =>
      JSON.stringify(randomRun(seed, 'queue-power').facts, (_key, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
    expect(said(3)).toBe(said(3));
  });
});
