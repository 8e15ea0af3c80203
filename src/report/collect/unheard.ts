/** @module Handlers of a strategy that were never called, since the market data they need did not come. */
import {
  CANDLE_INTERVALS,
  type MarketState,
  type MarketSymbol,
  type StrategyId,
} from '../../domain/index.ts';

/** A strategy of the run, and its markets. */
export interface ObservedStrategy {
  readonly id: StrategyId;
  readonly symbols: readonly MarketSymbol[];
  /** Names of the handlers that it has. */
  readonly handlerNames: readonly string[];
}

/** Handlers whose data did not come: a book shows best quotes too. */
export function unheardOf(
  { symbols, handlerNames }: ObservedStrategy,
  markets: MarketState | undefined,
): readonly string[] {
  return symbols.flatMap((symbol) => {
    const record = markets?.get(symbol);
    const needs: readonly (readonly [handler: string, what: string, hasCome: boolean])[] = [
      ['onBook', 'order book', record?.book !== undefined],
      ['onBbo', 'best quotes', record?.bbo !== undefined || record?.book !== undefined],
      ['onTrade', 'trade', record?.lastTrade !== undefined],
      ['onPrices', 'mark or index price', record?.prices !== undefined],
      ['onFunding', 'funding rate', record?.funding !== undefined],
      [
        'onCandle',
        'candle',
        CANDLE_INTERVALS.some((interval) => (markets?.candles(symbol, interval).length ?? 0) > 0),
      ],
    ];
    return needs
      .filter(([handler, , hasCome]) => !hasCome && handlerNames.includes(handler))
      .map(([handler, what]) => `${handler} was not called: no ${what} of ${symbol} came`);
  });
}
