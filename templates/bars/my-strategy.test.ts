import { test } from 'node:test';
import { expectQuotes, scriptedMarket, scriptedRun } from 'ballast/testing';
import strategy from './my-strategy.ts';

const parameters = { position: '0.050', slice: '0.010', bar: '1s', lookback: '2' };

/** A book around each price, one a bar. */
function seen(...prices: readonly number[]) {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  for (const price of prices) {
    const [bid, ask] = [(price - 10).toFixed(1), (price + 10).toFixed(1)];
    run.play({ book: 'BTC-USD', bids: [[bid, '1.0']], asks: [[ask, '1.0']] }, { wait: '1s' });
  }
  return run;
}

test('buys slice by slice at the best bid of others in a rise', () => {
  const run = seen(100_000, 100_100, 100_200, 100_300);
  expectQuotes(run, 'BTC-USD', { bids: [['100290.0', '0.010']], asks: [] });
});

test('sells in a fall', () => {
  const run = seen(100_300, 100_200, 100_100, 100_000);
  expectQuotes(run, 'BTC-USD', { bids: [], asks: [['100010.0', '0.010']] });
});
