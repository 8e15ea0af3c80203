import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, type Position, PositionAudit, quantums, type Seq } from '../../../src/domain/index.ts';
import { BTC, ETH } from '../../support/trading-builders.ts';

const at = (seq: number): Seq => BigInt(seq) as Seq;

function held(sizeLots: number, symbol = BTC): Position {
  const zero = quantums(0n);
  return { symbol, sizeLots: lots(sizeLots), costBasis: zero, unrealizedPnl: zero, accruedFunding: zero };
}

describe('the arithmetic of a position audit', () => {
  test('compares a published position with the changes up to its seq, however late they come', () => {
    const audit = new PositionAudit();
    audit.add(BTC, at(9), 4);
    audit.publish(held(10), at(7));
    expect(audit.mismatchOf(BTC)).toEqual({
      ...{ symbol: BTC, fillLots: 0, publishedLots: 10, seq: at(7), unpublishedSince: undefined },
    });
    audit.add(BTC, at(5), 10);
    expect(audit.mismatchOf(BTC)).toBeUndefined();
  });

  test('counts what comes to light from before a position was taken over as part of it', () => {
    const audit = new PositionAudit();
    audit.add(BTC, at(3), 4);
    audit.publish(held(10), at(7));
    audit.adopt(BTC, at(7), 6);
    audit.add(BTC, at(5), 6);
    expect(audit.mismatchOf(BTC)).toBeUndefined();
    audit.add(BTC, at(8), 1);
    expect([audit.lotsAt(BTC, at(7)), audit.lotsAt(BTC, at(8))]).toEqual([10, 11]);
    // Taken over once more at the same place, of which the exchange says something else now.
    audit.adopt(BTC, at(7), -2);
    expect(audit.lotsAt(BTC, at(7))).toBe(8);
  });

  test('takes a market that a complete set leaves out for flat, also where it is heard of later', () => {
    const audit = new PositionAudit();
    audit.add(ETH, at(2), 3);
    audit.replace([held(1)], at(4));
    audit.note('SOL-USD' as typeof BTC);
    expect([...audit.positions()].map(({ symbol, sizeLots, seq }) => [symbol, sizeLots, seq])).toEqual([
      [ETH, 0, at(4)],
      [BTC, 1, at(4)],
      ['SOL-USD', 0, at(4)],
    ]);
  });

  test('keeps the newest published position', () => {
    const audit = new PositionAudit();
    audit.publish(held(2), at(8));
    audit.publish(held(1), at(7));
    expect(audit.published(BTC)?.sizeLots).toBe(2);
  });

  test('knows nothing that was published after an interruption, and all changes', () => {
    const audit = new PositionAudit();
    audit.add(BTC, at(3), 5);
    audit.replace([held(5)], at(4));
    audit.interrupt();
    expect([audit.published(BTC), audit.publishedAt(BTC)]).toEqual([undefined, undefined]);
    audit.publish(held(5), at(6));
    expect(audit.mismatchOf(BTC)).toBeUndefined();
  });

  test('gives the sum of the changes up to any seq after the last settlement', () => {
    const change = fc.record({
      seq: fc.integer({ min: 11, max: 30 }),
      lots: fc.integer({ min: -9, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.integer({ min: 10, max: 31 }), (changes, until) => {
        const audit = new PositionAudit();
        audit.add(BTC, at(1), 7);
        audit.publish(held(7), at(10));
        audit.settle(BTC);
        for (const one of changes) audit.add(BTC, at(one.seq), one.lots);
        const sum = changes.filter(({ seq }) => seq <= until).reduce((total, one) => total + one.lots, 7);
        expect(audit.lotsAt(BTC, at(until))).toBe(lots(sum));
      }),
    );
  });
});
