/** @module POST /v1/orders/twap: a time-weighted order, signed as PlaceTwap. Its number is in the one item of the answer. */
import { closed, FLAG, fieldOf, numberFrom } from '../../../core/index.ts';
import { formatSize, type TwapSpec } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { INSTANT } from './body-refused.ts';
import { listedMarket, namedMarket, type PlannedWrite, type ReadBody, SIDE } from './operation.ts';
import { readLots } from './order-fields.ts';

const SLICES = numberFrom(1, 0xffff_ffff);
const INTERVAL_MS = numberFrom(1);
const TOLERANCE_PPM = numberFrom(0, 999_999);

/** The write of a time-weighted order. @throws ProtocolError when the market is unknown. */
export function planTwap(spec: TwapSpec, context: WriteContext, nowMs: number): PlannedWrite {
  const { symbol, side, sizeLots, slices, intervalMs, priceTolerancePpm, reduceOnly } = spec;
  const market = listedMarket(context, symbol);
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
    body: { symbol, side, size, ...plan },
  };
}

/** The time-weighted order of a body. @throws FieldError */
export const readTwap: ReadBody = (body, context) => {
  const part = closed(body, [
    'symbol',
    'side',
    'size',
    'slices',
    'intervalMs',
    'priceTolerancePpm',
    'reduceOnly',
    'nowMs',
  ]);
  const market = namedMarket(context, part);
  return {
    canonical: {
      kind: 'PlaceTwap',
      account: context.signingAccountId,
      market: market.signingMarketId,
      side: fieldOf(part, 'side', SIDE),
      totalLots: readLots(market, part),
      slices: fieldOf(part, 'slices', SLICES),
      intervalMs: fieldOf(part, 'intervalMs', INTERVAL_MS),
      priceTolerancePpm: fieldOf(part, 'priceTolerancePpm', TOLERANCE_PPM),
      reduceOnly: fieldOf(part, 'reduceOnly', FLAG),
      nowMs: fieldOf(part, 'nowMs', INSTANT),
    },
    clientOrderIds: [],
  };
};
