/**
 * @module
 * Order numbers: `orderSeq` is unique over all markets, the packed id adds the market in the top 16 bits
 * (exchange.md#command-bytes, exchange.md#order-numbers). The wire shows orderSeq as decimal text; an id of 2^48 and
 * above is taken as packed already (exchange.md#assumptions).
 */
import { ProtocolError } from '../../../core/index.ts';
import type { CanonicalOrderId } from '../../../domain/index.ts';

/** No orderSeq reaches this. */
const ORDER_SEQ_LIMIT = 1n << 48n;
/** Means "no parent order" (exchange.md#command-bytes). */
export const NO_ORDER_ID = (1n << 64n) - 1n;

/** `market << 48 | orderSeq`. @throws ProtocolError when the market or the orderSeq does not fit: never truncated. */
export function packOrderId({ market, orderSeq }: CanonicalOrderId): bigint {
  if (!(Number.isInteger(market) && market >= 0 && market <= 0xffff)) {
    throw refusedId(`a market of 16 bits, got ${market}`);
  }
  if (orderSeq < 0n || orderSeq >= ORDER_SEQ_LIMIT)
    throw refusedId(`an orderSeq below 2^48, got ${orderSeq}`);
  return (BigInt(market) << 48n) | orderSeq;
}

/** The parts of a packed id. @throws ProtocolError when it is not an integer of 64 bits. */
export function unpackOrderId(packed: bigint): CanonicalOrderId {
  if (packed < 0n || packed > NO_ORDER_ID) throw refusedId(`a packed id of 64 bits, got ${packed}`);
  return { market: Number(packed >> 48n), orderSeq: packed & (ORDER_SEQ_LIMIT - 1n) };
}

/**
 * The number that an order id of the wire means in `market`: decimal text of an orderSeq, or of a packed id of
 * this very market. `undefined` when the text is neither.
 */
export function canonicalOrderId(market: number, orderId: string): CanonicalOrderId | undefined {
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(orderId)) return undefined;
  const value = BigInt(orderId);
  if (value < ORDER_SEQ_LIMIT) return { market, orderSeq: value };
  if (value > NO_ORDER_ID) return undefined;
  const unpacked = unpackOrderId(value);
  return unpacked.market === market ? unpacked : undefined;
}

function refusedId(expected: string): ProtocolError {
  return new ProtocolError({
    code: 'PROTOCOL_ORDER_ID_INVALID',
    message: `expected ${expected}`,
    remedy: 'Order numbers come from the exchange; check where this one comes from.',
  });
}
