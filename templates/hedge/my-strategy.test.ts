import { test } from 'node:test';
import {
  expectInventory,
  expectPlaced,
  expectQuotes,
  expectSoundQuotes,
  scriptedMarket,
  scriptedRun,
} from 'ballast/testing';
import strategy from './my-strategy.ts';

const parameters = { size: '0.010', maxInventory: '0.020', halfSpreadPpm: '300', hedgeThreshold: '0.050' };

function started() {
  const btc = scriptedMarket({ bids: [['99990.0', '0.5']], asks: [['100010.0', '0.5']] });
  const eth = scriptedMarket({ symbol: 'ETH-USD', bids: [['3999.0', '9.0']], asks: [['4001.0', '9.0']] });
  const run = scriptedRun(strategy, parameters, btc, eth).start();
  run.tellBook(btc);
  return run;
}

test('quotes the first market', () => {
  expectQuotes(started(), 'BTC-USD', { bids: [['99970.0', '0.010']], asks: [['100030.0', '0.010']] });
});

test('sells the second market for what it bought in the first', () => {
  const run = started();
  run.play({ fill: 'BTC-USD', side: 'buy', price: '99970.0', size: '0.010' }, { wait: '1s' });
  expectInventory(run, 'BTC-USD', '0.010');
  // 0.01 BTC at 100,000 is 0.25 ETH at 4,000; the order reaches 0.1 % through the best bid.
  expectPlaced(run, ['sell 0.250 @ 3995.1 ioc']);
});

test('never crosses the book or passes its limit, whatever the book', () => {
  expectSoundQuotes(started(), 'BTC-USD', { count: 300, maxInventory: '0.020' });
});
