/**
 * @module
 * The state of a journal: what a bot asks of it: open writes, highest nonces, the last trigger, history and cursors.
 * Pure: the same records give the same state, in the worker at opening, in memory while running, in a reader.
 */
import { assert, type UnixMs } from '../../core/index.ts';
import {
  type AdoptedPosition,
  type CarriedHoldings,
  type Cursor,
  compareCursors,
  type Fill,
  type LedgerEntry,
  type Lots,
  type MarketSymbol,
  type Nonce,
  type PositionMove,
} from '../../domain/index.ts';
import { type OrderOwner, OrderOwners } from './order-owners.ts';
import type {
  ConsumedNonce,
  JournalCursors,
  JournalEffects,
  JournalHistory,
  JournalImage,
  JournalOutcome,
  JournalRecord,
  JournalWrite,
} from './records.ts';

/** The state that records make. */
export class JournalState {
  /** By requestId, oldest first. */
  readonly #open = new Map<string, JournalWrite>();
  /**
   * Those of {@link #open} that were refused: their bytes live until their nonce is consumed (outcomes-and-receipts.md).
   */
  readonly #refused = new Set<string>();
  readonly #highest = new Map<string, bigint>();
  readonly #spent = new Map<string, ConsumedNonce>();
  #triggerAtMs: UnixMs | undefined;
  #cursors: JournalCursors | undefined;
  #fills: Fill[] = [];
  #ledger: LedgerEntry[] = [];
  #moves: PositionMove[] = [];
  #adopted: AdoptedPosition[] = [];
  readonly #owners = new OrderOwners();
  #carried: CarriedHoldings | undefined;
  /** They outlive a ledger, as what is held does. */
  readonly #accepted = new Map<MarketSymbol, Lots>();

  /** A state with the content of `image`. */
  static from(image: JournalImage): JournalState {
    const state = new JournalState();
    state.#restore(image);
    return state;
  }

  /** The content as plain data. */
  image(): JournalImage {
    return {
      open: [...this.#open.values()],
      refused: [...this.#refused],
      highest: [...this.#highest],
      spent: [...this.#spent],
      triggerAtMs: this.#triggerAtMs,
      cursors: this.#cursors,
      fills: this.#fills,
      ledger: this.#ledger,
      moves: this.#moves,
      adopted: this.#adopted,
      placed: this.#owners.all(),
      carried: this.#carried,
      accepted: Array.from(this.#accepted, ([symbol, sizeLots]) => ({ symbol, sizeLots })),
    };
  }

  /** Applies one record. @throws AssertionError when effects of another epoch come without a reset. */
  apply(record: JournalRecord): void {
    switch (record.type) {
      case 'carry':
        this.#restore(record.value);
        return;
      case 'write':
        this.#applyWrite(record.value);
        return;
      case 'outcome':
        this.#applyOutcome(record.value);
        return;
      case 'trigger':
        this.#triggerAtMs = record.value.triggerAtMs;
        return;
      case 'effects':
        this.#applyEffects(record.value);
        return;
      case 'epoch':
        this.#cursors = { epoch: record.value.epoch, fills: undefined, ledger: undefined };
        this.#fills = [];
        this.#ledger = [];
        this.#moves = [];
        this.#adopted = [];
        this.#owners.clear();
        this.#carried = carriedInto(record.value.holdings);
        return;
    }
  }

  /** Writes whose end is not proven, oldest first; refused ones stay until their nonce is consumed. */
  openWrites(): readonly JournalWrite[] {
    return [...this.#open.values()];
  }

  /** The highest nonce ever written for a scope. */
  highestNonce(scope: string): Nonce | undefined {
    return this.#highest.get(scope) as Nonce | undefined;
  }

  /** The highest nonce of a scope that is proven to be consumed in `epoch`: counters of another epoch prove nothing. */
  consumedNonce(scope: string, epoch: string): Nonce | undefined {
    const spent = this.#spent.get(scope);
    return spent?.epoch === epoch ? spent.nonce : undefined;
  }

  /** The last confirmed trigger of the dead man's switch. */
  lastTriggerAtMs(): UnixMs | undefined {
    return this.#triggerAtMs;
  }

  /** Where history was read up to. */
  cursors(): JournalCursors | undefined {
    return this.#cursors;
  }

  /** All effects of the current epoch, oldest first. */
  effects(): JournalHistory {
    return { fills: this.#fills, ledger: this.#ledger, moves: this.#moves, adopted: this.#adopted };
  }

  /** Accepted orders with who asked for them: all that have fills, and the last ones without. */
  placedOrders(): readonly OrderOwner[] {
    return this.#owners.all();
  }

  /** What was held in the ledger before this one; `undefined`: there was none. */
  carried(): CarriedHoldings | undefined {
    return this.#carried;
  }

  /** Lots that belong to no strategy and were accepted. */
  accepted(): ReadonlyMap<MarketSymbol, Lots> {
    return this.#accepted;
  }

  #restore(image: JournalImage): void {
    this.#open.clear();
    for (const write of image.open) this.#open.set(write.requestId, write);
    for (const requestId of image.refused) this.#refused.add(requestId);
    for (const [scope, nonce] of image.highest) this.#highest.set(scope, nonce);
    for (const [scope, spent] of image.spent) this.#spent.set(scope, spent);
    this.#triggerAtMs = image.triggerAtMs;
    this.#cursors = image.cursors;
    this.#fills = [...image.fills];
    this.#ledger = [...image.ledger];
    this.#moves = [...(image.moves ?? [])];
    this.#adopted = [...(image.adopted ?? [])];
    this.#owners.clear();
    this.#owners.add(image.placed ?? []);
    this.#owners.filled(image.fills);
    this.#carried = image.carried;
    this.#accepted.clear();
    for (const { symbol, sizeLots } of image.accepted ?? []) this.#accepted.set(symbol, sizeLots);
  }

  #applyWrite(write: JournalWrite): void {
    this.#open.set(write.requestId, write);
    raise(this.#highest, write.scope, write.nonce);
  }

  #applyOutcome(outcome: JournalOutcome): void {
    if (outcome.placed !== undefined) this.#owners.add(outcome.placed);
    const write = this.#open.get(outcome.requestId);
    if (write === undefined) return;
    if (!outcome.nonceConsumed && outcome.outcome !== 'notSent') {
      this.#refused.add(write.requestId);
      return;
    }
    this.#open.delete(write.requestId);
    this.#refused.delete(write.requestId);
    if (!outcome.nonceConsumed) return;
    this.#raiseSpent(write);
    for (const requestId of this.#refused) {
      const refused = this.#open.get(requestId);
      if (refused === undefined || refused.scope !== write.scope || refused.nonce > write.nonce) continue;
      this.#open.delete(requestId);
      this.#refused.delete(requestId);
    }
  }

  #raiseSpent({ scope, epoch, nonce }: JournalWrite): void {
    const before = this.#spent.get(scope);
    if (before?.epoch === epoch && before.nonce >= nonce) return;
    this.#spent.set(scope, { epoch, nonce });
  }

  #applyEffects(effects: JournalEffects): void {
    const epoch = this.#cursors?.epoch;
    assert(
      epoch === undefined || epoch === effects.epoch,
      `effects of epoch ${epoch}, got ${effects.epoch} without a reset`,
    );
    if (effects.withdrawn !== undefined) {
      this.#fills = without(this.#fills, effects.withdrawn.fills);
      this.#ledger = without(this.#ledger, effects.withdrawn.ledger);
    }
    for (const fill of effects.fills) this.#fills.push(fill);
    this.#owners.filled(effects.fills);
    for (const entry of effects.ledger) this.#ledger.push(entry);
    for (const move of effects.moves ?? []) this.#moves.push(move);
    for (const adopted of effects.adopted ?? []) this.#adopted.push(adopted);
    if (effects.carried !== undefined) this.#carried = effects.carried;
    for (const { symbol, sizeLots } of effects.accepted ?? []) this.#accepted.set(symbol, sizeLots);
    this.#cursors = {
      epoch: effects.epoch,
      fills: latest(this.#cursors?.fills, effects.fills),
      ledger: latest(this.#cursors?.ledger, effects.ledger),
      proven: effects.proven ?? this.#cursors?.proven,
    };
  }
}

/** What a new ledger has to be settled with; it has nothing to settle where nothing was held. */
function carriedInto(holdings: CarriedHoldings['holdings'] = []): CarriedHoldings | undefined {
  return holdings.length === 0 ? undefined : { holdings, seq: undefined };
}

function raise(highest: Map<string, bigint>, scope: string, nonce: bigint): void {
  const before = highest.get(scope);
  if (before === undefined || nonce > before) highest.set(scope, nonce);
}

function without<Entry extends { readonly id: Cursor }>(
  entries: readonly Entry[],
  ids: readonly Cursor[],
): Entry[] {
  const gone = new Set(ids);
  return entries.filter(({ id }) => !gone.has(id));
}

/** Cursors never go back within an epoch (invariant I18). */
function latest(before: Cursor | undefined, entries: readonly { readonly id: Cursor }[]): Cursor | undefined {
  let last = before;
  for (const { id } of entries) if (last === undefined || compareCursors(id, last) > 0) last = id;
  return last;
}
