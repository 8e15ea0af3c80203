/**
 * @module
 * What a run earned, line by line: the change of equity as fills, fees, rebates, funding, transfers and liquidations, of the
 * account and of each strategy on it, each line with the ids of its ledger entries. Made of public history and of who owned
 * which order; the same inputs give the same statement, so that anybody can make it again. Pure.
 */
import { type Cursor, compareCursors } from '../../../domain/index.ts';
import type { AccountSnapshot } from '../proof/proof.ts';
import {
  type AccountPoint,
  LINES,
  type Statement,
  type StatementLine,
  type StatementParts,
  sum,
} from './lines.ts';
import { OwnerBooks } from './owner-books.ts';

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
