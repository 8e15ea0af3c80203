/**
 * @module
 * What only a main wallet may sign: grants of API wallets and subaccounts (obligation O51), for the keys command. The
 * struct comes from the protocol's table, the domain and the nonce from the environment. A write is sent once and its
 * outcome is proven by its receipt. Does not trade.
 */
import {
  type Clock,
  GatewayError,
  isRecord,
  ProtocolError,
  parseJson,
  shown,
  TransportError,
} from '../../../core/index.ts';
import type { Address, MainWalletOperation, Nonce, RequestId } from '../../../domain/index.ts';
import {
  composeWrite,
  decodeNonce,
  planMainWalletWrite,
  readStatus,
  type ScopeNonce,
} from '../../protocol/index.ts';
import type { Answer, RestClient } from '../rest/client.ts';
import { errorOf, type Reader } from '../rest/read.ts';
import type { NoAnswer } from '../transport.ts';
import type { StructSigner } from './main-wallet-signer.ts';

/** What a main wallet is made of. */
export interface MainWalletOptions {
  readonly client: RestClient;
  readonly reader: Reader;
  /** By viem, or on an exchange of one's own by ours. */
  readonly signer: StructSigner;
  readonly clock: Clock;
}

/** A write that was executed. */
export interface MainWalletReceipt {
  readonly requestId: RequestId;
  /** Its commit position: the first write of a fresh API wallet names it as `x-svc-min-seq` (obligation O50). */
  readonly seq: bigint;
}

/** A change of the grant of an API wallet; `validUntilMs` in Unix ms, 0: never expires. */
export type GrantChange =
  | { readonly kind: 'ApproveAgent'; readonly agent: Address; readonly validUntilMs: number }
  | { readonly kind: 'RevokeAgent'; readonly agent: Address };

/** A write of a main wallet as it would be sent now: with the next nonce of the account. */
export interface PlannedMainWrite {
  readonly requestId: RequestId;
  readonly nonce: Nonce;
  readonly canonical: MainWalletOperation;
}

/** A main wallet at work for one environment. Methods throw GatewayError when the exchange rejects. */
export interface MainWallet {
  readonly address: Address;
  /** Gives or takes a grant on an account of this wallet. */
  change(change: GrantChange, subaccount: number): Promise<MainWalletReceipt>;
  /** What `change` is as a signed write, which is not sent. */
  plan(change: GrantChange, subaccount: number): Promise<PlannedMainWrite>;
  /** Creates the next subaccount. */
  createSubaccount(): Promise<MainWalletReceipt>;
}

const NO_BYTES = new Uint8Array();
const WRITE_TIMEOUT_MS = 10_000;
const RECEIPT_ATTEMPTS_MAX = 60;
const RECEIPT_PAUSE_MS = 500;
/** This long, ms, receipts may say that nothing has come. A repetition has the same nonce, so at most one of the two executes. */
const NOT_FOUND_MS_MAX = 10_000;

/** The main wallet that `signer` signs for. */
export function createMainWallet(options: MainWalletOptions): MainWallet {
  /** Of the last write of this wallet: a replica that has not come so far shows a nonce that is spent (O18). */
  let lastSeq: bigint | undefined;
  const run = async (
    subaccount: number,
    operationOf: (account: number) => MainWalletOperation,
  ): Promise<MainWalletReceipt> => {
    const receipt = await execute(options, { subaccount, minSeq: lastSeq }, operationOf);
    lastSeq = receipt.seq;
    return receipt;
  };
  return {
    address: options.signer.address,
    async plan(change, subaccount) {
      const place = { subaccount, minSeq: lastSeq };
      const { requestId, nonce, canonical } = await planned(options, place, (account) => ({
        ...change,
        account,
      }));
      return { requestId, nonce, canonical };
    },
    change: (change, subaccount) => run(subaccount, (account) => ({ ...change, account })),
    createSubaccount: () => run(0, (account) => ({ kind: 'CreateSubaccount', account })),
  };
}

/** A write with the next nonce of its account, and how it is signed. */
async function planned(
  options: MainWalletOptions,
  place: { readonly subaccount: number; readonly minSeq: bigint | undefined },
  operationOf: (account: number) => MainWalletOperation,
) {
  const { nonce, signingAccountId, scope } = await readNonce(options, place);
  const { path, canonical, body } = planMainWalletWrite(operationOf(signingAccountId));
  const { requestId, sign } = options.signer.prepare(NO_BYTES, nonce, canonical);
  return { nonce, scope, path, canonical, body, requestId, sign };
}

async function execute(
  options: MainWalletOptions,
  place: { readonly subaccount: number; readonly minSeq: bigint | undefined },
  operationOf: (account: number) => MainWalletOperation,
): Promise<MainWalletReceipt> {
  const { client, signer } = options;
  const { subaccount } = place;
  const { nonce, scope, path, body, requestId, sign } = await planned(options, place, operationOf);
  const signature = await sign();
  const result = await client.post({
    path,
    body: composeWrite(body, { account: signer.address, nonce, signature, subaccount }),
    timeoutMs: WRITE_TIMEOUT_MS,
  });
  if (result.kind === 'notSent') throw errorOf({ endpoint: path }, result);
  const receipt =
    result.kind === 'answer' && result.status === 200 ? receiptOf(path, result, requestId) : undefined;
  if (receipt !== undefined) return receipt;
  const isRefused = result.kind === 'answer' && result.status >= 400 && result.status < 500;
  if (isRefused) throw errorOf({ endpoint: path }, result);
  return await resolve(options, { path, requestId, scope, nonce });
}

/** The account's own scope: its counter is asked without a signer (openapi.yaml). */
async function readNonce(
  { reader, signer }: MainWalletOptions,
  { subaccount, minSeq }: { readonly subaccount: number; readonly minSeq: bigint | undefined },
): Promise<ScopeNonce> {
  const record = await reader.read(
    { endpoint: 'nonce', query: { address: signer.address, subaccount }, minSeq },
    decodeNonce,
  );
  if (record.scope.startsWith('agent:')) {
    throw new ProtocolError({
      code: 'GATEWAY_RESPONSE_MALFORMED',
      message: `expected the nonce scope of the account itself, got ${record.scope}`,
      remedy:
        'The gateway answers for another scope than was asked for (obligation O31): do not sign with it.',
    });
  }
  return record;
}

/** No answer gave the outcome of the write: its receipt does, and it is never sent again (obligations O57, O59, O67). */
async function resolve(
  { client, clock }: MainWalletOptions,
  write: {
    readonly path: string;
    readonly requestId: RequestId;
    readonly scope: string;
    readonly nonce: bigint;
  },
): Promise<MainWalletReceipt> {
  const beganAtMs = clock.monotonicMs();
  let notFoundSinceMs: number | undefined;
  for (let attempt = 0; attempt < RECEIPT_ATTEMPTS_MAX; attempt++) {
    const { requestId, scope, nonce } = write;
    const result = await client.get({ endpoint: 'receipt', path: { requestId }, query: { scope, nonce } });
    if (result.kind === 'answer' && result.status === 200 && fieldsOf(result)['status'] !== 'pending') {
      const receipt = receiptOf(write.path, result, requestId);
      if (receipt !== undefined) return receipt;
    }
    if (result.kind === 'answer' && result.status === 409) throw errorOf({ endpoint: write.path }, result);
    const nowMs = clock.monotonicMs();
    if (isNotFound(result)) notFoundSinceMs ??= nowMs;
    // What was sequenced finds its end; what was not can come at any time, or never, and no wait shows which.
    else if (result.kind === 'answer' && result.status === 200) notFoundSinceMs = undefined;
    if (notFoundSinceMs !== undefined && nowMs - notFoundSinceMs >= NOT_FOUND_MS_MAX) break;
    await new Promise<void>((done) => {
      clock.after(RECEIPT_PAUSE_MS, done);
    });
  }
  throw new TransportError({
    code: 'GATEWAY_WRITE_UNRESOLVED',
    message: `expected a receipt of ${write.requestId}, got none within ${Math.round(clock.monotonicMs() - beganAtMs)} ms`,
    remedy: 'Ask /v1/requests/{requestId} later; do not repeat the operation before it is answered.',
    details: { requestId: write.requestId, scope: write.scope, nonce: write.nonce },
    effect: 'unknown',
  });
}

/** True if a receipt says that the write has not come, up to its position (obligation O63). */
function isNotFound(result: Answer | NoAnswer): boolean {
  if (result.kind !== 'answer' || result.status !== 404) return false;
  const { error } = fieldsOf(result);
  return isRecord(error) && error['code'] === 'not_found';
}

/** The fields of an answer; none where it is garbled. */
function fieldsOf({ body }: Answer): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a 200 says of the write; `undefined`: it is garbled, and proves nothing (obligation O67). */
function receiptOf(path: string, answer: Answer, requestId: RequestId): MainWalletReceipt | undefined {
  const { status: said, seq, requestId: named } = fieldsOf(answer);
  const position = positionOf(seq) ?? answer.seq;
  const status = readStatus(said) ?? said;
  if (typeof status !== 'string' || (status === 'executed' && position === undefined)) return undefined;
  if (position === undefined || status !== 'executed' || (named !== undefined && named !== requestId)) {
    throw new GatewayError({
      code: 'GATEWAY_WRITE_REJECTED',
      message: `expected ${path} to be executed as ${requestId}, got ${status} as ${shown(named)}`,
      remedy: 'Read the reason in the body.',
      details: { status: answer.status, requestId, body: answer.body.slice(0, 2_000) },
      effect: 'unknown',
    });
  }
  return { requestId, seq: position };
}

function positionOf(seq: unknown): bigint | undefined {
  if (typeof seq === 'bigint') return seq;
  if (typeof seq === 'number') return Number.isSafeInteger(seq) ? BigInt(seq) : undefined;
  return typeof seq === 'string' && /^[0-9]+$/.test(seq) ? BigInt(seq) : undefined;
}
