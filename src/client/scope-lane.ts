/**
 * @module The writes of one nonce scope, one after the other: a bounded line in front of a lane. What is waited for too
 * long is handed back as unresolved with a handle, never as failed; what was not sent yet is handed back as not done.
 * The bytes of a refused write stay valid until its nonce is consumed (obligation O61): it is not reported before that.
 */

import type { OutcomeRecord, SingleLane, WriteEnd, WriteTarget } from '../bot/execution/index.ts';
import { type BotError, type Clock, messageOf, type Timer, TransportError } from '../core/index.ts';
import type { Fact, LaneCommand, LaneId } from '../domain/index.ts';
import { resultOf, voided } from './outcome.ts';
import type { LanePipe } from './pipe.ts';
import { UnresolvedWriteError } from './unresolved.ts';
import type { WriteResult } from './write-result.ts';

/** A write that wants to leave. */
export interface WantedWrite {
  /** The command to sign and send. */
  readonly command: LaneCommand;
  /** Endpoint of the write. */
  readonly target: WriteTarget;
  /** Least log position that the replica must have; `undefined`: any. */
  readonly minSeq: bigint | undefined;
}

/** What a line is made of. */
export interface ScopeLaneParts {
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Sends writes and reads receipts. */
  readonly pipe: LanePipe;
  /** How long a write is waited for: in the line, and again once it has left. */
  readonly resolveWithinMs: number;
}

interface Waiting extends WantedWrite {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
  timer: Timer | undefined;
}

interface UnderWay {
  requestId: string;
  isVoid: boolean;
  isOver: boolean;
  giveUp(error: BotError): void;
}

/** A write that was refused, whose bytes could still be executed. */
interface Refused {
  /** Its outcome when another request consumes its nonce. */
  readonly failure: unknown;
  readonly outcome: PromiseWithResolvers<WriteResult>;
}

/** Writes that wait at most. */
const WAITING_MAX = 1_000;

/** One scope's line of writes. */
export class ScopeLane {
  readonly #parts: ScopeLaneParts;
  #lane: SingleLane | undefined;
  readonly #waiting: Waiting[] = [];
  #underWay: UnderWay | undefined;
  readonly #refused = new Map<string, Refused>();
  #halt: { readonly code: string; readonly reason: string } | undefined;

  constructor(parts: ScopeLaneParts) {
    this.#parts = parts;
  }

  /** Takes the lane that it serves. */
  attach(lane: SingleLane): void {
    this.#lane = lane;
  }

  /** True once the lane has ended and no write is in flight. */
  get isOver(): boolean {
    return this.#lane?.isOver === true;
  }

  /** Sends a write when its turn has come. Rejects as `resultOf`, and with UnresolvedWriteError. */
  write(wanted: WantedWrite): Promise<WriteResult> {
    const { clock, resolveWithinMs } = this.#parts;
    if (this.#halt !== undefined) return Promise.reject(halted(this.#halt));
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(lineTooLong());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ...wanted, resolve, reject, timer: undefined };
      waiting.timer = clock.after(resolveWithinMs, () => this.#giveUp(waiting));
      this.#waiting.push(waiting);
      this.pump();
    });
  }

  /** Sends what waits, while the lane can. */
  pump(): void {
    while (this.#lane?.isReady === true) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.timer?.cancel();
      this.#send(this.#lane, next);
    }
  }

  /** The client ends: what waits is not sent, what is under way stays open. */
  close(): void {
    this.#halt = { code: 'CLIENT_CLOSED', reason: 'the client was closed' };
    for (const { timer, reject } of this.#waiting.splice(0)) {
      timer?.cancel();
      reject(halted(this.#halt));
    }
    const underWay = this.#underWay;
    if (underWay !== undefined && !underWay.isOver) underWay.giveUp(closedEarly(underWay.requestId));
    for (const [requestId, { outcome }] of this.#refused) outcome.reject(closedEarly(requestId));
    this.#refused.clear();
  }

  /** Takes what the journal takes: a refused write is over once another request has used its nonce. */
  onOutcome({ requestId, outcome: end }: OutcomeRecord): void {
    const refused = this.#refused.get(requestId);
    if (refused === undefined || end === 'refused') return;
    this.#refused.delete(requestId);
    if (end === 'superseded') refused.outcome.reject(refused.failure);
    if (end === 'void') refused.outcome.reject(voided(requestId));
  }

  /** Takes the lane's facts: only those that no answer reports matter. */
  onFact(fact: Fact): void {
    if (fact.type === 'WriteVoided' && this.#underWay?.requestId === fact.requestId)
      this.#underWay.isVoid = true;
    if (fact.type !== 'LaneHalted') return;
    this.#halt = { code: fact.code, reason: fact.reason };
    for (const { timer, reject } of this.#waiting.splice(0)) {
      timer?.cancel();
      reject(halted(this.#halt));
    }
    for (const [requestId, { outcome, failure }] of this.#refused)
      outcome.reject(isDead(fact.code) ? failure : unproven(requestId, fact.code));
    this.#refused.clear();
  }

  /** An assertion failed in the lane: nothing more is sent, what is under way stays open. */
  onBug(error: unknown): void {
    this.onFact({
      type: 'LaneHalted',
      lane: 'bug' as LaneId,
      code: 'EXECUTION_BUG',
      reason: messageOf(error),
    });
  }

  #giveUp(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    waiting.reject(behindUnresolved(this.#parts.resolveWithinMs, this.#underWay?.requestId));
  }

  #send(lane: SingleLane, { command, target, minSeq, resolve, reject }: Waiting): void {
    const { clock, pipe, resolveWithinMs } = this.#parts;
    const outcome = Promise.withResolvers<WriteResult>();
    const giveUp = (error: BotError): void => outcome.reject(error);
    const underWay = { requestId: '', isVoid: false, isOver: false, giveUp };
    const onEnd = (end: WriteEnd): void => {
      const { requestId, isVoid } = underWay;
      underWay.isOver = true;
      try {
        // The answers are those of now: the lane sends the next write as soon as it has reported this.
        outcome.resolve(resultOf({ requestId, end, kept: pipe.about(requestId), isVoid }));
      } catch (failure) {
        const haltCode = this.#halt?.code;
        if (end !== 'refused' || (haltCode !== undefined && isDead(haltCode))) outcome.reject(failure);
        else if (haltCode === undefined) this.#refused.set(requestId, { failure, outcome });
        else outcome.reject(unproven(requestId, haltCode));
      }
    };
    pipe.begin();
    try {
      underWay.requestId = lane.send(command, { target, minSeq, onEnd });
    } catch (thrown) {
      reject(thrown);
      return;
    }
    this.#underWay = underWay;
    // The very same bytes as those of a refused one: their outcome is the end of both.
    this.#refused.get(underWay.requestId)?.outcome.resolve(outcome.promise);
    this.#refused.delete(underWay.requestId);
    const timer = clock.after(resolveWithinMs, () => {
      const { requestId } = underWay;
      const [why, waitedMs] = ['still open: its receipt is being asked for', resolveWithinMs];
      reject(new UnresolvedWriteError({ requestId, why, waitedMs, resolution: outcome.promise }));
    });
    outcome.promise.finally(() => timer.cancel()).then(resolve, reject);
  }
}

function halted({ code, reason }: { readonly code: string; readonly reason: string }): BotError {
  return new TransportError({
    code: 'CLIENT_LANE_HALTED',
    message: `expected the lane to be open, it halted with ${code}: ${reason}`,
    remedy: 'Nothing of this write has left. See docs/reference/errors.md for the code the lane halted with.',
    details: { haltCode: code },
    effect: 'none',
  });
}

function closedEarly(requestId: string): BotError {
  return new TransportError({
    code: 'CLIENT_LANE_CLOSED',
    message: `expected the outcome of ${requestId}, the client was closed before it was proven`,
    remedy:
      'Ask for its receipt with another client; one with the same journal folder resolves it automatically.',
    details: { requestId },
    effect: 'unknown',
  });
}

/** Bytes that no gateway takes as they are: of a wallet without a grant, or with a signature that does not hold. */
function isDead(haltCode: string): boolean {
  return haltCode === 'EXECUTION_GRANT_INVALID' || haltCode === 'EXECUTION_SIGNATURE_REFUSED';
}

function unproven(requestId: string, haltCode: string): BotError {
  return new TransportError({
    code: 'CLIENT_OUTCOME_UNPROVEN',
    message: `expected the end of ${requestId}, it was refused and its lane halted with ${haltCode} before its nonce was spent`,
    remedy: 'It could still be executed: ask for its receipt, and use up its nonce with another write.',
    details: { requestId, haltCode },
    effect: 'unknown',
  });
}

function behindUnresolved(waitedMs: number, requestId: string | undefined): BotError {
  return new TransportError({
    code: 'CLIENT_LANE_BUSY',
    message: `expected the write's turn within ${waitedMs} ms, another one is still unresolved`,
    remedy:
      'Nothing of this write has left. Wait for the open one: one write at a time for each nonce scope.',
    details: requestId === undefined ? {} : { open: requestId },
    effect: 'none',
  });
}

function lineTooLong(): BotError {
  return new TransportError({
    code: 'CLIENT_LANE_FULL',
    message: `expected at most ${WAITING_MAX} writes to wait for their turn`,
    remedy: 'Nothing of this write has left. Batch orders, or use an API wallet for each strategy.',
    effect: 'none',
  });
}
