/**
 * @module
 * Compares what was booked with what the exchange says when it is asked: positions, open orders, cash and both histories at
 * one position of the log. Streams and pages may lose an entry and not tell: what an audit finds missing is read
 * again and booked, once, from the last place at which both agreed, and where that is not enough from the beginning.
 *
 *   every 30 s, at once on suspicion ─▶ states at q ─▶ histories from the last proven place past q ─▶ compared at q
 *                                                            agree: proven up to q ◀──┤
 *        agree, or what is left is the exchange's own ◀─ compared ◀─ histories in full ◀──┘ differ
 */
import {
  type Clock,
  type Log,
  type Metrics,
  messageOf,
  type Random,
  type Timer,
} from '../../../core/index.ts';
import type { AccountSelection, AccountSummary, MarketSymbol, Position, Seq } from '../../../domain/index.ts';
import {
  type AtSeq,
  type DecodeContext,
  type Decoded,
  DOUBT_ANSWERS_MAX,
  decodeAccount,
  decodeOrders,
  decodePositions,
  type OrderState,
} from '../../protocol/index.ts';
import { Backoff } from '../backoff.ts';
import type { HistoryReader, ReadResult } from '../ports.ts';
import type { AccountFacts, AccountNote } from './account-facts.ts';
import type { OnUnfounded, UnfoundedEntries } from './effect-writer.ts';
import type { Joiner } from './joiner.ts';
import { describeUnfounded, HistorySeen, isSameFinding, unfoundedIn } from './unfounded.ts';

/** Between two audits of an account in which nothing is amiss. */
const PERIOD_MS = 30_000;
/** After a join, and at least between two audits. */
const SOON_MS = 1_000;
/** After an audit that could not be finished or left a difference: the first time, and at most after several. */
const AGAIN_MS_FIRST = 3_000;
const AGAIN_MS_MAX = PERIOD_MS;
/** How long an audit may take without getting on. */
const STUCK_MS_MAX = 10_000;
/** Between two readings of a whole history, and how long a page may lack what is in the log. */
const FULL_MS_MIN = 60_000;
/** Between two that look for what explains cash; for what was accepted twice as long each time, up to a day. */
const FULL_OF_CASH_MS_MIN = 600_000;
const FULL_OF_ACCEPTED_MS_MAX = 86_400_000;
/** How long cash and ledger may differ until the exchange is asked, and how often that and lost entries are looked at. */
const CASH_MS_MAX = 2_000;
const LOOK_MS = 1_000;
const PAUSE_MS_FIRST = 200;
const PAUSE_MS_MAX = 2_000;

/** What an audit asks of the resync, and tells it. */
export interface AuditedAccount {
  /** The epoch of what was booked; `undefined` while no history is live: nothing can be compared then. */
  liveEpoch(): string | undefined;
  /** Counts interruptions: what began before one is void after it. */
  interruptions(): number;
  /** The newest position of the log that is known. */
  seq(): Seq | undefined;
  /** True if the log may have come as far. */
  mayBe(seq: Seq): boolean;
  /** Asks the stream for all open orders again. */
  refreshOrders(): void;
  /** An audit is over: what it booked may have settled a difference. */
  onAudited(): void;
}

/** What an audit is made of. */
export interface ExchangeAuditOptions {
  readonly selection: AccountSelection;
  readonly history: HistoryReader;
  readonly markets: DecodeContext;
  readonly facts: AccountFacts;
  readonly joiner: Joiner;
  readonly account: AuditedAccount;
  /** Entries that were booked are not of the exchange's history, and are taken back for the next run. */
  readonly onUnfounded?: OnUnfounded | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
}

/** The account as the exchange shows it; each part at its own position, none before what was booked. */
interface Shown {
  readonly account: AtSeq<AccountSummary>;
  readonly positions: AtSeq<readonly Position[]>;
  readonly orders: AtSeq<readonly OrderState[]>;
}

interface Differences {
  /** Lots that the exchange has more than fills and moves make, where that is not zero. */
  readonly sizes: ReadonlyMap<MarketSymbol, number>;
  /** The markets of {@link sizes}, where sizes can be compared. */
  readonly positions: readonly MarketSymbol[];
  readonly cash: bigint;
  /** Fills that the ledger tells of, and that the histories have not brought; 0 where they were not read. */
  readonly fills: number;
}

/** See the module. */
export class ExchangeAudit {
  readonly #options: ExchangeAuditOptions;
  #timer: Timer | undefined;
  #look: Timer | undefined;
  #isRunning = false;
  /** Something is amiss since the running audit began. */
  #isSuspected = false;
  #isStopped = false;
  #hasReread = false;
  /** Not before this one audit after another, monotonic milliseconds, and the wait after the next one that fails. */
  #notBeforeMs = 0;
  #againMs = AGAIN_MS_FIRST;
  #fullAtMs = Number.NEGATIVE_INFINITY;
  /** Since when fills are missing of which the ledger tells, monotonic milliseconds; `undefined`: none is. */
  #missingSinceMs: number | undefined;
  /** The cash that no entry explained in the last answer, and since which one; `undefined`: it was explained. */
  #unexplained: { readonly cash: bigint; readonly sinceMs: number } | undefined;
  /** Until the history is read in full again for what was accepted without it. */
  #acceptedMs = FULL_OF_CASH_MS_MIN;

  constructor(options: ExchangeAuditOptions) {
    this.#options = options;
  }

  /** True once the histories were read in full since the ledger began for this process. */
  get hasReread(): boolean {
    return this.#hasReread;
  }

  /** Begins to look at the cash, and for what the stream does not bring. */
  start(): void {
    this.#look = this.#options.clock.every(LOOK_MS, () => {
      this.#lookForLost();
      this.#lookAtCash();
    });
  }

  /** The histories are live, again perhaps: an audit follows soon. */
  begin(): void {
    this.#againMs = AGAIN_MS_FIRST;
    this.#schedule(SOON_MS);
  }

  /** Another ledger: nothing of it was read twice. */
  beginEpoch(): void {
    this.#hasReread = false;
    this.#fullAtMs = Number.NEGATIVE_INFINITY;
    this.#missingSinceMs = undefined;
    this.#unexplained = undefined;
    this.#acceptedMs = FULL_OF_CASH_MS_MIN;
  }

  /** Something is amiss: what was booked is looked at now. */
  suspect(): void {
    if (this.#isRunning) this.#isSuspected = true;
    else this.#schedule(this.#notBeforeMs - this.#options.clock.monotonicMs());
  }

  /** Ends for good. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#look?.cancel();
  }

  /** What was booked and never came by the stream. */
  #lookForLost(): void {
    const { facts, log, meter } = this.#options;
    const count = facts.unstreamed.look();
    if (count === 0) return;
    meter.count('stream_lost_entries_total', count);
    log.warn('entries that did not come by the stream are booked', { count });
  }

  /** Cash that the ledger does not explain: an entry may be lost. */
  #lookAtCash(): void {
    const { clock, facts, account } = this.#options;
    const { differsSinceMs } = facts.cash;
    if (differsSinceMs === undefined || this.#isRunning || account.liveEpoch() === undefined) return;
    if (clock.monotonicMs() - differsSinceMs >= CASH_MS_MAX) this.suspect();
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped || this.#isRunning) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(Math.max(0, delayMs), () => this.#run());
  }

  #run(): void {
    const { account, log } = this.#options;
    const epoch = account.liveEpoch();
    // The next join begins the audits again.
    if (epoch === undefined) return;
    this.#isRunning = true;
    this.#isSuspected = false;
    this.#audit(epoch)
      .then((isClean) => this.#over(isClean))
      .catch((thrown: unknown) => {
        log.error('the audit of the account failed', { why: messageOf(thrown) });
        this.#over(false);
      });
  }

  #over(isClean: boolean): void {
    const { account, facts, clock } = this.#options;
    facts.endNote();
    this.#isRunning = false;
    const waitMs = isClean ? SOON_MS : this.#againMs;
    this.#againMs = isClean ? AGAIN_MS_FIRST : Math.min(AGAIN_MS_MAX, this.#againMs * 2);
    this.#notBeforeMs = clock.monotonicMs() + waitMs;
    this.#schedule(isClean && !this.#isSuspected ? PERIOD_MS : waitMs);
    account.onAudited();
  }

  /** One audit. True if everything agrees in the end. */
  async #audit(epoch: string): Promise<boolean> {
    const { facts, account, clock, log } = this.#options;
    const begun = account.interruptions();
    let stuckSinceMs = clock.monotonicMs();
    const isWanted = (): boolean => !this.#isStopped && account.interruptions() === begun;
    const caller = {
      isCurrent: () => isWanted() && clock.monotonicMs() - stuckSinceMs < STUCK_MS_MAX,
      onProgress: (statedMs = 0) => {
        stuckSinceMs = clock.monotonicMs() + statedMs;
      },
    };
    const note = facts.beginNote();
    const shown = await this.#show(caller.isCurrent);
    if (shown === undefined || isOfOtherEpoch(shown, epoch)) return false;
    const parts = [shown.account, shown.positions, shown.orders];
    const minSeq = parts.reduce((max, { seq }) => (seq > max ? seq : max), 0n as Seq);
    const read = async (from: 'proven' | 'start', seen?: HistorySeen): Promise<boolean> => {
      const keep = seen === undefined ? {} : { seen };
      const result = await this.#options.joiner.join({ epoch, minSeq }, { ...caller, ...keep, from });
      return result.kind === 'done' && caller.isCurrent();
    };
    /** Reads all, and gives what was booked and is not there; `false`: it could not be read. */
    const readAll = async (): Promise<UnfoundedEntries | undefined | false> => {
      const seen = new HistorySeen();
      await facts.reopen();
      caller.onProgress();
      if (!(await read('start', seen))) return false;
      await facts.writer.flush();
      return unfoundedIn(seen, { facts, note, ...shown, readTo: minSeq });
    };
    const isRead = await read('proven');
    if (!isWanted()) return false;
    let differences = this.#compare(shown, note, isRead ? minSeq : undefined);
    const isFull = this.#isFullDue(differences);
    if (!isRead && !isFull) return false;
    if (isFull) {
      const { positions, cash, fills } = differences;
      if (positions.length > 0 || cash !== 0n || fills > 0)
        log.warn('what was booked differs from the exchange: the history is read again in full', {
          positions,
          cash,
          fills,
        });
      else log.info('the history is read again in full for what it did not have');
      const found = await readAll();
      if (found === false) return false;
      this.#fullAtMs = clock.monotonicMs();
      this.#hasReread = true;
      this.#acceptedMs = Math.min(FULL_OF_ACCEPTED_MS_MAX, this.#acceptedMs * 2);
      // One reading may have lacked a row: what is taken back is missing in two.
      const again = found === undefined ? undefined : await readAll();
      if (found !== undefined && again && isSameFinding(found, again)) return await this.#withdraw(again);
      differences = this.#compare(shown, note, minSeq);
      if (differences.fills > 0 && this.#isMissingLong)
        differences = this.#acceptMissing(differences, minSeq);
    }
    if (differences.fills === 0 && (differences.positions.length === 0 || isFull)) facts.noteBooked(minSeq);
    return this.#conclude(shown, note, { ...differences, isFull });
  }

  /** What never was cannot be taken out of what strategies have done since: the next run begins without it. */
  async #withdraw(unfounded: UnfoundedEntries): Promise<boolean> {
    const { facts, onUnfounded } = this.#options;
    this.#isStopped = true;
    await facts.withdraw(unfounded);
    onUnfounded?.(describeUnfounded(unfounded), unfounded);
    return false;
  }

  #conclude(
    shown: Shown,
    note: AccountNote,
    differences: Differences & { readonly isFull: boolean },
  ): boolean {
    const { facts, account, log } = this.#options;
    facts.audit.noteAsked(differences.sizes);
    account.refreshOrders();
    if (facts.orders.differ(shown.orders.value, shown.orders.seq))
      log.warn('open orders differ from those of the exchange', { seq: shown.orders.seq });
    if (note.changes.length > 0 || differences.positions.length > 0 || facts.audit.isDiffering)
      facts.publishPositions(shown.positions.value, shown.positions.seq);
    const isCashExplained = this.#explainCash(differences);
    if (note.hasBooked || facts.cash.differsSinceMs !== undefined)
      facts.publishAccount(shown.account.value, shown.account.seq);
    if (note.isMoved || differences.positions.length > 0) return false;
    if (!isCashExplained) return false;
    // Read again from the last proven place, until the histories bring what is missing.
    if (differences.fills > 0) return false;
    const { account: cash, positions } = shown;
    facts.prove(cash.seq < positions.seq ? cash.seq : positions.seq);
    return true;
  }

  /**
   * True if cash and ledger agree, or differ by what is the exchange's own: by the same for as long as a page may lack an
   * entry, and the history, read in full after that, does not have it. One answer alone may be wrong.
   */
  #explainCash({ cash, isFull }: Differences & { readonly isFull: boolean }): boolean {
    const { clock, facts, log } = this.#options;
    // What was accepted came to light: ledger and cash are equal.
    const isFound = cash !== 0n && cash === -facts.cash.accepted;
    if (!isFound && !(isFull && this.#isUnexplainedLong(cash))) {
      if (cash === 0n) this.#unexplained = undefined;
      else if (cash !== this.#unexplained?.cash) this.#unexplained = { cash, sinceMs: clock.monotonicMs() };
      return cash === 0n;
    }
    if (!isFound) log.warn('the ledger of the exchange does not add up to its cash', { difference: cash });
    facts.cash.accept(cash);
    this.#unexplained = undefined;
    this.#acceptedMs = FULL_OF_CASH_MS_MIN;
    return true;
  }

  /** This cash is not explained for so long that it is no page that lags. */
  #isUnexplainedLong(cash: bigint): boolean {
    const before = this.#unexplained;
    return before?.cash === cash && this.#options.clock.monotonicMs() - before.sinceMs >= FULL_MS_MIN;
  }

  /** `readTo`: both histories were read up to there; `undefined`: they were not. */
  #compare({ account, positions }: Shown, note: AccountNote, readTo: Seq | undefined): Differences {
    const { facts, clock } = this.#options;
    const fills = readTo === undefined ? 0 : facts.trades.missingUpTo(readTo);
    if (fills > 0) this.#missingSinceMs ??= clock.monotonicMs();
    else if (readTo !== undefined) this.#missingSinceMs = undefined;
    const shown = new Map(positions.value.map(({ symbol, sizeLots }) => [symbol, sizeLots as number]));
    const sizes = new Map<MarketSymbol, number>();
    for (const symbol of new Set([...shown.keys(), ...facts.audit.symbols])) {
      const moreLots = (shown.get(symbol) ?? 0) - facts.lotsAt(symbol, positions.seq, note);
      if (moreLots !== 0) sizes.set(symbol, moreLots);
    }
    const { value, seq } = account;
    return {
      sizes,
      positions: note.isMoved ? [] : [...sizes.keys()],
      cash: facts.cash.differenceOf(value.collateral, facts.cashAt(seq, note)),
      fills,
    };
  }

  #isFullDue({ positions, cash }: Differences): boolean {
    const { clock, facts } = this.#options;
    const nowMs = clock.monotonicMs();
    const pastMs = nowMs - this.#fullAtMs;
    if (positions.length > 0 || this.#isMissingLong || this.#isUnexplainedLong(cash))
      return pastMs >= FULL_MS_MIN;
    if (cash !== 0n) return pastMs >= FULL_OF_CASH_MS_MIN;
    return (facts.cash.accepted !== 0n || facts.trades.hasAccepted) && pastMs >= this.#acceptedMs;
  }

  /** Fills are missing for so long that it is no page that lags. */
  get #isMissingLong(): boolean {
    const sinceMs = this.#missingSinceMs;
    return sinceMs !== undefined && this.#options.clock.monotonicMs() - sinceMs >= FULL_MS_MIN;
  }

  /** The whole history does not have what the ledger tells of. */
  #acceptMissing(differences: Differences, readTo: Seq): Differences {
    const { facts, log } = this.#options;
    const { fills } = differences;
    log.warn('the ledger of the exchange tells of fills that its history does not have', { fills });
    facts.trades.accept(readTo);
    this.#acceptedMs = FULL_OF_CASH_MS_MIN;
    return { ...differences, fills: 0 };
  }

  /** Reads the states of the account, each at or after all that was booked. */
  async #show(isCurrent: () => boolean): Promise<Shown | undefined> {
    const { history, selection, markets } = this.#options;
    const minSeq = this.#options.account.seq();
    const read = <T>(
      ask: () => Promise<ReadResult>,
      decode: (text: string, context: DecodeContext, seq?: bigint) => Decoded<AtSeq<T>>,
    ) => this.#read(ask, (text, seq) => decode(text, markets, seq), isCurrent);
    const [account, positions, orders] = await Promise.all([
      read(() => history.account(selection, minSeq), decodeAccount),
      read(() => history.positions(selection, minSeq), decodePositions),
      read(() => history.openOrders(selection, minSeq), decodeOrders),
    ]);
    if (account === undefined || positions === undefined || orders === undefined) return undefined;
    return { account, positions, orders };
  }

  /** Asks until it is answered; `undefined` when nobody waits any more. */
  async #read<T>(
    ask: () => Promise<ReadResult>,
    decode: (text: string, seq: bigint | undefined) => Decoded<AtSeq<T>>,
    isCurrent: () => boolean,
  ): Promise<AtSeq<T> | undefined> {
    const { clock, random } = this.#options;
    const backoff = new Backoff({ firstMs: PAUSE_MS_FIRST, maxMs: PAUSE_MS_MAX, random });
    for (let doubted = 0; ; ) {
      const result = await ask();
      if (!isCurrent()) return undefined;
      const decoded = result.kind === 'body' ? decode(result.text, result.seq) : undefined;
      // One answer that names a place far beyond the log would be waited for in vain.
      const isBelieved = decoded?.ok === true && this.#options.account.mayBe(decoded.value.seq);
      if (decoded?.ok === true && (isBelieved || ++doubted > DOUBT_ANSWERS_MAX)) return decoded.value;
      const statedMs = result.kind === 'retry' ? result.afterMs : undefined;
      await new Promise<void>((resolve) => clock.after(Math.max(backoff.next(), statedMs ?? 0), resolve));
      if (!isCurrent()) return undefined;
    }
  }
}

function isOfOtherEpoch({ account, positions, orders }: Shown, epoch: string): boolean {
  return [account, positions, orders].some((part) => part.epoch !== undefined && part.epoch !== epoch);
}
