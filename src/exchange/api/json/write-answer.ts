/**
 * @module
 * The answer to a write that was executed, as JSON text (exchange.md#write-answers). Written out by hand: making an
 * object for each item and a text of them costs more than the matching. What it writes is what `JSON.stringify` gives
 * for the same answer; `items` of a receipt are made in `item-json`.
 */
import type { Market } from '../../../domain/index.ts';
import type { ItemOutcome } from '../../engine/index.ts';
import type { ExchangeState, Receipt } from '../../state/index.ts';
import { sizeText } from './market-json.ts';
import { vaultEffectJson } from './vault-json.ts';

/** The answer of a receipt. `isDuplicate`: the same bytes had been executed before. */
export function writeAnswerText(receipt: Receipt, state: ExchangeState, isDuplicate: boolean): string {
  const { request, status, seq, sub, nonceConsumed, batchStatus, reason, vault } = receipt;
  let text = `{"requestId":"${request.requestId}","status":"${status}","epoch":${JSON.stringify(state.epoch)}`;
  text += `,"seq":${seq},"sub":${sub},"nonceConsumed":${nonceConsumed}`;
  if (batchStatus !== undefined) text += `,"batchStatus":"${batchStatus}"`;
  if (reason !== undefined) text += `,"reason":${JSON.stringify(reason)}`;
  if (isDuplicate) text += ',"duplicate":true';
  text += `,"items":${itemsText(receipt, state)}`;
  if (vault !== undefined) text += `,"vault":${JSON.stringify(vaultEffectJson(vault))}`;
  return `${text}}`;
}

function itemsText({ items, request }: Receipt, { venue }: ExchangeState): string {
  let text = '';
  let head = '';
  let last: ItemOutcome | undefined;
  for (const item of items) {
    const market = venue.market(item.market);
    if (last?.market !== item.market || last.kind !== item.kind || last.state !== item.state)
      head = headOf(item, market);
    last = item;
    const label = item.kind === 'place' ? request.clientOrderIds[item.inputIndex] : undefined;
    text += `${text === '' ? '' : ','}{"inputIndex":${item.inputIndex}${head}`;
    if (item.orderSeq !== undefined) text += `,"orderId":"${item.orderSeq}"`;
    if (label !== undefined) text += `,"clientOrderId":${JSON.stringify(label)}`;
    if (item.reason !== undefined) text += `,"reason":${JSON.stringify(item.reason)}`;
    text += `${sizesText(item, market)}}`;
  }
  return `[${text}]`;
}

/** What neighboring items mostly have in common. */
function headOf({ kind, state }: ItemOutcome, { symbol }: Market): string {
  return `,"kind":"${kind}","symbol":${JSON.stringify(symbol)},"state":"${state}"`;
}

function sizesText(item: ItemOutcome, market: Market): string {
  const { lots = 0, filledLots = 0, isResting = false, canceledLots = 0 } = item;
  if (item.state === 'accepted')
    return `,"size":"${sizeText(market, lots)}","filledSize":"${sizeText(market, filledLots)}","resting":${isResting}`;
  return item.state === 'canceled' ? `,"canceledSize":"${sizeText(market, canceledLots)}"` : '';
}
