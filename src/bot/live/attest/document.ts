/**
 * @module
 * An attestation as a document, and its signature: an Ethereum signed message (EIP-191, version 0x45) over the hash of its
 * text. What an exchange executes is typed data (EIP-712), whose digest begins with other bytes: this signature can never
 * be that of an order, and the wallet's nonce is not touched.
 */
import { BotError, formatJson, isRecord, parseJson, sha256 } from '../../../core/index.ts';
import type { Crypto, SecretKey } from '../../../wire/crypto/index.ts';
import type { AccountPoint, Statement } from './statement.ts';

/** What is signed. */
export interface AttestedRun {
  readonly schema: 1;
  readonly kind: 'ballast-attestation';
  readonly runId: string;
  readonly name: string;
  readonly environment: { readonly id: string; readonly baseUrl: string; readonly headerPrefix: string };
  readonly account: { readonly address: string; readonly subaccount: number };
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
  readonly scheme: 'eip191';
  /** 65 bytes as hex. */
  readonly signature: string;
}

/** Signs with one API wallet. */
export function signAttestation(attested: AttestedRun, crypto: Crypto, key: SecretKey): Attestation {
  const named = { ...attested, signer: key.address, scheme: 'eip191' } as const;
  return { ...named, signature: crypto.sign(digestOf(named, crypto), key) };
}

/** The address that signed a document; `undefined`: its signature is of nobody, or of other contents. */
export function signerOf({ signature, ...named }: Attestation, crypto: Crypto): string | undefined {
  return crypto.recoverAddress(digestOf(named, crypto), signature);
}

function digestOf(named: Omit<Attestation, 'signature'>, crypto: Crypto): Uint8Array {
  const text = `ballast attestation\n${sha256(canonical(named))}`;
  return crypto.keccak256(Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}${text}`, 'utf8'));
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
