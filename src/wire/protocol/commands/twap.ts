/** @module POST /v1/orders/twap: a time-weighted order, signed as PlaceTwap. Its number is in the one item of the answer. */
import { formatSize, type TwapSpec } from '../../../domain/index.ts';
import type { WireTwapBody } from '../wire/writes.ts';
import type { WriteContext } from '../write-context.ts';
import { choiceOf, flagOf, integerOf, msOf, partOf, textOf } from './body-fields.ts';
import { marketOf, namedMarket, type PlannedWrite, type ReadBody } from './operation.ts';
import { readLots } from './order-fields.ts';

const SLICES_MAX = 0xffff_ffff;
const TOLERANCE_PPM_MAX = 999_999;

/** The write of a time-weighted order. @throws ProtocolError when the market is unknown. */
export function planTwap(spec: TwapSpec, context: WriteContext, nowMs: number): PlannedWrite {
  const { symbol, side, sizeLots, slices, intervalMs, priceTolerancePpm, reduceOnly } = spec;
  const market = marketOf(context, symbol);
  const plan = { slices, intervalMs, priceTolerancePpm, reduceOnly, nowMs };
  const size = formatSize(market, sizeLots);
  return {
    path: '/v1/orders/twap',
    canonical: {
      kind: 'PlaceTwap',
      account: context.signingAccountId,
      market: market.signingMarketId,
      side,
      totalLots: BigInt(sizeLots),
      ...plan,
    },
    body: { symbol, side, size, ...plan } satisfies WireTwapBody,
  };
}

/** The time-weighted order of a body. @throws BodyRefused */
export const readTwap: ReadBody = (body, context) => {
  const part = partOf(body, 'body', [
    'symbol',
    'side',
    'size',
    'slices',
    'intervalMs',
    'priceTolerancePpm',
    'reduceOnly',
    'nowMs',
  ]);
  const market = namedMarket(context, textOf(part, 'symbol'), part.place);
  return {
    canonical: {
      kind: 'PlaceTwap',
      account: context.signingAccountId,
      market: market.signingMarketId,
      side: choiceOf(part, 'side', ['buy', 'sell']),
      totalLots: readLots(market, part),
      slices: integerOf(part, 'slices', { min: 1, max: SLICES_MAX }),
      intervalMs: integerOf(part, 'intervalMs', { min: 1, max: Number.MAX_SAFE_INTEGER }),
      priceTolerancePpm: integerOf(part, 'priceTolerancePpm', { min: 0, max: TOLERANCE_PPM_MAX }),
      reduceOnly: flagOf(part, 'reduceOnly'),
      nowMs: msOf(part, 'nowMs'),
    },
    clientOrderIds: [],
  };
};
