/** @module Holds an attestation against what the exchange shows to anybody, line by line. Pure: it is given the readings. */
import { type Cursor, compareCursors, type Fill, type LedgerEntry } from '../../../domain/index.ts';
import type { Attestation } from './document.ts';
import type { AccountPoint, Statement } from './lines.ts';
import { statementOf } from './statement.ts';

/** What was read. */
export interface PublicRecords {
  readonly epoch: string;
  readonly environment: string;
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  /** Addresses that have a grant of the account now. */
  readonly agents: readonly string[];
}

/** What was found. */
export interface AttestationCheck {
  /** What differs, in words; empty: everything agrees. */
  readonly differences: readonly string[];
  /** What no public read can show any more, in words. */
  readonly unseen: readonly string[];
}

/** Checks a document. `signedBy`: whose signature it is. */
export function checkAttestation(
  document: Attestation,
  signedBy: string | undefined,
  records: PublicRecords,
): AttestationCheck {
  const differences: string[] = [];
  const unseen: string[] = [];
  const differ = (what: string, stated: unknown, found: unknown): void => {
    if (JSON.stringify(stated) !== JSON.stringify(found))
      differences.push(
        `${what}: the document says ${JSON.stringify(stated)}, the exchange ${JSON.stringify(found)}`,
      );
  };
  if (signedBy !== document.signer.toLowerCase())
    differences.push(`signature: it is not that of ${document.signer} under these contents`);
  differ('environment', document.environment.id, records.environment);
  if (document.epoch !== records.epoch) {
    differ('epoch', document.epoch, records.epoch);
    return { differences, unseen };
  }
  if (!records.agents.includes(document.signer))
    unseen.push(`the signer ${document.signer} has no grant of the account any more`);
  for (const name of ['start', 'end'] as const) checkPoint(name, document[name], records, { differ, unseen });
  const owners = new Map(
    Object.entries(document.orders).flatMap(([strategy, ids]) => ids.map((id) => [id, strategy] as const)),
  );
  const made = statementOf({ ...records, start: document.start, end: document.end, owners });
  compareStatements(document.statement, made, differ);
  if (made.residual !== '0') differences.push(`residual: expected 0, got ${made.residual}`);
  return { differences, unseen };
}

interface Notes {
  readonly unseen: string[];
  differ(what: string, stated: unknown, found: unknown): void;
}

/** Cash is the sum of the ledger; lots are the sum of the fills, where nothing else has moved them. */
function checkPoint(
  name: string,
  point: AccountPoint,
  records: PublicRecords,
  { differ, unseen }: Notes,
): void {
  const upTo = <Entry extends { readonly id: Cursor }>(all: readonly Entry[], last: string | null) =>
    last === null ? [] : all.filter(({ id }) => compareCursors(id, last as Cursor) <= 0);
  const [fills, ledger] = [upTo(records.fills, point.fills), upTo(records.ledger, point.ledger)];
  differ(`${name} fills`, point.fills, fills.at(-1)?.id ?? null);
  differ(`${name} ledger`, point.ledger, ledger.at(-1)?.id ?? null);
  differ(`${name} collateral`, point.collateral, `${ledger.reduce((sum, { amount }) => sum + amount, 0n)}`);
  const lots: Record<string, number> = {};
  for (const { symbol, side, sizeLots } of fills)
    lots[symbol] = (lots[symbol] ?? 0) + (side === 'buy' ? sizeLots : -sizeLots);
  const isMoved = ledger.some(({ kind }) => kind === 'deleverage' || kind === 'final_settlement');
  const stated = Object.fromEntries(point.positions.map(({ symbol, lots: held }) => [symbol, held]));
  if (isMoved) unseen.push(`${name} positions: the exchange moved some without a fill`);
  else
    for (const symbol of new Set([...Object.keys(lots), ...Object.keys(stated)]))
      differ(`${name} position of ${symbol}`, stated[symbol] ?? 0, lots[symbol] ?? 0);
  const values = point.positions.reduce((sum, { value }) => sum + BigInt(value), 0n);
  const open = BigInt(point.equity) - BigInt(point.collateral);
  if (point.positions.length === 0) differ(`${name} equity`, point.equity, point.collateral);
  else
    unseen.push(
      `${name} value ${open} of open positions (${values} at the price of then): no read shows a past price`,
    );
}

function compareStatements(stated: Statement, made: Statement, differ: Notes['differ']): void {
  differ('equity change', stated.equityChange, made.equityChange);
  differ('residual', stated.residual, made.residual);
  differ('disagreements', stated.disagreements, made.disagreements);
  compareLines('', stated.lines, made.lines, differ);
  const names = new Set([...stated.owners, ...made.owners].map(({ owner }) => owner));
  for (const name of names) {
    const [own, found] = [stated, made].map(({ owners }) => owners.find(({ owner }) => owner === name));
    differ(`${name} change`, own?.change, found?.change);
    differ(`${name} lots at the start`, own?.lotsAtStart, found?.lotsAtStart);
    differ(`${name} lots at the end`, own?.lotsAtEnd, found?.lotsAtEnd);
    compareLines(`${name} `, own?.lines ?? [], found?.lines ?? [], differ);
  }
}

function compareLines(
  of: string,
  stated: Statement['lines'],
  made: Statement['lines'],
  differ: Notes['differ'],
): void {
  for (const line of new Set([...stated, ...made].map((one) => one.line))) {
    const [own, found] = [stated, made].map((all) => all.find((one) => one.line === line));
    differ(`${of}${line}`, own?.amount, found?.amount);
    const ids = (row: typeof own) => [...(row?.entries ?? [])];
    const [mine, theirs] = [ids(own), ids(found)];
    if (mine.join() !== theirs.join())
      differ(
        `${of}${line} entries`,
        mine.filter((id) => !theirs.includes(id)),
        theirs.filter((id) => !mine.includes(id)),
      );
    if (mine.join() !== theirs.join() && mine.toSorted().join() === theirs.toSorted().join())
      differ(`${of}${line} order of entries`, mine.join(), theirs.join());
  }
}
