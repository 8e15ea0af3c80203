/**
 * @module
 * Names of things, opaque by type. Made by protocol decoders and by the factories of the kernel only.
 */
import { assert, type Brand, type Hex } from '../core/index.ts';

const SEQ_DIGITS_MAX = 20;
const ZERO = 48;

/** The wire name of a market, as `/v1/markets` gives it. */
export type MarketSymbol = Brand<string, 'MarketSymbol'>;
/** The number of an order at the exchange, decimal text (exchange.md#order-numbers: orderSeq, not packed). */
export type OrderId = Brand<string, 'OrderId'>;
/** A label of ours on an order: never evidence of anything. */
export type ClientOrderId = Brand<string, 'ClientOrderId'>;
/** The id of one signed write: keccak256(signer, digest), known before it is sent (exchange.md#request-id). */
export type RequestId = Brand<Hex, 'RequestId'>;
/** One thing a strategy asked for, unique within a run and over restarts. */
export type IntentId = Brand<string, 'IntentId'>;
/** The name of a strategy instance in the configuration. */
export type StrategyId = Brand<string, 'StrategyId'>;
/** The name of a lane: one nonce scope of one API wallet. */
export type LaneId = Brand<string, 'LaneId'>;
/** One run of the exchange's ledger: compared for equality only (ambiguity A12). */
export type Epoch = Brand<string, 'Epoch'>;
/** The position of a fill or a ledger entry in history, `<seq>-<sub>-<idx>` (exchange.md#resources). */
export type Cursor = Brand<string, 'Cursor'>;
/** A commit position of the exchange's log. */
export type Seq = Brand<bigint, 'Seq'>;
/** The next number of a scope, strictly incremental. */
export type Nonce = Brand<bigint, 'Nonce'>;
/** A wallet address, lower-case hex of 20 bytes. */
export type Address = Brand<Hex, 'Address'>;

/** Which account a read, a subscription or a write is about (openapi.yaml). */
export interface AccountSelection {
  /** The main wallet; of a vault its manager's. */
  readonly address: Address;
  /** 0 is the main account; of a vault the account that claimed it, where the grants for it are. */
  readonly subaccount: number;
  /** Id of the vault that is traded: it alone selects in reads and streams. Absent: the account itself is traded. */
  readonly vault?: string | undefined;
}

/** An account as people are told of it. */
export function accountName({ address, subaccount, vault }: AccountSelection): string {
  return vault === undefined
    ? `${address}/${subaccount}`
    : `vault ${vault} managed by ${address}/${subaccount}`;
}

/** The account of its manager, whose API wallets trade for a vault; without one the account itself. */
export function grantingAccount({ address, subaccount }: AccountSelection): AccountSelection {
  return { address, subaccount };
}

/**
 * The log position of a cursor, or of a bound `<seq>-<sub>-<idx>`.
 *
 * @throws AssertionError when it starts with no number
 */
export function seqOfCursor(cursor: string): Seq {
  let end = 0;
  while (end < cursor.length && isDigit(cursor.charCodeAt(end))) end++;
  const isWhole = end === cursor.length || cursor[end] === '-';
  if (!(isWhole && end >= 1 && end <= SEQ_DIGITS_MAX))
    assert(false, `a cursor that starts with a log position, got ${cursor}`);
  return BigInt(cursor.slice(0, end)) as Seq;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code < ZERO + 10;
}

/** Compares two history cursors as tuples of numbers, never as text (obligation O110). Negative: a is earlier. */
export function compareCursors(a: Cursor, b: Cursor): number {
  const left = a.split('-');
  const right = b.split('-');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const x = BigInt(left[i] ?? '0');
    const y = BigInt(right[i] ?? '0');
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
