/**
 * @module
 * Entries that were booked and that the exchange's own history does not have: a gateway reported what never was, or
 * something else under the same id. Only a history that was read in full says so, and only where positions and cash agree
 * with the exchange once these entries are gone: a page that lacks rows of the history takes nothing back.
 */
import {
  type AccountSummary,
  type Cursor,
  type Fill,
  type LedgerEntry,
  type MarketSymbol,
  type Position,
  type Seq,
  seqOfCursor,
  signedLots,
} from '../../../domain/index.ts';
import type { AtSeq } from '../../protocol/index.ts';
import type { AccountFacts, AccountNote } from './account-facts.ts';
import type { Unfounded, UnfoundedEntries } from './effect-writer.ts';

/** What a reading of both histories has shown, by id. */
export class HistorySeen {
  readonly fills = new Map<Cursor, Fill>();
  readonly ledger = new Map<Cursor, LedgerEntry>();
}

/** What the exchange says of the account, and what was booked. */
export interface Compared {
  readonly facts: AccountFacts;
  readonly note: AccountNote;
  readonly positions: AtSeq<readonly Position[]>;
  readonly account: AtSeq<AccountSummary>;
  /** The histories were read up to here at least. */
  readonly readTo: Seq;
}

/** Entries without which books and exchange agree; `undefined`: there are none, or they do not explain the difference. */
export function unfoundedIn(seen: HistorySeen, compared: Compared): UnfoundedEntries | undefined {
  const { facts, note, positions, account, readTo } = compared;
  const booked = facts.booked();
  const isRead = ({ id }: { readonly id: Cursor }): boolean => seqOfCursor(id) <= readTo;
  const fills = booked.fills.filter(isRead).flatMap((fill) => unlike(fill, seen.fills, isSameFill));
  const ledger = booked.ledger.filter(isRead).flatMap((entry) => unlike(entry, seen.ledger, isSameEntry));
  if (note.isMoved || fills.length + ledger.length === 0) return undefined;
  const sizes = new Map(positions.value.map(({ symbol, sizeLots }) => [symbol, sizeLots as number]));
  const excess = (symbol: MarketSymbol): number =>
    fills.reduce((sum, one) => sum + lotsOf(one.booked, symbol) - lotsOf(one.instead, symbol), 0);
  for (const symbol of new Set([...sizes.keys(), ...facts.audit.symbols]))
    if (facts.lotsAt(symbol, positions.seq, note) - excess(symbol) !== (sizes.get(symbol) ?? 0))
      return undefined;
  const cash = ledger.reduce((sum, one) => sum + one.booked.amount - (one.instead?.amount ?? 0n), 0n);
  const sum = facts.cashAt(account.seq, note) - cash;
  return facts.cash.differenceOf(account.value.collateral, sum) === 0n ? { fills, ledger } : undefined;
}

/** True if two readings found the same. */
export function isSameFinding(one: UnfoundedEntries, other: UnfoundedEntries): boolean {
  const idsOf = ({ fills, ledger }: UnfoundedEntries): string =>
    [...fills, ...ledger].map(({ booked }) => booked.id).join();
  return idsOf(one) === idsOf(other);
}

/** In words. */
export function describeUnfounded({ fills, ledger }: UnfoundedEntries): string {
  const parts = [
    ...fills.map(({ booked }) => `fill ${booked.id} of order ${booked.orderId}`),
    ...ledger.map(({ booked }) => `entry ${booked.id} of the ledger (${booked.kind}, ${booked.amount})`),
  ];
  return `the history of the exchange does not have what was reported and booked: ${parts.join(', ')}`;
}

function unlike<Entry extends { readonly id: Cursor }>(
  booked: Entry,
  seen: ReadonlyMap<Cursor, Entry>,
  isSame: (one: Entry, other: Entry) => boolean,
): readonly Unfounded<Entry>[] {
  const instead = seen.get(booked.id);
  return instead !== undefined && isSame(booked, instead) ? [] : [{ booked, instead }];
}

/** A fee may be known in one place and not in the other. */
function isSameFill(one: Fill, other: Fill): boolean {
  const { symbol, side, sizeLots, priceTicks } = one;
  return (
    other.symbol === symbol &&
    other.side === side &&
    other.sizeLots === sizeLots &&
    other.priceTicks === priceTicks
  );
}

function isSameEntry(one: LedgerEntry, other: LedgerEntry): boolean {
  return one.amount === other.amount && one.symbol === other.symbol;
}

function lotsOf(fill: Fill | undefined, symbol: MarketSymbol): number {
  return fill === undefined || fill.symbol !== symbol ? 0 : signedLots(fill.side, fill.sizeLots);
}
