import { describe, expect, test } from 'vitest';
import { expectedOf } from '../../../../src/bot/execution/expected.ts';
import type { NoAnswer, RawAnswer } from '../../../../src/bot/execution/index.ts';
import { readReceipt } from '../../../../src/bot/execution/receipt.ts';
import type { RequestId } from '../../../../src/domain/index.ts';
import { aSpec, BTC } from '../../../support/trading-builders.ts';
import { answer, CONTEXT, refusal } from './support.ts';

const REQUEST = `0x${'ab'.repeat(32)}` as RequestId;
const OTHER = `0x${'cd'.repeat(32)}`;
const expected = expectedOf(REQUEST, { kind: 'place', orders: [aSpec({ sizeLots: 10 })] }, CONTEXT.market);
const item = { inputIndex: 0, kind: 'place', symbol: BTC, state: 'accepted', orderId: '7', size: '0.010' };
const head = { requestId: REQUEST, epoch: 'e', seq: 9, sub: 0 };

const read = (given: RawAnswer | NoAnswer, epoch = 'e') => readReceipt(given, expected, epoch);

describe('final receipts', () => {
  test('executed with its items', () => {
    const body = { ...head, status: 'executed', nonceConsumed: true, items: [item] };
    expect(read(answer(200, body))).toMatchObject({
      kind: 'final',
      outcome: { status: 'executed', seq: 9n, items: [{ kind: 'placed', orderId: '7' }] },
    });
  });

  test.each([true, 'true', 1])('rejected with its nonce consumed (%j)', (nonceConsumed) => {
    const body = { ...head, status: 'rejected', nonceConsumed, reason: 'MinNotional' };
    expect(read(answer(200, body))).toMatchObject({
      kind: 'final',
      outcome: { status: 'rejected', reason: 'MinNotional' },
    });
  });

  test('conflict names the request that used the nonce (obligation O64)', () => {
    const details = { status: 'conflict', epoch: 'e', conflictingRequest: OTHER };
    expect(read(refusal(409, 'conflict', details))).toEqual({ kind: 'conflict', by: OTHER });
    expect(read(refusal(409, 'NonceConflict', details))).toEqual({ kind: 'conflict', by: OTHER });
  });
});

describe('receipts that leave the question open', () => {
  test('not_found is valid up to its position only (obligation O63)', () => {
    const details = { status: 'not_found', epoch: 'e', asOfSeq: '18446744073709551615' };
    expect(read(refusal(404, 'not_found', details))).toEqual({
      kind: 'open',
      asOfSeq: 2n ** 64n - 1n,
      rejection: undefined,
    });
  });

  test.each([
    [false, false],
    ['false', false],
    [0, false],
    [undefined, undefined],
    ['perhaps', undefined],
  ])('rejected with nonceConsumed %j', (nonceConsumed, said) => {
    const body = { ...head, status: 'rejected', nonceConsumed, reason: 'BadSignature' };
    expect(read(answer(200, body))).toMatchObject({
      kind: 'open',
      asOfSeq: 9n,
      rejection: { reason: 'BadSignature', nonceConsumed: said },
    });
  });

  test('pending is waited on (obligation O60)', () => {
    expect(read(answer(200, { ...head, status: 'pending' }))).toEqual({ kind: 'pending' });
  });
});

describe('receipts of another epoch prove nothing (obligation O119)', () => {
  const details = { epoch: 'f', asOfSeq: 3, conflictingRequest: OTHER };

  test.each([
    ['not_found', refusal(404, 'not_found', { ...details, status: 'not_found' })],
    ['conflict', refusal(409, 'conflict', { ...details, status: 'conflict' })],
    ['pending', answer(200, { ...head, epoch: 'f', status: 'pending' })],
    [
      'executed',
      answer(200, { ...head, epoch: 'f', status: 'executed', nonceConsumed: true, items: [item] }),
    ],
  ])('%s', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'otherEpoch', epoch: 'f' });
  });

  test('where no epoch was known before the send, none is compared', () => {
    expect(read(answer(200, { ...head, epoch: 'f', status: 'pending' }), '')).toEqual({ kind: 'pending' });
  });

  test('an epoch may come as a number', () => {
    expect(read(answer(200, { ...head, epoch: 3, status: 'pending' }), '3')).toEqual({ kind: 'pending' });
  });
});

describe('answers without information', () => {
  test.each<[string, RawAnswer | NoAnswer]>([
    [
      'history_unavailable',
      refusal(503, 'history_unavailable', { status: 'history_unavailable', epoch: 'e' }),
    ],
    ['a lost answer', { kind: 'lost', why: 'timeout' }],
    ['nothing sent', { kind: 'notSent', why: 'refused' }],
    ['404 of a proxy', answer(404, '<html>')],
    ['404 with another code', refusal(404, 'NotFound')],
    ['409 of the history', refusal(409, 'history_epoch_mismatch', { epoch: 'e' })],
    ['a 500', refusal(500, 'InternalError')],
    ['a receipt of another request', answer(200, { ...head, requestId: OTHER, status: 'pending' })],
    ['an unknown status', answer(200, { ...head, status: 'perhaps' })],
    ['executed without a word on the nonce', answer(200, { ...head, status: 'executed', items: [item] })],
    ['executed without its items', answer(200, { ...head, status: 'executed', nonceConsumed: true })],
    ['no JSON', answer(200, 'ok')],
  ])('%s', (_what, given) => {
    expect(read(given)).toMatchObject({ kind: 'none', why: expect.any(String) });
  });

  test('a 429 says how long to wait', () => {
    const given = refusal(429, 'RateLimited', { bucket: 'ip' }, { retryAfterMs: 900 });
    expect(read(given)).toMatchObject({ kind: 'none', afterMs: 900 });
  });
});
