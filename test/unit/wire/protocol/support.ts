import { lots, type Market, type MarketSymbol, type OrderSpec, ticks } from '../../../../src/domain/index.ts';
import {
  type BookTargets,
  type DecodeContext,
  decodeMarkets,
  type WriteContext,
} from '../../../../src/wire/protocol/index.ts';
import { ANSWERS } from '../../../support/wire-samples.ts';

/** A market of GET /v1/markets as the bot reads it. */
export function marketOf(wire: object): Market {
  const decoded = decodeMarkets(JSON.stringify({ markets: [wire] }), 6);
  if (!decoded.ok) throw decoded.error;
  const { markets, refused } = decoded.value;
  if (markets[0] === undefined) throw new Error(refused[0]?.why);
  return markets[0];
}

/** Ticks of 0.5 at one decimal, lots of 0.001. */
export const BTC = marketOf(ANSWERS.market);
/** Another market with other decimals. */
export const ETH = marketOf({
  ...ANSWERS.market,
  symbol: 'ETH-USD',
  signingMarketId: 41,
  priceDecimals: 2,
  sizeDecimals: 2,
  tickSize: '0.01',
  lotSize: '0.05',
});

const MARKETS = [BTC, ETH];

/** Two markets and account 7. */
export const CONTEXT: WriteContext & DecodeContext = {
  signingAccountId: 7,
  collateralDecimals: 6,
  market: (symbol) => MARKETS.find((market) => market.symbol === symbol),
  marketById: (id) => MARKETS.find((market) => market.signingMarketId === id),
};

/** Nobody wants levels. */
export const NO_BOOKS: BookTargets = { book: () => undefined };

/** A post-only buy of 0.005 BTC at 100000.0, unless said otherwise. */
export function anOrder(changes: Partial<OrderSpec> = {}): OrderSpec {
  return {
    intentId: 'intent-1' as OrderSpec['intentId'],
    strategyId: 'maker' as OrderSpec['strategyId'],
    symbol: 'BTC-USD' as MarketSymbol,
    side: 'buy',
    priceTicks: ticks(1_000_000),
    sizeLots: lots(5),
    timeInForce: 'postOnly',
    reduceOnly: false,
    clientOrderId: 'maker-1' as OrderSpec['clientOrderId'],
    expiresAtMs: 0,
    ...changes,
  };
}
