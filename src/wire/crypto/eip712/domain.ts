/**
 * @module
 * The domain of EIP-712: which exchange a signature is for. Its separator is hashed once per environment. The chain id
 * may arrive as text and always ends as an integer: a library that drops a textual one in silence signs for another
 * domain.
 */
import { ProtocolError } from '../../../core/index.ts';
import type { Hasher } from '../keccak.ts';
import { structHasher } from './struct-hasher.ts';
import type { TypedField } from './type-string.ts';

/** The fields of a domain as they arrive; absent ones are not part of the signature. */
export interface DomainFields {
  /** Name of the signing domain; absent: not part of it. */
  readonly name?: string | undefined;
  /** Version of the signing domain; absent: not part of it. */
  readonly version?: string | undefined;
  /** Integer or decimal text. */
  readonly chainId?: number | bigint | string | undefined;
  /** Address of the contract; absent: not part of it. */
  readonly verifyingContract?: string | undefined;
  /** 32 bytes of hex. */
  readonly salt?: string | undefined;
}

type PlainFields = Readonly<Omit<DomainFields, 'chainId'> & { chainId?: bigint }>;

/** All fields a domain can have, in the order of EIP-712. */
const DOMAIN_TYPE: readonly (TypedField & { readonly name: keyof DomainFields })[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/** A domain with its separator hashed: made by {@link makeDomain}. */
export class Domain {
  /** The type string of the fields that are present. */
  readonly typeString: string;
  /** The 32-byte domain separator. */
  readonly separator: Uint8Array;
  /** The fields that are present, the chain id as an integer. */
  readonly fields: PlainFields;
  /** Their types, in the order of EIP-712. */
  readonly types: readonly TypedField[];
  readonly #hasher: Hasher;
  /** 0x19 0x01, the separator, and room for a struct hash. */
  readonly #preimage = new Uint8Array(66);

  constructor(hasher: Hasher, fields: DomainFields) {
    this.types = DOMAIN_TYPE.filter(({ name }) => fields[name] !== undefined);
    const type = structHasher(hasher, { types: { EIP712Domain: this.types }, primaryType: 'EIP712Domain' });
    this.#hasher = hasher;
    const { chainId, ...rest } = fields;
    this.fields = chainId === undefined ? rest : { ...rest, chainId: readChainId(chainId) };
    this.typeString = type.typeString;
    this.separator = type.hash(this.fields);
    this.#preimage.set([0x19, 0x01]);
    this.#preimage.set(this.separator, 2);
  }

  /** The digest to be signed for the struct with this 32-byte hash: keccak256(0x19 0x01 ‖ separator ‖ struct hash). */
  digest(structHash: Uint8Array): Uint8Array {
    this.#preimage.set(structHash, 34);
    return this.#hasher.keccak256(this.#preimage);
  }
}

/**
 * The domain of these fields. @throws ProtocolError when a field does not fit its type.
 * @example makeDomain(crypto, { name: 'dex-os', version: '1', chainId: '31337', verifyingContract })
 */
export function makeDomain(hasher: Hasher, fields: DomainFields): Domain {
  return new Domain(hasher, fields);
}

/** A chain id as an integer. @throws ProtocolError unless it is an integer of 0 and above, or its decimal text. */
export function readChainId(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^(?:0|[1-9][0-9]{0,77})$/.test(value)) return BigInt(value);
  // An object of JSON can have keys that no text can be made of: its `toString` is whatever was sent.
  const shown = typeof value === 'object' ? 'an object' : `${typeof value} ${String(value).slice(0, 80)}`;
  throw new ProtocolError({
    code: 'CRYPTO_CHAIN_ID_INVALID',
    message: `expected a chain id as an integer or decimal text, got ${shown}`,
    remedy: 'Compare the domain with what the exchange reports.',
  });
}
