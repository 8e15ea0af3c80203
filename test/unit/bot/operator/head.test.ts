import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../src/bot/operator/head.ts';

const TOKEN = 'a'.repeat(64);
const authorization = `Bearer ${TOKEN}`;
const at = (host: string | undefined, origin?: string) => ({ host, origin, authorization });

describe('the head of a request at the door of a run', () => {
  test.each([['127.0.0.1:4711'], ['localhost:80'], ['LOCALHOST'], ['[::1]:9']])(
    'passes from this machine as %s with the token',
    (host) => {
      expect(refusalOf(at(host), TOKEN)).toBeUndefined();
      expect(refusalOf(at(host, `http://${host}`), TOKEN)).toBeUndefined();
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
    expect(refusalOf(at(host, origin), TOKEN)).toMatchObject({
      status: 403,
      code: 'OPERATOR_ORIGIN_REFUSED',
    });
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
    expect(refusalOf(head, TOKEN)).toMatchObject({ status: 401, code: 'OPERATOR_TOKEN_REFUSED' });
  });
});
