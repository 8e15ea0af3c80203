/** @module The published vectors in `../shared/vectors`, for every back end. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fromHex, type Hex, toHex } from '../../src/core/index.ts';
import { checksumAddress } from '../../src/wire/crypto/address.ts';
import { encodeType, type StructTypes } from '../../src/wire/crypto/eip712/type-string.ts';
import {
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  parseSecretKey,
  readKeystore,
  secretKeyOf,
  structHasher,
} from '../../src/wire/crypto/index.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';
import { ownDigest } from '../support/typed-data-oracle.ts';

const cryptos = await Promise.all([
  loadCrypto({ secp256k1: 'native', keccak: 'wasm' }),
  loadCrypto({ secp256k1: 'wasm', keccak: 'noble' }),
  loadCrypto({ secp256k1: 'noble', keccak: 'noble' }),
]);

type Fields = Readonly<Record<string, unknown>>;
type Domain = { name: string; version: string; chainId: number; verifyingContract: string };
const unprefixed = (text: string) => fromHex(`0x${text}`);

describe.skipIf(!hasShared('vectors', 'keccak256.json')).each(cryptos)(
  'keccak256.json, $signer',
  (crypto) => {
    test('all hashes', () => {
      const cases = readSharedJson<{ data: Hex; keccak256: Hex }[]>('vectors', 'keccak256.json');
      expect(cases).toHaveLength(32);
      for (const { data, keccak256 } of cases) expect(toHex(crypto.keccak256(fromHex(data)))).toBe(keccak256);
    });
  },
);

describe.skipIf(!hasShared('vectors', 'accounts.json')).each(cryptos)('accounts.json, $signer', (crypto) => {
  test('all addresses with their checksum', () => {
    const cases = readSharedJson<{ privateKey: Hex; address: Hex }[]>('vectors', 'accounts.json');
    expect(cases).toHaveLength(20);
    for (const { privateKey, address } of cases) {
      const key = parseSecretKey(crypto, privateKey);
      expect(key.address).toBe(address.toLowerCase());
      expect(checksumAddress(key.address)).toBe(address);
    }
  });
});

interface Rfc6979 {
  readonly kValues: readonly { message: string; d: string; k0: string }[];
  readonly valid: readonly { d: string; m: string; signature: string }[];
  readonly [section: string]: unknown;
}

describe.skipIf(!hasShared('vectors', 'secp256k1-rfc6979.json')).each(cryptos)(
  'secp256k1-rfc6979.json, $signer',
  (crypto) => {
    const curve = crypto.secp256k1;
    const file = () => readSharedJson<Rfc6979>('vectors', 'secp256k1-rfc6979.json');

    test('all deterministic signatures, verified and recovered', () => {
      const { valid } = file();
      expect(valid).toHaveLength(30);
      for (const { d, m, signature } of valid) {
        const [digest, secret] = [unprefixed(m), unprefixed(d)];
        const signed = curve.sign(digest, secret);
        expect(toHex(signed.signature)).toBe(`0x${signature}`);
        const publicKey = curve.publicKey(secret);
        expect(curve.verify(digest, signed.signature, publicKey)).toBe(true);
        expect(toHex(curve.recover(digest, signed.signature, signed.recovery) ?? publicKey.slice(1))).toBe(
          toHex(publicKey),
        );
      }
    });

    test('the nonce of each message is that of RFC 6979: r is the abscissa of k0 G', () => {
      for (const { message, d, k0 } of file().kValues) {
        const digest = createHash('sha256').update(message).digest();
        const r = curve.sign(digest, unprefixed(d)).signature.subarray(0, 32);
        expect(toHex(r)).toBe(toHex(curve.publicKey(unprefixed(k0)).subarray(1, 33)));
      }
    });

    test('what must not verify does not', () => {
      const others = Object.entries(file()).filter(([name]) => name !== 'kValues' && name !== 'valid');
      const cases = others.flatMap(([, section]) =>
        Array.isArray(section) ? (section as { Q: string; m: string; signature: string }[]) : [],
      );
      expect(cases).toHaveLength(6);
      for (const { Q, m, signature } of cases) {
        expect(curve.verify(unprefixed(m), unprefixed(signature), unprefixed(Q))).toBe(false);
      }
    });
  },
);

interface TypedCase {
  readonly name: string;
  readonly domain: Fields;
  readonly types: StructTypes;
  readonly primaryType: string;
  readonly message: Fields;
  readonly privateKey: string;
  readonly address: string;
  readonly digest: Hex;
  readonly signature: Hex;
  readonly extra?: Readonly<Record<string, string>>;
}

describe.skipIf(!hasShared('vectors', 'eip712.json')).each(cryptos)('eip712.json, $signer', (crypto) => {
  const cases = hasShared('vectors', 'eip712.json')
    ? readSharedJson<TypedCase[]>('vectors', 'eip712.json')
    : [];

  test.each(cases)('$name', (vector) => {
    const digest = ownDigest(crypto, vector);
    expect(toHex(digest)).toBe(vector.digest);
    const key = parseSecretKey(crypto, vector.privateKey);
    expect(crypto.sign(digest, key)).toBe(vector.signature);
    expect(crypto.recoverAddress(digest, vector.signature)).toBe(vector.address.toLowerCase());
    const { typeHash, structHash, domainSeparator, encodeType: typeString } = vector.extra ?? {};
    const hasher = structHasher(crypto, vector);
    if (typeHash !== undefined) expect(toHex(hasher.typeHash)).toBe(typeHash);
    if (structHash !== undefined) expect(toHex(hasher.hash(vector.message))).toBe(structHash);
    if (typeString !== undefined) expect(encodeType(vector.types, vector.primaryType)).toBe(typeString);
    if (domainSeparator !== undefined) {
      expect(toHex(makeDomain(crypto, vector.domain).separator)).toBe(domainSeparator);
    }
  });
});

describe.skipIf(!hasShared('vectors', 'eip712-ethers-random.json')).each(cryptos.slice(0, 2))(
  'eip712-ethers-random.json, $signer',
  (crypto) => {
    test('all encodings and digests', () => {
      const cases = readSharedJson<(Omit<TypedCase, 'message'> & { data: Fields; encoded: Hex })[]>(
        'vectors',
        'eip712-ethers-random.json',
      );
      expect(cases).toHaveLength(24);
      for (const { data, encoded, digest, name, ...rest } of cases) {
        expect(toHex(structHasher(crypto, rest).encode(data)), name).toBe(encoded);
        expect(toHex(ownDigest(crypto, { ...rest, message: data })), name).toBe(digest);
      }
    });
  },
);

describe.skipIf(!hasShared('vectors', 'keystore-v3.json'))('keystore-v3.json', () => {
  const file = () =>
    readSharedJson<{
      cases: Record<string, { json: unknown; password: string; priv: string; address: string }>;
    }>('vectors', 'keystore-v3.json');

  test.each(['scrypt_official', 'pbkdf2_official'])('%s', async (name) => {
    const crypto = cryptos[0];
    const vector = file().cases[name];
    if (crypto === undefined || vector === undefined) throw new Error(`expected the case ${name}`);
    const key = await readKeystore(crypto, JSON.stringify(vector.json), vector.password);
    expect(Buffer.from(key.exposeBytes()).toString('hex')).toBe(vector.priv);
    expect(key.address).toBe(vector.address.toLowerCase());
  });
});

interface AgentExecChains {
  readonly domain: Domain;
  readonly domainSeparator: Hex;
  readonly typeString: string;
  readonly typeHash: Hex;
  readonly vectors: readonly {
    name: string;
    nonce: number;
    command: Hex;
    commandHash: Hex;
    structHash: Hex;
    signingHash: Hex;
  }[];
  readonly computedOnly: readonly {
    name: string;
    domain: Domain;
    typeString?: string;
    typeHash?: Hex;
    message?: Fields;
    digest: Hex;
    command?: Hex;
    commandHash?: Hex;
    nonce?: string;
    address?: Hex;
    signature?: Hex;
  }[];
}

const CHAINS = ['vectors', 'exchange', 'derived_agent_exec_e2e.json'] as const;

describe.skipIf(!hasShared(...CHAINS)).each(cryptos)(
  'exchange/derived_agent_exec_e2e.json, $signer',
  (crypto) => {
    const file = () => readSharedJson<AgentExecChains>(...CHAINS);

    test('both chains of a live node: command hash, struct hash, digest', () => {
      const { domain, domainSeparator, typeString, typeHash, vectors } = file();
      const own = makeDomain(crypto, domain);
      expect(toHex(own.separator)).toBe(domainSeparator);
      const hasher = structHasher(crypto, typeString);
      expect(toHex(hasher.typeHash)).toBe(typeHash);
      const digest = makeAgentExecDigest(crypto, own, typeString);
      expect(vectors).toHaveLength(2);
      for (const { command, commandHash, nonce, structHash, signingHash } of vectors) {
        const hash = crypto.keccak256(fromHex(command));
        expect(toHex(hash)).toBe(commandHash);
        expect(toHex(hasher.hash({ commandHash: hash, nonce }))).toBe(structHash);
        expect(toHex(digest(hash, BigInt(nonce)))).toBe(signingHash);
      }
    });

    test('the digests of ApproveAgent and RevokeAgent', () => {
      const grants = file().computedOnly.filter(({ message }) => message !== undefined);
      expect(grants.map(({ name }) => name)).toEqual(['approve_agent_digest', 'revoke_agent_digest']);
      for (const { domain, typeString = '', typeHash, message = {}, digest } of grants) {
        const hasher = structHasher(crypto, typeString);
        expect(toHex(hasher.typeHash)).toBe(typeHash);
        expect(toHex(makeDomain(crypto, domain).digest(hasher.hash(message)))).toBe(digest);
      }
    });

    test('the whole AgentExec signature of the test key', () => {
      const signed = file().computedOnly.filter(({ signature }) => signature !== undefined);
      expect(signed).toHaveLength(1);
      for (const {
        domain,
        command = '',
        commandHash,
        nonce = '',
        digest,
        address,
        signature = '',
      } of signed) {
        const hash = crypto.keccak256(fromHex(command));
        expect(toHex(hash)).toBe(commandHash);
        const own = makeAgentExecDigest(crypto, makeDomain(crypto, domain))(hash, BigInt(nonce));
        expect(toHex(own)).toBe(digest);
        const key = secretKeyOf(crypto, new Uint8Array(32).fill(0x11));
        expect(key.address).toBe(address);
        expect(crypto.sign(own, key)).toBe(signature);
        expect(crypto.recoverAddress(own, signature)).toBe(address);
      }
    });
  },
);
