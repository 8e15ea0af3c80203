/**
 * @module
 * What a run earned, line by line: the change of equity as fills, fees, rebates, funding, transfers and liquidations, of the
 * account and of each strategy on it, each line with the ids of its ledger entries. Made of public history and of who owned
 * which order; the same inputs give the same statement, so that anybody can make it again. Pure.
 */
import {
  type Cursor,
  compareCursors,
  type Fill,
  isFundingEntry,
  type LedgerEntry,
  signedLots,
} from '../../../domain/index.ts';
import type { AccountSnapshot } from '../proof/proof.ts';

/** An account at one instant. Amounts are quantums as decimal text, sizes lots. */
export interface AccountPoint {
  /** Last fill and last entry of the ledger up to here; `null`: none. */
  readonly fills: string | null;
  readonly ledger: string | null;
  readonly collateral: string;
  readonly equity: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly lots: number;
    /** Value at the price of the exchange, signed. */
    readonly value: string;
  }[];
}

/** The names of the lines, in order. */
const LINES = ['fills', 'fees', 'rebates', 'funding', 'transfers', 'liquidation', 'other'] as const;
type LineName = (typeof LINES)[number];

/** One line: an amount and the entries of the ledger that it is the sum of. */
export interface StatementLine {
  readonly line: LineName | 'value';
  readonly amount: string;
  /** Ids of the ledger; of `value` none: it is the change of what positions are worth. */
  readonly entries: readonly string[];
}

/** The lines of one owner. `account`: what belongs to no strategy. */
export interface OwnerStatement {
  readonly owner: string;
  readonly change: string;
  readonly lines: readonly StatementLine[];
  /** Signed lots by market, at the start and at the end. */
  readonly lotsAtStart: Readonly<Record<string, number>>;
  readonly lotsAtEnd: Readonly<Record<string, number>>;
}

/** The statement of a run. */
export interface Statement {
  readonly equityChange: string;
  readonly lines: readonly StatementLine[];
  readonly owners: readonly OwnerStatement[];
  /** Change of equity less all lines; `0`: every unit is explained. */
  readonly residual: string;
  /** Sums of owners that are not the line of the account; empty: all agree. */
  readonly disagreements: readonly string[];
}

/** What a statement is made of. */
export interface StatementParts {
  readonly start: AccountPoint;
  readonly end: AccountPoint;
  /** The whole history of the epoch, oldest first. */
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  /** Order to strategy. */
  readonly owners: ReadonlyMap<string, string>;
}

/** The row of what no strategy owns. */
const NOBODY = 'account';

/** The point that a reading of the exchange is. */
export function pointOf(snapshot: AccountSnapshot): AccountPoint {
  const { fills, ledger, account, positions } = snapshot;
  return {
    fills: fills.at(-1)?.id ?? null,
    ledger: ledger.at(-1)?.id ?? null,
    collateral: `${account?.collateral ?? 0n}`,
    equity: `${account?.equity ?? 0n}`,
    positions: positions
      .filter(({ sizeLots }) => sizeLots !== 0)
      .map(({ symbol, sizeLots, costBasis, unrealizedPnl }) => ({
        ...{ symbol, lots: sizeLots, value: `${costBasis + unrealizedPnl}` },
      })),
  };
}

/** Makes the statement. */
export function statementOf(parts: StatementParts): Statement {
  const { start, end } = parts;
  const books = new OwnerBooks(parts);
  books.run();
  const equityChange = BigInt(end.equity) - BigInt(start.equity);
  const owners = books.statements();
  const lines = [...LINES, 'value' as const].map((line): StatementLine => {
    const own = owners.flatMap((one) => one.lines.filter((row) => row.line === line));
    const entries = [...new Set(own.flatMap((row) => row.entries))].sort((a, b) =>
      compareCursors(a as Cursor, b as Cursor),
    );
    return { line, amount: `${sum(own.map(({ amount }) => BigInt(amount)))}`, entries };
  });
  const explained = sum(lines.map(({ amount }) => BigInt(amount)));
  return {
    equityChange: `${equityChange}`,
    lines: lines.filter(({ amount, entries }) => amount !== '0' || entries.length > 0),
    owners,
    residual: `${equityChange - explained}`,
    disagreements: books.disagreements,
  };
}

/** One owner while the history is gone through. */
interface Owner {
  readonly name: string;
  readonly lots: Map<string, number>;
  lotsAtStart: Readonly<Record<string, number>>;
  readonly lines: Map<LineName | 'value', { amount: bigint; readonly entries: string[] }>;
}

class OwnerBooks {
  readonly disagreements: string[] = [];
  readonly #parts: StatementParts;
  readonly #owners = new Map<string, Owner>();
  /** Lots of the account after each fill. */
  readonly #account = new Map<string, number>();

  constructor(parts: StatementParts) {
    this.#parts = parts;
    for (const name of [NOBODY, ...[...new Set(parts.owners.values())].sort()]) this.#of(name);
  }

  run(): void {
    const { start, end, fills, ledger } = this.#parts;
    const events = [
      ...fills.map((fill) => ({ id: fill.id, fill, entry: undefined })),
      ...ledger.map((entry) => ({ id: entry.id, fill: undefined, entry })),
    ].sort((a, b) => compareCursors(a.id, b.id));
    let isBegun = false;
    const isAfter = (id: Cursor, limit: string | null): boolean =>
      limit === null || compareCursors(id, limit as Cursor) > 0;
    for (const { id, fill, entry } of events) {
      const [from, to] = fill === undefined ? [start.ledger, end.ledger] : [start.fills, end.fills];
      if (to === null || isAfter(id, to)) continue;
      const isWithin = from === null || isAfter(id, from);
      if (isWithin && !isBegun) this.#begin();
      isBegun ||= isWithin;
      if (fill !== undefined) this.#fill(fill);
      else if (entry !== undefined && isWithin) this.#entry(entry);
    }
    if (!isBegun) this.#begin();
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

  #begin(): void {
    for (const owner of this.#owners.values()) owner.lotsAtStart = plain(owner.lots);
  }

  /** A fill of an order that no strategy owns, a liquidation above all, is borne by those that hold the side, by their lots. */
  #fill({ id, orderId, symbol, side, sizeLots }: Fill): void {
    const change = signedLots(side, sizeLots);
    this.#account.set(symbol, (this.#account.get(symbol) ?? 0) + change);
    for (const [owner, part] of this.#sharesOf(orderId, symbol, BigInt(change)))
      owner.lots.set(symbol, (owner.lots.get(symbol) ?? 0) + Number(part));
    const held = sumLots([...this.#owners.values()].map(({ lots }) => lots.get(symbol) ?? 0));
    if (held !== this.#account.get(symbol))
      this.disagreements.push(
        `fill ${id}: owners hold ${held} lots of ${symbol}, the account ${this.#account.get(symbol)}`,
      );
  }

  #entry(entry: LedgerEntry): void {
    const { id, amount, symbol, orderId } = entry;
    const line = lineOf(entry);
    const shares =
      symbol === null || line === 'transfers'
        ? new Map([[this.#of(NOBODY), amount as bigint]])
        : this.#sharesOf(orderId ?? undefined, symbol, amount);
    for (const [owner, part] of shares) this.#book(owner, line, part, id);
  }

  /** What an amount is to each owner: to that of the order, else to those that hold the market, to the last unit. */
  #sharesOf(orderId: string | undefined, symbol: string, amount: bigint): ReadonlyMap<Owner, bigint> {
    const name = orderId === undefined ? undefined : this.#parts.owners.get(orderId);
    if (name !== undefined) return new Map([[this.#of(name), amount]]);
    const all = [...this.#owners.values()].map(
      (owner) => [owner, BigInt(owner.lots.get(symbol) ?? 0)] as const,
    );
    const total = all.reduce((all, [, lots]) => all + lots, 0n);
    if (total === 0n) return new Map([[this.#of(NOBODY), amount]]);
    const bearing = all.filter(([, lots]) => lots !== 0n && lots > 0n === total > 0n);
    const base = bearing.reduce((all, [, lots]) => all + lots, 0n);
    const shares = new Map(bearing.map(([owner, lots]) => [owner, (amount * lots) / base]));
    const [largest] = bearing.toSorted(
      ([a, x], [b, y]) => Number(size(y) - size(x)) || (a.name < b.name ? -1 : 1),
    );
    const left = amount - sum([...shares.values()]);
    if (largest !== undefined) shares.set(largest[0], (shares.get(largest[0]) ?? 0n) + left);
    return shares;
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

/** Equity beyond the cash: what positions are worth, and funding that is not settled. */
function openOf({ equity, collateral }: AccountPoint): bigint {
  return BigInt(equity) - BigInt(collateral);
}

/** Which line an entry of the ledger is of. */
function lineOf(entry: LedgerEntry): LineName {
  const { kind, amount } = entry;
  if (isFundingEntry(entry)) return 'funding';
  if (kind === 'trade') return 'fills';
  if (kind.endsWith('_fee') && kind !== 'liquidation_fee') return amount > 0n ? 'rebates' : 'fees';
  if (kind.endsWith('_rebate')) return 'rebates';
  if (LIQUIDATION.has(kind)) return 'liquidation';
  return TRANSFERS.has(kind) ? 'transfers' : 'other';
}

const TRANSFERS: ReadonlySet<string> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'send_asset',
  'vault_deposit',
  'vault_redeem',
]);
const LIQUIDATION: ReadonlySet<string> = new Set([
  'liquidation_fee',
  'deleverage',
  'insurance',
  'socialized_loss',
  'final_settlement',
]);

function plain(lots: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...lots].filter(([, held]) => held !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}

function sumLots(lots: readonly number[]): number {
  return lots.reduce((all, one) => all + one, 0);
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
