/**
 * @module
 * The outcome of a write, as facts: each item on its own, then the write as a whole. A terminal fact names its proof
 * (invariant I30).
 */
import type { Fact, FactSink, Proof, Seq } from '../../domain/index.ts';
import type { FinalOutcome } from './classify.ts';
import type { InFlightWrite } from './in-flight-write.ts';

type ResolvedFact = Extract<Fact, { type: 'WriteResolved' }>;

/** How a write as a whole ended. */
interface Resolution extends Pick<ResolvedFact, 'reason'> {
  readonly status: ResolvedFact['outcome'];
  readonly seq?: bigint | undefined;
}

/** Reports that a write is sent. */
export function emitSent(sink: FactSink, { record, expected }: InFlightWrite): void {
  sink({
    type: 'WriteSent',
    lane: record.lane,
    requestId: record.requestId,
    places: expected.places,
    cancels: expected.cancels,
    atMs: record.nowMs,
  });
}

/** Reports once that the outcome of a write is not known. */
export function emitUnresolved(sink: FactSink, flight: InFlightWrite, why: string): void {
  if (flight.isUnresolvedEmitted || flight.isEmitted) return;
  flight.isUnresolvedEmitted = true;
  sink({ type: 'WriteUnresolved', lane: flight.record.lane, requestId: flight.record.requestId, why });
}

/** Reports a write that a previous run left open. */
export function emitLeftOpen(sink: FactSink, flight: InFlightWrite): void {
  emitSent(sink, flight);
  emitUnresolved(sink, flight, 'open since the last run');
}

/** Reports how a write ended that consumed its nonce. */
export function emitFinal(
  sink: FactSink,
  flight: InFlightWrite,
  outcome: FinalOutcome,
  by: 'answer' | 'receipt',
): void {
  const proof: Proof = { by, id: flight.record.requestId };
  const seq = outcome.seq as Seq | undefined;
  for (const item of outcome.items) {
    switch (item.kind) {
      case 'placed': {
        const { spec, orderId, acceptedLots, filledLots, isResting } = item;
        sink({ type: 'OrderAccepted', spec, orderId, acceptedLots, filledLots, isResting, seq, proof });
        break;
      }
      case 'placeRejected':
        sink({ type: 'OrderRejected', spec: item.spec, reason: item.reason, proof });
        break;
      case 'canceled':
        sink({
          type: 'CancelExecuted',
          ref: item.ref,
          canceledLots: item.canceledLots,
          seq,
          proof,
        });
        break;
      case 'cancelRejected':
        sink({ type: 'CancelRejected', ref: item.ref, reason: item.reason, proof });
        break;
    }
  }
  if (outcome.items.length === 0) emitRejected(sink, flight, { reason: outcome.reason ?? 'Unknown', proof });
  emitResolved(sink, flight, outcome);
}

/**
 * Reports that a write was refused before its nonce was consumed: this delivery; its bytes are alive
 * (outcomes-and-receipts.md).
 */
export function emitRefused(sink: FactSink, flight: InFlightWrite, code: string): void {
  emitRejected(sink, flight, { reason: code, proof: { by: 'refusal', id: code } });
  emitResolved(sink, flight, { status: 'refused', reason: code });
}

/** Reports that a write can never execute: `proof` names what used its nonce, or that nothing was sent. */
export function emitSuperseded(sink: FactSink, flight: InFlightWrite, proof: Proof): void {
  for (const spec of flight.expected.places) sink({ type: 'OrderNotExecuted', spec, proof });
  for (const ref of flight.expected.cancels)
    sink({ type: 'CancelRejected', ref, reason: 'NotExecuted', proof });
  emitResolved(sink, flight, { status: 'superseded' });
}

/** Reports that a write is closed, without a word on its items: `epoch` shows their outcome (obligation O119). */
export function emitVoid(sink: FactSink, { record }: InFlightWrite, epoch: string): void {
  sink({ type: 'WriteVoided', lane: record.lane, requestId: record.requestId, epoch });
}

function emitRejected(
  sink: FactSink,
  { expected }: InFlightWrite,
  { reason, proof }: { readonly reason: string; readonly proof: Proof },
): void {
  for (const spec of expected.places) sink({ type: 'OrderRejected', spec, reason, proof });
  for (const ref of expected.cancels) sink({ type: 'CancelRejected', ref, reason, proof });
}

function emitResolved(sink: FactSink, { record }: InFlightWrite, { status, seq, reason }: Resolution): void {
  sink({
    type: 'WriteResolved',
    lane: record.lane,
    requestId: record.requestId,
    outcome: status,
    seq: seq as Seq | undefined,
    ...(reason === undefined ? {} : { reason }),
  });
}
