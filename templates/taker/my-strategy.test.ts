import { test } from 'node:test';
import { expectPlaced, scriptedMarket, scriptedRun } from 'ballast/testing';
import strategy from './my-strategy.ts';

const parameters = { position: '0.050', every: '1s', fast: '2', slow: '4', bandPpm: '100', throughPpm: '0' };

/** A book of one tick around each price, one a second. */
function seen(...prices: readonly number[]) {
  const run = scriptedRun(strategy, parameters, scriptedMarket()).start();
  for (const price of prices) {
    const [bid, ask] = [price.toFixed(1), (price + 0.1).toFixed(1)];
    run.play({ book: 'BTC-USD', bids: [[bid, '1.0']], asks: [[ask, '1.0']] }, { wait: '1s' });
  }
  return run;
}

test('buys in a rise, once its slow mean is known', () => {
  expectPlaced(seen(100_000, 100_100, 100_200), []);
  expectPlaced(seen(100_000, 100_100, 100_200, 100_300), ['buy 0.050 @ 100300.1 ioc']);
});

test('sells in a fall', () => {
  expectPlaced(seen(100_300, 100_200, 100_100, 100_000), ['sell 0.050 @ 100000.0 ioc']);
});

test('does nothing while the means are within the band', () => {
  expectPlaced(seen(100_000, 100_001, 100_002, 100_003, 100_004), []);
});

test('has one order out at a time', () => {
  expectPlaced(seen(100_000, 100_100, 100_200, 100_300, 100_400, 100_500), ['buy 0.050 @ 100300.1 ioc']);
});
