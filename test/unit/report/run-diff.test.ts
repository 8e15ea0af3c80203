/** @module Two runs side by side: what they are made of, their figures, and the first fill that is another. */
import { describe, expect, test } from 'vitest';
import { type Lots, type OrderId, quantums } from '../../../src/domain/index.ts';
import { describeDiff, diffRuns } from '../../../src/report/index.ts';
import { aDay, aRecordedFill, aRunRecord } from '../../support/run-records.ts';

describe('two runs', () => {
  test('that are the same differ in nothing, whatever an exchange calls its orders', () => {
    const a = aDay({ hours: 1 });
    const fills = a.fills.map((fill, at) => ({ ...fill, orderId: `other-${at}` as OrderId }));
    const diff = diffRuns(a, { ...a, fills });
    expect(diff).toMatchObject({ isSame: true, madeOf: [], fills: { first: null } });
    expect(describeDiff(diff)).toContain(
      'made of the same: configuration, code, tapes, seed, time and models',
    );
  });

  test('name what they are made of where it differs: configuration, code, tape, models', () => {
    const a = aRunRecord({ assumptions: ['fill model trade-through', 'fees: none'] });
    const b = aRunRecord({
      configHash: 'f'.repeat(64),
      tapes: [{ name: 'day', hash: '1'.repeat(64) }],
      assumptions: ['fill model queue-power', 'fees: none'],
    });
    expect(diffRuns(a, b)).toMatchObject({
      isSame: true,
      madeOf: [
        { what: 'configuration', a: a.configHash, b: b.configHash },
        { what: 'tapes', b: `day ${'1'.repeat(64)}` },
        { what: 'assumption', a: 'fill model trade-through', b: '' },
        { what: 'assumption', a: '', b: 'fill model queue-power' },
      ],
    });
  });

  test('show the first fill that differs, and exact differences of amounts', () => {
    const fill = aRecordedFill();
    const a = aRunRecord({ fills: [fill, fill, fill] });
    const b = aRunRecord({
      fills: [fill, { ...fill, sizeLots: 20 as Lots }],
      pnl: { ...a.pnl, realized: quantums(-1_000_000n) },
    });
    const diff = diffRuns(a, b);
    expect(diff.isSame).toBe(false);
    expect(diff.fills).toEqual({
      ...{ a: 3, b: 2, same: 1 },
      first: {
        a: '2027-01-15T08:00:01.000Z maker buy 0.010 BTC-PERP at 100000.0 as maker, fee -0.001000',
        b: '2027-01-15T08:00:01.000Z maker buy 0.020 BTC-PERP at 100000.0 as maker, fee -0.001000',
      },
    });
    expect(diff.statistics.find(({ statistic }) => statistic === 'pnl realized')).toEqual({
      ...{ statistic: 'pnl realized', a: '0.000000', b: '-1.000000', difference: '-1' },
    });
    expect(describeDiff(diff)).toContain('fills: the same up to fill 1 (a has 3, b has 2), then');
  });

  test('say where one of them ends', () => {
    const fill = aRecordedFill();
    const text = describeDiff(diffRuns(aRunRecord({ fills: [fill] }), aRunRecord()));
    expect(text).toContain('  b: no more fills');
    expect(text).toMatch(/^maker fills +1 +0 +-1$/m);
  });
});
