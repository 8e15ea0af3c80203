import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/core/index.ts';
import type { Address } from '../../../../src/domain/index.ts';
import { composeWrite, type Envelope, openEnvelope } from '../../../../src/wire/protocol/index.ts';
import { AGENT, OWNER } from '../../../support/wire-samples.ts';

const SIGNATURE = `0x${'ab'.repeat(65)}` as const;
const ENVELOPE: Envelope = {
  account: OWNER as Address,
  nonce: 2n ** 64n - 1n,
  signature: SIGNATURE,
  signer: AGENT as Address,
};

describe('composeWrite', () => {
  test('an API wallet names itself as signer, the nonce keeps its digits (obligations O7, O37)', () => {
    expect(composeWrite({ triggerMs: 0, nowMs: 1 }, ENVELOPE)).toBe(
      `{"account":"${OWNER}","nonce":18446744073709551615,"signature":"${SIGNATURE}","signer":"${AGENT}","triggerMs":0,"nowMs":1}`,
    );
  });

  test('a main wallet sends no signer, the main account no subaccount', () => {
    const text = composeWrite({}, { ...ENVELOPE, signer: undefined, subaccount: 0 });
    expect(Object.keys(JSON.parse(text))).toEqual(['account', 'nonce', 'signature']);
  });

  test('a vault excludes the subaccount (obligation O38)', () => {
    const text = composeWrite({}, { ...ENVELOPE, vault: 'v-1', subaccount: 3 });
    expect(JSON.parse(text)).toMatchObject({ vault: 'v-1' });
    expect(text).not.toContain('subaccount');
  });
});

describe('openEnvelope', () => {
  test('takes off what composeWrite put around, digit by digit', () => {
    const body = { symbol: 'BTC-USD', leverage: 5 };
    const opened = openEnvelope(parseJson(composeWrite(body, { ...ENVELOPE, subaccount: 3 })));
    expect(opened).toEqual({
      envelope: { ...ENVELOPE, subaccount: 3, vault: undefined },
      business: body,
    });
  });

  test('addresses come out in lower case', () => {
    const opened = openEnvelope({ account: `0x${'AB'.repeat(20)}`, nonce: 1, signature: SIGNATURE });
    expect('envelope' in opened && opened.envelope.account).toBe(`0x${'ab'.repeat(20)}`);
  });

  const good = { account: OWNER, nonce: 1, signature: SIGNATURE };
  test.each([
    ['no object', []],
    ['no account', { ...good, account: undefined }],
    ['a number as account', { ...good, account: 7 }],
    ['a short signature', { ...good, signature: '0xab' }],
    ['a negative nonce', { ...good, nonce: -1 }],
    ['a nonce as text', { ...good, nonce: '1' }],
    ['a broken nonce', { ...good, nonce: 1.5 }],
    ['a signer that is no address', { ...good, signer: 'me' }],
    ['an empty vault', { ...good, vault: '' }],
    ['a vault with a subaccount', { ...good, vault: 'v', subaccount: 0 }],
    ['a negative subaccount', { ...good, subaccount: -1 }],
  ])('error: %s is a problem', (_name, value) => {
    expect(openEnvelope(value)).toMatchObject({ problem: { code: 'InvalidRequest' } });
  });
});
