import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../src/bot/operator/head.ts';

const TOKEN = 'a'.repeat(64);
const RULES = { token: TOKEN, hosts: [] };
const authorization = `Bearer ${TOKEN}`;
const at = (host: string | undefined, origin?: string) => ({ host, origin, authorization });

describe('the head of a request at the door of a run', () => {
  test.each([['127.0.0.1:4711'], ['localhost:80'], ['LOCALHOST'], ['[::1]:9']])(
    'passes from this machine as %s with the token',
    (host) => {
      expect(refusalOf(at(host), RULES)).toBeUndefined();
      expect(refusalOf(at(host, `http://${host}`), RULES)).toBeUndefined();
    },
  );

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['evil.example', undefined],
    ['127.0.0.1.evil.example', undefined],
    ['127.0.0.1:80@evil.example', undefined],
    ['localhost:1', 'http://evil.example'],
    ['localhost:1', 'http://localhost:2'],
    ['localhost:1', 'https://localhost:1'],
    ['localhost:1', 'null'],
  ])('is refused of host %s and origin %s, whatever its token', (host, origin) => {
    expect(refusalOf(at(host, origin), RULES)).toMatchObject({
      status: 403,
      code: 'OPERATOR_ORIGIN_REFUSED',
    });
  });

  test('passes under a name that the configuration lists, and without a token where none is needed', () => {
    const rules = { token: TOKEN, hosts: ['bot', '10.0.0.7'] };
    expect(refusalOf(at('bot:9464'), rules)).toBeUndefined();
    expect(refusalOf(at('10.0.0.7', 'http://10.0.0.7'), rules)).toBeUndefined();
    for (const host of ['bot.evil.example', 'abot', '10.0.0.70', '10a0.0.7'])
      expect(refusalOf(at(host), rules)).toMatchObject({ status: 403 });
    const open = { ...rules, token: undefined };
    const bare = { host: 'bot', origin: undefined, authorization: undefined };
    expect(refusalOf(bare, open)).toBeUndefined();
    expect(refusalOf({ ...bare, host: 'evil.example' }, open)).toMatchObject({ status: 403 });
    expect(refusalOf({ ...bare, origin: 'http://evil.example' }, open)).toMatchObject({ status: 403 });
  });

  test.each([
    [undefined],
    [''],
    [TOKEN],
    ['Bearer '],
    [`Bearer ${TOKEN}a`],
    [`Bearer ${TOKEN.slice(1)}`],
    [`Basic ${TOKEN}`],
    [`Bearer ${'x'.repeat(5_000)}`],
  ])('is refused with authorization %s', (authorization) => {
    const head = { host: 'localhost:1', origin: undefined, authorization };
    expect(refusalOf(head, RULES)).toMatchObject({ status: 401, code: 'OPERATOR_TOKEN_REFUSED' });
  });
});
