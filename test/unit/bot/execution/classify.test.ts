import { describe, expect, test } from 'vitest';
import { classifyAnswer } from '../../../../src/bot/execution/classify.ts';
import { expectedOf } from '../../../../src/bot/execution/expected.ts';
import type { NoAnswer, RawAnswer } from '../../../../src/bot/execution/index.ts';
import type { RequestId } from '../../../../src/domain/index.ts';
import { aSpec, BTC } from '../../../support/trading-builders.ts';
import { answer, CONTEXT, refusal } from './support.ts';

const REQUEST = `0x${'ab'.repeat(32)}` as RequestId;
const spec = aSpec({ sizeLots: 10 });
const expected = expectedOf(REQUEST, { kind: 'place', orders: [spec] }, CONTEXT.market);
const item = {
  inputIndex: 0,
  kind: 'place',
  symbol: BTC,
  state: 'accepted',
  orderId: '77',
  size: '0.010',
  filledSize: '0.004',
  resting: true,
};
const executed = { requestId: REQUEST, status: 'executed', epoch: 'e', seq: 9, nonceConsumed: true };

const kindOf = (given: RawAnswer | NoAnswer) => classifyAnswer(given, expected).kind;

describe('row 1: 200', () => {
  test('a well-formed result with all its items is final', () => {
    const result = classifyAnswer(answer(200, { ...executed, items: [item] }), expected);
    expect(result).toEqual({
      kind: 'final',
      outcome: {
        status: 'executed',
        reason: undefined,
        seq: 9n,
        epoch: 'e',
        items: [
          {
            kind: 'placed',
            spec,
            orderId: '77',
            acceptedLots: 10,
            filledLots: 4,
            isResting: true,
          },
        ],
      },
    });
  });

  test('the log position comes from the header when the body has none', () => {
    const { seq: _seq, ...body } = executed;
    const result = classifyAnswer(answer(200, { ...body, items: [item] }, { seq: 12n }), expected);
    expect(result).toMatchObject({ outcome: { seq: 12n } });
  });

  test.each([
    ['no items', { ...executed }],
    ['an item too many', { ...executed, items: [item, { ...item, inputIndex: 1 }] }],
    ['a status nobody knows', { ...executed, status: 'done', items: [item] }],
    ['no status', { requestId: REQUEST, items: [item] }],
    ['a nonce that was not consumed', { ...executed, nonceConsumed: false, items: [item] }],
  ])('with %s it is unknown, not success', (_what, body) => {
    expect(kindOf(answer(200, body))).toBe('unknown');
  });

  test('about another request it is a mismatch (obligation O75)', () => {
    const other = { ...executed, requestId: `0x${'cd'.repeat(32)}`, items: [item] };
    expect(kindOf(answer(200, other))).toBe('mismatch');
  });

  test('the case of a request id does not matter', () => {
    const shouted = { ...executed, requestId: `0x${'AB'.repeat(32)}`, items: [item] };
    expect(kindOf(answer(200, shouted))).toBe('final');
  });

  test('a batch of which every item was rejected is final as 200', () => {
    const rejected = { ...item, state: 'rejected', reason: 'PostOnlyWouldCross' };
    const body = { ...executed, status: 'rejected', reason: 'PostOnlyWouldCross', items: [rejected] };
    expect(classifyAnswer(answer(200, body), expected)).toMatchObject({
      kind: 'final',
      outcome: { status: 'rejected', items: [{ kind: 'placeRejected', reason: 'PostOnlyWouldCross' }] },
    });
  });
});

describe('row 2: 202', () => {
  test('sequenced with its request id is waited on', () => {
    expect(kindOf(answer(202, { status: 'sequenced', requestId: REQUEST }))).toBe('sequenced');
  });

  test.each([
    ['without a request id', { status: 'sequenced' }],
    ['with another status', { status: 'ok', requestId: REQUEST }],
  ])('%s it is unknown', (_what, body) => {
    expect(kindOf(answer(202, body))).toBe('unknown');
  });
});

describe('row 3: refused before sequencing', () => {
  test.each([400, 401, 403, 404])('%i with an error code is refused', (status) => {
    expect(classifyAnswer(refusal(status, 'SomeCode'), expected)).toEqual({
      kind: 'refused',
      code: 'SomeCode',
    });
  });

  test.each([412, 421, 429])('%i with an error code asks for the same bytes again', (status) => {
    const given = refusal(status, 'SomeCode', {}, { retryAfterMs: 700 });
    expect(classifyAnswer(given, expected)).toEqual({ kind: 'again', code: 'SomeCode', afterMs: 700 });
  });
});

describe('row 4: 409', () => {
  test('a conflict on a write is settled by the receipt', () => {
    expect(kindOf(refusal(409, 'NonceMismatch'))).toBe('conflict');
    expect(kindOf(refusal(409, 'AnythingElse'))).toBe('conflict');
  });

  test.each([401, 403, 422])('NonceMismatch as %i is a conflict too', (status) => {
    expect(kindOf(refusal(status, 'NonceMismatch', { nonceConsumed: false }))).toBe('conflict');
  });
});

describe('row 5: 422', () => {
  test.each([true, 'true', 1, '1'])('a consumed nonce (%j) is final', (nonceConsumed) => {
    expect(classifyAnswer(refusal(422, 'InsufficientMargin', { nonceConsumed }), expected)).toMatchObject({
      kind: 'final',
      outcome: { status: 'rejected', reason: 'InsufficientMargin', items: [] },
    });
  });

  test.each([false, 'false', 0, '0'])('a nonce that was not consumed (%j) is refused', (nonceConsumed) => {
    expect(kindOf(refusal(422, 'SignatureExpired', { nonceConsumed }))).toBe('refused');
  });

  test.each([undefined, null, 'yes', 2, {}])(
    'what is not said of the nonce (%j) is unknown',
    (nonceConsumed) => {
      expect(kindOf(refusal(422, 'InsufficientMargin', { nonceConsumed }))).toBe('unknown');
    },
  );

  test('a pre-nonce reason with a consumed nonce contradicts itself', () => {
    expect(kindOf(refusal(422, 'UnknownAgent', { nonceConsumed: true }))).toBe('unknown');
  });

  test('a batch that was rejected whole is final as 422 with its items', () => {
    const rejected = { ...item, state: 'rejected', reason: 'MinNotional' };
    const body = { ...executed, status: 'rejected', reason: 'MinNotional', items: [rejected] };
    expect(classifyAnswer(answer(422, body), expected)).toMatchObject({
      kind: 'final',
      outcome: { items: [{ kind: 'placeRejected', reason: 'MinNotional' }] },
    });
  });

  test('items that say something else make it unknown', () => {
    const body = { ...executed, status: 'rejected', reason: 'MinNotional', items: [item] };
    expect(kindOf(answer(422, body))).toBe('unknown');
  });

  test('without a code and without a status it is unknown', () => {
    expect(kindOf(answer(422, { reason: 'MinNotional', nonceConsumed: true }))).toBe('unknown');
    expect(kindOf(answer(422, {}))).toBe('unknown');
  });
});

describe('row 6: unknown', () => {
  test.each([300, 307, 402, 405, 408, 418, 425, 500, 502, 503, 504, 599, 204, 100])(
    'status %i is unknown even with an error code',
    (status) => {
      expect(kindOf(refusal(status, 'SomeCode'))).toBe('unknown');
    },
  );

  test.each([400, 401, 403, 404, 409, 412, 421, 429])(
    'status %i without a well-formed error code is unknown (obligation O73)',
    (status) => {
      expect(kindOf(answer(status, '<html>blocked</html>'))).toBe('unknown');
      expect(kindOf(answer(status, {}))).toBe('unknown');
      expect(kindOf(answer(status, { error: { code: 7 } }))).toBe('unknown');
      expect(kindOf(answer(status, { error: { code: '' } }))).toBe('unknown');
      expect(kindOf(answer(status, { error: 'RateLimited' }))).toBe('unknown');
    },
  );

  test.each(['', '{', '[]', 'null', '"ok"', `{"status":"executed"`, '{"items":[}'])(
    'the body %j is unknown',
    (body) => {
      expect(kindOf(answer(200, body))).toBe('unknown');
      expect(kindOf(answer(202, body))).toBe('unknown');
    },
  );

  test('no answer is unknown', () => {
    expect(kindOf({ kind: 'lost', why: 'timeout' })).toBe('unknown');
  });
});

describe('row 7: not sent', () => {
  test('zero bytes on the wire are zero bytes', () => {
    expect(kindOf({ kind: 'notSent', why: 'connection refused' })).toBe('notSent');
  });
});
