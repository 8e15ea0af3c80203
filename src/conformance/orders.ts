/** @module Orders that do no harm: the smallest size, far from the market, and others close to it for stages. */
import { formatScaled, parseScaledNumber } from '../core/index.ts';
import type { Market } from '../domain/index.ts';
import type { WireOrderRequest } from '../wire/protocol/index.ts';
import type { Doc } from './answer.ts';
import { NotOffered } from './expect.ts';

/** A buy order of the smallest size at half the price. */
export function far(market: Market, price: Doc): WireOrderRequest {
  const text = price.at('markPrice') ?? price.at('indexPrice') ?? price.at('lastPrice');
  const ticks = typeof text === 'string' ? parseScaledNumber(text, market.priceDecimals) : Number.NaN;
  if (!(ticks > 0)) throw new NotOffered(`a price of ${market.symbol}`);
  const half = Math.floor(ticks / 2 / market.tickStep) * market.tickStep;
  return {
    symbol: market.symbol,
    side: 'buy',
    price: formatScaled(half, market.priceDecimals),
    size: smallestSize(market, half),
    timeInForce: 'postOnly',
    reduceOnly: false,
  };
}

/** The smallest size, with a tenth more, whose notional at `priceTicks` is above the minimum. */
function smallestSize(market: Market, priceTicks: number): string {
  const perLot = BigInt(priceTicks) * market.quantumsPerTickLot;
  const lots = Number((market.minNotional * 11n) / (perLot * 10n)) + 1;
  const aligned = Math.ceil(lots / market.lotStep) * market.lotStep;
  return formatScaled(aligned, market.sizeDecimals);
}

/** A price this many ticks from decimal text. */
export function shifted(market: Market, price: string, ticks: number): string {
  const step = ticks * market.tickStep;
  return formatScaled(parseScaledNumber(price, market.priceDecimals) + step, market.priceDecimals);
}
