/**
 * @module
 * The history of an account gone through, with what of it is whose: each fill and each entry of the ledger belongs to the
 * strategy whose order it is of, or to those that held the position that it happened to. Pure.
 */
import {
  type Cursor,
  closesPosition,
  compareCursors,
  type Fill,
  isLiquidationEntry,
  type LedgerEntry,
  movesPosition,
  type Seq,
  seqOfCursor,
  signedLots,
  splitByHolding,
} from '../../../domain/index.ts';
import {
  type AccountPoint,
  type LineName,
  lineOfEntry,
  type OwnerStatement,
  type StatementParts,
  sum,
} from './lines.ts';

/** The row of what no strategy owns. */
const NOBODY = 'account';

/** One owner while the history is gone through. */
interface Owner {
  readonly name: string;
  readonly lots: Map<string, number>;
  lotsAtStart: Readonly<Record<string, number>>;
  readonly lines: Map<LineName | 'value', { amount: bigint; readonly entries: string[] }>;
}

/** See the module. */
export class OwnerBooks {
  readonly disagreements: string[] = [];
  readonly #parts: StatementParts;
  readonly #owners = new Map<string, Owner>();
  /** Lots of the account after each fill. */
  readonly #account = new Map<string, number>();
  /** Places in the log at which the exchange closed positions of the account. */
  readonly #forcedAt: ReadonlySet<Seq>;
  /** Lots that a deleverage moved, by its entry. */
  readonly #moved: ReadonlyMap<string, number>;
  #place: Seq | undefined;
  /** What was held before the place in the log that is gone through, where it changes there. */
  readonly #heldBefore = new Map<Owner, Map<string, number>>();

  constructor(parts: StatementParts) {
    this.#parts = parts;
    this.#forcedAt = new Set(parts.ledger.filter(isLiquidationEntry).map(({ id }) => seqOfCursor(id)));
    this.#moved = movedLots(parts);
    for (const name of [NOBODY, ...[...new Set(parts.owners.values())].sort()]) this.#of(name);
  }

  run(): void {
    const { start, end, fills, ledger } = this.#parts;
    const events = [
      ...fills.map((fill) => ({ id: fill.id, fill, entry: undefined })),
      ...ledger.map((entry) => ({ id: entry.id, fill: undefined, entry })),
    ].sort((a, b) => compareCursors(a.id, b.id));
    let isBegun = false;
    for (const { id, fill, entry } of events) {
      const [from, to] = fill === undefined ? [start.ledger, end.ledger] : [start.fills, end.fills];
      if (to === null || isAfter(id, to)) continue;
      const isWithin = from === null || isAfter(id, from);
      if (isWithin && !isBegun) this.#begin();
      isBegun ||= isWithin;
      this.#arriveAt(seqOfCursor(id));
      if (fill !== undefined) this.#fill(fill);
      else if (entry !== undefined) this.#entry(entry, isWithin);
    }
    if (!isBegun) this.#begin();
    this.#hold('end', end);
    this.#value();
  }

  statements(): readonly OwnerStatement[] {
    return [...this.#owners.values()].map(({ name, lots, lotsAtStart, lines }) => ({
      owner: name,
      change: `${sum([...lines.values()].map(({ amount }) => amount))}`,
      lines: [...lines].map(([line, { amount, entries }]) => ({ line, amount: `${amount}`, entries })),
      lotsAtStart,
      lotsAtEnd: plain(lots),
    }));
  }

  /** What the account holds at the start beyond its history is of no strategy. */
  #begin(): void {
    const { start } = this.#parts;
    for (const symbol of new Set([...this.#account.keys(), ...start.positions.map((one) => one.symbol)]))
      this.#change(this.#of(NOBODY), symbol, lotsIn(start, symbol) - (this.#account.get(symbol) ?? 0));
    for (const owner of this.#owners.values()) owner.lotsAtStart = plain(owner.lots);
    this.#hold('start', start);
  }

  /** The owners hold what the account holds. */
  #hold(where: string, point: AccountPoint): void {
    for (const symbol of new Set([...this.#account.keys(), ...point.positions.map((one) => one.symbol)])) {
      const shown = lotsIn(point, symbol);
      const held = this.#heldOf(symbol);
      if (held !== shown)
        this.disagreements.push(`${where}: owners hold ${held} lots of ${symbol}, the account ${shown}`);
    }
  }

  #arriveAt(place: Seq): void {
    if (place === this.#place) return;
    this.#place = place;
    this.#heldBefore.clear();
  }

  /** A fill by which the exchange closes a position is borne by those that hold it, any other by who owns its order. */
  #fill({ id, orderId, symbol, side, sizeLots }: Fill): void {
    const change = signedLots(side, sizeLots);
    this.#account.set(symbol, (this.#account.get(symbol) ?? 0) + change);
    for (const [owner, part] of this.#sharesOf(orderId, symbol, BigInt(change)))
      this.#change(owner, symbol, Number(part), false);
    const held = this.#heldOf(symbol);
    if (held !== this.#account.get(symbol))
      this.disagreements.push(
        `fill ${id}: owners hold ${held} lots of ${symbol}, the account ${this.#account.get(symbol)}`,
      );
  }

  #entry(entry: LedgerEntry, isWithin: boolean): void {
    const { id, amount, symbol, orderId } = entry;
    const line = lineOfEntry(entry);
    const shares =
      symbol === null || line === 'transfers'
        ? new Map([[this.#of(NOBODY), amount as bigint]])
        : this.#sharesOf(orderId ?? undefined, symbol, amount, closesPosition(entry));
    if (isWithin) for (const [owner, part] of shares) this.#book(owner, line, part, id);
    if (symbol !== null && movesPosition(entry)) this.#move(entry, symbol);
  }

  /** The exchange has moved a position without a fill. */
  #move(entry: LedgerEntry, symbol: string): void {
    if (closesPosition(entry)) {
      for (const owner of this.#owners.values()) this.#change(owner, symbol, -(owner.lots.get(symbol) ?? 0));
      return;
    }
    const moved = BigInt(this.#moved.get(entry.id) ?? 0);
    for (const [owner, part] of this.#sharesOf(undefined, symbol, moved))
      this.#change(owner, symbol, Number(part));
  }

  /** What an amount is to each owner: to that of the order, else to those that held the market before, to the last unit. */
  #sharesOf(
    orderId: string | undefined,
    symbol: string,
    amount: bigint,
    isMarketEnd = false,
  ): ReadonlyMap<Owner, bigint> {
    const name = orderId === undefined ? undefined : this.#parts.owners.get(orderId);
    const isForeign =
      orderId !== undefined && !(this.#place !== undefined && this.#forcedAt.has(this.#place));
    if (name !== undefined || isForeign) return new Map([[this.#of(name ?? NOBODY), amount]]);
    const owners = [...this.#owners.values()];
    const before = (owner: Owner) => this.#heldBefore.get(owner)?.get(symbol) ?? owner.lots.get(symbol) ?? 0;
    const shares = splitByHolding(
      amount,
      owners.map((owner) => BigInt(before(owner))),
      isMarketEnd,
    );
    if (shares === undefined || amount === 0n) return new Map([[this.#of(NOBODY), amount]]);
    return new Map(owners.flatMap((owner, at) => (shares[at] ? [[owner, shares[at]] as const] : [])));
  }

  #heldOf(symbol: string): number {
    return sumLots([...this.#owners.values()].map(({ lots }) => lots.get(symbol) ?? 0));
  }

  /** `isOfAccount`: the account has not heard of it yet. */
  #change(owner: Owner, symbol: string, change: number, isOfAccount = true): void {
    if (change === 0) return;
    const held = owner.lots.get(symbol) ?? 0;
    const before = this.#heldBefore.get(owner) ?? new Map<string, number>();
    this.#heldBefore.set(owner, before);
    if (!before.has(symbol)) before.set(symbol, held);
    owner.lots.set(symbol, held + change);
    if (isOfAccount) this.#account.set(symbol, (this.#account.get(symbol) ?? 0) + change);
  }

  /** What positions became worth more or less, with funding that is not settled; the account takes what does not divide. */
  #value(): void {
    const { start, end } = this.#parts;
    const change = openOf(end) - openOf(start);
    let left = change;
    for (const owner of this.#owners.values()) {
      if (owner.name === NOBODY) continue;
      const own =
        this.#valueOf(owner, plain(owner.lots), end) - this.#valueOf(owner, owner.lotsAtStart, start);
      left -= own;
      this.#book(owner, 'value', own);
    }
    this.#book(this.#of(NOBODY), 'value', left);
  }

  #valueOf(_owner: Owner, lots: Readonly<Record<string, number>>, { positions }: AccountPoint): bigint {
    return sum(
      Object.entries(lots).map(([symbol, own]) => {
        const position = positions.find((one) => one.symbol === symbol);
        // A market in which the account is flat has no price in its reading: that of the last fill is as good for all.
        if (position === undefined) return BigInt(own) * this.#lastValue(symbol);
        return (BigInt(position.value) * BigInt(own)) / BigInt(position.lots);
      }),
    );
  }

  /** What a lot was worth in the last trade of the account: the amount of its entry by its lots. */
  #lastValue(symbol: string): bigint {
    const { fills, ledger } = this.#parts;
    const fill = fills.findLast((one) => one.symbol === symbol);
    const entry = ledger.findLast((one) => one.symbol === symbol && one.kind === 'trade');
    if (fill === undefined || entry === undefined || fill.orderId !== entry.orderId) return 0n;
    return size(entry.amount) / BigInt(fill.sizeLots);
  }

  #book(owner: Owner, line: LineName | 'value', amount: bigint, id?: string): void {
    const row = owner.lines.get(line) ?? { amount: 0n, entries: [] };
    owner.lines.set(line, row);
    row.amount += amount;
    if (id !== undefined) row.entries.push(id);
  }

  #of(name: string): Owner {
    let owner = this.#owners.get(name);
    if (owner === undefined) {
      owner = { name, lots: new Map(), lotsAtStart: {}, lines: new Map() };
      this.#owners.set(name, owner);
    }
    return owner;
  }
}

/**
 * Lots that each deleverage moved: the entry has its cash alone. What fills do not explain between two points is shared by
 * the entries between them, by their cash.
 */
function movedLots({ start, end, fills, ledger }: StatementParts): ReadonlyMap<string, number> {
  const moved = new Map<string, number>();
  const spans = [
    { from: undefined, to: start },
    { from: start, to: end },
  ] as const;
  for (const { from, to } of spans) {
    const within = (id: Cursor, of: 'fills' | 'ledger'): boolean => {
      const [first, last] = [from?.[of] ?? null, to[of]];
      return last !== null && !isAfter(id, last) && (first === null || isAfter(id, first));
    };
    const moving = ledger.filter((entry) => movesPosition(entry) && within(entry.id, 'ledger'));
    for (const symbol of new Set(moving.map((entry) => entry.symbol ?? ''))) {
      const own = moving.filter((entry) => entry.symbol === symbol);
      // The end of a market leaves nobody anything, so that no size is left to share.
      if (own.some(closesPosition)) continue;
      const traded = fills.filter((fill) => fill.symbol === symbol && within(fill.id, 'fills'));
      const before = from === undefined ? 0 : lotsIn(from, symbol);
      let left =
        lotsIn(to, symbol) - before - sumLots(traded.map((one) => signedLots(one.side, one.sizeLots)));
      const cash = sum(own.map(({ amount }) => amount));
      const all = BigInt(left);
      for (const { id, amount } of own) {
        const isLast = id === own.at(-1)?.id;
        const part = isLast || cash === 0n ? left : Number((all * amount) / cash);
        moved.set(id, part);
        left -= part;
      }
    }
  }
  return moved;
}

function isAfter(id: Cursor, limit: string | null): boolean {
  return limit === null || compareCursors(id, limit as Cursor) > 0;
}

function lotsIn({ positions }: AccountPoint, symbol: string): number {
  return positions.find((one) => one.symbol === symbol)?.lots ?? 0;
}

/** Equity beyond the cash: what positions are worth, and funding that is not settled. */
function openOf({ equity, collateral }: AccountPoint): bigint {
  return BigInt(equity) - BigInt(collateral);
}

function plain(lots: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...lots].filter(([, held]) => held !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sumLots(lots: readonly number[]): number {
  return lots.reduce((all, one) => all + one, 0);
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
