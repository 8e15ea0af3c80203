/**
 * @module
 * What execution needs from outside: a pipe for signed writes, receipts and the nonce, a signer, a journal. `gateway`
 * and `journal` satisfy these structurally; the composition of a run joins them (rule R2). And what a lane works with.
 */
import type { Clock, Hex, Log, Random, UnixMs } from '../../core/index.ts';
import type {
  Address,
  CanonicalCommand,
  FactSink,
  IntentId,
  LaneCommand,
  LaneId,
  MainWalletOperation,
  Nonce,
  OrderId,
  RequestId,
  StrategyId,
} from '../../domain/index.ts';

/** An HTTP answer as it came: nothing is interpreted here. */
export interface RawAnswer {
  readonly kind: 'answer';
  /** HTTP status. */
  readonly status: number;
  /** The full body; at most 8 MiB. */
  readonly body: string;
  /** `x-svc-seq` of a 2xx answer. */
  readonly seq: bigint | undefined;
  /** `retry-after` as milliseconds, capped at 60 s; the end of the window when it is absent on a 429. */
  readonly retryAfterMs: number | undefined;
}

/** No answer. `notSent`: the transport proves that not one byte of the request left (outcomes-and-receipts.md). */
export interface NoAnswer {
  readonly kind: 'notSent' | 'lost';
  /** The reason, in words. */
  readonly why: string;
  /** Nothing is wrong: our own count of a budget had no capacity left (obligation O116). */
  readonly isHeldBack?: true;
}

/** A request that is ready to leave. */
export interface OutgoingWrite {
  /** Path with its query, below the base URL. */
  readonly path: string;
  /** JSON text with envelope and signature. */
  readonly body: string;
  /** `x-svc-min-seq` to send (obligation O50). */
  readonly minSeq?: bigint | undefined;
  /** Time to wait at most, ms. */
  readonly timeoutMs: number;
  /** Longest wait for capacity of a budget; then it is given back unsent. Absent: as long as the pipe waits. */
  readonly waitMs?: number | undefined;
}

/** What a receipt is asked by. `scope` and `nonce` go together (obligation O62). */
export interface ReceiptQuery {
  readonly requestId: RequestId;
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  readonly nonce: Nonce;
  readonly commandHash: Hex;
}

/** The pipe to the gateway. A promise never rejects: a broken pipe is a {@link NoAnswer}. POSTs are never repeated by it. */
export interface WritePipe {
  /** Sends a write once. */
  post(write: OutgoingWrite): Promise<RawAnswer | NoAnswer>;
  /** The receipt of a request at or after `minSeq`. */
  receipt(query: ReceiptQuery, minSeq?: bigint): Promise<RawAnswer | NoAnswer>;
  /** The next nonce of a signer's scope at or after `minSeq`, with the scope's name (obligation O31). */
  nonce(signer: Address, minSeq?: bigint): Promise<RawAnswer | NoAnswer>;
  /** Open orders at or after `minSeq`, for the proof that none is open. */
  openOrders(minSeq: bigint | undefined): Promise<RawAnswer | NoAnswer>;
}

/** A command with its nonce, hashed once: what names it before anything is sent, and its signature when it is asked for. */
export interface PreparedCommand {
  readonly commandHash: Hex;
  readonly requestId: RequestId;
  /** The signature of AgentExec(keccak256(bytes), nonce), or with a main wallet of the operation's struct. */
  sign(): Hex;
}

/** What is signed: an API wallet signs the bytes, a main wallet the struct of the operation. */
export type Signable = CanonicalCommand | MainWalletOperation;

/** One wallet. Its keys never leave it. */
export interface CommandSigner {
  readonly address: Address;
  /** Hashes; does not sign. `bytes` must not change until the command is signed. */
  prepare(bytes: Uint8Array, nonce: Nonce, canonical: Signable): PreparedCommand;
}

/** What is written down before the first byte of a write leaves. */
export interface WriteRecord {
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
  /** The canonical bytes as hex, empty where there are none; a signature is made again, never stored. */
  readonly bytes: Hex;
  /** The operation in domain terms, to give its items back to their intents after a restart. */
  readonly command: LaneCommand;
  readonly canonical: Signable;
  /** Of a fence: the request whose nonce it uses up again. */
  readonly fences?: RequestId;
}

/** The outcome of a write. */
export interface OutcomeRecord {
  readonly requestId: RequestId;
  readonly lane: LaneId;
  /** `void`: closed by a new ledger. */
  readonly outcome: 'executed' | 'rejected' | 'refused' | 'superseded' | 'void' | 'notSent';
  /** True if the write consumed its nonce. */
  readonly nonceConsumed: boolean;
  /** What proves it: answer, receipt, conflicting request. */
  readonly proof: string;
  /** Position in the exchange's log; `undefined`: not known. */
  readonly seq: bigint | undefined;
  /** Placements that were accepted: fills of a previous run find their strategy by them. */
  readonly placed?: readonly {
    readonly orderId: OrderId;
    readonly strategyId: StrategyId;
    readonly intentId: IntentId;
  }[];
}

/** Durable memory. A promise resolves when the record is on the disk; a rejection stops all sending (reason: journal). */
export interface WriteJournal {
  /** {@link recordWrite} is about to be called, perhaps: what is slow to begin may begin. */
  expectWrite(): void;
  /** Makes a write durable; resolves when it is on disk. */
  recordWrite(record: WriteRecord): Promise<void>;
  /** Makes the outcome of a write durable; resolves when it is on disk. */
  recordOutcome(record: OutcomeRecord): Promise<void>;
  /**
   * Writes without a final outcome, oldest first: resolved before the first new write (obligation O34). A refused one
   * stays among them until its nonce is consumed: its bytes are alive until then.
   */
  openWrites(): readonly WriteRecord[];
  /** The highest nonce ever written for a scope, `undefined` when there is none. */
  highestNonce(scope: string): Nonce | undefined;
  /** The highest nonce of a scope that is proven to be consumed in `epoch`. */
  consumedNonce(scope: string, epoch: string): Nonce | undefined;
  /** Where the account's history was read up to, and in which epoch. */
  cursors(): { readonly epoch: string } | undefined;
  /** The last confirmed trigger of the dead man's switch. */
  lastTriggerAtMs(): UnixMs | undefined;
  /** Makes the switch's trigger time durable; resolves when it is on disk. */
  recordTrigger(triggerAtMs: UnixMs): Promise<void>;
}

/** What a lane works with. */
export interface LanePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pipe: WritePipe;
  readonly journal: WriteJournal;
  readonly sink: FactSink;
  /** Hears of every end as the journal does: of a refused request again, once its nonce is consumed. */
  readonly onOutcome?: ((outcome: OutcomeRecord) => void) | undefined;
  /** The exchange's time, Unix ms. */
  serverNowMs(): UnixMs;
  /** The current epoch of the ledger; empty: not known. */
  epoch(): string;
  /**
   * An answer was made in another epoch, at this position of it. `signedIn`: it answers a write that was signed in that
   * epoch, which no replica does. False when it is past: a replica lags.
   */
  onEpoch(epoch: string, seq?: bigint, signedIn?: string): boolean;
  /** The last confirmed trigger of the dead man's switch, Unix ms; `undefined`: none. */
  lastTriggerAtMs(): UnixMs | undefined;
  /** True if an order may leave now: the switch is armed for long enough. Absent: no switch guards this lane. */
  readonly mayPlace?: () => boolean;
  /** Resolves, soon, when it is known again whether the switch has fired; `undefined`: it is not in doubt. */
  readonly untilSettled?: () => Promise<void> | undefined;
  /** The harmless write that uses up an open nonce, where it is not a renewal of the switch. */
  readonly fence?: (serverNowMs: UnixMs) => LaneCommand;
  /** A schedule-cancel has executed, at this log position if it was said. */
  onTrigger(triggerAtMs: UnixMs | 0, seq: bigint | undefined): void;
  /** How far the ledger has come by answers. */
  readonly position: {
    /** The newest position that is believed; `undefined`: none was said. */
    readonly proven: bigint | undefined;
    /** Takes the position out of an answer; gives it back where the log is believed to go as far. */
    take(seq: bigint | undefined): bigint | undefined;
    /** What a read must have reached after an answer at `seq`: that, unless the log does not go there. */
    readAt(seq: bigint | undefined): bigint | undefined;
  };
  /** A nonce of the lane was used in the current epoch, at this log position if it was said; it may be a wrong one. */
  onUsed(seq: bigint | undefined): void;
  /** The lane can take the next write, unless it has halted. */
  onIdle(): void;
  /** An assertion failed: the run must stop. */
  onBug(error: unknown): void;
}

/** How long things may take, in ms. */
export interface Timeouts {
  /** An answer to a write. */
  readonly answerMs: number;
  /** A read at the start, with all its repetitions. */
  readonly startMs: number;
  /** The proof at the end that no order is open; longer while the switch has yet to fire. */
  readonly stopMs: number;
}

/** The defaults of {@link Timeouts}. */
export const TIMEOUTS: Timeouts = { answerMs: 5000, startMs: 60_000, stopMs: 10_000 };
