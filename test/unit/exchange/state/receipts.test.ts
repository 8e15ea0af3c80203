import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/domain/index.ts';
import { Receipts } from '../../../../src/exchange/state/receipts.ts';
import type { Receipt } from '../../../../src/exchange/state/request.ts';

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

  test('bytes that come again and again neither crowd out others nor lose them', () => {
    const receipts = new Receipts(10);
    for (let seq = 1; seq <= 9; seq++) receipts.add(aReceipt(`early ${seq}`, seq));
    for (let seq = 10; seq <= 500; seq++) receipts.add(aReceipt('again', seq));
    expect(receipts.evictedUpToSeq).toBe(0);
    for (let seq = 1; seq <= 9; seq++) expect(receipts.find(`early ${seq}`)?.seq).toBe(seq);
    receipts.add(aReceipt('late', 501));
    expect(receipts.find('early 1')).toBeUndefined();
    expect(receipts.find('early 2')?.seq).toBe(2);
    expect(receipts.find('again')?.seq).toBe(500);
    expect(receipts.evictedUpToSeq).toBe(1);
  });

  test.each([1, 2, 7])('keeps the newest %i of any stream, as a plain list does', (receiptsMax) => {
    const receipts = new Receipts(receiptsMax);
    let model: Receipt[] = [];
    for (let seq = 1; seq <= 300; seq++) {
      const receipt = aReceipt(String((seq * 7919) % 23), seq);
      receipts.add(receipt);
      model = [...model.filter((one) => one.request.requestId !== receipt.request.requestId), receipt];
      model = model.slice(-receiptsMax);
      for (let id = 0; id < 23; id++)
        expect(receipts.find(String(id))).toBe(model.find((one) => one.request.requestId === String(id)));
    }
  });
});
