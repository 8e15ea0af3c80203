/**
 * @module
 * A main wallet by viem: the typed data of its structs, hashed and checked as wallets do it, and the account that signs
 * grants. viem is loaded with the first main wallet: what trades with API wallets never needs it.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  BotError,
  fromHex,
  type Hex,
  messageOf,
  ownModule,
  ProtocolError,
  toHex,
} from '../../../core/index.ts';
import type { Address, Nonce } from '../../../domain/index.ts';
import { type Domain, parseTypeString } from '../../crypto/index.ts';
import { type MainWalletMessage, makeRequestIdOf } from '../../protocol/index.ts';
import {
  type DigestStruct,
  type MainWalletCanonical,
  type MainWalletSignerOptions,
  type StructSigner,
  structOf,
} from './main-wallet-signer.ts';

const load = createRequire(import.meta.url);

/** A source, or built with viem in it. */
const viem = (): typeof import('./viem.ts') => load(fileURLToPath(ownModule('wire/gateway/signing/viem')));

/** Hashes structs under `domain` with viem. @throws ProtocolError when a field does not fit its type. */
export function digestByViem(domain: Domain): DigestStruct {
  const { hashStruct, hashTypedData } = viem();
  return (message) => {
    const { types, primaryType, message: data, ...rest } = typedDataOf(domain, message);
    return fitting(message, () => ({
      structHash: fromHex(hashStruct({ types, primaryType, data })),
      digest: fromHex(hashTypedData({ types, primaryType, message: data, ...rest })),
    }));
  };
}

/** The main wallet as viem's account: signs grants. `prepare` throws as {@link digestByViem} does. */
export function createAccountSigner(options: Omit<MainWalletSignerOptions, 'digestStruct'>): StructSigner {
  const { crypto, key, domain } = options;
  const { privateKeyToAccount } = viem();
  const account = privateKeyToAccount(toHex(key.exposeBytes()));
  const owner = account.address.toLowerCase() as Address;
  const digestStruct = digestByViem(domain);
  const requestIdOf = makeRequestIdOf(crypto, owner, options.requestIdDerivation);
  return {
    address: owner,
    prepare(_bytes, nonce, canonical) {
      const message = structOf(options, owner, { nonce, canonical });
      const { structHash, digest } = digestStruct(message);
      return {
        commandHash: toHex(structHash),
        requestId: requestIdOf(digest),
        sign: () => account.signTypedData(typedDataOf(domain, message)),
      };
    },
  };
}

/** A main wallet whose key is elsewhere: on a hardware wallet, on another machine, in other hands. */
export interface AbsentSigner extends StructSigner<Promise<Hex>> {
  /** What it is to sign, as the value that `eth_signTypedData_v4` takes: JSON, integers as decimal text. */
  documentOf(nonce: Nonce, canonical: MainWalletCanonical): Readonly<Record<string, unknown>>;
}

/**
 * The main wallet `owner`, whose signature comes from elsewhere as `signature`: 65 bytes with any of the usual last bytes,
 * or 64 (EIP-2098). What is prepared is signed by it, or `sign` rejects with BotError `PREFLIGHT_GRANT_SIGNATURE`.
 */
export function createAbsentSigner(
  options: Omit<MainWalletSignerOptions, 'digestStruct' | 'key'> & {
    readonly owner: Address;
    /** Absent: nothing is signed yet. */
    readonly signature?: string | undefined;
  },
): AbsentSigner {
  const { crypto, owner, domain, signature } = options;
  const digestStruct = digestByViem(domain);
  const requestIdOf = makeRequestIdOf(crypto, owner, options.requestIdDerivation);
  return {
    address: owner,
    documentOf: (nonce, canonical) =>
      plainOf(typedDataOf(domain, structOf(options, owner, { nonce, canonical }))),
    prepare(_bytes, nonce, canonical) {
      const { structHash, digest } = digestStruct(structOf(options, owner, { nonce, canonical }));
      return {
        commandHash: toHex(structHash),
        requestId: requestIdOf(digest),
        sign: () => provenSignature(owner, toHex(digest), signature ?? ''),
      };
    },
  };
}

/** `signature` in the form that gateways take, if `owner` made it over `digest`. */
async function provenSignature(owner: Address, digest: Hex, signature: string): Promise<Hex> {
  const {
    compactSignatureToSignature,
    parseCompactSignature,
    parseSignature,
    recoverAddress,
    serializeSignature,
  } = viem();
  const length = /^0x(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{130})$/.test(signature) ? signature.length - 2 : 0;
  if (length === 0)
    throw notSigned('expected a signature of 64 or 65 bytes as 0x and hexadecimal digits, got another text');
  const hex = signature as Hex;
  let by: string;
  let whole: Hex;
  try {
    whole = serializeSignature(
      length === 128 ? compactSignatureToSignature(parseCompactSignature(hex)) : parseSignature(hex),
    );
    by = (await recoverAddress({ hash: digest, signature: whole })).toLowerCase();
  } catch (cause) {
    throw notSigned(`expected a signature, but ${messageOf(cause).split('\n')[0]}`);
  }
  if (by === owner) return whole;
  throw notSigned(`expected the signature of the main wallet ${owner}, got one of ${by} or of other data`);
}

function notSigned(message: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_GRANT_SIGNATURE',
    message,
    remedy:
      'Sign the file as it is (typed data, EIP-712) with the main wallet that it names; nothing was sent.',
  });
}

/** With integers as decimal text: JSON has no others. */
function plainOf(document: TypedDocument): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ) as Readonly<Record<string, unknown>>;
}

/** Types that are made at run time: viem's own want to know the names of all fields. */
interface TypedDocument {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/**
 * The document that viem hashes. It gets the fields that the domain has, by name: on its own it leaves out a chain id that
 * is no number and a version that is empty, and signs for another domain in silence.
 */
function typedDataOf(domain: Domain, { typeString, values }: MainWalletMessage): TypedDocument {
  const { getAddress } = viem();
  const { primaryType, types } = parseTypeString(typeString);
  const { verifyingContract, ...fields } = domain.fields;
  return {
    domain: {
      ...fields,
      // The gateway may send any case; viem takes capital letters for a checksum.
      ...(verifyingContract === undefined ? {} : { verifyingContract: getAddress(verifyingContract) }),
    },
    types: { ...types, EIP712Domain: domain.types },
    primaryType,
    message: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? toHex(value) : value,
      ]),
    ),
  };
}

/** What viem gives for `message`, or our error: its own is none of ours and says nothing of the struct. */
function fitting<T>({ typeString, values }: MainWalletMessage, hash: () => T): T {
  // viem writes a lone surrogate as another character: two texts would get one hash.
  const broken = Object.entries(values).find(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  );
  if (broken !== undefined) throw unfitting(typeString, `${broken[0]} is no text`);
  try {
    return hash();
  } catch (thrown) {
    throw unfitting(typeString, messageOf(thrown).split('\n')[0] ?? '');
  }
}

function unfitting(typeString: string, why: string): ProtocolError {
  return new ProtocolError({
    code: 'GATEWAY_TYPED_VALUE_INVALID',
    message: `expected values that fit ${typeString.slice(0, 200)}, got ${why}`,
    remedy: 'The value does not fit the struct that is to be signed; nothing was signed.',
  });
}
