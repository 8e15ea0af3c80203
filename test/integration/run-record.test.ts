/** @module What a run on a gateway leaves for reports: over bytes, signatures and the exchange's own ledger, on virtual time. */
import { describe, expect, test } from 'vitest';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { Decimal, formatScaled } from '../../src/core/index.ts';
import { type RunRecord, totalOf } from '../../src/domain/index.ts';
import { describeRun, htmlOfRun } from '../../src/report/index.ts';

const source = loadConfig('configs/two-strategies.yaml');

async function recordOf(seed: number) {
  let record: RunRecord | undefined;
  const run = await runInProcess({
    ...{ source, seed, forMs: 30_000 },
    onRecord: (taken) => {
      record = taken;
    },
  });
  if (record === undefined) throw new Error('expected a record');
  return { record, run };
}

describe('the record of a run on a gateway', () => {
  test('ties the profit by fills to the ledger with residual 0, over strategies too (I3)', async () => {
    const { record, run } = await recordOf(7);
    expect(record.fills.length).toBeGreaterThan(5);
    expect(record.residual).toBe(0n);
    expect(record.equityEnd - record.equityStart - record.transfers).toBe(totalOf(record.pnl));
    expect(record.byStrategy.reduce((sum, row) => sum + totalOf(row), 0n)).toBe(totalOf(record.pnl));
    // The proof of the run is worked out from the exchange's history alone.
    const fees = formatScaled(record.pnl.fees, record.collateralDecimals);
    expect(new Decimal(run.report.feesPaid).toString()).toBe(new Decimal(fees).toString());
    expect(
      record.fills.map(({ orderId, priceTicks, sizeLots, fee }) => [orderId, priceTicks, sizeLots, fee]),
    ).toEqual(
      run.fills.map(({ orderId, priceTicks, sizeLots, fee }) => [orderId, priceTicks, sizeLots, fee]),
    );
    expect(record.counts.ordersPlaced).toBe(run.report.ordersPlaced);
  });

  test('is the same for the same seed, down to the bytes of text and page', async () => {
    const [a, b] = [await recordOf(11), await recordOf(11)];
    expect(a.record).toEqual(b.record);
    expect(describeRun(a.record)).toBe(describeRun(b.record));
    expect(htmlOfRun(a.record)).toBe(htmlOfRun(b.record));
  });
});
