/**
 * @module
 * Chooses the back ends once at start: native, else WASM, else plain JavaScript. Nothing falls back without a word: the
 * choice has a name for logs, `doctor` and metrics, each one passed over has its reason, and a back end that was asked
 * for by name and does not work stops the start.
 */
import { ConfigError, type Hex, messageOf } from '../../core/index.ts';
import { addressOfPublicKey } from './address.ts';
import {
  type Hasher,
  KECCAK_NAMES,
  type Keccak,
  type KeccakName,
  loadWasmKeccak,
  nobleKeccak,
} from './keccak.ts';
import { SECP256K1_NAMES, type Secp256k1, type Secp256k1Name } from './secp256k1/backend.ts';
import { loadNative } from './secp256k1/native.ts';
import { nobleSecp256k1 } from './secp256k1/noble.ts';
import { loadWasm } from './secp256k1/wasm.ts';
import type { AddressSource, SecretKey } from './secret-key.ts';
import { keccakDefect, secp256k1Defect } from './self-test.ts';
import { formatSignature, parseSignature } from './signature.ts';

/** Which back ends to take; `auto`, the default, takes the fastest that works. */
export interface CryptoOptions {
  /** Backend of secp256k1. Default `auto`: the fastest that loads. */
  readonly secp256k1?: 'auto' | Secp256k1Name;
  /** Backend of Keccak-256. Default `auto`: the fastest that loads. */
  readonly keccak?: 'auto' | KeccakName;
}

/** A back end that was passed over, and why. */
export interface SkippedBackend {
  readonly kind: 'secp256k1' | 'keccak';
  /** Name of the backend. */
  readonly name: string;
  /** The reason, in words. */
  readonly reason: string;
}

/** Loaded cryptography. Every method is synchronous and allocates nothing but its result. */
export interface Crypto extends Hasher, AddressSource {
  /** The back ends in use, such as `native+wasm-keccak`: for logs, `doctor` and metrics. */
  readonly signer: string;
  /** The curve itself, for raw bytes. */
  readonly secp256k1: Secp256k1;
  /** The back ends that were passed over; empty when the fastest are in use. */
  readonly skipped: readonly SkippedBackend[];
  /** The signature of the 32-byte `digest` in wire form: `0x`, r, s, v (exchange.md#signing). Deterministic, low s. */
  sign(digest: Uint8Array, key: SecretKey): Hex;
  /** The lower-case address that signed `digest`, or undefined when `signature` is malformed or belongs to no key. */
  recoverAddress(digest: Uint8Array, signature: string): Hex | undefined;
}

/** How each back end is made; replaced in tests only. */
export interface Ladder {
  readonly secp256k1: Readonly<Record<Secp256k1Name, () => Secp256k1 | Promise<Secp256k1>>>;
  readonly keccak: Readonly<Record<KeccakName, () => Keccak | Promise<Keccak>>>;
}

const LADDER: Ladder = {
  secp256k1: { native: loadNative, wasm: loadWasm, noble: nobleSecp256k1 },
  keccak: { wasm: loadWasmKeccak, noble: nobleKeccak },
};

/**
 * Loads, tests and warms up the back ends; await it once at start.
 * @throws ConfigError when a back end asked for by name is missing or fails its self-test.
 * @example const crypto = await loadCrypto({ secp256k1: 'native' });
 */
export function loadCrypto(options: CryptoOptions = {}): Promise<Crypto> {
  return loadCryptoFrom(LADDER, options);
}

/** {@link loadCrypto} with other ways to make the back ends. */
export async function loadCryptoFrom(ladder: Ladder, options: CryptoOptions): Promise<Crypto> {
  const curve = await choose({
    kind: 'secp256k1',
    names: SECP256K1_NAMES,
    wanted: options.secp256k1 ?? 'auto',
    make: ladder.secp256k1,
    defectOf: secp256k1Defect,
  });
  const hash = await choose({
    kind: 'keccak',
    names: KECCAK_NAMES,
    wanted: options.keccak ?? 'auto',
    make: ladder.keccak,
    defectOf: keccakDefect,
  });
  return assemble(curve.backend, hash.backend, [...curve.skipped, ...hash.skipped]);
}

function assemble(secp256k1: Secp256k1, keccak: Keccak, skipped: readonly SkippedBackend[]): Crypto {
  return Object.freeze<Crypto>({
    signer: `${secp256k1.name}+${keccak.name}-keccak`,
    secp256k1,
    skipped,
    keccak256: keccak.keccak256,
    addressOf: (secret) => addressOfPublicKey(keccak, secp256k1.publicKey(secret)),
    sign: (digest, key) => formatSignature(secp256k1.sign(digest, key.exposeBytes())),
    recoverAddress(digest, text) {
      const read = parseSignature(text);
      if (!read.ok) return undefined;
      const publicKey = secp256k1.recover(digest, read.signature, read.recovery);
      return publicKey && addressOfPublicKey(keccak, publicKey);
    },
  });
}

/** One rung of the ladder: what to try in which order, and how to test it. */
interface Choice<Name extends string, Backend> {
  readonly kind: SkippedBackend['kind'];
  readonly names: readonly Name[];
  readonly wanted: 'auto' | Name;
  readonly make: Readonly<Record<Name, () => Backend | Promise<Backend>>>;
  readonly defectOf: (backend: Backend) => string | undefined;
}

async function choose<Name extends string, Backend>(
  choice: Choice<Name, Backend>,
): Promise<{ readonly backend: Backend; readonly skipped: readonly SkippedBackend[] }> {
  const { kind, wanted } = choice;
  const skipped: SkippedBackend[] = [];
  for (const name of wanted === 'auto' ? choice.names : [wanted]) {
    try {
      const backend = await choice.make[name]();
      const defect = choice.defectOf(backend);
      if (defect === undefined) return { backend, skipped };
      skipped.push({ kind, name, reason: `failed its self-test: ${defect}` });
    } catch (thrown) {
      skipped.push({ kind, name, reason: messageOf(thrown).split('\n')[0] ?? '' });
    }
  }
  throw new ConfigError({
    code: 'CRYPTO_BACKEND_UNUSABLE',
    message: `expected the ${kind} back end ${wanted} to work, got ${skipped.map(({ name, reason }) => `${name} ${reason}`).join('; ')}`,
    remedy: `Install the optional packages (npm ci), or set the back end to "auto" or "noble".`,
  });
}
