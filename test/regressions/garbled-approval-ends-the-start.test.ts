import { expect, test } from 'vitest';
import { GatewayError, messageOf } from '../../src/core/index.ts';
import { approvalRig } from '../support/approval-rig.ts';

const NO_TEXT = '{"toString":null,"valueOf":null}';

/**
 * An intermediary had garbled the position in the answer to an approval: the start of a bot ended by a TypeError without
 * a name, although the grant stood and its receipt would have said where.
 */
test.each([
  ['position', (body: string) => body.replace(/"seq":\d+/, '"seq":{"was":"another kind"}')],
  ['position without a text', (body: string) => body.replace(/"seq":\d+/, `"seq":${NO_TEXT}`)],
  ['end', (body: string) => body.slice(0, 40)],
])('a garbled %s in the answer to an approval is read in its receipt (O67)', async (_what, garble) => {
  const posted: string[] = [];
  const { approve, close } = await approvalRig((carry) => async (request) => {
    const reply = await carry(request);
    if (request.method !== 'POST' || reply.kind !== 'answer') return reply;
    posted.push(request.path);
    return { ...reply, body: garble(reply.body) };
  });
  expect((await approve()).seq).toBeGreaterThan(0n);
  expect(posted).toEqual(['/v1/account/agents/approve']);
  await close();
});

test('an error whose details no text can be made of is described all the same (O74)', () => {
  const details = { named: JSON.parse(NO_TEXT) as unknown };
  const error = new GatewayError({ code: 'A_CODE', message: 'a message', remedy: 'a remedy', details });
  expect(error.describe()).toBe('A_CODE: a message\n  named: an object\n  remedy: a remedy');
  expect(messageOf(details.named)).toBe('an object');
});
