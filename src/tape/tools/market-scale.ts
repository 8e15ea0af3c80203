/**
 * @module One market in tapes of other decimals: the finer scale that holds both exactly, and rows in it. As few decimals
 * as fit is what imports take, so days of one market differ.
 */
import { ConfigError } from '../../core/index.ts';
import { EVENT, type EventRow, type TapeMarket } from '../format/index.ts';

/** Prices of a tape fit 32 bits. */
const PRICE_MAX = 0xffff_ffff;

/** Kinds whose `size` is a rate or a state, not a size in lots. */
const UNSIZED: ReadonlySet<number> = new Set([EVENT.fundingRate, EVENT.fundingSettled, EVENT.marketStatus]);

/** Both as one market at the finer scale; `undefined`: they differ in more than decimals and steps. */
export function uniteMarkets(a: TapeMarket, b: TapeMarket): TapeMarket | undefined {
  const priceDecimals = Math.max(a.priceDecimals, b.priceDecimals);
  const sizeDecimals = Math.max(a.sizeDecimals, b.sizeDecimals);
  const [one, other] = [a, b].map((market) => {
    const ticks = 10 ** (priceDecimals - market.priceDecimals);
    const lots = 10 ** (sizeDecimals - market.sizeDecimals);
    return {
      ...{ ...market, priceDecimals, sizeDecimals },
      ...{ tickStep: market.tickStep * ticks, lotStep: market.lotStep * lots },
      ...(market.bookStep === undefined ? {} : { bookStep: market.bookStep * ticks }),
    };
  });
  if (one === undefined || other === undefined) return undefined;
  const tickStep = commonStep(one.tickStep, other.tickStep);
  const lotStep = commonStep(one.lotStep, other.lotStep);
  const isSameKind =
    one.depth === other.depth && one.hasOneTime === other.hasOneTime && one.bookStep === other.bookStep;
  return isSameKind ? { ...one, tickStep, lotStep } : undefined;
}

/** The greatest step that both are multiples of. */
function commonStep(a: number, b: number): number {
  let [step, rest] = [a, b];
  while (rest !== 0) [step, rest] = [rest, step % rest];
  return step;
}

/** `row` of market `from`, with price and size in the decimals of `to`, exactly. @throws ConfigError when it does not fit. */
export function rescaled(row: EventRow, from: TapeMarket, to: TapeMarket): EventRow {
  const { priceDecimals, sizeDecimals } = to;
  if (from.priceDecimals === priceDecimals && from.sizeDecimals === sizeDecimals) return row;
  const price = row.price * 10 ** (priceDecimals - from.priceDecimals);
  const size = UNSIZED.has(row.kind) ? row.size : row.size * 10 ** (sizeDecimals - from.sizeDecimals);
  if (price <= PRICE_MAX && Number.isSafeInteger(size)) return { ...row, price, size };
  const isPrice = price > PRICE_MAX;
  const [what, decimals, own, limit] = isPrice
    ? ['prices', priceDecimals, from.priceDecimals, '2^32 - 1 ticks']
    : ['sizes', sizeDecimals, from.sizeDecimals, '2^53 - 1 lots'];
  throw new ConfigError({
    code: 'TAPE_MERGE_REFUSED',
    message: `expected ${what} of ${to.symbol} within ${limit} at the finer scale of ${decimals} decimals, got one beyond it from a tape of ${own} decimals`,
    remedy: `Import the tape of ${decimals} decimals again with --${isPrice ? 'price' : 'size'}-decimals ${own}, if its numbers fit, or keep the tapes apart.`,
  });
}
