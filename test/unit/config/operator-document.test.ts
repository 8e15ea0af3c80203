import { describe, expect, test } from 'vitest';
import { loadOperatorDocument, parseOperatorDocument } from '../../../src/config/operator-document.ts';

const GOOD = `openapi: 3.1.0
paths:
  /v1/time: { get: {} }
  /v1/orders/cancel-all:
    post:
      x-eip712: { typeString: 'CancelAll(uint64 nonce)', agent: 'AgentExec(bytes32 commandHash,uint64 nonce)' }
  /v1/orders:
    post:
      x-eip712:
        typeString: BatchPlace(uint64 nonce)
        variants: [{ typeString: PlaceOrder(uint64 nonce) }]
x-structs:
  ApproveAgent: { typeString: ApproveAgent(uint64 nonce) }
x-commands:
  codecVersion: 1
  commands: { CancelAll: { tag: 0xF0 } }
`;

describe('the document of an operator', () => {
  test('is read: every type string with its write and its place', () => {
    const { structs, codes, find } = parseOperatorDocument(GOOD, '/given/operator.yaml');
    expect(structs.map(({ route, typeString, at }) => [route, typeString, find(at, '').place])).toEqual([
      ['/v1/orders/cancel-all', 'CancelAll(uint64 nonce)', 'operator.yaml:6:31'],
      [undefined, 'AgentExec(bytes32 commandHash,uint64 nonce)', 'operator.yaml:6:65'],
      ['/v1/orders', 'BatchPlace(uint64 nonce)', 'operator.yaml:10:21'],
      ['/v1/orders', 'PlaceOrder(uint64 nonce)', 'operator.yaml:11:34'],
      [undefined, 'ApproveAgent(uint64 nonce)', 'operator.yaml:13:31'],
    ]);
    expect(codes.map(({ command, text, at }) => [command, text, find(at, '').place])).toEqual([
      [undefined, '1', 'operator.yaml:15:17'],
      ['CancelAll', '0xF0', 'operator.yaml:16:33'],
    ]);
  });

  test('may be JSON', () => {
    const paths = { '/v1/x': { post: { 'x-eip712': { typeString: 'X(uint64 nonce)' } } } };
    const { structs } = parseOperatorDocument(
      JSON.stringify({ openapi: '3.0.3', paths }),
      '/given/operator.json',
    );
    expect(structs).toMatchObject([{ route: '/v1/x', typeString: 'X(uint64 nonce)' }]);
  });

  test.each([
    [
      'no document',
      'just a text',
      /operator\.yaml:1:1: \(file\): expected a section with keys, got "just a text"/,
    ],
    ['no YAML', 'paths: [', /operator\.yaml:1:9: \(yaml\): expected well-formed YAML/],
    [
      'another version',
      'openapi: 2.0\npaths: {}',
      /operator\.yaml:1:10: openapi: expected OpenAPI 3\.0 or 3\.1, got "2\.0"/,
    ],
    ['no paths', 'openapi: 3.1.0', /paths: expected a section with keys, got nothing/],
    [
      'nothing that is signed',
      'openapi: 3.1.0\npaths: { /v1/time: { get: {} } }',
      /expected x-eip712\.typeString on at least one write, got none/,
    ],
    [
      'a type string that is a list',
      GOOD.replace("'CancelAll(uint64 nonce)'", '[a]'),
      /operator\.yaml:6:31: paths\.\/v1\/orders\/cancel-all\.post\.x-eip712\.typeString: expected a value, got a list of 1/,
    ],
  ])('error: %s is refused with its place', (_name, text, message) => {
    const reading = () => parseOperatorDocument(text, '/given/operator.yaml');
    expect(reading).toThrow(
      expect.objectContaining({ code: 'CONFIG_DOCUMENT_INVALID', message: expect.stringMatching(message) }),
    );
  });

  test('error: a file that is not there is named', () => {
    expect(() => loadOperatorDocument('/nowhere/operator.yaml')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_DOCUMENT_INVALID',
        message: expect.stringContaining('/nowhere/operator.yaml'),
      }),
    );
  });
});
