/**
 * @module
 * Trades that the ledger tells of and no fill shows. The cash of each fill is an entry of the ledger at the same place of the
 * log (exchange.md), so an entry without its fill is a fill that was lost: also where two lost fills cancel out, or where
 * what they made was settled since, so that positions and cash agree. Nothing is said of an exchange of which no such
 * pair was seen, or whose whole history does not bring what is missing: its ledger may tell of trades otherwise.
 */
import {
  type Fill,
  type LedgerEntry,
  type MarketSymbol,
  type Seq,
  seqOfCursor,
} from '../../../domain/index.ts';

/** What is not as many as its counterpart, in one market at one place of the log. */
interface Unmatched {
  readonly seq: Seq;
  /** Entries of the ledger less fills. */
  surplus: number;
  /** The exchange's history, read in full, did not have the fills. */
  isAccepted: boolean;
}

/** See the module. */
export class TradeMatch {
  readonly #unmatched = new Map<string, Unmatched>();
  #hasMatched = false;

  /** A fill was applied. */
  addFill({ symbol, id }: Pick<Fill, 'symbol' | 'id'>): void {
    this.#add(symbol, seqOfCursor(id), -1);
  }

  /** An entry of the ledger was applied. Of another token it is the other side of a trade, if of any. */
  addEntry({
    kind,
    symbol,
    id,
    otherToken,
  }: Pick<LedgerEntry, 'kind' | 'symbol' | 'id' | 'otherToken'>): void {
    if (kind === 'trade' && symbol !== null && otherToken === undefined)
      this.#add(symbol, seqOfCursor(id), 1);
  }

  /** Where both histories were read up to `seq`: how many fills they must have brought and did not. */
  missingUpTo(seq: Seq): number {
    if (!this.#isBelieved) return 0;
    let count = 0;
    for (const one of this.#unmatched.values()) if (one.surplus > 0 && one.seq <= seq) count += one.surplus;
    return count;
  }

  /** True if there are fills that the history did not have when it was read in full. */
  get hasAccepted(): boolean {
    return [...this.#unmatched.values()].some(({ isAccepted }) => isAccepted);
  }

  /** The history was read in full up to `seq`: what is missing is not in it. */
  accept(seq: Seq): void {
    for (const one of this.#unmatched.values()) if (one.surplus > 0 && one.seq <= seq) one.isAccepted = true;
  }

  /** Up to `seq` both histories are complete: what is left there without its counterpart has none. */
  prove(seq: Seq): void {
    for (const [key, { seq: at, surplus, isAccepted }] of this.#unmatched)
      if (at <= seq && !isAccepted && (surplus < 0 || !this.#isBelieved)) this.#unmatched.delete(key);
  }

  /** Another ledger begins. */
  clear(): void {
    this.#unmatched.clear();
  }

  get #isBelieved(): boolean {
    return this.#hasMatched && !this.hasAccepted;
  }

  #add(symbol: MarketSymbol, seq: Seq, change: 1 | -1): void {
    const key = `${symbol} ${seq}`;
    const known = this.#unmatched.get(key);
    if (known === undefined) {
      this.#unmatched.set(key, { seq, surplus: change, isAccepted: false });
      return;
    }
    known.surplus += change;
    if (known.surplus !== 0) return;
    this.#unmatched.delete(key);
    this.#hasMatched = true;
  }
}
