import { describe, expect, test } from 'vitest';
import { BookLog } from '../../../scripts/prove/force/book-log.ts';
import { type BookState, bookOf } from '../../../scripts/prove/force/exchange.ts';
import { startTestExchange } from '../../support/test-exchange.ts';

const OURS = '0xAA';

/** A log of our account, with lines of another one in between. */
function logOf(...states: readonly (readonly [atMs: number, open: string, armedUntilMs: number])[]): BookLog {
  const lines = states.flatMap(([atMs, open, armedUntilMs]) => {
    const state = { atMs, open: open.split(' ').filter((order) => order !== ''), armedUntilMs };
    return [
      { ...state, account: '0xaa' },
      { ...state, account: '0xbb', open: ['9-9'], armedUntilMs: 0 },
    ];
  }) satisfies BookState[];
  return new BookLog({ lines: ['{"baseUrl":"x"}', ...lines.map((line) => JSON.stringify(line))] }, OURS);
}

describe('what the exchange said of an account', () => {
  test('tells how late after the last armed trigger the last order went', () => {
    const log = logOf([0, '', 3_000], [10, '0-1 0-2', 3_000], [1_000, '0-1 0-2', 4_000], [4_070, '', 0]);
    expect(log.goingSince(500)).toEqual({ orders: 2, goneMs: 3_570, afterTriggerMs: 70, goneAtMs: 4_070 });
    expect(log.goingSince(500).afterTriggerMs).toBe(70);
  });

  test('tells orders that came to rest without an armed switch (I11)', () => {
    expect(logOf([0, '', 3_000], [10, '0-1', 3_000], [3_050, '', 0]).placedUnarmed()).toEqual([]);
    const log = logOf([0, '', 3_000], [10, '0-1', 3_000], [3_050, '', 0], [5_000, '0-4', 0], [6_000, '', 0]);
    expect(log.placedUnarmed()).toEqual(['0-4']);
    expect(log.unarmedMsMax()).toBe(1_000);
  });

  test('excuses what was sent while the switch was armed, and came to rest after it had fired (F6)', () => {
    const log = logOf(
      [0, '', 3_000],
      [10, '0-1', 3_000],
      [3_050, '', 0],
      [5_000, '0-4 0-5', 0],
      [6_000, '', 0],
    );
    expect(log.placedUnarmed(new Map([['0-4', 2_999]]))).toEqual(['0-5']);
    expect(log.placedUnarmed(new Map([['0-4', 3_000]]))).toEqual(['0-4', '0-5']);
    expect(log.placedUnarmed(new Map([['0-4', 3_060]]))).toEqual(['0-4', '0-5']);
  });

  test('a late network: an order has the id here by which the journal knows when it was sent', async () => {
    const venue = await startTestExchange();
    const orderId: string = venue.place([{ price: '90000.0', size: '0.1000' }]).json.items[0].orderId;
    const { control } = venue.exchange;
    expect(bookOf(control, control.accountId(venue.address) ?? -1).open).toEqual([orderId]);
  });

  test('tells what was placed and armed in a stretch of time', () => {
    const log = logOf(
      [0, '', 3_000],
      [10, '0-1', 3_000],
      [20, '0-2', 3_000],
      [30, '0-2', 4_000],
      [40, '', 4_000],
    );
    expect(log.placedBetween(10)).toEqual(['0-2']);
    expect(log.placedBetween(20)).toEqual([]);
    expect([...log.before(20)]).toEqual(['0-1']);
    expect(log.armedBetween(20, 30)).toBe(true);
    expect(log.armedBetween(30, 99)).toBe(false);
  });
});
