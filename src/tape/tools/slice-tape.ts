/**
 * @module Makes a tape of a section of another one: a span of time, some of its markets. It begins with what was known
 * at that time, since rows store differences. Raw frames stay in the tape it was cut from, which its source names.
 */
import { ConfigError } from '../../core/index.ts';
import type { Manifest, TapeWriter } from '../format/index.ts';
import { EVENT, openTape, type Tape } from '../format/index.ts';
import { makeTape } from './make-tape.ts';
import { MarketMemory } from './market-memory.ts';
import { RowCursor } from './row-cursor.ts';

/** What to cut out of which tape. */
export interface SliceOptions {
  /** Path of the tape. */
  readonly tape: string;
  /** Path of the new tape; must not exist. */
  readonly out: string;
  /** First exchange time, Unix us; absent: from the beginning. */
  readonly fromUs?: number | undefined;
  /** End of the exchange time, exclusive; absent: to the end. */
  readonly toUs?: number | undefined;
  /** Absent: all. */
  readonly symbols?: readonly string[] | undefined;
}

/** Writes the slice. @throws ConfigError when nothing of the tape is within it. */
export function sliceTape({ tape: folder, out, fromUs, toUs, symbols }: SliceOptions): Manifest {
  const tape = openTape(folder);
  const places = placesOf(tape, symbols);
  const from = fromUs ?? tape.fromUs;
  if ((toUs !== undefined && toUs <= from) || from > tape.toUs || (toUs !== undefined && toUs <= tape.fromUs))
    throw new ConfigError({
      code: 'TAPE_SLICE_EMPTY',
      message: `expected a span within ${tape.fromUs} to ${tape.toUs} us, got ${from} to ${toUs ?? 'the end'}`,
      remedy: 'Look at the span of the tape: ballast tape info <tape>.',
    });
  const markets = tape.markets.filter((_, place) => places[place] !== undefined);
  const source = {
    kind: 'sliced',
    description: `a part of ${tape.name}`,
    details: { tape: tape.hash, from, ...(toUs === undefined ? {} : { to: toUs }) },
  };
  return makeTape({ folder: out, markets, feeds: tape.feeds, source }, (writer) =>
    copyRows({ tape, writer, places, from, toUs }),
  );
}

interface Copy {
  readonly tape: Tape;
  readonly writer: TapeWriter;
  /** By the index of a market in the tape: its index in the slice; `undefined` when the slice leaves it out. */
  readonly places: readonly (number | undefined)[];
  readonly from: number;
  readonly toUs: number | undefined;
}

function copyRows({ tape, writer, places, from, toUs }: Copy): void {
  const rows = new RowCursor(tape, toUs === undefined ? {} : { toUs });
  tellBefore(rows, { writer, places, from });
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    if (row.kind === EVENT.feed) {
      writer.write({ ...row, id: writer.feedLine(tape.feedLine(row.id)) });
      continue;
    }
    const market = places[row.market];
    if (market !== undefined) writer.write({ ...row, market });
  }
}

/** Walks to `from` and writes what is known there. */
function tellBefore(
  rows: RowCursor,
  { writer, places, from }: Pick<Copy, 'writer' | 'places' | 'from'>,
): void {
  const known = places.map((place) => (place === undefined ? undefined : new MarketMemory()));
  while (rows.us < from) {
    const row = rows.next();
    if (row !== undefined && row.kind !== EVENT.feed) known[row.market]?.take(row);
  }
  known.forEach((memory, place) => {
    for (const row of memory?.rows(from) ?? []) writer.write({ ...row, market: places[place] ?? 0 });
  });
}

function placesOf(tape: Tape, symbols: readonly string[] | undefined): readonly (number | undefined)[] {
  const unknown = (symbols ?? []).filter(
    (symbol) => !tape.markets.some((market) => market.symbol === symbol),
  );
  if (unknown.length > 0)
    throw new ConfigError({
      code: 'TAPE_MARKET_MISSING',
      message: `expected markets of the tape (${tape.markets.map(({ symbol }) => symbol).join(', ')}), got ${unknown.join(', ')}`,
      remedy: 'Name markets as the tape does: ballast tape info <tape>.',
    });
  let next = 0;
  return tape.markets.map(({ symbol }) =>
    symbols === undefined || symbols.includes(symbol) ? next++ : undefined,
  );
}
