/**
 * @module
 * One signed write on its way: the command, its canonical bytes, its journal record, and the text that leaves. The
 * text is made once and never again: what is re-sent is the very same bytes.
 */
import { BotError, must, toHex, type UnixMs } from '../../core/index.ts';
import type {
  AccountSelection,
  LaneCommand,
  LaneId,
  Nonce,
  PlannedOperation,
  RequestId,
} from '../../domain/index.ts';
import {
  COMMAND_TAGS,
  composeWrite,
  encodeCommand,
  planWrite,
  takesVaultIdentity,
  type WriteContext,
} from '../../wire/protocol/index.ts';
import { type Expected, expectedOf } from './expected.ts';
import type {
  CommandSigner,
  OutgoingWrite,
  PreparedCommand,
  ReceiptQuery,
  Signable,
  WriteRecord,
} from './ports.ts';

/** Which account a write is for. */
export interface WriteTarget {
  readonly context: WriteContext;
  /** The main wallet's; of a vault its manager's. */
  readonly account: AccountSelection;
  /** The vault that trades, in place of the account's subaccount. */
  readonly vault?: string | undefined;
}

/** Who writes and for which account, unless a write names another one. */
export interface LaneWriter extends WriteTarget {
  readonly lane: LaneId;
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  readonly signer: CommandSigner;
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** Position of the receipt of a fresh grant, for the first write (obligation O50). */
  readonly firstMinSeq?: bigint | undefined;
}

/** What a new write is made of. */
export interface NewWrite {
  readonly kind: 'write' | 'fence';
  readonly command: LaneCommand;
  /** Another account than the writer's: an API wallet acts for several in one scope. */
  readonly target?: WriteTarget | undefined;
  readonly nonce: Nonce;
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  readonly nowMs: UnixMs;
  /** Log position that the answer must include; absent: any. */
  readonly minSeq?: bigint | undefined;
  /** Of a fence: the request whose nonce it uses up. */
  readonly fences?: RequestId;
}

/** How a write ended, for the caller that asked for it. */
export type WriteEnd = 'executed' | 'rejected' | 'refused' | 'superseded' | 'notSent';

/** One write. */
export interface InFlightWrite {
  readonly record: WriteRecord;
  readonly expected: Expected;
  readonly query: ReceiptQuery;
  /** Reported once, when the end is known. */
  onEnd: ((end: WriteEnd) => void) | undefined;
  /** What leaves: `undefined` for a write of a previous run, which is never sent again. */
  outgoing: OutgoingWrite | undefined;
  /** Its facts were reported: refused, its bytes are alive until the nonce is consumed. */
  isEmitted: boolean;
  /** True once the write was reported as unresolved. */
  isUnresolvedEmitted: boolean;
  /** A conflict named it as the one that used the nonce. */
  isNamedWinner: boolean;
  /** Its own receipt says that another request used the nonce. */
  isConflicted: boolean;
  /** Where the log was when it was made, as far as that was known. */
  afterSeq: bigint | undefined;
}

/**
 * How a write that is final ended for the caller. What executed before it was made was another writer's, with the same
 * bytes: a cancel-all has no time in it, and cancels nothing that came later.
 */
export function endFor(
  { record, afterSeq }: InFlightWrite,
  { status, seq }: { readonly status: 'executed' | 'rejected'; readonly seq: bigint | undefined },
  epoch: string,
): WriteEnd {
  const isOlder = seq !== undefined && afterSeq !== undefined && seq <= afterSeq && record.epoch === epoch;
  return isOlder ? 'superseded' : status;
}

/** The flight of a new write, signed by {@link signFlight} later. @throws ProtocolError when the command has no bytes, BotError `EXECUTION_VAULT_SCOPE`. */
export function newFlight(
  writer: LaneWriter,
  write: NewWrite,
  onEnd?: (end: WriteEnd) => void,
): InFlightWrite & Unsigned {
  const { command } = write;
  const target = write.target ?? writer;
  const planned = command.kind === 'operation' ? command : planWrite(command, target.context, write.nowMs);
  if (vaultOf(target) !== undefined && !takesVaultIdentity(planned.path)) throw outOfScope(planned.path);
  const bytes = bytesOf(planned.canonical);
  const prepared = writer.signer.prepare(bytes, write.nonce, planned.canonical);
  const record: WriteRecord = {
    kind: write.kind,
    lane: writer.lane,
    scope: writer.scope,
    nonce: write.nonce,
    requestId: prepared.requestId,
    commandHash: prepared.commandHash,
    epoch: write.epoch,
    nowMs: write.nowMs,
    bytes: toHex(bytes),
    command,
    canonical: planned.canonical,
    ...(write.fences === undefined ? {} : { fences: write.fences }),
  };
  return { ...flightOf(target, record, onEnd), prepared, planned, target, minSeq: write.minSeq };
}

function vaultOf({ vault, account }: WriteTarget): string | undefined {
  return vault ?? account.vault;
}

/** A vault trades and no more (obligation O40): nothing else is signed for one. */
function outOfScope(path: string): BotError {
  return new BotError({
    code: 'EXECUTION_VAULT_SCOPE',
    message: `expected a write that a vault may make, got POST ${path}`,
    remedy: 'Write it for an account: a vault trades and sets its switch and leverage.',
  });
}

/** What an API wallet signs; nothing for what only a main wallet may do. */
function bytesOf(canonical: Signable): Uint8Array {
  return isCommand(canonical) ? encodeCommand(canonical) : NO_BYTES;
}

function isCommand(canonical: Signable): canonical is Parameters<typeof encodeCommand>[0] {
  return Object.hasOwn(COMMAND_TAGS, canonical.kind);
}

const NO_BYTES = new Uint8Array();

/** What a flight carries until it is signed. */
export interface Unsigned {
  readonly prepared: PreparedCommand;
  /** Path and body without the signature, and what is signed. */
  readonly planned: Pick<PlannedOperation, 'path' | 'canonical' | 'body'>;
  readonly target: WriteTarget;
  /** Log position that the answer must include; `undefined`: any. */
  readonly minSeq: bigint | undefined;
}

/** A write that could not be sent for this long is stale unless it cancels: it is fenced instead of sent again. */
const RESEND_WITHIN_MS = 3000;
/**
 * A write that does not cancel waits no longer than this for capacity of a budget: it was checked with the switch armed, the
 * health and the prices of then (obligation O78, invariants I11, I12), and a fence with the time and trigger of then.
 */
const BUDGET_WAIT_MS = 1000;

/** Signs and makes the text that leaves. */
export function signFlight(writer: LaneWriter, flight: InFlightWrite & Unsigned): void {
  const { record } = flight;
  const { account } = flight.target;
  flight.outgoing = {
    path: flight.planned.path,
    body: composeWrite(flight.planned.body, {
      account: account.address,
      subaccount: account.subaccount,
      vault: vaultOf(flight.target),
      nonce: record.nonce,
      signature: flight.prepared.sign(),
      // A main wallet is not named: that distinguishes it from an API wallet (openapi.yaml).
      signer: writer.signer.address === account.address ? undefined : writer.signer.address,
    }),
    minSeq: flight.minSeq,
    timeoutMs: writer.timeoutMs,
    ...(isCancel(record.command) ? {} : { waitMs: BUDGET_WAIT_MS }),
  };
}

/**
 * The flight of a record from the journal: asked for by the id that it left with, never sent again. Under a signing domain
 * that has changed since, the same bytes would have another id.
 */
export function recordedFlight(writer: LaneWriter, record: WriteRecord): InFlightWrite {
  return flightOf(writer, record, undefined);
}

function flightOf(
  target: WriteTarget,
  record: WriteRecord,
  onEnd: ((end: WriteEnd) => void) | undefined,
): InFlightWrite {
  const { requestId, scope, nonce, commandHash, command } = record;
  return {
    record,
    expected: expectedOf(requestId, command, (symbol) => target.context.market(symbol)),
    query: { requestId, scope, nonce, commandHash },
    onEnd,
    outgoing: undefined,
    isEmitted: false,
    isUnresolvedEmitted: false,
    isNamedWinner: false,
    isConflicted: false,
    afterSeq: undefined,
  };
}

/**
 * The refused one among `contenders` that `flight` repeats, with nothing reported of it any more; `undefined`: there is none.
 * The same command for the same nonce is the very same request, and its bytes are alive: they leave once (obligations
 * 3.1), so their outcome is the outcome of both.
 */
export function askedAgain(
  flight: InFlightWrite,
  contenders: readonly InFlightWrite[],
): InFlightWrite | undefined {
  const { requestId } = flight.record;
  const refused = contenders.find(({ record }) => record.requestId === requestId);
  if (refused === undefined) return undefined;
  refused.isEmitted = false;
  refused.onEnd = flight.onEnd;
  return refused;
}

/** What leaves. @throws AssertionError for a write that was never signed here. */
export function outgoingOf(flight: InFlightWrite): OutgoingWrite {
  return must(flight.outgoing, `the signed text of ${flight.record.requestId}`);
}

/** True if a write became pointless or dangerous while it could not be sent. */
export function isStale(
  { record: { command } }: InFlightWrite,
  { busyMs, serverNowMs }: { readonly busyMs: number; readonly serverNowMs: UnixMs },
): boolean {
  const isLate = busyMs > RESEND_WITHIN_MS;
  // A late renewal could come when the health is not green any more (invariant I12). A trigger of 0 clears and has no time.
  if (command.kind === 'scheduleCancel')
    return isLate || (command.triggerAtMs !== 0 && command.triggerAtMs <= serverNowMs);
  return isLate && !isCancel(command);
}

function isCancel(command: LaneCommand): boolean {
  return command.kind === 'cancel' || command.kind === 'cancelAll';
}

/** True if the command asks for anything. */
export function hasItems(command: LaneCommand): boolean {
  if (command.kind === 'place' || command.kind === 'cancel') return command.orders.length > 0;
  return command.kind !== 'replace' || command.orders.length + command.cancels.length > 0;
}
