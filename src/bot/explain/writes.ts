/** @module A write of the journal and its proven outcome as steps. */
import type { FoundWrite } from '../journal/index.ts';
import type { Step } from './explanation.ts';

/** The write and its outcome. */
export function writeSteps({ row, write, outcome }: FoundWrite): readonly Step[] {
  const { requestId, lane, scope, nonce, nowMs, kind, command, commandHash, epoch, fences } = write;
  const fenced = fences === undefined ? '' : `, in place of ${fences}`;
  const sent: Step = {
    step: 'write',
    atMs: nowMs,
    text: `${kind === 'fence' ? 'fence' : command.kind} ${requestId} with nonce ${nonce} of lane ${lane}${fenced}, row ${row} of the journal before its first byte left`,
    facts: {
      ...{ requestId, lane, scope, kind, command: command.kind, commandHash, epoch, row },
      nonce: String(nonce),
    },
  };
  if (outcome === undefined)
    return [sent, { step: 'receipt', atMs: null, text: 'no outcome is proven yet', facts: { requestId } }];
  const { outcome: end, proof, nonceConsumed, seq, placed = [] } = outcome;
  const where = seq === undefined ? '' : ` at position ${seq} of the exchange's log`;
  const orders = placed.map(({ orderId }) => orderId);
  return [
    sent,
    {
      step: 'receipt',
      atMs: null,
      text: `${end}${where}, proven by ${proof}${orders.length === 0 ? '' : `; orders ${orders.join(', ')}`}`,
      facts: {
        requestId,
        outcome: end,
        proof,
        nonceConsumed,
        orders,
        seq: seq === undefined ? null : String(seq),
      },
    },
  ];
}
