/**
 * @module
 * What callers write, made exact: decimal text or a Decimal to ticks, lots and quantums, without rounding. Numbers were
 * refused before: they have passed a binary fraction.
 */
import { Decimal, parseScaled } from '../core/index.ts';
import { type Lots, type Market, parsePrice, parseSize, type Ticks } from '../domain/index.ts';
import { misused } from './errors.ts';
import type { ClientEnvironment } from './session.ts';

/** A decimal number as a caller writes it: text such as `'0.001'`, or a Decimal. */
export type DecimalInput = string | Decimal;

/** The market of this symbol. @throws ClientUsageError */
export function knownMarket(environment: ClientEnvironment, symbol: string): Market {
  const market = environment.market(symbol);
  if (market !== undefined) return market;
  throw misused({
    code: 'CLIENT_MARKET_UNKNOWN',
    message: `expected a market of this exchange, got ${JSON.stringify(String(symbol).slice(0, 60))}`,
    remedy: 'GET /v1/markets lists them; what was listed after this client was made needs a new client.',
  });
}

/** A price in ticks. @throws ClientUsageError unless it is a positive multiple of the tick. */
export function ticksOf(market: Market, value: DecimalInput, what: string): Ticks {
  const text = typeof value === 'string' ? value : value.toFixed();
  const ticks = parsePrice(market, text);
  if (ticks !== undefined) return ticks;
  const step = new Decimal(market.tickStep).div(Decimal.pow(10, market.priceDecimals));
  throw offStep(what, text, `a positive multiple of ${step.toFixed()}`);
}

/** A size in lots. @throws ClientUsageError unless it is a positive multiple of the lot. */
export function lotsOf(market: Market, value: DecimalInput, what: string): Lots {
  const text = typeof value === 'string' ? value : value.toFixed();
  const lots = parseSize(market, text);
  if (lots !== undefined) return lots;
  const step = new Decimal(market.lotStep).div(Decimal.pow(10, market.sizeDecimals));
  throw offStep(what, text, `a positive multiple of ${step.toFixed()}`);
}

/** An amount at a scale. @throws ClientUsageError unless it is not negative and fits. */
export function scaledOf(value: DecimalInput, decimals: number, what: string): bigint {
  const text = typeof value === 'string' ? value : value.toFixed();
  const scaled = parseScaled(text, decimals);
  if (scaled !== undefined && scaled >= 0n) return scaled;
  throw offStep(what, text, `a decimal of at least 0 with at most ${decimals} decimals`);
}

function offStep(what: string, text: string, expected: string) {
  return misused({
    code: 'CLIENT_DECIMAL_INVALID',
    message: `expected ${what} as ${expected}, got ${JSON.stringify(text.slice(0, 60))}`,
    remedy: 'Nothing is rounded for you: see tickSize and lotSize in GET /v1/markets.',
  });
}
