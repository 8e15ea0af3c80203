/**
 * @module
 * I30: nothing is marked by inference. Each end of a write in the journal names its proof, the proof was on the wire
 * before it, and the exchange's log says the same. Orders end with the id of their proof.
 */
import type { AuditEvent } from '../../../src/core/index.ts';
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { type OutcomeRow, rowOf } from './support/journal-text.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { placesOf, type Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I30'], begin }];

/** Ends of an order or an intent, as the audit names them. */
const ENDS: ReadonlySet<unknown> = new Set(['filled', 'canceled', 'expired', 'rejected', 'notExecuted']);
const REFUSING: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  /** The write that consumed each nonce: `epoch scope nonce`. */
  const consumers = new Map<string, Write | 'foreign'>();
  scene.onLog((_applied, _entry, { receipt }) => {
    if (receipt?.nonceConsumed !== true) return;
    const write = scene.writes.byReceipt(receipt);
    const { nonce } = receipt.request;
    const isOwn = write !== undefined && write.sentAtMs.length > 0;
    const { epoch } = scene.truth.current;
    consumers.set(`${epoch} ${receipt.scope} ${nonce}`, isOwn ? write : 'foreign');
    const end = isOwn ? write.outcome : undefined;
    if (end?.outcome === 'superseded' || end?.outcome === 'notSent')
      world.violate(
        'I30',
        `nonce ${nonce} of ${receipt.scope} was executed after it had ended by ${end.proof}`,
      );
  });
  // The answer that names a conflict may have left in the ledger before this one, which need not be the write's own.
  const consumerOf = ({ scope, nonce, row }: Write): Write | 'foreign' | undefined => {
    const [before, now] = [scene.truth.epochs.at(-2)?.epoch, scene.truth.current.epoch];
    return [now, before, row?.epoch]
      .map((epoch) => consumers.get(`${epoch} ${scope} ${nonce}`))
      .find((consumer) => consumer !== undefined);
  };
  /** Was its nonce used in a ledger that is gone? */
  const wasSpent = ({ scope, nonce }: Write): boolean =>
    scene.truth.epochs.slice(0, -1).some(({ epoch }) => consumers.has(`${epoch} ${scope} ${nonce}`));
  const judge = (write: Write, end: OutcomeRow): string | undefined => {
    const claim: Claim = { end, consumer: consumerOf(write), wasSpent: wasSpent(write) };
    return problemOf(scene, write, claim) ?? problemOfOrders(write, end);
  };
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'audit') checkStanding(world, sight.event);
      if (sight.kind !== 'recorded') return;
      const row = rowOf(sight);
      if (row?.type !== 'outcome') return;
      const write = scene.writes.byRequestId(row.value.requestId);
      const problem = write === undefined ? 'of a write that was never recorded' : judge(write, row.value);
      if (problem !== undefined)
        world.violate(
          'I30',
          `${row.value.outcome} by ${row.value.proof} for nonce ${write?.nonce ?? '?'}: ${problem}`,
        );
    },
  };
}

function checkStanding(world: OracleWorld, { type, correlationId, fields }: AuditEvent): void {
  if (type !== 'OrderChanged' || !ENDS.has(fields['status'])) return;
  if (fields['proof'] === undefined || fields['proof'] === '')
    world.violate(
      'I30',
      `${String(fields['status'])} without a proof: ${correlationId ?? String(fields['orderId'])}`,
    );
}

interface Claim {
  readonly end: OutcomeRow;
  readonly consumer: Write | 'foreign' | undefined;
  readonly wasSpent: boolean;
}

/** What speaks against the end of a write; `undefined`: it is proven. */
function problemOf(scene: Scene, write: Write, { end, consumer, wasSpent }: Claim): string | undefined {
  switch (end.outcome) {
    case 'executed':
    case 'rejected':
      return problemOfFinal(write, end);
    case 'refused': {
      const code = end.proof.replace(/^refusal:/, '');
      const isHeard = write.answers.some((answer) => REFUSING.has(answer.status) && codeOf(answer) === code);
      return isHeard ? undefined : 'no such refusal was answered';
    }
    case 'superseded':
      if (!end.proof.startsWith('conflict:')) return 'no conflict is named';
      if (consumer === undefined) return 'nobody has used its nonce';
      return consumer === write ? 'it was executed itself' : undefined;
    case 'void':
      if (!end.proof.startsWith('epoch:')) return 'no ledger is named';
      return wasSpent ? undefined : problemOfVoid(scene, write);
    case 'notSent':
      return write.arrivals > 0 ? 'it has arrived' : undefined;
  }
}

function problemOfFinal(
  { truth, truthEpoch, answers, receipts }: Write,
  { outcome, proof }: OutcomeRow,
): string | undefined {
  const isFinal = truth?.nonceConsumed === true;
  if (!isFinal) return 'the log has no such end';
  if (truth.status !== outcome) return `the log says ${truth.status}`;
  const heard = proof === 'answer' ? answers : proof === 'receipt' ? receipts : undefined;
  if (heard === undefined) return 'that is no proof';
  // A receipt of another ledger than the one that executed it proves nothing (O119).
  const isForeign = (epoch: unknown): boolean =>
    proof === 'receipt' && typeof epoch === 'string' && epoch !== truthEpoch;
  const isHeard = heard.some(({ status, json, code }) =>
    status === 200
      ? json?.['status'] === outcome && !isForeign(json['epoch'])
      : outcome === 'rejected' && status === 422 && code !== undefined,
  );
  return isHeard ? undefined : `no ${proof} said so`;
}

/** An order belongs to the intent that the log placed it for, whatever the order of the items in an answer (O58). */
function problemOfOrders(write: Write, { placed = [] }: OutcomeRow): string | undefined {
  const { truth } = write;
  if (truth === undefined) return undefined;
  for (const { intentId, orderId } of placed) {
    const index = placesOf(write).findIndex((place) => place.intentId === intentId);
    const item = truth.items.find(({ kind, inputIndex }) => kind === 'place' && inputIndex === index);
    const seq = item?.state === 'accepted' ? item.orderSeq?.toString() : undefined;
    if (seq !== orderId) return `${intentId} became order ${seq ?? 'none'}, not ${orderId}`;
  }
  return undefined;
}

/**
 * A nonce can only be void when it was used in a ledger that is gone, by whomever (obligation O119), or when something of
 * ours was signed for it there.
 */
function problemOfVoid({ truth, writes }: Scene, { scope, nonce }: Write): string | undefined {
  const isOld = writes
    .ofNonce(scope, nonce)
    .some((one) => one.row !== undefined && one.row.epoch !== truth.current.epoch);
  return isOld ? undefined : 'its ledger still runs';
}

/** A refusal is named by its code, or by the reason in a 422 or 200 that did not consume the nonce. */
function codeOf({ code, json }: Write['answers'][number]): string | undefined {
  const reason = json?.['reason'];
  return typeof reason === 'string' ? reason : code;
}
