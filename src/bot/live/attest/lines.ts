/**
 * @module
 * The parts of a statement: an account at one instant, and the lines that the change from one to another is made of.
 */
import { type Fill, isFundingEntry, type LedgerEntry } from '../../../domain/index.ts';

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
export const LINES = ['fills', 'fees', 'rebates', 'funding', 'transfers', 'liquidation', 'other'] as const;
/** The name of one of them. */
export type LineName = (typeof LINES)[number];

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

/** Which line an entry of the ledger is of. */
export function lineOfEntry(entry: LedgerEntry): LineName {
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

/** The sum of amounts. */
export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}
