import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/index.ts';
import { Receipts } from '../../../src/simulator/state/receipts.ts';
import type { Receipt } from '../../../src/simulator/state/request.ts';

const signer = `0x${'11'.repeat(20)}` as Address;

function aReceipt(requestId: string, seq: number, fields: Partial<Receipt> = {}): Receipt {
  return {
    request: {
      requestId,
      signer,
      isAgent: true,
      nonce: 0n,
      operation: { kind: 'CancelAll', account: 1 },
      clientOrderIds: [],
    },
    scope: `agent:${signer}`,
    seq,
    sub: 0,
    status: 'executed',
    nonceConsumed: true,
    reason: undefined,
    batchStatus: undefined,
    items: [],
    ...fields,
  };
}

describe('Receipts', () => {
  test('the last word on the same bytes counts', () => {
    const receipts = new Receipts(10);
    receipts.add(aReceipt('a', 1, { status: 'rejected', nonceConsumed: false, reason: 'NonceMismatch' }));
    receipts.add(aReceipt('a', 5));
    expect(receipts.find('a')).toMatchObject({ seq: 5, status: 'executed' });
  });

  test('the oldest go first, and how far is known', () => {
    const receipts = new Receipts(2);
    expect(receipts.evictedUpToSeq).toBe(0);
    for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) receipts.add(aReceipt(id, 10 + at));
    expect(['a', 'b', 'c', 'd'].map((id) => receipts.find(id)?.seq)).toEqual([undefined, undefined, 12, 13]);
    expect(receipts.evictedUpToSeq).toBe(11);
  });
});
