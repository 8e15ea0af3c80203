import { describe, expect, test } from 'vitest';
import { expectedOf } from '../../../../src/bot/execution/expected.ts';
import { matchItems } from '../../../../src/bot/execution/items.ts';
import type { Command, OrderId, OrderRef, RequestId } from '../../../../src/domain/index.ts';
import { aSpec, BTC, ETH } from '../../../support/trading-builders.ts';
import { CONTEXT } from './support.ts';

const REQUEST = `0x${'ab'.repeat(32)}` as RequestId;
const refs: OrderRef[] = ['11', '12'].map((orderId) => ({ symbol: BTC, orderId: orderId as OrderId }));
const specs = [aSpec({ sizeLots: 10 }), aSpec({ sizeLots: 20, side: 'sell', reduceOnly: true })];
const replace: Command = { kind: 'replace', symbol: BTC, cancels: refs, orders: specs };

const cancel = (inputIndex: number, more: object = {}) => ({
  inputIndex,
  kind: 'cancel',
  symbol: BTC,
  orderId: refs[inputIndex]?.orderId,
  state: 'canceled',
  canceledSize: '0.005',
  ...more,
});
const place = (inputIndex: number, more: object = {}) => ({
  inputIndex,
  kind: 'place',
  symbol: BTC,
  state: 'accepted',
  orderId: String(100 + inputIndex),
  size: inputIndex === 0 ? '0.010' : '0.020',
  filledSize: '0',
  resting: true,
  ...more,
});

function match(items: unknown, command: Command = replace, status: 'executed' | 'rejected' = 'executed') {
  return matchItems(items, status, expectedOf(REQUEST, command, CONTEXT.market));
}

describe('items', () => {
  test('cancels and placements are numbered separately and matched by kind and index, in any order', () => {
    const matched = match([place(1), cancel(1), place(0), cancel(0)]);
    expect(matched).toMatchObject({
      isMatched: true,
      outcomes: [
        { kind: 'canceled', ref: refs[0], canceledLots: 5 },
        { kind: 'canceled', ref: refs[1] },
        { kind: 'placed', spec: specs[0], orderId: '100' },
        { kind: 'placed', spec: specs[1], orderId: '101' },
      ],
    });
  });

  test('items fail alone', () => {
    const rejected = { state: 'rejected', reason: 'UnknownOrder' };
    const refused = { state: 'rejected', reason: 'PostOnlyWouldCross', orderId: undefined };
    expect(match([cancel(0, rejected), cancel(1), place(0), place(1, refused)])).toMatchObject({
      outcomes: [
        { kind: 'cancelRejected', reason: 'UnknownOrder' },
        { kind: 'canceled' },
        { kind: 'placed' },
        { kind: 'placeRejected', reason: 'PostOnlyWouldCross' },
      ],
    });
  });

  test('a reduce-only order may be accepted smaller, another may not', () => {
    expect(match([cancel(0), cancel(1), place(0), place(1, { size: '0.007' })])).toMatchObject({
      outcomes: [{}, {}, {}, { acceptedLots: 7 }],
    });
    expect(match([cancel(0), cancel(1), place(0, { size: '0.007' }), place(1)]).isMatched).toBe(false);
  });

  test('sizes that are absent are those asked for; numbers may stand for ids (ambiguity A17)', () => {
    const bare = { size: undefined, filledSize: undefined, resting: undefined, orderId: 101 };
    expect(match([cancel(0), cancel(1), place(0), place(1, bare)])).toMatchObject({
      outcomes: [{}, {}, {}, { acceptedLots: 20, filledLots: 0, isResting: true, orderId: '101' }],
    });
  });

  test('an index may be text, and what is null counts as absent', () => {
    const told = { inputIndex: '1', symbol: null, orderId: null, canceledSize: null };
    const placed = { symbol: null, clientOrderId: null, size: null, filledSize: null, resting: null };
    expect(match([cancel(0), cancel(1, told), place(0, placed), place(1)])).toMatchObject({
      outcomes: [
        { canceledLots: 5 },
        { kind: 'canceled', ref: refs[1], canceledLots: 0 },
        { acceptedLots: 10 },
        {},
      ],
    });
  });

  test('the only item of a kind needs no index, nor do those of a cancel-all', () => {
    const one: Command = {
      kind: 'replace',
      symbol: BTC,
      cancels: refs.slice(0, 1),
      orders: specs.slice(0, 1),
    };
    const bare = { inputIndex: undefined };
    expect(match([place(0, bare), cancel(0, { inputIndex: null })], one)).toMatchObject({
      outcomes: [{ kind: 'canceled' }, { kind: 'placed', orderId: '100' }],
    });
    expect(match([cancel(0, bare), cancel(1, bare)], { kind: 'cancelAll' })).toMatchObject({
      outcomes: [{ ref: refs[0] }, { ref: refs[1] }],
    });
    expect(match([cancel(0, bare), cancel(0, bare), place(0)], one).isMatched).toBe(false);
  });

  test('of a cancel-all without its market does not spoil the others, whose outcomes are known', () => {
    const all: Command = { kind: 'cancelAll' };
    for (const symbol of [undefined, null])
      expect(match([cancel(0, { symbol }), cancel(1)], all)).toMatchObject({
        isMatched: true,
        outcomes: [{ kind: 'canceled', ref: refs[1] }],
      });
    expect(match(null, all)).toEqual({ isMatched: true, outcomes: [] });
    expect(match([cancel(0, { symbol: 7 })], all).isMatched).toBe(false);
    expect(match([cancel(0, { symbol: null, orderId: null })], all).isMatched).toBe(false);
  });

  test('need no kind where the state or the command has it', () => {
    const bare = { kind: undefined };
    expect(match([place(0, bare), cancel(1, bare), cancel(0, bare), place(1)])).toMatchObject({
      outcomes: [{ ref: refs[0] }, { ref: refs[1] }, { orderId: '100' }, { orderId: '101' }],
    });
    const rejected = { kind: null, state: 'rejected', reason: 'UnknownOrder' };
    expect(match([cancel(0, rejected), cancel(1)], { kind: 'cancel', orders: refs })).toMatchObject({
      outcomes: [{ kind: 'cancelRejected' }, { kind: 'canceled' }],
    });
    const orders: Command = { kind: 'place', orders: specs };
    expect(match([place(0, rejected), place(1)], orders)).toMatchObject({
      outcomes: [{ kind: 'placeRejected' }, { kind: 'placed' }],
    });
    expect(match([cancel(0, rejected), cancel(1), place(0), place(1)]).isMatched).toBe(false);
  });

  test.each([
    ['no list', { 0: place(0) }],
    ['a cancel missing', [cancel(0), place(0), place(1)]],
    ['a placement missing', [cancel(0), cancel(1), place(0)]],
    ['an item twice', [cancel(0), cancel(0), place(0), place(1)]],
    ['an index nobody asked for', [cancel(0), cancel(2), place(0), place(1)]],
    ['an index that is no number', [cancel(0), cancel(1, { inputIndex: 'one' }), place(0), place(1)]],
    ['no index of one of two', [cancel(0), cancel(1, { inputIndex: null }), place(0), place(1)]],
    ['an index below zero', [cancel(0), cancel(1, { inputIndex: -1 }), place(0), place(1)]],
    ['a kind nobody knows', [cancel(0), cancel(1), place(0), place(1), { kind: 'modify', inputIndex: 0 }]],
    ['a state of the other kind', [cancel(0), cancel(1), place(0, { state: 'canceled' }), place(1)]],
    ['the cancel of another order', [cancel(0, { orderId: '99' }), cancel(1), place(0), place(1)]],
    ['another market', [cancel(0), cancel(1), place(0, { symbol: ETH }), place(1)]],
    ['another label', [cancel(0), cancel(1), place(0, { clientOrderId: 'other' }), place(1)]],
    [
      'an accepted order without a number',
      [cancel(0), cancel(1), place(0, { orderId: undefined }), place(1)],
    ],
    ['more accepted than asked for', [cancel(0), cancel(1), place(0, { size: '0.011' }), place(1)]],
    ['more filled than accepted', [cancel(0), cancel(1), place(0, { filledSize: '0.011' }), place(1)]],
    ['a size off the lot', [cancel(0), cancel(1), place(0, { size: '0.0101' }), place(1)]],
    ['two placements with one number', [cancel(0), cancel(1), place(0, { orderId: '101' }), place(1)]],
    ['null as an item', [cancel(0), cancel(1), place(0), place(1), null]],
  ])('with %s nothing is believed', (_what, items) => {
    expect(match(items)).toMatchObject({ isMatched: false, contradiction: expect.any(String) });
  });

  test('a rejected write cannot have an item that succeeded', () => {
    const rejected = { state: 'rejected', reason: 'X' };
    const items = [cancel(0, rejected), cancel(1, rejected), place(0, rejected), place(1, rejected)];
    expect(match(items, replace, 'rejected').isMatched).toBe(true);
    expect(match([...items.slice(0, 3), place(1)], replace, 'rejected').isMatched).toBe(false);
  });

  test('a schedule-cancel has no items', () => {
    const command: Command = { kind: 'scheduleCancel', triggerAtMs: 0 };
    expect(match(undefined, command)).toEqual({ isMatched: true, outcomes: [] });
    expect(match([], command)).toEqual({ isMatched: true, outcomes: [] });
    expect(match([cancel(0)], command).isMatched).toBe(false);
  });

  test('cancel-all may name orders that nobody asked for by number', () => {
    const command: Command = { kind: 'cancelAll' };
    expect(match([], command)).toEqual({ isMatched: true, outcomes: [] });
    expect(match([cancel(0), cancel(1)], command)).toMatchObject({
      outcomes: [
        { kind: 'canceled', ref: refs[0] },
        { kind: 'canceled', ref: refs[1] },
      ],
    });
  });
});
