/**
 * @module The formats of third-party recordings, by the names of their files. Importers find their files by these
 * names; a folder without a manifest is recognized by them, so that an error can say how to import it.
 */

import { basename, join, resolve } from 'node:path';

/** Files of candles, at Binance and at Hyperliquid. */
const CANDLES =
  /^(?<symbol>[A-Za-z0-9-]+?)_(?:(?<what>funding|mark)_)?(?<interval>[1-9][0-9]{0,2}[mhd])\.csv(?:\.gz)?$/;

/** Streams of one market and day, at Binance USD-M and spot. */
const DAY_OF_STREAMS = /^(?<symbol>[a-z0-9]+)_(?<day>\d{8})(?:\.dat)?(?:\.gz)?$/;

/** Each format that can be imported, with the names of its files; none: any name will do. */
export const RECORDING_NAMES = {
  'binance-um': [DAY_OF_STREAMS],
  'binance-spot': [
    DAY_OF_STREAMS,
    /^(?<symbol>[A-Z0-9]+)-trades-\d{4}-\d{2}(?:-\d{2})?\.csv(?:\.gz)?$/,
    /^(?<symbol>[A-Z0-9]+)-aggTrades-\d{4}-\d{2}(?:-\d{2})?\.csv(?:\.gz)?$/,
  ],
  'binance-candles': [CANDLES],
  standx: [/^(?<what>book|trades)_\d{4}-\d{2}-\d{2}_\d{2}\.csv(?:\.gz)?$/],
  hyperliquid: [/^(?<what>orderbooks|prices|trades)_(?<symbol>[A-Za-z0-9-]+)\.csv(?:\.gz)?$/, CANDLES],
  gemini: [/^(?<what>market-depth|trade)\.csv(?:\.gz)?$/],
  'tardis-csv': [/_(?:incremental_book_L2|trades)_\d{4}-\d{2}-\d{2}.*\.csv(?:\.gz)?$/],
  lobster: [
    /^(?<symbol>[A-Za-z0-9.]+)_(?<day>\d{4}-\d{2}-\d{2})_(?<fromMs>\d+)_(?<toMs>\d+)_message(?:_\d+)?\.csv(?:\.gz)?$/,
  ],
  csv: [],
  feed: [/^(?<feed>[a-z][a-z0-9-]{0,39})\.jsonl(?:\.gz)?$/],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** One of {@link RECORDING_FORMATS}. */
export type RecordingFormat = keyof typeof RECORDING_NAMES;

/** The formats that can be imported. */
export const RECORDING_FORMATS = Object.keys(RECORDING_NAMES) as readonly RecordingFormat[];

/** The first format of markets that has a file among `names`; `undefined`: the names do not show it. */
export function recordingFormatOf(names: readonly string[]): RecordingFormat | undefined {
  // Many other things are called <word>.jsonl, such as the log of a run.
  return RECORDING_FORMATS.find(
    (format) =>
      format !== 'feed' &&
      RECORDING_NAMES[format].some((pattern) => names.some((name) => pattern.test(name))),
  );
}

/** The command that makes a tape of the recording at `place`. */
export function importLine(format: RecordingFormat, place: string): string {
  const out = join('tapes', basename(resolve(place)).replace(/\..*$/, '') || 'imported');
  return `ballast import ${format} ${shellWord(place)} --out ${shellWord(out)}`;
}

/** `text` as one word of a command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
