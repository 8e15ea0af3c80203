/** @module `ballast tape`: looks at tapes, checks them, and makes files and other tapes of them. */
import {
  type ExportFormat,
  exportTape,
  type Manifest,
  mergeTapes,
  openTape,
  repairTape,
  sliceTape,
  type TornFile,
  verifyTape,
} from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { describeTapeMarket } from '../tape-market-text.ts';

/** `tape info`: what the manifest says. */
export function tapeInfo({ tape, isJson }: { readonly tape: string; readonly isJson: boolean }): number {
  const { manifest, torn, name } = openTape(tape);
  if (isJson) writeDocument({ schema: 1, name, ...manifest, torn });
  else for (const line of [...describe(name, manifest), ...torn.map(describeTorn)]) writeLine(line);
  return EXIT.ok;
}

/** `tape verify`: every byte. Ends with 65 when something is wrong. */
export function tapeVerify({
  tape,
  isRepair,
  isJson,
}: {
  readonly tape: string;
  readonly isRepair: boolean;
  readonly isJson: boolean;
}): number {
  const cut = isRepair ? repairTape(tape) : [];
  const check = verifyTape(tape);
  const isWhole = check.findings.length === 0 && check.sealed;
  if (isJson) {
    writeDocument({ schema: 1, ok: isWhole, ...check, cut });
    return isWhole ? EXIT.ok : EXIT.badData;
  }
  for (const { file, what } of check.findings) writeLine(`${file}: ${what}`);
  for (const torn of check.torn) writeLine(describeTorn(torn));
  for (const torn of cut) writeLine(`${describeTorn(torn)}: cut`);
  if (!check.sealed) writeLine('not sealed: its writer runs still, or was killed (then: --repair)');
  const { files, bytes, rows, frames, answers, leftOut, hash } = check;
  writeLine(
    `${isWhole ? 'ok' : 'NOT WHOLE'}: ${files} files, ${bytes} bytes, ${rows} rows, ${frames} frames, ${answers} answers, ${leftOut} left out`,
  );
  writeLine(`hash ${hash}`);
  if (check.findings.length > 0)
    writeLine('remedy: copy the tape again from where it came; what was changed cannot be mended here');
  return isWhole ? EXIT.ok : EXIT.badData;
}

/** `tape export`: rows for other tools. */
export async function tapeExport(options: {
  readonly tape: string;
  readonly format: ExportFormat;
  readonly out: string;
  readonly fromUs: number | undefined;
  readonly toUs: number | undefined;
  readonly isJson: boolean;
}): Promise<number> {
  const { tape, format, out, fromUs, toUs, isJson } = options;
  const range = { ...(fromUs === undefined ? {} : { fromUs }), ...(toUs === undefined ? {} : { toUs }) };
  const rows = await exportTape({ tape, format, out, range });
  if (isJson) writeDocument({ schema: 1, out, format, rows });
  else writeLine(`${out}: ${rows} rows`);
  return EXIT.ok;
}

/** `tape slice`: a part of a tape as a tape. */
export function tapeSlice(options: {
  readonly tape: string;
  readonly out: string;
  readonly fromUs: number | undefined;
  readonly toUs: number | undefined;
  readonly symbols: readonly string[] | undefined;
  readonly isJson: boolean;
}): number {
  return tellMade(options.out, sliceTape(options), options.isJson);
}

/** `tape merge`: several tapes as one. */
export function tapeMerge(options: {
  readonly tapes: readonly string[];
  readonly out: string;
  readonly isJson: boolean;
}): number {
  return tellMade(options.out, mergeTapes(options), options.isJson);
}

function tellMade(out: string, manifest: Manifest, isJson: boolean): number {
  if (isJson) writeDocument({ schema: 1, out, ...manifest });
  else for (const line of describe(out, manifest)) writeLine(line);
  return EXIT.ok;
}

function describe(name: string, manifest: Manifest): readonly string[] {
  const { rows, fromUs, toUs, source, hash, markets, counts, files, notes, sealed } = manifest;
  const span = rows === 0 ? 'no rows' : `${rows} rows, ${timeOf(fromUs)} to ${timeOf(toUs)}`;
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

function describeTorn({ name, what, wholeBytes, cutBytes }: TornFile): string {
  return `${name}: ${what}; whole up to byte ${wholeBytes}, ${cutBytes} bytes behind it`;
}

function timeOf(us: number): string {
  return new Date(us / 1_000).toISOString();
}
