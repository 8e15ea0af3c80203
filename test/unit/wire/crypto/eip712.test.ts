/** @module EIP-712: the figures printed in exchange.md#signing, and what is refused. */
import { describe, expect, test } from 'vitest';
import { fromHex, ProtocolError, toHex } from '../../../../src/core/index.ts';
import { encodeType } from '../../../../src/wire/crypto/eip712/type-string.ts';
import {
  AGENT_EXEC_TYPE,
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  parseTypeString,
  readChainId,
  structHasher,
} from '../../../../src/wire/crypto/index.ts';
import { oracleDigest, ownDigest } from '../../../support/typed-data-oracle.ts';

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
const EXCHANGE = { name: 'dex-os', version: '1', verifyingContract: ZERO_ADDRESS } as const;
const SEPARATORS = [
  [31337, '0xf2438cba4c9249bf14a5ecefa85679cbef9193ece7d722aa0d5ef9aec027281a'],
  [11155111, '0xe0d35946d17d3aa9d88210f1c1495be37f0319dfb9f36296b2a2a97f1a77f8fc'],
] as const;
const TYPE_HASHES = [
  [
    'ApproveAgent(address owner,uint32 master,address agent,uint64 validUntilMs,uint64 nonce)',
    '0x4be0c297c71a730092cb8f74fbfb96d8dff59b47b5022032e3b3f629bf7457d5',
  ],
  [
    'RevokeAgent(address owner,uint32 master,address agent,uint64 nonce)',
    '0x8c8885ca789b529bdd1a5f06d354bf684280afd3b3a19b089ffde9fc3ef31b32',
  ],
  [AGENT_EXEC_TYPE, '0x0f83508f47d581423d2050927d7cf8f72afee5c38b9a88fbd6bc36fa2608279c'],
] as const;

const cryptos = [
  await loadCrypto({ keccak: 'wasm', secp256k1: 'noble' }),
  await loadCrypto({ keccak: 'noble', secp256k1: 'noble' }),
];
const crypto = await loadCrypto();

describe.each(cryptos)('facts of the wire, $signer', (own) => {
  test.each(SEPARATORS)(
    'chain %s has its domain separator, whatever form the id has',
    (chainId, separator) => {
      for (const id of [chainId, BigInt(chainId), String(chainId)]) {
        const domain = makeDomain(own, { ...EXCHANGE, chainId: id });
        expect(toHex(domain.separator)).toBe(separator);
        expect(domain.fields.chainId).toBe(BigInt(chainId));
      }
    },
  );

  test.each(TYPE_HASHES)('%s has its type hash', (typeString, typeHash) => {
    const hasher = structHasher(own, typeString);
    expect(hasher.typeString).toBe(typeString);
    expect(toHex(hasher.typeHash)).toBe(typeHash);
  });
});

describe('makeDomain', () => {
  test('names its fields in the order of EIP-712, absent ones left out', () => {
    expect(makeDomain(crypto, { ...EXCHANGE, chainId: 1 }).typeString).toBe(
      'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
    );
    expect(makeDomain(crypto, { salt: `0x${'00'.repeat(32)}`, chainId: 1, name: undefined }).typeString).toBe(
      'EIP712Domain(uint256 chainId,bytes32 salt)',
    );
  });

  test('error: refuses fields that do not fit', () => {
    expect(() => makeDomain(crypto, { ...EXCHANGE, verifyingContract: '0x12' })).toThrow(ProtocolError);
    expect(() => makeDomain(crypto, { salt: '0x12' })).toThrow(ProtocolError);
  });

  test('error: refuses a chain id that is no integer', () => {
    for (const id of [
      '',
      '0x7a69',
      '031337',
      '1e3',
      ' 1',
      '-1',
      -1,
      -1n,
      1.5,
      2 ** 53,
      null,
      undefined,
      {},
    ]) {
      expect(() => readChainId(id)).toThrow(/expected a chain id/);
    }
  });
});

describe('parseTypeString', () => {
  test('takes nested types apart and puts them together again', () => {
    const text =
      'Mail(Person from,Person[] to,string contents)Asset(uint8[3][] ids)Person(Asset asset,address wallet)';
    const { primaryType, types } = parseTypeString(text);
    expect(primaryType).toBe('Mail');
    expect(Object.keys(types)).toEqual(['Mail', 'Asset', 'Person']);
    expect(encodeType(types, 'Mail')).toBe(text);
    expect(parseTypeString('Empty()').types).toEqual({ Empty: [] });
  });

  test('error: refuses text that is not canonical', () => {
    for (const text of [
      '',
      'Mail',
      'Mail(address a',
      'Mail(address a))',
      'Mail(address  a)',
      'Mail( address a)',
      'Mail(address a, address b)',
      'Mail(address a,)',
      'Mail(address)',
      'Mail(address a)Unused(bool b)',
      'Mail(B b,A a)B(bool x)A(bool x)',
      'Mail(A a)A(bool x)A(bool x)',
      'Mail(address a) ',
    ]) {
      expect(() => parseTypeString(text), text).toThrow(ProtocolError);
    }
  });
});

describe('structHasher', () => {
  const hashOf = (type: string, value: unknown) =>
    toHex(structHasher(crypto, `T(${type} a)`).hash({ a: value }));

  test('gives one hash for all forms of a value', () => {
    expect(hashOf('uint64', 7)).toBe(hashOf('uint64', '7'));
    expect(hashOf('uint64', 7)).toBe(hashOf('uint64', 7n));
    expect(hashOf('bytes3', '0x0aFF01')).toBe(hashOf('bytes3', Uint8Array.of(10, 255, 1)));
    expect(hashOf('bytes', '0x0aFF01')).toBe(hashOf('bytes', Uint8Array.of(10, 255, 1)));
    expect(hashOf('address', `0x${'aB'.repeat(20)}`)).toBe(hashOf('address', `0x${'ab'.repeat(20)}`));
  });

  test('forgets the message before: a reused buffer keeps nothing', () => {
    const hasher = structHasher(crypto, 'T(uint256 a,int8 b,bool c,bytes2 d,address e,string f)');
    const full = { a: 2n ** 256n - 1n, b: -1, c: true, d: '0xffff', e: `0x${'ff'.repeat(20)}`, f: 'full' };
    const empty = { a: 0, b: 0, c: false, d: '0x0000', e: ZERO_ADDRESS, f: '' };
    const before = toHex(hasher.hash(empty));
    hasher.hash(full);
    expect(() => hasher.hash({ ...full, f: undefined })).toThrow(/T\.f to be string, got missing/);
    expect(toHex(hasher.hash(empty))).toBe(before);
  });

  test.each([
    ['uint8', [0, 255], [-1, 256, 1.5, '0x1', '01', '+1', '', true, null, undefined, Number.NaN, 2 ** 53]],
    ['int8', [-128, 127, '-128'], [-129, 128, '--1', '-0x1']],
    ['uint64', [0n, 2n ** 64n - 1n], [2n ** 64n, -1n, 2 ** 53]],
    ['uint256', [2n ** 256n - 1n], [2n ** 256n]],
    ['int256', [-(2n ** 255n), 2n ** 255n - 1n], [2n ** 255n, -(2n ** 255n) - 1n]],
    ['bool', [true, false], [0, 1, 'true']],
    ['address', [ZERO_ADDRESS], ['0x00', ZERO_ADDRESS.slice(2), 0, new Uint8Array(20)]],
    [
      'bytes4',
      ['0x01020304', new Uint8Array(4)],
      ['0x010203', '0x0102030405', new Uint8Array(5), '01020304'],
    ],
    ['string', ['', 'é🚀'], [1, null, '\ud800']],
    ['bytes', ['0x', '0x00'], ['0x0', 'text', [1]]],
    ['uint8[2]', [[1, 2]], [[1], [1, 2, 3], 'ab', [1, 256]]],
    ['bool[]', [[], [true]], [[1], {}]],
  ])('%s takes what fits and refuses the rest', (type, good, bad) => {
    for (const value of good) expect(hashOf(type, value)).toMatch(/^0x[0-9a-f]{64}$/);
    for (const value of bad) expect(() => hashOf(type, value), String(value)).toThrow(ProtocolError);
  });

  test('error: refuses types that do not exist', () => {
    for (const type of [
      'uint',
      'int',
      'uint7',
      'uint264',
      'uint0',
      'bytes33',
      'bytes0',
      'float',
      'Other',
      'Other[]',
    ]) {
      expect(() => structHasher(crypto, `T(${type} a)`), type).toThrow(/known EIP-712 type/);
    }
    expect(() => structHasher(crypto, { types: {}, primaryType: 'T' })).toThrow(/known EIP-712 type/);
  });

  test('hashes a struct that holds structs of its own type', () => {
    const data = {
      domain: { name: 'tree' },
      types: {
        Node: [
          { name: 'label', type: 'uint8' },
          { name: 'children', type: 'Node[]' },
        ],
      },
      primaryType: 'Node',
      message: {
        label: 1,
        children: [
          { label: 2, children: [] },
          { label: 3, children: [{ label: 4, children: [] }] },
        ],
      },
    } as const;
    expect(toHex(ownDigest(crypto, data))).toBe(oracleDigest(data));
  });
});

describe('a whole document', () => {
  const data = {
    domain: { name: 'x', chainId: 5 },
    types: { T: [{ name: 'a', type: 'uint8' }] },
    primaryType: 'T',
    message: { a: 1 },
  };

  test('hashes a textual chain id like the integer, where viem would leave it out', () => {
    const textual = { ...data, domain: { name: 'x', chainId: '5' } };
    expect(toHex(ownDigest(crypto, textual))).toBe(oracleDigest(data));
  });
});

describe('makeAgentExecDigest', () => {
  const domain = makeDomain(crypto, { ...EXCHANGE, chainId: 31337 });

  test('equals the digest of the struct, for small and for the largest nonce', () => {
    const digest = makeAgentExecDigest(crypto, domain);
    const hasher = structHasher(crypto, AGENT_EXEC_TYPE);
    for (const nonce of [0n, 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
      const commandHash = crypto.keccak256(Buffer.from(String(nonce)));
      expect(toHex(digest(commandHash, nonce))).toBe(
        toHex(domain.digest(hasher.hash({ commandHash, nonce }))),
      );
    }
  });

  test('takes another type string of the same shape', () => {
    const typeString = 'WalletExec(bytes32 payloadHash,uint64 counter)';
    const digest = makeAgentExecDigest(crypto, domain, typeString);
    const hash = structHasher(crypto, typeString).hash({ payloadHash: new Uint8Array(32), counter: 3 });
    expect(toHex(digest(new Uint8Array(32), 3n))).toBe(toHex(domain.digest(hash)));
  });

  test('error: refuses another shape, a short hash and a nonce out of range', () => {
    expect(() => makeAgentExecDigest(crypto, domain, 'T(uint64 nonce,bytes32 commandHash)')).toThrow(
      ProtocolError,
    );
    const digest = makeAgentExecDigest(crypto, domain);
    expect(() => digest(new Uint8Array(31), 0n)).toThrow(/32 bytes/);
    expect(() => digest(new Uint8Array(32), -1n)).toThrow(/64 bits/);
    expect(() => digest(new Uint8Array(32), 2n ** 64n)).toThrow(/64 bits/);
  });

  test('reproduces the digest that the live exchange computed', () => {
    const command = fromHex(
      '0x013e02000000302d9bd2a001000000000000020000000000003c860100050000000000000002000000010487010005000000000000000200',
    );
    expect(toHex(makeAgentExecDigest(crypto, domain)(crypto.keccak256(command), 0n))).toBe(
      '0x14d47adf69c31af5eabfd97da5fa32a135890157e5bb808e785788bfece63a01',
    );
  });
});
