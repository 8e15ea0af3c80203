import { describe, expect, test } from 'vitest';
import { Epochs } from '../../../../src/bot/execution/epochs.ts';

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

  test('books of another ledger than was heard of are of one that is gone (an executed write was closed as void)', () => {
    const epochs = new Epochs();
    epochs.take('second');
    expect(epochs.begin({ listed: 'second', books: 'first', left: [] })).toBe(true);
    expect(epochs.take('first')).toBe('past');
    expect(epochs.current).toBe('second');
  });
});

describe('a ledger that a replica still shows, and that nobody has heard of before', () => {
  test('is taken for the next one until a write that was signed in it is answered by another', () => {
    const epochs = new Epochs();
    epochs.take('second');
    expect(epochs.take('first')).toBe('next');
    expect(epochs.take('second')).toBe('past');
    expect(epochs.take('second', 'first')).toBe('next');
    expect(epochs.take('first')).toBe('past');
    expect(epochs.current).toBe('second');
  });

  test('is not brought back by the late answer to a write of before', () => {
    const epochs = new Epochs();
    epochs.take('first');
    epochs.take('second');
    expect(epochs.take('first', 'first')).toBe('past');
    expect(epochs.current).toBe('second');
  });
});
