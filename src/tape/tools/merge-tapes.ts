/**
 * @module Makes one tape of several, in order of exchange time, frames kept whole. Markets are united: the same market
 * may be in several tapes when they follow one another, and the time in between becomes a gap. Tapes of other decimals
 * are merged at the finer scale.
 */
import { ConfigError } from '../../core/index.ts';
import type { Manifest, TapeWriter } from '../format/index.ts';
import { EVENT, FLAG_END, openTape, type Tape, type TapeMarket } from '../format/index.ts';
import { makeTape } from './make-tape.ts';
import { rescaled, uniteMarkets } from './market-scale.ts';
import { RowCursor } from './row-cursor.ts';

/** Which tapes become which. */
export interface MergeOptions {
  /** Paths of the tapes. */
  readonly tapes: readonly string[];
  /** Path of the new tape; must not exist. */
  readonly out: string;
}

/** Writes the united tape. @throws ConfigError when a market is of another kind in two tapes, or they overlap in one. */
export function mergeTapes({ tapes: folders, out }: MergeOptions): Manifest {
  // By time, then by name: the order on the command line makes no other tape.
  const tapes = folders
    .map(openTape)
    .sort((a, b) => a.fromUs - b.fromUs || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const markets = unite(tapes);
  const feeds = [...new Set(tapes.flatMap((tape) => tape.feeds))];
  const parts = tapes.map(
    (tape, index) => new Part(tape, { markets, feeds, holes: holesBehind(tapes, index) }),
  );
  const source = {
    kind: 'merged',
    description: tapes.map(({ name }) => name).join(' and '),
    details: Object.fromEntries(tapes.map(({ hash }, index) => [`tape ${index + 1}`, hash])),
  };
  return makeTape({ folder: out, markets, feeds, source }, (writer) => {
    for (let part = earliest(parts); part !== undefined; part = earliest(parts)) part.writeFrame(writer);
  });
}

/** The markets of all tapes, each once, at the finest scale that one of them has. */
function unite(tapes: readonly Tape[]): readonly TapeMarket[] {
  const bySymbol = new Map<string, TapeMarket>();
  for (const tape of tapes) {
    for (const market of tape.markets) {
      const known = bySymbol.get(market.symbol);
      const united = known === undefined ? market : uniteMarkets(known, market);
      if (united === undefined) throw differs(tape, market, known);
      bySymbol.set(market.symbol, united);
    }
  }
  return [...bySymbol.values()];
}

function differs(tape: Tape, market: TapeMarket, known: Partial<TapeMarket> = {}): ConfigError {
  const names = (['depth', 'hasOneTime', 'bookStep'] as const).filter((name) => market[name] !== known[name]);
  const found = names.map((name) => `${name} ${market[name] ?? 'none'} in place of ${known[name] ?? 'none'}`);
  return new ConfigError({
    code: 'TAPE_MERGE_REFUSED',
    message: `expected ${market.symbol} of the same kind in all tapes, ${tape.name} has ${found.join(' and ') || 'a book of another step'}`,
    remedy:
      'Import the files of both in one go, so that they become one market, or give one another name with --symbol.',
  });
}

/** Where the markets of tape `index` continue in a later one: a gap until then. */
function holesBehind(tapes: readonly Tape[], index: number): ReadonlyMap<string, number> {
  const tape = tapes[index];
  const holes = new Map<string, number>();
  for (const later of tapes.slice(index + 1)) {
    for (const { symbol } of later.markets) {
      if (tape === undefined || !tape.markets.some((market) => market.symbol === symbol)) continue;
      if (later.rows > 0 && later.fromUs <= tape.toUs)
        throw refused(`expected ${symbol} in one tape at a time, ${tape.name} and ${later.name} overlap`);
      if (!holes.has(symbol)) holes.set(symbol, later.fromUs);
    }
  }
  return holes;
}

function refused(message: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_MERGE_REFUSED',
    message,
    remedy: 'Cut or import the tapes so that each market is recorded once at any time: ballast tape slice.',
  });
}

interface United {
  readonly markets: readonly TapeMarket[];
  readonly feeds: readonly string[];
  readonly holes: ReadonlyMap<string, number>;
}

/** One of the tapes while it is read. */
class Part {
  readonly #tape: Tape;
  readonly #rows: RowCursor;
  readonly #united: readonly TapeMarket[];
  readonly #markets: readonly number[];
  readonly #feeds: readonly number[];
  readonly #holes: ReadonlyMap<string, number>;

  constructor(tape: Tape, { markets, feeds, holes }: United) {
    this.#tape = tape;
    this.#united = markets;
    this.#rows = new RowCursor(tape);
    this.#markets = tape.markets.map(({ symbol }) => markets.findIndex((market) => market.symbol === symbol));
    this.#feeds = tape.feeds.map((name) => feeds.indexOf(name));
    this.#holes = holes;
  }

  get us(): number {
    return this.#rows.us;
  }

  /** Writes the rows up to the end of the frame. */
  writeFrame(writer: TapeWriter): void {
    for (let row = this.#rows.next(); row !== undefined; row = this.#rows.next()) {
      const isFeed = row.kind === EVENT.feed;
      const market = (isFeed ? this.#feeds : this.#markets)[row.market] ?? 0;
      const id = isFeed ? writer.feedLine(this.#tape.feedLine(row.id)) : row.id;
      const to = this.#united[market];
      const from = this.#tape.markets[row.market];
      const scaled = isFeed || to === undefined || from === undefined ? row : rescaled(row, from, to);
      writer.write({ ...scaled, market, id });
      // A frame that lacks its end must not hold the others back.
      if ((row.flags & FLAG_END) !== 0 || this.#rows.us > row.exchangeUs) break;
    }
    if (this.#rows.us === Number.POSITIVE_INFINITY) this.#writeHoles(writer);
  }

  #writeHoles(writer: TapeWriter): void {
    const { toUs, markets } = this.#tape;
    markets.forEach(({ symbol }, place) => {
      const id = this.#holes.get(symbol);
      if (id === undefined) return;
      const row = { flags: FLAG_END, exchangeUs: toUs, receivedUs: toUs, price: 0, size: 0, id };
      writer.write({ ...row, kind: EVENT.hole, market: this.#markets[place] ?? 0 });
    });
  }
}

/** The part whose next row comes first; of equals the first. */
function earliest(parts: readonly Part[]): Part | undefined {
  let first: Part | undefined;
  for (const part of parts) {
    if (part.us < (first?.us ?? Number.POSITIVE_INFINITY)) first = part;
  }
  return first;
}
