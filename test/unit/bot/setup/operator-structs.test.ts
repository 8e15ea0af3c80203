import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  describeOperatorStructs,
  operatorStructs,
  structsOfDocument,
} from '../../../../src/bot/setup/operator-structs.ts';
import { loadConfig, loadOperatorDocument } from '../../../../src/config/index.ts';
import { STRUCTS } from '../../../../src/wire/protocol/index.ts';
import { ROOT } from '../../../tidy/source.ts';

const OWN = join(ROOT, 'src/wire/protocol/openapi.yaml');

const folder = mkdtempSync(join(tmpdir(), 'ballast-structs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a document with these writes makes of the table. */
function tableOf(writes: Readonly<Record<string, string>>, more = '') {
  const paths = Object.entries(writes).map(
    ([path, typeString]) => `  ${path}: { post: { x-eip712: { typeString: '${typeString}' } } }`,
  );
  const file = join(folder, 'operator.yaml');
  writeFileSync(file, ['openapi: 3.1.0', 'paths:', ...paths, more].join('\n'));
  return structsOfDocument(loadOperatorDocument(file));
}

describe('environment.openapiFile', () => {
  test("ballast's own document changes nothing and leaves nothing over", () => {
    expect(structsOfDocument(loadOperatorDocument(OWN))).toEqual({
      structs: STRUCTS,
      replaced: [],
      unused: [],
    });
  });

  test('a configuration names it by a path of its own, and without it the own table holds', () => {
    const source = loadConfig(join(ROOT, 'configs/live-example.yaml'));
    expect(source.config.environment.openapiFile).toBe(OWN);
    expect(operatorStructs(source).replaced).toEqual([]);
    expect(operatorStructs(loadConfig(join(ROOT, 'configs/demo.yaml'))).structs).toBe(STRUCTS);
  });

  test('what differs is replaced, by the path of its write or by its name; other writes are told', () => {
    const read = tableOf({
      '/v1/account/agents/approve':
        'Grant(address owner,uint64 master,address agent,uint64 validUntilMs,uint64 nonce)',
      '/v1/orders/cancel-all': 'CancelAll(uint32 master,address owner,uint64 nonce)',
      '/v1/vaults/{id}/deposit': STRUCTS.DepositVault,
      '/v1/bridge': 'Bridge(uint64 amount)',
    });
    expect(read.replaced).toEqual(['ApproveAgent', 'CancelAll']);
    expect(read.structs.ApproveAgent).toMatch(/^Grant/);
    expect(read.structs.RevokeAgent).toBe(STRUCTS.RevokeAgent);
    expect(describeOperatorStructs(read)).toBe(
      'replaced ApproveAgent, CancelAll; not used, since ballast knows no such write: Bridge',
    );
  });

  test.each([
    [
      'a field nobody fills',
      { '/v1/orders/cancel-all': 'CancelAll(uint64 deadline,uint64 nonce)' },
      '',
      'expected a field of CancelAll that can be filled, got deadline',
    ],
    [
      'a list that is not hashed',
      { '/v1/orders/cancel': 'BatchCancel(address owner,uint32 account,uint64[] orderIds,uint64 nonce)' },
      '',
      'expected orderIds of BatchCancel as bytes32, got uint64[]',
    ],
    [
      'a side as text',
      { '/v1/orders': STRUCTS.PlaceOrder.replace('uint8 side', 'string side') },
      '',
      'expected side of PlaceOrder as uint8, got string',
    ],
    [
      'no nonce',
      { '/v1/orders/cancel-all': 'CancelAll(address owner)' },
      '',
      'expected a nonce among the fields of CancelAll, got CancelAll(address owner)',
    ],
    [
      'no type string',
      { '/v1/orders/cancel-all': 'cancel everything' },
      '',
      'expected a canonical EIP-712 type string, got cancel everything',
    ],
    [
      'an unknown struct at a write of several',
      { '/v1/orders': 'Order(uint64 nonce)' },
      '',
      'expected one of BatchPlace, PlaceOrder, PlaceConditional, got Order',
    ],
    [
      'another struct of API wallets',
      { '/v1/orders/cancel-all': STRUCTS.CancelAll },
      "x-structs: { AgentExec: { typeString: 'AgentExec(uint64 nonce,bytes32 commandHash)' } }",
      'expected AgentExec(bytes32 commandHash,uint64 nonce), got AgentExec(uint64 nonce,bytes32 commandHash)',
    ],
    [
      'one struct stated in two ways',
      { '/v1/orders/cancel-all': STRUCTS.CancelAll },
      "x-structs: { CancelAll: { typeString: 'CancelAll(uint64 nonce)' } }",
      `expected ${STRUCTS.CancelAll}, as above`,
    ],
    [
      'another tag of a command',
      { '/v1/orders/cancel-all': STRUCTS.CancelAll },
      'x-commands: { commands: { CancelAll: { tag: 0x19 } } }',
      'x-commands.commands.CancelAll.tag: expected CancelAll with the tag 240, as this version of ballast encodes them, got "0x19"',
    ],
    [
      'another codec',
      { '/v1/orders/cancel-all': STRUCTS.CancelAll },
      'x-commands: { codecVersion: 2 }',
      'expected commands of version 1, as this version of ballast encodes them, got "2"',
    ],
  ])('error: %s is refused by name and place', (_name, writes, more, message) => {
    expect(() => tableOf(writes, more)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_DOCUMENT_INVALID',
        message: expect.stringMatching(/^the document of the operator has 1 error\noperator\.yaml:\d+:\d+: /),
      }),
    );
    expect(() => tableOf(writes, more)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });
});
