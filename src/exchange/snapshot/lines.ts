/**
 * @module
 * A snapshot as text: lines of a hash and JSON. Each hash covers the line and the hash before it, so that a line that was
 * changed, lost or moved is found and named, and the last line says that it is the last.
 *
 *   <16 hex digits> {"format":"ballast-snapshot", ...}
 *   <16 hex digits> {"blocks":[seq, firstAtMs, +ms, +ms, ...]}    blocks whose positions follow from the replay
 *   <16 hex digits> {"seq":..., "entry":{...}}
 *   <16 hex digits> {"end":{...}}
 */
import { BotError, isRecord, sha256 } from '../../core/index.ts';

const HASH_LENGTH = 16;

/** Values as JSON, bigints and absent items of lists marked. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, function encode(this: unknown, _key, item: unknown) {
    if (typeof item === 'bigint') return { $: item.toString() };
    return item === undefined && Array.isArray(this) ? { $: null } : item;
  });
}

/** The value of {@link encodeValue}. */
export function decodeValue(text: string): unknown {
  return restore(JSON.parse(text));
}

function restore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restore);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, '$')) return typeof value['$'] === 'string' ? BigInt(value['$']) : undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restore(item)]));
}

/** Records as the text of a snapshot. */
export function writeLines(records: Iterable<unknown>): string {
  let hash = '';
  let text = '';
  for (const record of records) {
    const json = encodeValue(record);
    hash = hashOf(hash, json);
    text += `${hash} ${json}\n`;
  }
  return text;
}

/** The records of a snapshot. */
export interface SnapshotLines {
  /** Header and steps. */
  readonly records: readonly Record<string, unknown>[];
  /** Seq, time and digest of the exchange. */
  readonly end: Record<string, unknown>;
}

/** The records of a text. @throws BotError `SNAPSHOT_DAMAGED` that names the first line that is not as it was written. */
export function readLines(text: string): SnapshotLines {
  const lines = text.split('\n');
  if (lines.at(-1) !== '') throw damaged(lines.length, 'a line that ends', 'the end of the text');
  lines.pop();
  let hash = '';
  const records = lines.map((line, at) => {
    const json = line.slice(HASH_LENGTH + 1);
    hash = hashOf(hash, json);
    if (!line.startsWith(`${hash} `))
      throw damaged(at + 1, `a line with hash ${hash}`, line.slice(0, HASH_LENGTH));
    const value = decodeValue(json);
    if (!isRecord(value)) throw damaged(at + 1, 'a record', json.slice(0, 40));
    return value;
  });
  const end = records.pop()?.['end'];
  if (!isRecord(end)) throw damaged(lines.length + 1, 'the line that ends a snapshot', 'the end of the text');
  return { records, end };
}

/** The error of a snapshot that is not as it was written. */
export function damaged(line: number, expected: string, found: string): BotError {
  return new BotError({
    code: 'SNAPSHOT_DAMAGED',
    message: `line ${line} of the snapshot: expected ${expected}, got ${JSON.stringify(found)}`,
    remedy: 'Take another copy of the snapshot; an incomplete one cannot be trusted.',
    details: { line },
  });
}

function hashOf(before: string, json: string): string {
  return sha256(before + json).slice(0, HASH_LENGTH);
}
