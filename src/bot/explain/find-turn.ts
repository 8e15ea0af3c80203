/**
 * @module
 * Finds the turn of a run at an instant in its log without reading all of it: the place of the instant is found, and lines
 * are read from there. The seals are not checked here; `ballast replay` does.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject, sealedLinesAt } from '../../core/index.ts';
import { packedLines, textLines } from './log-places.ts';

/** What is sought. */
export interface SoughtTurn {
  /** A text that one of the lines of the turn has. */
  readonly wanted: string;
  /** How the line of an intent of the strategy begins, and the market that it names. */
  readonly intent: string;
  readonly symbol: string;
}

/** A turn, as lines of the log. */
export interface FoundTurn {
  /** What reached the kernel. */
  readonly input: JsonObject;
  /** The last intent of the strategy in the market up to here, and what had reached the kernel then; `undefined`: none is near. */
  readonly asked:
    | {
        readonly input: JsonObject;
        readonly text: string;
        /** Messages between strategies that were delivered before it in its turn. */
        readonly messages: readonly string[];
      }
    | undefined;
}

/** The name of the log in the folder of a run, before it is packed. */
const RUN_LOG_FILE = 'log.jsonl';

/** How far behind the place of the instant is read. */
const READ_CHARS_MAX = 1 << 24;
/** How far before the place of the instant is begun, bytes of the file: what asked for a quote is mostly near, and seldom far before. */
const BACK_BYTES = [0, 1 << 15, 1 << 18, 1 << 21] as const;
/** The packed lines of a text are about so much shorter. */
const PACKED_SHARE = 8;

/** The turn of `atMs` that is sought; `undefined`: the log has none. */
export function findTurn(folder: string, atMs: number, sought: SoughtTurn): FoundTurn | undefined {
  const { path, isPacked } = sealedLinesAt(join(folder, RUN_LOG_FILE));
  if (!existsSync(path)) return undefined;
  const descriptor = openSync(path, 'r');
  try {
    const lines = isPacked ? packedLines(descriptor) : textLines(descriptor);
    const place = lines.placeOf(atMs);
    let found: FoundTurn | undefined;
    for (const back of BACK_BYTES) {
      const bytes = isPacked ? back : back * PACKED_SHARE;
      found = turnFrom(lines.from(Math.max(0, place - bytes)), atMs, sought);
      if (found?.asked !== undefined || place <= bytes) break;
    }
    return found;
  } finally {
    closeSync(descriptor);
  }
}

function turnFrom(
  lines: Iterable<string>,
  atMs: number,
  { wanted, intent, symbol }: SoughtTurn,
): FoundTurn | undefined {
  let input = '';
  let isFound = false;
  let asked:
    | { readonly input: string; readonly line: string; readonly messages: readonly string[] }
    | undefined;
  let messages: readonly string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length;
    if (chars > READ_CHARS_MAX) break;
    const time = /^\{"t":\[([0-9.]+),/.exec(line)?.[1];
    if (time !== undefined) {
      if (isFound || Number(time) > atMs) break;
      input = line;
      messages = [];
    }
    if (isFound) continue;
    if (line.includes(intent) && line.includes(symbol)) asked = { input, line, messages };
    if (line.startsWith('{"message":')) messages = [...messages, line];
    isFound = time !== undefined && Number(time) < atMs ? false : line.includes(wanted);
  }
  const began = isFound ? entryOf(input) : undefined;
  if (began === undefined) return undefined;
  if (asked === undefined) return { input: began, asked: undefined };
  const askedIn = asked.input === input ? began : entryOf(asked.input);
  const text = entryOf(asked.line)?.['intent'];
  const isWhole = askedIn !== undefined && typeof text === 'string';
  return {
    input: began,
    asked: isWhole ? { input: askedIn, text, messages: asked.messages.flatMap(messageOfLine) } : undefined,
  };
}

function messageOfLine(line: string): readonly string[] {
  const text = entryOf(line)?.['message'];
  return typeof text === 'string' ? [text] : [];
}

/** `undefined`: a line that is cut off. */
function entryOf(line: string): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
