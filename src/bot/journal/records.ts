/**
 * @module
 * What the journal keeps, and its text on the disk. A record is a fact that happened: it is written once, never edited
 * and never deleted. It does not interpret them: {@link JournalState} does.
 */
import { type Hex, isRecord, ProtocolError, type UnixMs } from '../../core/index.ts';
import type {
  AdoptedPosition,
  CanonicalCommand,
  CarriedHoldings,
  Cursor,
  Fill,
  LaneCommand,
  LaneId,
  LedgerEntry,
  Lots,
  MainWalletOperation,
  MarketSymbol,
  Nonce,
  PositionMove,
  ProvenCursors,
  RequestId,
} from '../../domain/index.ts';
import type { OrderOwner } from './order-owners.ts';

/** Lots of a market that belong to no strategy, and that a person or the configuration has accepted. */
export interface AcceptedLots {
  readonly symbol: MarketSymbol;
  /** Signed: all of them, not what was added. */
  readonly sizeLots: Lots;
}

/** A signed write, written down before its first byte leaves. Satisfies `WriteRecord` of execution. */
export interface JournalWrite {
  readonly kind: 'write' | 'fence';
  readonly lane: LaneId;
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  readonly nonce: Nonce;
  readonly requestId: RequestId;
  readonly commandHash: Hex;
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  readonly nowMs: UnixMs;
  readonly bytes: Hex;
  readonly command: LaneCommand;
  /** What was signed: the command in the exchange's integers, or an operation of the main wallet. */
  readonly canonical: CanonicalCommand | MainWalletOperation;
  /** The request whose nonce this fence uses up; absent: it is no fence. */
  readonly fences?: RequestId;
}

/** The outcome of a write. Satisfies `OutcomeRecord` of execution. */
export interface JournalOutcome {
  readonly requestId: RequestId;
  readonly lane: LaneId;
  /** `void`: closed by a new ledger. */
  readonly outcome: 'executed' | 'rejected' | 'refused' | 'superseded' | 'void' | 'notSent';
  /** True if the write consumed its nonce. */
  readonly nonceConsumed: boolean;
  /** What proves the outcome. */
  readonly proof: string;
  /** Position in the exchange's log; `undefined`: not known. */
  readonly seq: bigint | undefined;
  /** Placements that were accepted. */
  readonly placed?: readonly OrderOwner[];
}

/** Entries of the account's history with the epoch they belong to: effect and cursor in one record (obligation O97). */
export interface JournalEffects {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  /** What the exchange moved without a fill, once it is known how far. */
  readonly moves?: readonly PositionMove[];
  /** Positions that were taken over as published. */
  readonly adopted?: readonly AdoptedPosition[];
  /**
   * Ids of entries that were stored and that the exchange does not have: they count no more. The records that stored them
   * stay in the file.
   */
  readonly withdrawn?: { readonly fills: readonly Cursor[]; readonly ledger: readonly Cursor[] };
  /** How far the records before this one are all that the exchange has; absent: no further than was known. */
  readonly proven?: ProvenCursors;
  /** What was held in the ledger before and is settled with this one. */
  readonly carried?: CarriedHoldings;
  /** What is nobody's from now on. */
  readonly accepted?: readonly AcceptedLots[];
}

/** All effects of the current epoch, oldest first. */
export type JournalHistory = Required<
  Omit<JournalEffects, 'epoch' | 'carried' | 'accepted' | 'withdrawn' | 'proven'>
>;

/** The highest nonce of a scope that is proven to be consumed, in the epoch of its write. */
export interface ConsumedNonce {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  readonly nonce: Nonce;
}

/** The cursors of the last processed entries. */
export interface JournalCursors {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  /** Last stored fill; `undefined`: none. */
  readonly fills: Cursor | undefined;
  /** Last stored ledger entry; `undefined`: none. */
  readonly ledger: Cursor | undefined;
  /** Absent: nothing was compared. */
  readonly proven?: ProvenCursors | undefined;
}

/** The state of a journal as plain data: carried between threads, and over to the next file. */
export interface JournalImage {
  readonly open: readonly JournalWrite[];
  /** Request ids of refused writes whose nonce is not consumed. */
  readonly refused: readonly string[];
  /** Highest nonce that was signed, by scope. */
  readonly highest: readonly (readonly [string, bigint])[];
  /** Highest nonce that is proven to be consumed, by scope. */
  readonly spent: readonly (readonly [string, ConsumedNonce])[];
  /** The last confirmed trigger of the dead man's switch, Unix ms; `undefined`: none. */
  readonly triggerAtMs: UnixMs | undefined;
  /** How far the history is stored; `undefined`: nothing is. */
  readonly cursors: JournalCursors | undefined;
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  /** Absent in files of versions that did not keep it, as are the next ones. */
  readonly moves?: readonly PositionMove[];
  /** Positions that were taken over; absent: none. */
  readonly adopted?: readonly AdoptedPosition[];
  /** Orders that were accepted, with their owners; absent: none. */
  readonly placed?: readonly OrderOwner[];
  /** What was held in the ledger before; absent: nothing. */
  readonly carried?: CarriedHoldings | undefined;
  /** Lots that are nobody's; absent: none. */
  readonly accepted?: readonly AcceptedLots[];
}

/** One record of the journal. */
export type JournalRecord =
  /** What a full file handed over: the first record of the one after it. */
  | { readonly type: 'carry'; readonly value: JournalImage }
  | { readonly type: 'write'; readonly value: JournalWrite }
  | { readonly type: 'outcome'; readonly value: JournalOutcome }
  | { readonly type: 'trigger'; readonly value: { readonly triggerAtMs: UnixMs } }
  | { readonly type: 'effects'; readonly value: JournalEffects }
  /** A new ledger, and what was held in the one before. */
  | {
      readonly type: 'epoch';
      readonly value: { readonly epoch: string; readonly holdings?: CarriedHoldings['holdings'] };
    };

/** A record as a row: its type, the nonce scope it names (empty for records of the account), its JSON text. */
export interface JournalRow {
  readonly type: JournalRecord['type'];
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  /** The record as JSON. */
  readonly body: string;
}

const BIG = '$big';

/** The row of a record. Bigints become `{"$big":"123"}`, so that reading gives back the very same value. */
export function encodeRecord(record: JournalRecord): JournalRow {
  return {
    type: record.type,
    scope: record.type === 'write' ? record.value.scope : '',
    body: encodeJournalJson(record.value),
  };
}

/** The record of a row. @throws ProtocolError when the text is not what {@link encodeRecord} writes. */
export function decodeRecord(row: JournalRow): JournalRecord {
  const value = decodeJournalJson(row.body);
  if (!TYPES.has(row.type) || !isRecord(value))
    throw unreadable(`a record of a known type, got ${row.type} with ${row.body.length} characters`);
  return { type: row.type, value } as unknown as JournalRecord;
}

function unreadable(expected: string, cause?: unknown): ProtocolError {
  return new ProtocolError({
    code: 'JOURNAL_RECORD_UNREADABLE',
    message: `expected ${expected}`,
    remedy: 'The journal was written by another version of ballast; read it with that one.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The types of rows. */
export const ROW_TYPES = [
  'write',
  'outcome',
  'trigger',
  'effects',
  'epoch',
  'carry',
] as const satisfies readonly JournalRecord['type'][];

const TYPES: ReadonlySet<string> = new Set(ROW_TYPES);

/** `value` as JSON that keeps bigints. */
export function encodeJournalJson(value: unknown): string {
  return JSON.stringify(withoutBigints(value));
}

/** `value` with its bigints as records of text. What holds none is not copied: a replacer takes twice as long. */
function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIG]: value.toString() };
  if (Array.isArray(value)) {
    const plain = value.map(withoutBigints);
    return plain.every((item, at) => item === value[at]) ? value : plain;
  }
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'bigint' && typeof item !== 'object') continue;
    const plain = withoutBigints(item);
    if (plain === item) continue;
    copy ??= { ...value };
    copy[key] = plain;
  }
  return copy ?? value;
}

/** The value of a text made by {@link encodeJournalJson}. @throws ProtocolError when it is no such text. */
export function decodeJournalJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.includes(BIG) ? withBigints(value) : value;
  } catch (cause) {
    // No JSON, an integer without digits, or nested deeper than the stack.
    throw unreadable(`the JSON of a record, got ${JSON.stringify(text.slice(0, 80))}`, cause);
  }
}

/** `value` with its bigints again, in place: a reviver of JSON.parse takes several times as long. */
function withBigints(value: unknown): unknown {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withBigints(value[at]);
    return value;
  }
  if (!isRecord(value)) return value;
  const digits = value[BIG];
  if (typeof digits === 'string') return BigInt(digits);
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item === 'object' && item !== null) value[key] = withBigints(item);
  }
  return value;
}
