import { test } from 'node:test';
import {
  expectNoQuotes,
  expectQuotes,
  expectSoundQuotes,
  scriptedMarket,
  scriptedRun,
} from 'ballast/testing';
import strategy from './my-strategy.ts';

const parameters = { size: '0.010', maxInventory: '0.020', halfSpreadPpm: '300', skewPpm: '100' };
const book = { bids: [['99990.0', '0.5']], asks: [['100010.0', '0.5']] } as const;

test('quotes both sides of the mid', () => {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  run.play({ book: 'BTC-USD', ...book });
  expectQuotes(run, 'BTC-USD', { bids: [['99970.0', '0.010']], asks: [['100030.0', '0.010']] });
});

test('leans against what it holds, and stops buying at its limit', () => {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  run.play({ fill: 'BTC-USD', side: 'buy', price: '99970.0', size: '0.020' }, { book: 'BTC-USD', ...book });
  expectQuotes(run, 'BTC-USD', { bids: [], asks: [['100020.0', '0.010']] });
});

test('pulls its quotes while a side of the book is empty', () => {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  run.play({ book: 'BTC-USD', ...book }, { book: 'BTC-USD', bids: [], asks: book.asks });
  expectNoQuotes(run, 'BTC-USD', 'one side of the book is empty');
});

test('never crosses the book or passes its limit, whatever the book', () => {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  expectSoundQuotes(run, 'BTC-USD', { count: 300, maxInventory: '0.020' });
});
