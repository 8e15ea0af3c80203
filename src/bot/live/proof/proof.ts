/**
 * @module
 * Compares what a bot believes with what the exchange shows: fills and ledger entry by entry, positions, open orders,
 * and the sum of the ledger against the balance. Pure.
 */
import { formatShort, isRecord, must } from '../../../core/index.ts';
import {
  type AccountSummary,
  type Cursor,
  compareCursors,
  type Fill,
  isFundingEntry,
  type LedgerEntry,
  type Lots,
  type Market,
  type MarketSymbol,
  notionalOf,
  type Position,
  type Quantums,
} from '../../../domain/index.ts';

/** One account as the exchange shows it, all parts at one state of the ledger. */
export interface AccountSnapshot {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  /** Number of open orders. */
  readonly openOrders: number;
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  readonly positions: readonly Position[];
  /** Balances; `undefined`: the exchange reports none. */
  readonly account: AccountSummary | undefined;
}

/** Where histories ended when a run began. */
export interface Baseline {
  /** Last fill before the run; `undefined`: none. */
  readonly fills: Cursor | undefined;
  /** Last ledger entry before the run; `undefined`: none. */
  readonly ledger: Cursor | undefined;
  readonly equity: Quantums;
  /** The account as it was read. */
  readonly snapshot?: AccountSnapshot;
}

/** What a bot believes at its end. */
export interface BotBooks {
  readonly fills: readonly Fill[];
  readonly ledger: readonly LedgerEntry[];
  /** Number of open orders. */
  readonly openOrders: number;
  /** Signed position in a market, lots. */
  positionLots(symbol: MarketSymbol): Lots;
  /** Lots of a market that no strategy owns and nobody has accepted. Absent: a bot that owns all that it has. */
  unexplainedLots?(symbol: MarketSymbol): number;
}

/** What a proof is made of. */
export interface ProofParts {
  readonly snapshot: AccountSnapshot;
  readonly baseline: Baseline;
  readonly books: BotBooks;
  /** The markets by symbol. */
  readonly markets: ReadonlyMap<MarketSymbol, Market>;
  /** Markets the bot was on. */
  readonly symbols: readonly MarketSymbol[];
  /** Decimals of amounts of collateral as text. */
  readonly collateralDecimals: number;
}

/** The results of a run, all read from the exchange after the bot had stopped, and what does not agree. */
export interface RunVerification {
  /** Number of open orders. */
  readonly openOrders: number;
  /** Fills, positions and ledger of the bot equal those of the exchange. */
  readonly reconciled: boolean;
  /** What is not equal, in words. */
  readonly differences: readonly string[];
  /** Balance less the sum of the ledger, as the exchange publishes both. */
  readonly ledgerResidual: string;
  /** Number of fills. */
  readonly fills: number;
  /** Fills that bought. */
  readonly buyFills: number;
  /** Fills that sold. */
  readonly sellFills: number;
  /** Fills as maker. */
  readonly makerFills: number;
  /** Notional of all fills. */
  readonly volume: string;
  /** Positive: paid. */
  readonly feesPaid: string;
  /** Funding paid, decimal text in collateral; received is negative. */
  readonly fundingPaid: string;
  /** Equity less everything that was paid in. */
  readonly pnl: string;
  /** Signed size by market. */
  readonly position: Readonly<Record<string, string>>;
}

/** Makes the proof. */
export function prove(parts: ProofParts): RunVerification {
  const { snapshot, baseline, markets, symbols, collateralDecimals } = parts;
  const fills = after(snapshot.fills, baseline.fills);
  const ledger = after(snapshot.ledger, baseline.ledger);
  const differences = [...compare(parts, fills, ledger)];
  const money = (amount: bigint): string => formatShort(amount, collateralDecimals);
  const collateral = snapshot.account?.collateral ?? 0n;
  const paidIn = sumOf(ledger.filter((entry) => isPaidIn(entry)));
  return {
    openOrders: snapshot.openOrders,
    reconciled: differences.length === 0,
    differences,
    ledgerResidual: money(collateral - sumOf(snapshot.ledger)),
    fills: fills.length,
    buyFills: fills.filter((fill) => fill.side === 'buy').length,
    sellFills: fills.filter((fill) => fill.side === 'sell').length,
    makerFills: fills.filter((fill) => fill.role === 'maker').length,
    volume: money(
      fills.reduce(
        (sum, fill) =>
          sum + notionalOf(must(markets.get(fill.symbol), fill.symbol), fill.priceTicks, fill.sizeLots),
        0n,
      ),
    ),
    feesPaid: money(fills.reduce((sum, fill) => sum + (fill.fee ?? 0n), 0n)),
    fundingPaid: money(-sumOf(ledger.filter((entry) => isFundingEntry(entry)))),
    pnl: money((snapshot.account?.equity ?? 0n) - baseline.equity - paidIn),
    position: Object.fromEntries(symbols.map((symbol) => [symbol, sizeText(parts, symbol)])),
  };
}

function* compare(
  parts: ProofParts,
  fills: readonly Fill[],
  ledger: readonly LedgerEntry[],
): Generator<string> {
  const { books, baseline, snapshot, symbols } = parts;
  yield* compareEntries('fill', after(books.fills, baseline.fills), fills);
  yield* compareEntries('ledger entry', after(books.ledger, baseline.ledger), ledger);
  for (const symbol of symbols) {
    const shown = snapshot.positions.find((position) => position.symbol === symbol)?.sizeLots ?? 0;
    const believed = books.positionLots(symbol);
    if (shown !== believed) yield `position ${symbol}: the exchange has ${shown} lots, the bot ${believed}`;
    const unexplained = books.unexplainedLots?.(symbol) ?? 0;
    if (unexplained !== 0)
      yield `position ${symbol}: ${unexplained} lots are of no strategy and were not accepted`;
  }
  if (books.openOrders !== snapshot.openOrders)
    yield `open orders: the exchange has ${snapshot.openOrders}, the bot ${books.openOrders}`;
}

/** Entries the two sides do not share, or share with other contents. Each side holds an id once or it is named. */
function* compareEntries<Entry extends Fill | LedgerEntry>(
  what: string,
  own: readonly Entry[],
  shown: readonly Entry[],
): Generator<string> {
  const byId = new Map<string, Entry>();
  for (const entry of own) {
    if (byId.has(entry.id)) yield `${what} ${entry.id}: the bot has it twice`;
    byId.set(entry.id, entry);
  }
  for (const entry of shown) {
    const mine = byId.get(entry.id);
    byId.delete(entry.id);
    if (mine === undefined) yield `${what} ${entry.id}: the bot does not have it`;
    else if (contentOf(mine) !== contentOf(entry)) yield `${what} ${entry.id}: the contents differ`;
  }
  for (const id of byId.keys()) yield `${what} ${id}: the exchange does not have it`;
}

/** The same text for the same contents, whatever the order of their names. */
function contentOf(value: unknown): string {
  if (!isRecord(value)) return String(value);
  return JSON.stringify(
    Object.entries(value)
      .map(([key, item]) => [key, contentOf(item)])
      .sort(),
  );
}

/** Money that came from outside or went there: not profit. */
function isPaidIn(entry: LedgerEntry): boolean {
  return PAID_IN.has(entry.kind);
}

const PAID_IN: ReadonlySet<string> = new Set([
  'deposit',
  'transfer',
  'withdrawal',
  'send_asset',
  'vault_deposit',
  'vault_redeem',
]);

function sumOf(entries: readonly { readonly amount: Quantums }[]): bigint {
  return entries.reduce((sum, entry) => sum + entry.amount, 0n);
}

function sizeText({ snapshot, markets }: ProofParts, symbol: MarketSymbol): string {
  const lots = snapshot.positions.find((position) => position.symbol === symbol)?.sizeLots ?? (0 as Lots);
  return formatShort(lots, must(markets.get(symbol), symbol).sizeDecimals);
}

/** The entries after `cursor`. */
function after<Entry extends { readonly id: Cursor }>(
  entries: readonly Entry[],
  cursor: Cursor | undefined,
): readonly Entry[] {
  return cursor === undefined ? entries : entries.filter((entry) => compareCursors(entry.id, cursor) > 0);
}
