/**
 * @module
 * Closes writes: the end goes into the journal and out as facts, in one place, so that neither is ever without the
 * other. What a refusal says about the lane is decided here too.
 */
import type { Log } from '../../core/index.ts';
import type { FactSink, Proof } from '../../domain/index.ts';
import type { FinalOutcome, WriteClass } from './classify.ts';
import type { InFlightWrite } from './in-flight-write.ts';
import type { NoAnswer, OutcomeRecord, RawAnswer, WriteJournal } from './ports.ts';
import { emitFinal, emitRefused, emitSuperseded, emitVoid } from './write-facts.ts';

/** What writes are closed with. */
export interface SettlementPorts {
  /** Keeps each outcome. */
  readonly journal: Pick<WriteJournal, 'recordOutcome'>;
  readonly sink: FactSink;
  readonly log: Log;
  /** The journal has failed. */
  onJournalFailure(error: unknown): void;
  /** Hears of every end as the journal does. */
  readonly onOutcome?: ((outcome: OutcomeRecord) => void) | undefined;
}

/** Why a lane must stop. */
export interface HaltReason {
  /** Stable code of the halt. */
  readonly code: string;
  /** The reason, in words. */
  readonly reason: string;
}

/** Halt code of a lane whose wallet may not write any more. */
export const GRANT_INVALID = 'EXECUTION_GRANT_INVALID';

const GRANT_CODES: ReadonlySet<string> = new Set(['UnknownAgent', 'AgentExpired', 'AgentMasterMismatch']);
const SIGNATURE_CODES: ReadonlySet<string> = new Set([
  'GatewayBadSignature',
  'BadSignature',
  'UnboundSigner',
]);
const SIGNATURE_CHECKS = 'domain, signer, scope, integer scaling, field order, command hash';

/** The closing of writes. */
export class Settlement {
  readonly #ports: SettlementPorts;

  constructor(ports: SettlementPorts) {
    this.#ports = ports;
  }

  /** `winner` has used the nonce and closes `others`, which were signed for it too; those reported now. */
  won(winner: InFlightWrite, others: readonly InFlightWrite[], by: WonBy): readonly InFlightWrite[] {
    const { outcome, proofBy } = by;
    const placed = outcome.items.flatMap((item) =>
      item.kind === 'placed'
        ? [{ orderId: item.orderId, strategyId: item.spec.strategyId, intentId: item.spec.intentId }]
        : [],
    );
    this.#record(winner, {
      outcome: outcome.status,
      isConsumed: true,
      proof: proofBy,
      seq: outcome.seq,
      placed,
    });
    const unreported = this.superseded(others, winner.record.requestId);
    emitFinal(this.#ports.sink, winner, outcome, proofBy);
    return unreported;
  }

  /** The nonce of `flights` was used by the request `by`: they can never execute. Those reported now. */
  superseded(flights: readonly InFlightWrite[], by: string): readonly InFlightWrite[] {
    const proof: Proof = { by: 'conflict', id: by };
    const unreported = flights.filter(({ isEmitted }) => !isEmitted);
    for (const flight of flights) {
      this.#record(flight, { outcome: 'superseded', isConsumed: true, proof: `conflict:${by}` });
      if (!flight.isEmitted) emitSuperseded(this.#ports.sink, flight, proof);
    }
    return unreported;
  }

  /** `flights` belong to a ledger that is no more; `epoch` is the one that came after it. Those reported now. */
  voided(flights: readonly InFlightWrite[], epoch: string): readonly InFlightWrite[] {
    const unreported = flights.filter(({ isEmitted }) => !isEmitted);
    for (const flight of flights) {
      this.#record(flight, { outcome: 'void', isConsumed: true, proof: `epoch:${epoch}` });
      if (!flight.isEmitted) emitVoid(this.#ports.sink, flight, epoch);
    }
    return unreported;
  }

  /** Refused before its nonce was consumed: reported now, alive until then. Says whether the lane can continue. */
  refused(flight: InFlightWrite, code: string): HaltReason | undefined {
    this.#record(flight, { outcome: 'refused', isConsumed: false, proof: `refusal:${code}` });
    flight.isEmitted = true;
    emitRefused(this.#ports.sink, flight, code);
    if (GRANT_CODES.has(code))
      return { code: GRANT_INVALID, reason: `${code}: this API wallet may not write any more` };
    if (SIGNATURE_CODES.has(code))
      return { code: 'EXECUTION_SIGNATURE_REFUSED', reason: `${code}: check ${SIGNATURE_CHECKS}` };
    return undefined;
  }

  /** Not one byte has left. `isRecorded`: the journal has the write. */
  notSent(flight: InFlightWrite, isRecorded: boolean): void {
    if (isRecorded) this.#record(flight, { outcome: 'notSent', isConsumed: false, proof: 'notSent' });
    emitSuperseded(this.#ports.sink, flight, { by: 'refusal', id: 'notSent' });
  }

  /** Keeps of an answer that did not decide what is needed for a diagnosis (obligation O74). */
  keepAnswer({ record }: InFlightWrite, answer: RawAnswer | NoAnswer, result: WriteClass): void {
    const said =
      answer.kind === 'answer' ? { status: answer.status, body: answer.body.slice(0, 1000) } : answer;
    const { lane, requestId } = record;
    const facts = { lane, requestId, nonce: String(record.nonce), class: result.kind, ...said };
    if (answer.kind !== 'answer' && answer.isHeldBack === true)
      this.#ports.log.info('write held back by its budget', facts);
    else this.#ports.log.warn('write unresolved: response inconclusive', facts);
  }

  #record({ record }: InFlightWrite, end: End): void {
    const { outcome, isConsumed: nonceConsumed, proof, seq, placed = [] } = end;
    const { requestId, lane } = record;
    const outcomeRecord: OutcomeRecord = {
      requestId,
      lane,
      outcome,
      nonceConsumed,
      proof,
      seq,
      ...(placed.length === 0 ? {} : { placed }),
    };
    this.#ports.journal
      .recordOutcome(outcomeRecord)
      .catch((error: unknown) => this.#ports.onJournalFailure(error));
    this.#ports.onOutcome?.(outcomeRecord);
  }
}

/** How the end of a winner is known. */
export interface WonBy {
  readonly outcome: FinalOutcome;
  /** Whether the answer to the write or a receipt proves it. */
  readonly proofBy: 'answer' | 'receipt';
}

interface End {
  readonly outcome: OutcomeRecord['outcome'];
  readonly isConsumed: boolean;
  readonly proof: string;
  readonly seq?: bigint | undefined;
  readonly placed?: OutcomeRecord['placed'];
}
