/** @module `ballast import`: what was made of a recording, and what was done to it on the way. */
import {
  describeImportCounts,
  type ImportRecordingOptions,
  type ImportResult,
  importRecording,
} from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { describeTapeMarket } from '../tape-market-text.ts';

/** Imports and tells. */
export async function importTape(
  options: ImportRecordingOptions & { readonly isJson: boolean },
): Promise<number> {
  const result = await importRecording(options);
  if (options.isJson) writeDocument({ schema: 1, ...result });
  else for (const line of describe(result)) writeLine(line);
  return EXIT.ok;
}

function describe(result: ImportResult): readonly string[] {
  const { out, hash, rows, fromUs, toUs, markets, kinds, files, ignored, counts } = result;
  const repairs = describeImportCounts(counts);
  return [
    `${out}: ${rows} rows of ${files.length} files, ${timeOf(fromUs)} to ${timeOf(toUs)}`,
    `hash ${hash}`,
    ...markets.map((market) => {
      const rowsByKind = Object.entries(kinds[market.symbol] ?? {}).map(
        ([kind, count]) => `${count} ${kind}`,
      );
      return `${describeTapeMarket(market)}: ${rowsByKind.join(', ')}`;
    }),
    ...Object.entries(kinds)
      .filter(([name]) => name.startsWith('feed:'))
      .map(([name, { feed = 0 }]) => `${name}: ${feed} values`),
    ...(ignored.length === 0 ? [] : [`not of this format: ${ignored.join(', ')}`]),
    ...(repairs.length === 0 ? ['nothing dropped, nothing repaired'] : repairs),
  ];
}

function timeOf(us: number): string {
  return new Date(us / 1_000).toISOString();
}
