/**
 * @module Which trades of a recording repeat one before. A duplicate is the same trade: same id, time, price, size and
 * side. An id with another trade is counted and kept; what stands for no id is none.
 */
import type { ImportCounts } from './import-counts.ts';

/** Ids that are remembered; a repetition comes within minutes. */
const SEEN_MAX = 1_000_000;
/** An id of more different trades than this identifies nothing. */
const TRADES_PER_ID_MAX = 2;
/** What programs write where there is no id, in lower case. */
const NO_ID =
  /^(?:[-+]?(?:0x)?[0-]*(?:\.0*)?|-1(?:\.0*)?|[(<]?(?:null|nil|nan|none|nat|undefined|unknown|missing|empty|#?n\/?a|no[ _-]?id)[)>]?|\\n|[?.'"_]+)$/;

/** A trade as it was recorded. */
export interface RecordedTrade {
  /** Its id; `undefined`: the recording has none. */
  readonly id: string | undefined;
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  readonly price: number;
  readonly size: number;
  /** Side as recorded. */
  readonly side: string;
}

/** The trades of one market, in order of exchange time. */
export class SeenTrades {
  readonly #counts: ImportCounts;
  /** By id: the hash of its latest trade, negative for an id that identifies nothing. */
  #hashes = new Map<string, number>();
  #older = new Map<string, number>();
  /** Of ids with several different trades: how many. */
  readonly #trades = new Map<string, number>();
  readonly #atOnce: SeenAtOnce<number>;
  /** Trades that repeat the first one while no other id was seen: its id may be a constant. */
  #undecided: (() => void)[] = [];
  /** Different ids so far. */
  count = 0;

  constructor(counts: ImportCounts) {
    this.#counts = counts;
    this.#atOnce = new SeenAtOnce(counts);
  }

  /** Calls `keep` for a trade that repeats none, at once or with the next trade; counts one that does. */
  take(trade: RecordedTrade, keep: () => void): void {
    const hash = hashOf(trade);
    const id = trade.id?.trim() ?? '';
    if (isNoId(id)) {
      if (trade.id !== undefined) this.#counts.add('idsMissing');
      this.#atOnce.take(hash, trade.exchangeUs);
      keep();
      return;
    }
    const before = this.#hashes.get(id) ?? this.#older.get(id);
    if (before === undefined) {
      this.#decide(false);
      this.count++;
      this.#remember(id, hash);
      keep();
    } else if (before === hash) {
      if (this.count === 1) this.#undecided.push(keep);
      else this.#counts.add('duplicatesDropped');
    } else {
      if (this.count === 1) this.#decide(true);
      this.#reuse(id, hash, trade.exchangeUs);
      keep();
    }
  }

  /** True if `trade` repeats one before. */
  has(trade: RecordedTrade): boolean {
    const id = trade.id?.trim() ?? '';
    return !isNoId(id) && (this.#hashes.get(id) ?? this.#older.get(id)) === hashOf(trade);
  }

  /** After the last trade. */
  end(): void {
    this.#decide(false);
  }

  /** Whether the only id so far is a constant: then the trades that repeat the first one are trades. */
  #decide(isConstant: boolean): void {
    for (const keep of this.#undecided) {
      if (isConstant) keep();
      else this.#counts.add('duplicatesDropped');
    }
    this.#undecided = [];
  }

  #reuse(id: string, hash: number, us: number): void {
    this.#counts.add('idsReused');
    const trades = (this.#trades.get(id) ?? 1) + 1;
    this.#trades.set(id, trades);
    const identifiesNothing = this.count === 1 || trades > TRADES_PER_ID_MAX;
    if (identifiesNothing) this.#atOnce.take(hash, us);
    this.#remember(id, identifiesNothing ? -1 : hash);
  }

  #remember(id: string, hash: number): void {
    if (this.#hashes.size >= SEEN_MAX && !this.#hashes.has(id)) {
      this.#older = this.#hashes;
      this.#hashes = new Map();
    }
    this.#hashes.set(id, hash);
  }
}

/** Records without an id, in order of exchange time: nothing tells two of one moment apart, so both are kept and counted. */
export class SeenAtOnce<T> {
  readonly #counts: ImportCounts;
  readonly #seen = new Set<T>();
  #us = 0;

  constructor(counts: ImportCounts) {
    this.#counts = counts;
  }

  /** Takes a record, of which `content` is all but its time. */
  take(content: T, us: number): void {
    if (us !== this.#us) this.#seen.clear();
    this.#us = us;
    if (this.#seen.has(content)) this.#counts.add('repeatsKept');
    this.#seen.add(content);
  }
}

/** True if `id` stands for no id. */
function isNoId(id: string): boolean {
  return NO_ID.test(id.toLowerCase());
}

/** A number of 52 bits for what makes a trade the same. */
function hashOf({ exchangeUs, price, size, side }: RecordedTrade): number {
  const text = `${exchangeUs} ${price} ${size} ${side}`;
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 2 ** 20 + ((low >>> 0) & 0xfffff);
}

/** The number `text`, or `place` in the recording when it is no id or no integer below 2^53. */
export function tradeIdOf(text: string, place: number, counts: ImportCounts): number {
  if (isNoId(text.trim())) return place;
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  counts.add('idsReplaced');
  return place;
}
