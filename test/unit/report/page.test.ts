/** @module The page of a report as text: the same bytes, nothing from outside, nothing that breaks out, thinned and said so. */
import { describe, expect, test } from 'vitest';
import { type OrderId, quantums, type StrategyId } from '../../../src/domain/index.ts';
import { htmlOfRun, jsonOfRun } from '../../../src/report/index.ts';
import { placeOf } from '../../../src/report/page/draw.ts';
import { pageScript } from '../../../src/report/page/script.ts';
import { movedRange } from '../../../src/report/page/start.ts';
import { decimalsOf, timeLabels, unpack } from '../../../src/report/page/words.ts';
import { packed, pageDataOf } from '../../../src/report/page-data.ts';
import { aDay, aRecordedFill, aRunRecord } from '../../support/run-records.ts';
import { BTC, START_MS } from '../../support/trading-builders.ts';

describe('the page', () => {
  const page = htmlOfRun(aDay({ hours: 1 }));

  test('is the same bytes for the same record', () => {
    expect(htmlOfRun(aDay({ hours: 1 }))).toBe(page);
  });

  test('names no address that a browser would load (the comment of the library aside)', () => {
    expect(page.replaceAll(/\/\*![^*]*\*\//g, '')).not.toMatch(
      /\b(?:src|href)="(?!data:|#)|url\(|@import|https?:\/\//,
    );
    expect(page).toContain("default-src 'none'");
  });

  test('lets no name out of its place', () => {
    const evil = '</script><script>alert(1)</script>"&' as StrategyId;
    const record = aRunRecord({
      strategies: [evil],
      assumptions: [evil],
      fills: [aRecordedFill({ strategyId: evil })],
    });
    const html = htmlOfRun(record);
    expect(html).not.toContain('<script>alert');
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(html).toContain('&lt;/script&gt;');
  });

  test('prints the figures of the document', () => {
    const { pnl, fills } = jsonOfRun(aDay({ hours: 1 }));
    expect(page).toContain(`>${pnl.residual}</b>`);
    expect(page).toContain(`<td>${fills.maker.fills}</td>`);
  });

  test('shows the band around the PnL', () => {
    const band = { low: quantums(-1_000_000n), high: quantums(2_000_000n), basis: 'calibrated' };
    expect(htmlOfRun(aRunRecord({ band }))).toContain('-1.000000 to +2.000000 (calibrated)');
  });
});

describe('what a page draws', () => {
  test('is packed as differences and unpacked again, holes included', () => {
    const values = [5, 7, Number.NaN, Number.NaN, 6, 6];
    expect(packed(values)).toEqual([5, 2, null, null, -1, 0]);
    expect(unpack(packed(values), 1)).toEqual([5, 7, null, null, 6, 6]);
  });

  test('is thinned with a note where there is too much of it, and no figure changes', () => {
    const day = aDay({ hours: 1 });
    const [quote] = day.quotes;
    if (quote === undefined) throw new Error('a quote');
    const quotes = Array.from({ length: 2 * 40_000 + 2 }, (_, at) => ({
      ...quote,
      orderId: `${at}` as OrderId,
    }));
    const record = { ...day, quotes, quoteSampling: 2 };
    const { data, notes } = pageDataOf(record, jsonOfRun(record));
    expect(data.markets[0]?.orders.price).toHaveLength(Math.ceil(quotes.length / 3));
    expect(notes).toEqual([
      `One of 6 orders in ${BTC} is drawn (26,668 of them); every statistic covers all orders.`,
    ]);
  });

  test('has an order from its rest to its end, or to the end of the run', () => {
    const record = aDay({ hours: 1 });
    const open = record.quotes.filter(({ event }) => event === 'rested').slice(0, 1);
    const { data } = pageDataOf({ ...record, quotes: open }, jsonOfRun(record));
    const from = data.markets[0]?.orders.from[0] ?? 0;
    expect(data.markets[0]?.orders.length).toEqual([record.toMs - START_MS - from]);
  });
});

describe('the script', () => {
  test('is plain JavaScript that begins on its own', () => {
    expect(() => new Function(pageScript())).not.toThrow();
    expect(pageScript()).toMatch(/startPage\(\);$/);
  });

  test('labels time as exactly as its steps, with the day where it begins', () => {
    const midnight = Date.UTC(2027, 0, 16);
    expect(timeLabels([midnight - 3_600_000, midnight, midnight + 3_600_000], 3_600_000)).toEqual([
      '23:00\n2027-01-15',
      '00:00\n2027-01-16',
      '01:00',
    ]);
    expect(timeLabels([midnight + 250], 50)).toEqual(['00:00:00.250\n2027-01-16']);
    expect([100, 1, 0.5, 0.1, 0.025].map(decimalsOf)).toEqual([0, 0, 1, 1, 2]);
  });

  test('finds places in sorted times, and keeps what is seen inside the run', () => {
    expect([placeOf([1, 3, 5], 0), placeOf([1, 3, 5], 3), placeOf([1, 3, 5], 9)]).toEqual([0, 1, 3]);
    const whole = [0, 1_000] as const;
    expect(movedRange([400, 600], whole, 'in')).toEqual([450, 550]);
    expect(movedRange([400, 600], whole, 'out')).toEqual([300, 700]);
    expect(movedRange([900, 1_000], whole, 'right')).toEqual([900, 1_000]);
    expect(movedRange([100, 900], whole, 'out')).toEqual(whole);
  });
});
