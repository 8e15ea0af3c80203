/** @module `ballast tape`: inspects, verifies, exports, slices and merges tapes. */
import type { Argv } from 'yargs';
import { isoOfUs, parseInstantUs } from '../core/index.ts';
import type { Manifest, TruncatedFile } from '../tape/format/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import {
  flagOption,
  type Given,
  jsonOption,
  listOption,
  neededOption,
  position,
  positions,
  textOption,
} from './terminal/options.ts';
import { blockOf, writeDocument, writeLine } from './terminal/output.ts';
import { describeTapeMarket } from './terminal/tape-market-text.ts';

const tape = position('Folder of a tape');
const out = neededOption('Write the new tape to this folder; must not exist');

const SPAN = {
  from: {
    ...textOption('Start at this time (2026-01-06T00:00:00Z, or Unix us)'),
    coerce: time('from'),
  },
  to: { ...textOption('End at this time, exclusive'), coerce: time('to') },
} as const;

const INFO = { json: jsonOption } as const;

const VERIFY = {
  repair: flagOption('Cut off what a killed recorder did not finish, and seal'),
  json: jsonOption,
} as const;

const EXPORT = {
  csv: {
    type: 'boolean',
    conflicts: ['jsonl', 'parquet'],
    describe: 'Write comma-separated values with a header (default)',
  },
  jsonl: { type: 'boolean', conflicts: ['csv', 'parquet'], describe: 'Write one JSON object per line' },
  parquet: {
    type: 'boolean',
    conflicts: ['csv', 'jsonl'],
    describe: 'Write Parquet',
  },
  out: neededOption('Write to this file; must not exist'),
  ...SPAN,
  json: jsonOption,
} as const;

const SLICE = {
  out,
  ...SPAN,
  symbol: listOption('Keep this market (repeatable)'),
  json: jsonOption,
} as const;

const MERGE = { out, json: jsonOption } as const;

/** Adds `tape` to the command line. */
export function tapeCommand(cli: Argv): Argv {
  return cli.command('tape', 'Inspect, verify, export, slice and merge tapes', (group) =>
    group
      .command(
        'info <tape>',
        'Show span, markets, counts, files and hash of a tape',
        (one) => one.positional('tape', tape).options(INFO),
        (args) => run(() => info(args.tape, args)),
      )
      .command(
        'verify <tape>',
        'Check every byte of a tape against its chain of hashes',
        (one) => one.positional('tape', tape).options(VERIFY),
        (args) => run(() => verify(args.tape, args)),
      )
      .command(
        'export <tape>',
        'Export the rows of a tape for other tools',
        (one) => one.positional('tape', tape).options(EXPORT),
        (args) => run(() => exportRows(args.tape, args)),
      )
      .command(
        'slice <tape>',
        'Make a tape of a span of time or of some markets of another',
        (one) => one.positional('tape', tape).options(SLICE),
        (args) => run(() => slice(args.tape, args)),
      )
      .command(
        'merge <tapes..>',
        'Merge tapes into one, in order of time',
        (one) => one.positional('tapes', positions('Folders of tapes')).options(MERGE),
        (args) => run(() => merge(args.tapes, args)),
      )
      .demandCommand(1, 'tape: expected a command, got none'),
  );
}

/** A point in time as ISO text, or Unix microseconds. */
function time(name: string): (text: string) => number {
  return (text) => {
    const us = /^[0-9]{1,16}$/.test(text) ? Number(text) : parseInstantUs(text);
    if (us !== undefined && us >= 0 && Number.isSafeInteger(us)) return us;
    throw new Error(
      `--${name}: expected a time like 2026-01-06T00:00:00Z that exists, or Unix us, got "${text}"`,
    );
  };
}

/** What the manifest says. */
async function info(folder: string, { json }: Given<typeof INFO>): Promise<number> {
  const { describeQuality, openTape } = await import('../tape/format/index.ts');
  const { manifest, truncated, name } = openTape(folder);
  const quality = manifest.quality === undefined ? [] : describeQuality(manifest.quality);
  if (json) writeDocument({ schema: 1, name, ...manifest, truncated });
  else {
    for (const line of describe(name, manifest)) writeLine(line);
    for (const line of blockOf('data quality', quality)) writeLine(line);
    for (const file of truncated) writeLine(describeTruncated(file));
  }
  return EXIT.ok;
}

/** Gaps that people are shown. */
const GAPS_SHOWN = 20;

/** Every byte. Ends with 65 when something is wrong. */
async function verify(folder: string, { repair, json }: Given<typeof VERIFY>): Promise<number> {
  const { repairTape } = await import('../tape/format/index.ts');
  const { verifyTape } = await import('../tape/tools/index.ts');
  const cut = repair ? repairTape(folder) : [];
  const check = verifyTape(folder);
  const isOk = check.findings.length === 0 && check.sealed;
  if (json) {
    writeDocument({ schema: 1, ok: isOk, ...check, cut });
    return isOk ? EXIT.ok : EXIT.badData;
  }
  for (const { file, what } of check.findings) writeLine(`${file}: ${what}`);
  for (const { file, what } of check.gaps.slice(0, GAPS_SHOWN)) writeLine(`gap in ${file}: ${what}`);
  if (check.gaps.length > GAPS_SHOWN) writeLine(`gaps: ${check.gaps.length} in all, --json lists them`);
  for (const truncated of check.truncated) writeLine(describeTruncated(truncated));
  for (const truncated of cut) writeLine(`${describeTruncated(truncated)}: cut`);
  if (!check.sealed) writeLine('not sealed: its writer is still running, or was killed (then use --repair)');
  const { files, bytes, rows, frames, answers, leftOut, hash } = check;
  writeLine(
    `${isOk ? 'ok' : 'NOT OK'}: ${files} ${files === 1 ? 'file' : 'files'}, ${bytes} bytes, ${rows} rows, ${frames} frames, ${answers} answers, ${leftOut} left out`,
  );
  writeLine(`hash ${hash}`);
  if (check.findings.length > 0)
    writeLine('remedy: copy the tape again from its source; changed bytes cannot be repaired here');
  return isOk ? EXIT.ok : EXIT.badData;
}

async function exportRows(folder: string, args: Given<typeof EXPORT>): Promise<number> {
  const { exportTape } = await import('../tape/tools/index.ts');
  const format = args.jsonl ? 'jsonl' : args.parquet ? 'parquet' : 'csv';
  const { out, from, to } = args;
  const range = {
    ...(from === undefined ? {} : { fromUs: from }),
    ...(to === undefined ? {} : { toUs: to }),
  };
  const rows = exportTape({ tape: folder, format, out, range });
  if (args.json) writeDocument({ schema: 1, out, format, rows });
  else writeLine(`${out}: ${rows} rows`);
  return EXIT.ok;
}

async function slice(folder: string, args: Given<typeof SLICE>): Promise<number> {
  const { sliceTape } = await import('../tape/tools/index.ts');
  const { out, from, to, symbol } = args;
  return showMade(out, sliceTape({ tape: folder, out, fromUs: from, toUs: to, symbols: symbol }), args.json);
}

async function merge(tapes: readonly string[], { out, json }: Given<typeof MERGE>): Promise<number> {
  const { mergeTapes } = await import('../tape/tools/index.ts');
  return showMade(out, mergeTapes({ tapes, out }), json);
}

function showMade(folder: string, manifest: Manifest, isJson: boolean | undefined): number {
  if (isJson) writeDocument({ schema: 1, out: folder, ...manifest });
  else for (const line of describe(folder, manifest)) writeLine(line);
  return EXIT.ok;
}

function describe(name: string, manifest: Manifest): readonly string[] {
  const { rows, fromUs, toUs, source, hash, markets, counts, files, notes, sealed } = manifest;
  const span = rows === 0 ? 'no rows' : `${rows} rows, ${isoOfUs(fromUs)} to ${isoOfUs(toUs)}`;
  return [
    `${name}: ${span}${sealed ? '' : ' (not sealed)'}`,
    `${source.kind}: ${source.description}`,
    ...Object.entries(source.details ?? {}).map(([what, value]) => `  ${what}: ${value}`),
    ...markets.map(describeTapeMarket),
    ...Object.entries(counts).map(([market, kinds]) => `${market}: ${countsOf(kinds)}`),
    ...files.map(
      ({ name: file, bytes, events, raw }) => `${file}: ${bytes} bytes${contentOf(events?.rows, raw)}`,
    ),
    ...notes,
    `hash ${hash}`,
  ];
}

function contentOf(rows: number | undefined, raw: { frames: number; answers: number } | undefined): string {
  if (rows !== undefined) return `, ${rows} rows`;
  return raw === undefined ? '' : `, ${raw.frames} frames, ${raw.answers} answers`;
}

function countsOf(kinds: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(kinds)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function describeTruncated({ name, what, wholeBytes, cutBytes }: TruncatedFile): string {
  return `${name}: ${what}; complete up to byte ${wholeBytes}, ${cutBytes} bytes after it`;
}
