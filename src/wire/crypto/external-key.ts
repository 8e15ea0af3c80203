/**
 * @module
 * A key that is elsewhere: its address, and who signs with it. What comes back is believed only when it is a signature of the
 * address over the digest that was asked for.
 */
import { BotError, type Hex } from '../../core/index.ts';
import type { Domain } from './eip712/domain.ts';
import { parseTypeString, type TypedField } from './eip712/type-string.ts';
import type { Crypto } from './load.ts';

/** What is to be signed: the digest, and the typed data (EIP-712) that has it. */
export interface SigningRequest {
  readonly digest: Hex;
  readonly typedData: {
    readonly domain: Readonly<Record<string, string | number>>;
    readonly types: Readonly<Record<string, readonly TypedField[]>>;
    readonly primaryType: string;
    readonly message: Readonly<Record<string, string>>;
  };
}

/** Signs elsewhere. */
export interface DigestSigner {
  /** What came back, unchecked. Rejects with why nothing did, in bounded time. */
  sign(request: SigningRequest): Promise<unknown>;
  /** Is told of each answer whether it is a signature of its key over the digest: `undefined`, or why it is none. */
  judged?(why: string | undefined): void;
}

/** A key that is elsewhere. */
export interface ExternalKey {
  /** Lower-case address. */
  readonly address: Hex;
  readonly signer: DigestSigner;
}

/** True for a key that is elsewhere. */
export function isExternal(key: { readonly address: Hex }): key is ExternalKey {
  return 'signer' in key;
}

/** The signature of a digest by a key elsewhere. @throws BotError `CRYPTO_SIGNER_REFUSED` when what came back is none of it. */
export async function signElsewhere(
  crypto: Pick<Crypto, 'recoverAddress'>,
  { address, signer }: ExternalKey,
  { digest, request }: { readonly digest: Uint8Array; readonly request: SigningRequest },
): Promise<Hex> {
  const given = await signer.sign(request);
  const text = typeof given === 'string' ? given : '';
  const of = crypto.recoverAddress(digest, text);
  if (of === address) {
    signer.judged?.(undefined);
    return text.toLowerCase() as Hex;
  }
  const found = of === undefined ? 'no signature' : `one of ${of}`;
  signer.judged?.(`it gave ${found}`);
  throw new BotError({
    code: 'CRYPTO_SIGNER_REFUSED',
    message: `expected a signature of ${address} over the digest that was asked for, got ${found}`,
    remedy: 'Nothing of it was used: look at the signer of this wallet, and at wallets[].signer.address.',
  });
}

/** The typed data of one command of an API wallet. */
export function agentExecRequest(
  domain: Domain,
  typeString: string,
  parts: { readonly digest: Hex; readonly commandHash: Hex; readonly nonce: bigint },
): SigningRequest {
  const { types, primaryType } = parseTypeString(typeString);
  const [hashField, nonceField] = types[primaryType] ?? [];
  return {
    digest: parts.digest,
    typedData: {
      domain: Object.fromEntries(
        Object.entries(domain.fields).map(([name, value]) => [
          name,
          // A number: libraries drop a textual chain id in silence, and sign for another domain.
          typeof value === 'bigint' ? Number(value) : String(value),
        ]),
      ),
      types: { EIP712Domain: domain.types, ...types },
      primaryType,
      message: {
        [hashField?.name ?? 'commandHash']: parts.commandHash,
        [nonceField?.name ?? 'nonce']: parts.nonce.toString(),
      },
    },
  };
}
