/**
 * @module The record of a run in its folder: `record.json` with every exact statistic, and columns beside it that any
 * tool reads (CSV, gzip). The document holds the hash of itself and of each column file, so a flipped byte is found; it
 * is written last, so a folder without it is a run that did not end.
 */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BotError, isRecord, makeFolder, messageOf, sha256 } from '../core/index.ts';
import type { RunRecord } from '../domain/index.ts';
import { columnsOf, columnTexts } from './run-columns.ts';

/** The name of the document in a run's folder. */
const RECORD_FILE = 'record.json';
/** The version of the document that this code writes and reads. */
const RECORD_VERSION = 2;
const SCHEMA = 'ballast-run';

/** Fields that hold exact amounts: bigints here, text in the file. */
const AMOUNTS = new Set([
  ...['quantumsPerTickLot', 'equityStart', 'equityEnd', 'transfers', 'residual', 'amount', 'turnover'],
  ...['realized', 'unrealized', 'fees', 'funding', 'low', 'high', 'profit'],
]);

type Plain = Omit<RunRecord, 'samples' | 'fills' | 'quotes'> & { readonly samplePeriodMs: number };

/** Writes the record of a run into `folder`, which is made where it is not there. The same record gives the same bytes. */
export function saveRun(folder: string, record: RunRecord): void {
  makeFolder(folder);
  const files: Record<string, string> = {};
  for (const [name, text] of columnTexts(record)) {
    const bytes = gzipSync(text);
    writeFileSync(join(folder, name), bytes);
    files[name] = sha256(bytes);
  }
  const { samples, fills: _fills, quotes: _quotes, ...rest } = record;
  const plain: Plain = { ...rest, samplePeriodMs: samples.periodMs };
  const run = JSON.stringify(plain, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const head = JSON.stringify({ schema: SCHEMA, version: RECORD_VERSION, sha256: sha256(run), files });
  const path = join(folder, RECORD_FILE);
  writeFileSync(`${path}.new`, `${head.slice(0, -1)},"run":${run}}\n`);
  renameSync(`${path}.new`, path);
}

/**
 * The record of the run in `path`: its folder or its document.
 * @throws BotError `REPORT_RUN_MISSING`, `REPORT_RUN_NOT_RECOGNIZED`, `REPORT_RUN_VERSION_UNSUPPORTED`, `REPORT_RUN_DAMAGED`.
 */
export function loadRun(path: string): RunRecord {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, RECORD_FILE) : path;
  if (!existsSync(file)) throw missing(path);
  const text = bytesOf(file, file).toString('utf8');
  const { plain, files } = readDocument(file, text);
  const texts = new Map<string, string>();
  for (const [name, hash] of Object.entries(files)) {
    const column = join(dirname(file), name);
    if (!existsSync(column)) throw damaged(file, `${name} is not beside it`);
    const bytes = bytesOf(file, column);
    if (sha256(bytes) !== hash) throw damaged(file, `${name} does not have the hash that was written`);
    texts.set(name, gunzipSync(bytes).toString());
  }
  const { samplePeriodMs, ...rest } = plain;
  const symbols = plain.markets.map(({ symbol }) => symbol);
  const columns = columnsOf(texts, symbols, samplePeriodMs);
  if (typeof columns === 'string') throw damaged(file, `${columns} does not have the columns it should`);
  return { ...rest, ...columns };
}

/** The bytes of a file of the record `file`. */
function bytesOf(file: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw damaged(file, `${path} cannot be read: ${messageOf(cause)}`);
  }
}

function readDocument(
  file: string,
  text: string,
): { readonly plain: Plain; readonly files: Readonly<Record<string, string>> } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    if (text.startsWith(`{"schema":"${SCHEMA}"`))
      throw damaged(file, 'it is no JSON: its end is missing or truncated');
    throw foreign(file);
  }
  if (!isRecord(document) || document['schema'] !== SCHEMA) throw foreign(file);
  if (document['version'] !== RECORD_VERSION) throw otherVersion(file, document['version']);
  const { files } = document;
  const run = /,"run":(?<run>\{.*\})\}\n$/s.exec(text)?.groups?.['run'] ?? '';
  if (sha256(run) !== document['sha256'] || !isRecord(files))
    throw damaged(file, 'the statistics do not have the hash that was written');
  const plain = JSON.parse(run, (key, value: unknown) =>
    AMOUNTS.has(key) && typeof value === 'string' ? BigInt(value) : value,
  ) as Plain;
  return { plain, files: files as Readonly<Record<string, string>> };
}

function missing(path: string): BotError {
  return new BotError({
    code: 'REPORT_RUN_MISSING',
    message: `expected a run in ${path}, got no ${RECORD_FILE}`,
    remedy:
      'Name the folder of a run that has ended: `ballast backtest --out`, or a run with `record` on, makes one.',
  });
}

function foreign(file: string): BotError {
  return new BotError({
    code: 'REPORT_RUN_NOT_RECOGNIZED',
    message: `expected the record of a run, got something else in ${file}`,
    remedy: `Name the folder of a run: it holds ${RECORD_FILE}.`,
  });
}

function otherVersion(file: string, version: unknown): BotError {
  return new BotError({
    code: 'REPORT_RUN_VERSION_UNSUPPORTED',
    message: `expected version ${RECORD_VERSION} of a run's record, got ${JSON.stringify(version)} in ${file}`,
    remedy: 'Read it with the version of ballast that wrote it, or run again.',
  });
}

function damaged(file: string, why: string): BotError {
  return new BotError({
    code: 'REPORT_RUN_DAMAGED',
    message: `expected the record of a run as it was written, got ${file} damaged: ${why}`,
    remedy: 'Take it from a copy, or run again: the statistics of a damaged record cannot be trusted.',
  });
}
