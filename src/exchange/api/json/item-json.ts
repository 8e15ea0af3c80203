/** @module The items of a write's outcome as the JSON of the interface (exchange.md#write-answers). */
import type { WireItem } from '../../../wire/protocol/index.ts';
import type { ItemOutcome } from '../../engine/index.ts';
import type { ExchangeState, Receipt } from '../../state/index.ts';
import { sizeText } from './market-json.ts';

/** One entry per cancel and placement; both are numbered from 0 on their own. */
export function itemsJson(receipt: Receipt, state: ExchangeState): readonly WireItem[] {
  return receipt.items.map((item) => itemJson(item, receipt, state));
}

function itemJson(item: ItemOutcome, { request }: Receipt, { venue }: ExchangeState): WireItem {
  const market = venue.market(item.market);
  const text = (lots: number | undefined) => sizeText(market, lots ?? 0);
  const clientOrderId = item.kind === 'place' ? request.clientOrderIds[item.inputIndex] : undefined;
  return {
    inputIndex: item.inputIndex,
    kind: item.kind,
    symbol: market.symbol,
    state: item.state,
    ...(item.orderSeq === undefined ? {} : { orderId: item.orderSeq.toString() }),
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(item.reason === undefined ? {} : { reason: item.reason }),
    ...(item.state === 'accepted'
      ? { size: text(item.lots), filledSize: text(item.filledLots), resting: item.isResting ?? false }
      : {}),
    ...(item.state === 'canceled' ? { canceledSize: text(item.canceledLots) } : {}),
  };
}
