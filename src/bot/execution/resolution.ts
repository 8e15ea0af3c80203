/**
 * @module
 * The way out of an unknown outcome (outcomes-and-receipts.md): receipts are polled; when they say that nothing has
 * executed, the nonce is fenced; when the ledger was restarted, the fence is made there. It never gives up and never
 * guesses.
 */
import { messageOf, must } from '../../core/index.ts';
import type { Nonce } from '../../domain/index.ts';
import type { ScopeNonce } from '../../wire/protocol/index.ts';
import type { Backoff, Waits } from './backoff.ts';
import { classifyAnswer, type WriteClass } from './classify.ts';
import { FenceGate, fenceCommand } from './fence.ts';
import { type InFlightWrite, type LaneWriter, newFlight, outgoingOf, signFlight } from './in-flight-write.ts';
import { readNonce } from './nonce-answer.ts';
import type { LanePorts } from './ports.ts';
import { askReceipts, type ReceiptVerdict } from './receipt-resolver.ts';
import type { LaneState } from './reports.ts';
import type { HaltReason, Settlement } from './settlement.ts';
import { emitSent, emitUnresolved } from './write-facts.ts';

/** Everything that was signed for one nonce, and the epoch its receipts must speak of. */
export interface OpenNonce {
  readonly nonce: Nonce;
  /** Requests signed for this nonce. */
  readonly contenders: InFlightWrite[];
  /** Epoch of the ledger: one run of the exchange's log. */
  epoch: string;
  /**
   * The last fence met a conflict, where the log refused it. No receipt of this nonce is believed that is older, no matter
   * which caller asks: a 412 is answered with the same position (obligation O19), while the epoch is the same (obligation O20).
   */
  conflict?: { readonly seq: bigint | undefined; readonly epoch: string | undefined } | undefined;
}

/** What a resolution does to its lane. */
export interface ResolutionHost {
  readonly open: OpenNonce;
  /** True while the lane may sign fences. */
  readonly mayFence: boolean;
  /** Sets the state of the lane. */
  setState(state: LaneState): void;
  /** Acts on a verdict that closes the nonce; false for any other. */
  settle(verdict: ReceiptVerdict): boolean;
  /** Closes the nonce without a word on its items: it belonged to another ledger. */
  closeVoid(next: Nonce): void;
  /** Halts the lane; `mayFence`: whether open nonces may still be fenced. */
  halt(reason: HaltReason, mayFence?: boolean): void;
  /** An answer is about another request. */
  mismatched(why: string): void;
}

/** What a resolution works with. */
export interface ResolutionTools {
  readonly writer: LaneWriter;
  readonly ports: LanePorts;
  readonly settlement: Settlement;
  readonly waits: Waits;
  readonly backoff: Backoff;
}

type OtherEpoch = Extract<ReceiptVerdict, { readonly kind: 'otherEpoch' }>;

/** Refused fences in a row after which no more are made. */
const REFUSED_FENCES_MAX = 3;

/** Resolves one open nonce. */
export class Resolution {
  readonly #host: ResolutionHost;
  readonly #tools: ResolutionTools;
  readonly #gate: FenceGate;
  #refusedFences = 0;

  /** `isFenceDue`: do not wait for the log to move on. */
  constructor(host: ResolutionHost, tools: ResolutionTools, isFenceDue = false) {
    this.#host = host;
    this.#tools = tools;
    this.#gate = new FenceGate(isFenceDue ? Number.NEGATIVE_INFINITY : tools.ports.clock.monotonicMs());
  }

  /**
   * One round of receipts: none older than the refusal of our own fence, while that position means something
   * (obligation O20).
   */
  async ask(): Promise<ReceiptVerdict> {
    const { ports } = this.#tools;
    const { open } = this.#host;
    const minSeq = (): bigint | undefined =>
      ports.epoch() === open.epoch ? ports.position.readAt(open.conflict?.seq) : undefined;
    const verdict = await askReceipts(open, {
      pipe: ports.pipe,
      clock: ports.clock,
      gate: this.#gate,
      minSeq,
    });
    // A fence that was sequenced first meets its conflict in the log, and only its receipt says so.
    if (verdict.kind === 'open' && verdict.refusedAt !== undefined)
      open.conflict = { seq: verdict.refusedAt, epoch: open.epoch };
    return verdict;
  }

  /** Ends when the nonce is closed, or when the lane is disposed of. */
  async run(): Promise<void> {
    const { waits, backoff, ports } = this.#tools;
    this.#host.setState('resolving');
    while (!waits.isStopped) {
      const verdict = await this.ask();
      if (waits.isStopped || this.#host.settle(verdict)) return;
      const isOther = verdict.kind === 'otherEpoch' && ports.onEpoch(verdict.epoch, verdict.seq);
      if (isOther && (await this.#followEpoch(verdict))) return;
      // An end in a ledger that another is said to have followed: whether that one runs is asked there.
      const epoch = ports.epoch();
      if (verdict.kind === 'won' && (await this.#followEpoch({ epoch, seq: undefined }))) return;
      // Receipts of a ledger that is taken for one that is gone leave the nonce as open as those that know of nothing.
      const isOpen = verdict.kind === 'open' || (verdict.kind === 'otherEpoch' && !isOther);
      const isFenceDue = isOpen && this.#gate.isOpen(ports.clock.monotonicMs());
      if (isFenceDue && this.#host.mayFence && (await this.#fence())) return;
      await waits.wait(backoff.next(verdict.kind === 'wait' ? verdict.afterMs : 0));
    }
  }

  /** Uses up the open nonce with a harmless write. True when that closed it. */
  async #fence(): Promise<boolean> {
    const { conflict } = this.#host.open;
    const due = conflict === undefined ? 'fence' : await this.#afterConflict(conflict.seq);
    if (due !== 'fence') return due === 'closed';
    const { ports, writer, waits, settlement } = this.#tools;
    this.#host.setState('fencing');
    const flight = await this.#recordedFence();
    if (flight === undefined) return false;
    this.#host.open.contenders.push(flight);
    emitSent(ports.sink, flight);
    signFlight(writer, flight);
    const answer = await ports.pipe.post(outgoingOf(flight));
    if (waits.isStopped) return true;
    this.#gate.restart(ports.clock.monotonicMs());
    this.#host.setState('resolving');
    const result = classifyAnswer(answer, flight.expected);
    if (result.kind === 'final')
      return this.#host.settle({ kind: 'won', flight, outcome: result.outcome, by: 'answer' });
    settlement.keepAnswer(flight, answer, result);
    if (result.kind === 'refused') this.#refused(flight, result.code);
    else if (result.kind === 'notSent') this.#notSent(flight);
    else if (result.kind === 'conflict') this.#noteConflict(flight, result);
    else if (result.kind === 'mismatch') this.#host.mismatched(result.why);
    else if (result.kind === 'again') await waits.wait(result.afterMs ?? 0);
    return false;
  }

  async #recordedFence(): Promise<ReturnType<typeof newFlight> | undefined> {
    const { ports, writer } = this.#tools;
    const { nonce, epoch, contenders } = this.#host.open;
    const nowMs = ports.serverNowMs();
    const first = must(contenders[0], 'the write to be fenced');
    const flight = newFlight(writer, {
      kind: 'fence',
      command: ports.fence?.(nowMs) ?? fenceCommand(nowMs, ports.lastTriggerAtMs()),
      nonce,
      epoch,
      nowMs,
      fences: first.record.requestId,
      // The fence of a fresh wallet's first write goes to a node that knows the grant, too (obligation O50).
      minSeq: first.record.epoch === epoch ? first.outgoing?.minSeq : undefined,
    });
    try {
      await ports.journal.recordWrite(flight.record);
      return flight;
    } catch (error) {
      this.#host.halt({ code: 'EXECUTION_JOURNAL_FAILED', reason: messageOf(error) });
      return undefined;
    }
  }

  /** Not one byte of a fence has left: the next one is made again, with the time of then. */
  #notSent(flight: InFlightWrite): void {
    const { contenders } = this.#host.open;
    contenders.splice(contenders.indexOf(flight), 1);
    this.#tools.settlement.notSent(flight, true);
  }

  /** Who refuses a write knows which ledger runs: what was taken for the next one may be one that a replica still shows. */
  #noteConflict({ record }: InFlightWrite, { seq, epoch }: Extract<WriteClass, { kind: 'conflict' }>): void {
    const { open } = this.#host;
    const isOther = epoch !== undefined && epoch !== record.epoch;
    if (isOther && this.#tools.ports.onEpoch(epoch, seq, record.epoch)) open.epoch = epoch;
    // An answer that names no position does not take back the one before it.
    if (seq !== undefined || open.conflict === undefined) open.conflict = { seq, epoch };
  }

  #refused(flight: InFlightWrite, code: string): void {
    const halt = this.#tools.settlement.refused(flight, code);
    if (halt !== undefined) this.#host.halt(halt);
    else if (++this.#refusedFences >= REFUSED_FENCES_MAX) {
      const reason = `${this.#refusedFences} fences in a row, the last with ${code}`;
      this.#host.halt({ code: 'EXECUTION_REPEATED_REJECTS', reason });
    }
  }

  /**
   * A fence met a conflict and no receipt shows one. What the counter says is only heard from where the fence was
   * refused on: a lagging replica shows the one before our own write. Below our nonce: we are ahead of the
   * exchange, and the lane halts. Beyond it, with receipts of this ledger from there on that know of no request that used it:
   * it was used in a ledger that is gone. Was this ledger begun since the nonce was signed for, either says that.
   */
  async #afterConflict(conflictSeq: bigint | undefined): Promise<'fence' | 'wait' | 'closed'> {
    const { ports } = this.#tools;
    const { nonce, epoch, contenders } = this.#host.open;
    const isBegunSince = contenders[0]?.record.epoch !== epoch;
    const next = await this.#readNonce(
      ports.epoch() === epoch ? ports.position.readAt(conflictSeq) : conflictSeq,
    );
    if (next === undefined) return 'wait';
    if (next.nonce === nonce) return 'fence';
    if (next.nonce < nonce && !isBegunSince) {
      const reason = `expected nonce ${next.nonce} next, got ${nonce} signed`;
      this.#host.halt({ code: 'EXECUTION_NONCE_AHEAD', reason });
      return 'wait';
    }
    if ((conflictSeq === undefined && !isBegunSince) || ports.epoch() !== epoch) return 'wait';
    const verdict = await this.ask();
    if (this.#tools.waits.isStopped || this.#host.settle(verdict)) return 'closed';
    if (verdict.kind !== 'open') return 'wait';
    this.#closeVoid(next.nonce);
    return 'closed';
  }

  #closeVoid(next: Nonce): void {
    const { epoch } = this.#host.open;
    this.#tools.ports.log.warn('open writes closed by a new epoch', { epoch, nextNonce: String(next) });
    this.#host.closeVoid(next);
  }

  /**
   * The ledger was restarted (obligation O119): from here on only receipts of the new epoch count, and a 404 of it says
   * nothing of the old. The fence decides, whatever the counter says: a lagging replica may show a ledger that is
   * gone, and only the answer to a write shows which one runs. A lane that may not fence any more goes by the counter: has
   * it moved on and the new epoch knows nothing of the write, it is closed without a word on its items: the rebuild from
   * snapshot and history shows them. True when closed.
   */
  async #followEpoch({ epoch, seq }: Pick<OtherEpoch, 'epoch' | 'seq'>): Promise<boolean> {
    const { ports, waits, backoff } = this.#tools;
    const { open } = this.#host;
    for (const flight of open.contenders) emitUnresolved(ports.sink, flight, 'the ledger was restarted');
    open.epoch = epoch;
    // Positions of the old ledger mean nothing in the new one (obligation O20); where a fence was refused there they do.
    if (open.conflict?.epoch !== epoch) open.conflict = undefined;
    const refusedAt = open.conflict?.seq;
    const minSeq = refusedAt !== undefined && (seq === undefined || refusedAt > seq) ? refusedAt : seq;
    while (!waits.isStopped) {
      // A lagging replica shows the counter of the ledger before.
      const next = await this.#readNonce(ports.epoch() === epoch ? ports.position.readAt(minSeq) : minSeq);
      const verdict = await this.ask();
      if (waits.isStopped || this.#host.settle(verdict)) return true;
      const isOther = verdict.kind === 'otherEpoch';
      if (isOther && ports.onEpoch(verdict.epoch, verdict.seq)) return this.#followEpoch(verdict);
      if (next?.nonce === open.nonce && !isOther) return false;
      if (next !== undefined && this.#host.mayFence) {
        // The nonce is consumed, or its state is unknown: there is nothing to spare.
        this.#gate.restart(Number.NEGATIVE_INFINITY);
        return false;
      }
      if (next !== undefined && verdict.kind === 'open') {
        this.#closeVoid(next.nonce);
        return true;
      }
      await waits.wait(backoff.next(verdict.kind === 'wait' ? verdict.afterMs : 0));
    }
    return true;
  }

  async #readNonce(minSeq?: bigint): Promise<ScopeNonce | undefined> {
    const { ports, writer } = this.#tools;
    return readNonce(await ports.pipe.nonce(writer.signer.address, minSeq));
  }
}
