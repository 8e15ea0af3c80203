/**
 * @module
 * An attestation as a document, and its signature over the hash of its text. With a key of this process it is an Ethereum
 * signed message (EIP-191, version 0x45): what an exchange executes is typed data (EIP-712), whose digest begins with other
 * bytes. A signer elsewhere signs typed data alone: the hash stands where a command would, under a domain that no exchange
 * has. Neither can be the signature of an order, and the wallet's nonce is not touched.
 */
import { BotError, formatJson, isRecord, parseJson, sha256, toHex } from '../../../core/index.ts';
import {
  AGENT_EXEC_TYPE,
  agentExecRequest,
  type Crypto,
  type ExternalKey,
  isExternal,
  makeAgentExecDigest,
  makeDomain,
  type SecretKey,
  type SigningRequest,
  signElsewhere,
} from '../../../wire/crypto/index.ts';
import type { AccountPoint, Statement } from './lines.ts';

/** What is signed. */
export interface AttestedRun {
  readonly schema: 1;
  readonly kind: 'ballast-attestation';
  readonly runId: string;
  readonly name: string;
  readonly environment: { readonly id: string; readonly baseUrl: string; readonly headerPrefix: string };
  /** Of a vault also its id; the other two are then of its manager. */
  readonly account: {
    readonly address: string;
    readonly subaccount: number;
    readonly vault?: string | undefined;
  };
  /** Epoch of the ledger. */
  readonly epoch: string;
  readonly start: AccountPoint;
  readonly end: AccountPoint;
  readonly statement: Statement;
  /** Numbers of the orders with fills that each strategy owned. */
  readonly orders: Readonly<Record<string, readonly string[]>>;
}

/** An attestation. */
export interface Attestation extends AttestedRun {
  /** The API wallet that signed it. */
  readonly signer: string;
  /** How: `eip191` with a key of its process, `eip712` by a signer elsewhere. */
  readonly scheme: 'eip191' | 'eip712';
  /** 65 bytes as hex. */
  readonly signature: string;
}

/** What a run leaves for its attestation. */
export interface AttestFacts {
  readonly name: string;
  readonly environment: Attestation['environment'];
  readonly account: Attestation['account'];
  readonly epoch: string;
  readonly start: AccountPoint;
  readonly end: AccountPoint;
  readonly orders: Attestation['orders'];
  /** Why the end of the run is not proven; empty: it is. */
  readonly unproven: string;
}

/** Signs with one API wallet. @throws BotError `CRYPTO_SIGNER_REFUSED`, or what its signer says. */
export async function signAttestation(
  attested: AttestedRun,
  crypto: Crypto,
  key: SecretKey | ExternalKey,
): Promise<Attestation> {
  const scheme = isExternal(key) ? 'eip712' : 'eip191';
  const named = { ...attested, signer: key.address, scheme } as const;
  const { digest, request } = toBeSigned(named, crypto);
  if (!isExternal(key)) return { ...named, signature: crypto.sign(digest, key) };
  return { ...named, signature: await signElsewhere(crypto, key, { digest, request }) };
}

/** The address that signed a document; `undefined`: its signature is of nobody, or of other contents. */
export function signerOf({ signature, ...named }: Attestation, crypto: Crypto): string | undefined {
  return crypto.recoverAddress(toBeSigned(named, crypto).digest, signature);
}

/** A domain that no exchange has, in which nothing can be executed. */
const DOMAIN = { name: 'ballast attestation', version: '1', chainId: 1 } as const;

function toBeSigned(
  named: Omit<Attestation, 'signature'>,
  crypto: Crypto,
): { readonly digest: Uint8Array; readonly request: SigningRequest } {
  const hash = sha256(canonical(named));
  const domain = makeDomain(crypto, DOMAIN);
  const contents = Uint8Array.from(Buffer.from(hash, 'hex'));
  // The digest of a domain is written over with its next one.
  const typed = Uint8Array.from(makeAgentExecDigest(crypto, domain)(contents, 0n));
  const request = agentExecRequest(domain, AGENT_EXEC_TYPE, {
    ...{ digest: toHex(typed), commandHash: toHex(contents), nonce: 0n },
  });
  if (named.scheme === 'eip712') return { digest: typed, request };
  const text = `ballast attestation\n${hash}`;
  const message = Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}${text}`, 'utf8');
  return { digest: crypto.keccak256(message), request };
}

/** The same text for the same contents, whatever the order of their names. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(',')}}`;
}

/** The document as text for a file. */
export function attestationText(attestation: Attestation): string {
  return `${formatJson(attestation)}\n`;
}

/** The document in `text`. @throws BotError `ATTEST_FILE_INVALID`. */
export function parseAttestation(text: string): Attestation {
  let read: unknown;
  try {
    read = parseJson(text);
  } catch {
    read = undefined;
  }
  const parts = ['environment', 'account', 'start', 'end', 'statement', 'orders'];
  const isOurs =
    isRecord(read) &&
    read['schema'] === 1 &&
    read['kind'] === 'ballast-attestation' &&
    parts.every((key) => isRecord((read as Record<string, unknown>)[key])) &&
    ['signature', 'signer', 'runId', 'epoch'].every(
      (key) => typeof (read as Record<string, unknown>)[key] === 'string',
    );
  if (isOurs) return read as unknown as Attestation;
  throw new BotError({
    code: 'ATTEST_FILE_INVALID',
    message: `expected an attestation, got ${JSON.stringify(text.slice(0, 60))}`,
    remedy: 'Name a file that `ballast attest` has written.',
  });
}
