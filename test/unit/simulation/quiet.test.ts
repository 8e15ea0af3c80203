/** @module What disturbs a moment of rest: all that is of the account, and no book of an idle market. */
import { describe, expect, test } from 'vitest';
import { isOfBooks } from '../../simulation/quiet.ts';

describe('a frame', () => {
  test.each([
    '{"channel":"book","isSnapshot":true,"seq":561,"data":{"symbol":"BTC-USD","bids":[],"asks":[]}}',
    '{"channel":"bbo","isSnapshot":false,"seq":561,"data":{"symbol":"BTC-USD"}}',
    '{"method":"subscribe","params":{"channel":"book","symbol":"BTC-USD","depth":20},"id":195}',
    '{"method":"unsubscribe","params":{"channel":"bbo","symbol":"BTC-USD"},"id":196}',
    '{"channel":"subscribed","data":{"channel":"book","symbol":"BTC-USD"},"epoch":"1","id":195}',
    '{"channel":"unsubscribed","data":{"channel":"bbo","symbol":"BTC-USD"},"id":196}',
  ])('of a book disturbs no rest: %s', (text) => {
    expect(isOfBooks(text)).toBe(true);
  });

  test.each([
    '{"channel":"orders","isSnapshot":false,"seq":1,"data":{"orderId":7,"status":"filled"}}',
    '{"channel":"fills","seq":1,"data":{"id":"1-0-1"}}',
    '{"channel":"lagged","data":{"channel":"ledger"}}',
    '{"channel":"subscribed","data":{"channel":"positions"},"id":3}',
    '{"method":"subscribe","params":{"channel":"candles"},"id":195}',
    '{"channel":"book","data":{"note":{"channel":"orders"}}}',
    '{"channel":"subscribed","id":3}',
    '{"method":"ping"}',
    'not JSON',
  ])('of anything else does: %s', (text) => {
    expect(isOfBooks(text)).toBe(false);
  });
});
