/**
 * @module
 * Tests of strategies, `ballast/testing`: markets that a test writes, a run without a runtime, what is expected of it, and
 * a configuration over a tape. For any test runner.
 * @example
 * const market = scriptedMarket({ bids: [['99990.0', '0.5']], asks: [['100010.0', '0.5']] });
 * const run = scriptedRun(maker, { size: '0.010' }, market).start();
 * run.tellBook(market);
 * expectQuotes(run, 'BTC-USD', { bids: [['99970.0', '0.010']], asks: [['100030.0', '0.010']] });
 */
export { type ExaminedOptions, expectExamined } from './examination.ts';
export {
  type DecimalQuotes,
  expectInventory,
  expectNoQuotes,
  expectPlaced,
  expectPublished,
  expectQuotes,
  expectSoundQuotes,
  quoteProblems,
  quotesOf,
} from './expectations.ts';
export {
  type DecimalPair,
  type Level,
  ScriptedMarket,
  type ScriptedMarketOptions,
  START_MS,
  scriptedMarket,
} from './scripted-market.ts';
export {
  type Quoted,
  type ScriptedEvent,
  ScriptedRun,
  scriptedRun,
  type TickQuotes,
} from './scripted-run.ts';
export { runOnTape, type TapeRunOptions } from './tape-run.ts';
