/**
 * @module
 * The envelope of signed writes (openapi.yaml; obligations O36 to O39): put around a business body by the client, taken
 * off by the server. `nowMs` and `expiresAt` stay with the business body, which is what they are part of when it is
 * signed.
 */
import { ADDRESS, type Hex, isHex, isRecord, numberFrom } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';
import type { WriteProblem } from './commands/body-refused.ts';

/** Who writes, for which account, with which nonce. */
export interface Envelope {
  /** The main wallet, of a vault write the manager's. */
  readonly account: Address;
  /** Nonce of the scope. */
  readonly nonce: bigint;
  readonly signature: Hex;
  /** Absent or 0: the main account. Never with `vault`. */
  readonly subaccount?: number | undefined;
  /** Id of the vault; absent: the account itself. */
  readonly vault?: string | undefined;
  /** The API wallet; absent when the main wallet signs. */
  readonly signer?: Address | undefined;
}

/** The JSON text of a signed write. The nonce keeps all its digits. */
export function composeWrite(body: Readonly<Record<string, unknown>>, envelope: Envelope): string {
  const { account, nonce, signature, subaccount, vault, signer } = envelope;
  let text = `{"account":"${account}","nonce":${nonce},"signature":"${signature}"`;
  if (signer !== undefined) text += `,"signer":"${signer}"`;
  if (vault !== undefined) text += `,"vault":${JSON.stringify(vault)}`;
  else if (subaccount !== undefined && subaccount !== 0) text += `,"subaccount":${subaccount}`;
  const business = JSON.stringify(body);
  return business === '{}' ? `${text}}` : `${text},${business.slice(1)}`;
}

/** An envelope with what it was around. */
export interface OpenedWrite {
  readonly envelope: Envelope;
  /** The fields apart from the envelope. */
  readonly business: Readonly<Record<string, unknown>>;
}

const U64_LIMIT = 1n << 64n;
const SUBACCOUNT = numberFrom(0, 0xffff_ffff);

/** Takes the envelope off a parsed body, strictly. Addresses come out in lower case. */
export function openEnvelope(value: unknown): OpenedWrite | { readonly problem: WriteProblem } {
  if (!isRecord(value)) return refused('a JSON object as body');
  const { account, nonce, signature, subaccount, vault, signer, ...business } = value;
  const address = ADDRESS.read(account);
  if (address === undefined) return refused(`account as ${ADDRESS.expected}`);
  if (!isHex(signature, 65)) return refused('signature as 0x and 65 bytes of hex');
  const apiWallet = ADDRESS.read(signer);
  if (signer !== undefined && apiWallet === undefined) return refused(`signer as ${ADDRESS.expected}`);
  if (vault !== undefined && (typeof vault !== 'string' || vault === '')) return refused('vault as text');
  if (subaccount !== undefined && vault !== undefined) return refused('subaccount or vault, not both');
  const index = SUBACCOUNT.read(subaccount);
  if (subaccount !== undefined && index === undefined) return refused(`subaccount as ${SUBACCOUNT.expected}`);
  const exactNonce = toNonce(nonce);
  if (exactNonce === undefined) return refused('nonce as an integer of 64 bits');
  const envelope: Envelope = {
    account: address as Address,
    nonce: exactNonce,
    signature,
    subaccount: index,
    vault,
    signer: apiWallet as Address | undefined,
  };
  return { envelope, business };
}

function toNonce(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'bigint' && value >= 0n && value < U64_LIMIT ? value : undefined;
}

function refused(expected: string): { readonly problem: WriteProblem } {
  return { problem: { code: 'InvalidRequest', message: `expected ${expected}` } };
}
