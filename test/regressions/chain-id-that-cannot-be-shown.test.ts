import { expect, test } from 'vitest';
import { ProtocolError } from '../../src/core/index.ts';
import { readChainId } from '../../src/wire/crypto/index.ts';
import { decodeExchange } from '../../src/wire/protocol/index.ts';
import { ANSWERS } from '../support/wire-samples.ts';

const HOSTILE = JSON.parse('{"toString":null,"valueOf":null}') as unknown;

/** The message of the refusal was made of what was sent, which threw a TypeError of its own. */
test.each([
  ['an object without a text', HOSTILE],
  ['null', null],
  ['a list', [1]],
])('error: a chain id that is %s is refused by name (O3)', (_what, value) => {
  expect(() => readChainId(value)).toThrow(ProtocolError);
});

test('error: an environment with such a chain id is malformed, not a bug (O3)', () => {
  const answer = decodeExchange(JSON.stringify({ ...ANSWERS.exchange, chainId: HOSTILE }));
  expect(answer.ok ? undefined : answer.error).toBeInstanceOf(ProtocolError);
});
