/** @module Trades of the ledger without a fill: by market and place, and only of an exchange of which pairs were seen. */
import { describe, expect, test } from 'vitest';
import type { Cursor, MarketSymbol, Seq } from '../../../../src/domain/index.ts';
import { TradeMatch } from '../../../../src/wire/stream/account/trade-match.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const ETH = 'ETH-USD' as MarketSymbol;
const fill = (at: string, symbol = BTC) => ({ symbol, id: at as Cursor });
const entry = (at: string, symbol: MarketSymbol | null = BTC, kind = 'trade') => ({
  ...{ kind, symbol, id: at as Cursor },
});
const END = 1_000n as Seq;

/** One pair was seen. */
function matching(): TradeMatch {
  const trades = new TradeMatch();
  trades.addFill(fill('1-0-1'));
  trades.addEntry(entry('1-0-7'));
  return trades;
}

describe('a trade of the ledger without a fill', () => {
  test('is missing until its fill comes, whichever comes first', () => {
    const trades = matching();
    trades.addEntry(entry('5-0-3'));
    expect([trades.missingUpTo(4n as Seq), trades.missingUpTo(5n as Seq)]).toEqual([0, 1]);
    trades.addFill(fill('5-0-1'));
    trades.addFill(fill('6-0-1'));
    trades.addEntry(entry('6-0-2'));
    expect(trades.missingUpTo(END)).toBe(0);
  });

  test('is one for each: two fills of an order that took twice', () => {
    const trades = matching();
    for (const id of ['5-0-3', '5-0-6', '5-0-9']) trades.addEntry(entry(id));
    trades.addFill(fill('5-0-1'));
    expect(trades.missingUpTo(END)).toBe(2);
  });

  test('is not that of another market, and no other kind of entry', () => {
    const trades = matching();
    trades.addEntry(entry('5-0-3'));
    trades.addFill(fill('5-0-1', ETH));
    trades.addEntry(entry('7-65535-1', BTC, 'funding'));
    trades.addEntry(entry('8-65535-1', null, 'deposit'));
    expect(trades.missingUpTo(END)).toBe(1);
  });

  test('is nothing where the ledger tells of trades otherwise', () => {
    const trades = new TradeMatch();
    trades.addFill(fill('5-0-1'));
    trades.addEntry(entry('6-0-1'));
    expect(trades.missingUpTo(END)).toBe(0);
    trades.prove(END);
    trades.addFill(fill('6-0-1'));
    trades.addEntry(entry('6-0-2'));
    expect(trades.missingUpTo(END)).toBe(0);
  });

  test('is missing after the proof as well, and a fill without an entry is not', () => {
    const trades = matching();
    trades.addEntry(entry('5-0-3'));
    trades.addFill(fill('6-0-1'));
    trades.prove(END);
    expect(trades.missingUpTo(END)).toBe(1);
    trades.addEntry(entry('6-0-2'));
    expect(trades.missingUpTo(END)).toBe(2);
  });

  test('counts no more once it was accepted, and is known until its fill comes', () => {
    const trades = matching();
    trades.addEntry(entry('5-0-3'));
    trades.accept(4n as Seq);
    expect([trades.missingUpTo(END), trades.hasAccepted]).toEqual([1, false]);
    trades.accept(END);
    expect([trades.missingUpTo(END), trades.hasAccepted]).toEqual([0, true]);
    trades.addEntry(entry('6-0-3'));
    expect(trades.missingUpTo(END)).toBe(0);
    trades.addFill(fill('5-0-1'));
    expect([trades.missingUpTo(END), trades.hasAccepted]).toEqual([1, false]);
  });

  test('is no entry of another token', () => {
    const trades = matching();
    trades.addEntry({ ...entry('5-0-3'), otherToken: { token: 1, amount: '2' } });
    expect(trades.missingUpTo(END)).toBe(0);
  });

  test('is forgotten with its ledger', () => {
    const trades = matching();
    trades.addEntry(entry('5-0-3'));
    trades.clear();
    expect(trades.missingUpTo(END)).toBe(0);
  });
});
