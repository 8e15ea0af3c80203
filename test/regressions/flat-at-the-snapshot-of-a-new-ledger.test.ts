/**
 * @module
 * A snapshot of positions leaves flat markets out: a market that is heard of only later was flat there all the same, so
 * that what the history of a new ledger does not explain is taken over (invariants I2, I13).
 */
import { describe, expect, test } from 'vitest';
import { AccountState, type Cursor, type Fact } from '../../src/domain/index.ts';
import { aFill, aMarket, BTC, seq } from '../support/trading-builders.ts';
import { DISTURBED_SETTINGS, disturb, problemsOf, runWholeBot } from '../support/whole-bot.ts';

describe('a market that the snapshot of a new ledger leaves out', () => {
  test('was flat there: fills up to it are of a position that is older than the history', () => {
    const state = new AccountState();
    const facts: readonly Fact[] = [
      { type: 'MarketChanged', market: aMarket() },
      { type: 'PositionsReplaced', positions: [], seq: seq(100) },
      { type: 'FillRecorded', fill: aFill({ id: '90-0-0' as Cursor, sizeLots: 5 }) },
      { type: 'FillRecorded', fill: aFill({ id: '105-0-0' as Cursor, sizeLots: 3 }) },
      { type: 'AccountSynced', seq: seq(105) },
    ];
    for (const fact of facts) state.fold(fact);
    expect(state.positionLots(BTC)).toBe(3);
  });

  test('does not keep a whole bot degraded forever', async () => {
    const run = await runWholeBot({
      seed: 218,
      forMs: 30_000,
      latency: { requestMs: 23, answerMs: 11, frameMs: 19, journalMs: 2 },
      settings: DISTURBED_SETTINGS,
      prepare: (world) =>
        disturb(world, [
          { kind: 'replica lag', atMs: 3_174, forMs: 8_866, strength: 0.7 },
          { kind: 'requests delivered twice', atMs: 3_285, forMs: 1_464, strength: 0.07 },
          { kind: 'results pending', atMs: 3_630, forMs: 3_918, strength: 0.44 },
          { kind: 'requests late after loss', atMs: 16_258, forMs: 4_389, strength: 0.54 },
          { kind: 'new epoch', atMs: 19_149, forMs: 0, strength: 0.27 },
        ]),
    });
    expect(problemsOf(run)).toEqual([]);
  });
});
