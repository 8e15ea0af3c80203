import { expect, test } from 'vitest';
import { ProtocolError } from '../../src/core/index.ts';
import { decodeFrame } from '../../src/wire/protocol/index.ts';
import { CONTEXT, NO_BOOKS } from '../unit/wire/protocol/support.ts';

const HEAD =
  '{"channel":"book","isSnapshot":true,"seq":8812,"data":{"symbol":"BTC-USD","bids":[["117977.0","0.020"]';
const TAIL = ',"asks":[["118023.0","0.020"]]},"channel":"elsewhere"}';

/** The levels of a book frame are read last: of one that named its channel twice nobody read them. */
test('error: a frame that is no JSON in its levels is refused, whatever channel it names last', () => {
  const broken = decodeFrame(`${HEAD},[}"117953.5","0.020"]]${TAIL}`, CONTEXT, NO_BOOKS);
  expect(broken.ok ? undefined : broken.error).toBeInstanceOf(ProtocolError);
});

test('a frame that names another channel last is a frame of that one', () => {
  const whole = decodeFrame(`${HEAD}]${TAIL}`, CONTEXT, NO_BOOKS);
  expect(whole.ok && whole.value.channel).not.toBe('book');
});
