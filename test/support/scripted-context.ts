/** @module The scripted markets of `ballast/testing`, with the market of the other builders where none is named. */
import type { Market } from '../../src/domain/index.ts';
import { ScriptedMarket as AnyScriptedMarket } from '../../src/testing/index.ts';
import { aMarket } from './trading-builders.ts';

export { type Level, type Quoted, ScriptedRun, type TickQuotes } from '../../src/testing/index.ts';

export class ScriptedMarket extends AnyScriptedMarket {
  constructor(market: Market = aMarket()) {
    super(market);
  }
}
