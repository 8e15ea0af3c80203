/** @module Inverse markets, which Binance calls COIN-M: a tape does not hold them, whatever the format of their files. */
import { ConfigError } from '../../../core/index.ts';

/** A perpetual, or a delivery on the last Friday of a quarter, as in symbols and names of files; and Tardis' name. */
const INVERSE = /[a-z0-9]usd_(?:perp|\d{2}(?:03|06|09|12)(?:2[4-9]|3[01]))(?![0-9])|^binance-delivery_/i;

/** True if the name of a market or a file is that of a market of Binance COIN-M. */
export function isInverse(name: string): boolean {
  return INVERSE.test(name);
}

/** The error for such a market. */
export function inverseMarket(found: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_MARKET_INVERSE',
    message: `expected linear markets, got ${found} of Binance COIN-M: an inverse market, whose sizes are contracts of US dollars and whose profit is in the coin`,
    remedy: 'Leave these files out; the linear market of the same coin at Binance is USD-M, such as BTCUSDT.',
  });
}
