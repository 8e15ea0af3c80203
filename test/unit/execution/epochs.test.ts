import { describe, expect, test } from 'vitest';
import { Epochs } from '../../../src/execution/epochs.ts';

describe('the ledgers at a start (obligation O119)', () => {
  test('the list tells which one runs where nothing else was heard', () => {
    const epochs = new Epochs();
    expect(epochs.begin({ listed: 'second', books: 'first', left: [] })).toBe(true);
    expect(epochs.current).toBe('second');
  });

  test('a list of a ledger that an earlier life left for that of its books says nothing', () => {
    const epochs = new Epochs();
    expect(epochs.begin({ listed: 'first', books: 'second', left: ['first'] })).toBe(false);
    expect(epochs.current).toBe('second');
  });

  test('a list of another ledger than the account is synced in says nothing (a proven write was closed as void)', () => {
    const epochs = new Epochs();
    epochs.take('second');
    expect(epochs.begin({ listed: 'first', books: 'second', left: ['second'] })).toBe(false);
    expect(epochs.current).toBe('second');
    // Had it been the next one, it would be heard of.
    expect(epochs.take('first')).toBe('next');
  });
});
