/**
 * @module
 * The log of a run on disk: `log.jsonl` in the run's folder, one JSON line an entry, sealed block by block. A seal holds
 * the hash of its block and of the seal before it, so a flipped byte is found and a truncated end is cut at the last seal.
 * Entries are formatted and written off the turn; the kernel only hands them over.
 *
 *   {"header": ...} · entries · {"seal": 1, "lines": n, "sha256": ...} · entries · {"seal": 2, ...} · {"end": ...}
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BotError,
  type Clock,
  isRecord,
  type Log,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  parseJson,
  ReadFault,
} from '../../core/index.ts';
import type { LaneId, MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { Instant, LogEntry } from './entry.ts';
import { formatEntry, parseEntry } from './line.ts';
import { RunLog } from './run-log.ts';

/** The name of the file in a run's folder. */
const RUN_LOG_FILE = 'log.jsonl';
/** The version of the file that this code writes and reads. */
export const RUN_LOG_SCHEMA = 1;

/** What a re-run needs to know of a run apart from its log. */
export interface RunLogHeader {
  /** Version of the log's layout. */
  readonly schema: typeof RUN_LOG_SCHEMA;
  /** Version of ballast. */
  readonly version: string;
  /** Name of the run. */
  readonly runId: string;
  readonly mode: 'demo' | 'sim' | 'live' | 'paper';
  /** Of the bot's own randomness; a text where it is a branch of the run's. */
  readonly seed: number | string;
  /** Decimals of amounts of collateral as text. */
  readonly collateralDecimals: number;
  /** Name and full text of the configuration. */
  readonly config: { readonly file: string; readonly text: string };
  readonly strategies: readonly LoggedStrategy[];
  /** Lane of the operator's commands; `undefined`: none. */
  readonly operatorLane: LaneId | undefined;
  /** When the bot was made. */
  readonly madeAt: Instant;
  /** True if the run proves its end at the exchange. */
  readonly isProving: boolean;
}

/** A strategy of a run. */
export interface LoggedStrategy {
  readonly id: StrategyId;
  /** Path of the strategy's module. */
  readonly file: string;
  /** Of the code: see `hashModule`. */
  readonly sha256: string;
  readonly symbols: readonly MarketSymbol[];
  readonly lane: LaneId;
}

/** A log that is being written. */
export interface RunLogWriter {
  readonly log: RunLog;
  /** Writes the header: once, before the first entry is taken. */
  begin(header: RunLogHeader): void;
  /** Writes what waits: for those who make entries faster than the clock lets them be written. */
  flush(): Promise<void>;
  /** Writes what waits, and that the log is complete. */
  close(): Promise<void>;
}

/** Writes all of a text to an open file, however many calls the system needs. */
const writeWhole = promisify(writeFile);

/** How often what waits is written. */
const FLUSH_MS = 500;

/** Begins a log in `folder`. A disk that fails is logged and ends the log, never the run. */
export function openRunLog(options: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}): RunLogWriter {
  return new FileWriter(options);
}

class FileWriter implements RunLogWriter {
  readonly log = new RunLog();
  readonly #folder: string;
  readonly #log: Log;
  readonly #timer: { cancel(): void };
  #descriptor: number | undefined;
  #head = '';
  #seals = 0;
  #first = '';
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor({ folder, clock, log }: Parameters<typeof openRunLog>[0]) {
    this.#folder = folder;
    this.#log = log;
    this.#timer = clock.every(FLUSH_MS, () => void this.#flush(''));
  }

  begin(header: RunLogHeader): void {
    this.#first = `${JSON.stringify({ header })}\n`;
  }

  flush(): Promise<void> {
    return this.#flush('');
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#flush('{"end":true}\n');
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #flush(last: string): Promise<void> {
    const entries = this.log.take();
    let block = this.#first;
    this.#first = '';
    for (const entry of entries) block += `${formatEntry(entry)}\n`;
    block += last;
    if (block !== '' && !this.#hasFailed) this.#writing = this.#writing.then(() => this.#write(block));
    return this.#writing;
  }

  async #write(block: string): Promise<void> {
    try {
      this.#head = sealOf(this.#head, block);
      const lines = block.split('\n').length - 1;
      const seal = JSON.stringify({ seal: ++this.#seals, lines, sha256: this.#head });
      if (this.#descriptor === undefined) {
        makeFolder(this.#folder, PRIVATE_FOLDER);
        this.#descriptor = openSync(join(this.#folder, RUN_LOG_FILE), 'ax', 0o600);
      }
      await writeWhole(this.#descriptor, `${block}${seal}\n`);
    } catch (cause) {
      this.#hasFailed = true;
      this.#log.error('the log of the run ends here: it could not be written', { error: messageOf(cause) });
    }
  }
}

/** The hash of a block and all before it. */
function sealOf(before: string, block: string): string {
  return createHash('sha256').update(before).update(block).digest('hex');
}

/** A log to be read. */
export interface RunLogReader {
  readonly header: RunLogHeader;
  /** All entries, oldest first. @throws BotError `RUN_LOG_DAMAGED` where a seal does not fit. */
  entries(): Generator<LogEntry>;
  /** Known when all entries were read: the run was ended in order; else how many lines after the last seal were cut. */
  readonly end: { readonly isComplete: boolean; readonly truncatedLines: number };
}

/** Opens the log of the run in `folder`. @throws BotError `RUN_LOG_...` when there is none that can be read. */
export function readRunLog(folder: string): RunLogReader {
  const file = join(folder, RUN_LOG_FILE);
  const end = { isComplete: false, truncatedLines: 0 };
  let header: RunLogHeader | undefined;
  for (const line of sealedLines(file, { isComplete: false, truncatedLines: 0 })) {
    header = headerOf(line, file);
    break;
  }
  if (header === undefined) throw damaged(file, 'a sealed header', 'an empty or truncated file');
  return {
    header,
    end,
    *entries() {
      let isFirst = true;
      for (const line of sealedLines(file, end)) {
        if (!isFirst) yield parseEntry(line);
        isFirst = false;
      }
    },
  };
}

function headerOf(line: string, file: string): RunLogHeader {
  const first = parseJson(line);
  const header = isRecord(first) ? first['header'] : undefined;
  if (!isRecord(header)) throw damaged(file, 'a header in its first line', line.slice(0, 80));
  if (header['schema'] !== RUN_LOG_SCHEMA)
    throw new BotError({
      code: 'RUN_LOG_VERSION_UNSUPPORTED',
      message: `expected a log of version ${RUN_LOG_SCHEMA} at ${file}, got ${String(header['schema'])}`,
      remedy: 'Use the version of ballast that wrote it; the header names it.',
    });
  return header as unknown as RunLogHeader;
}

/** The lines of each block whose seal fits, without the seals. */
function* sealedLines(file: string, end: { isComplete: boolean; truncatedLines: number }): Generator<string> {
  let block: string[] = [];
  let head = '';
  let seals = 0;
  end.isComplete = false;
  for (const line of linesOf(file)) {
    if (!line.startsWith('{"seal":')) {
      block.push(line);
      continue;
    }
    head = sealOf(head, `${block.join('\n')}\n`);
    const seal = sealFields(line);
    if (seal?.sha256 !== head || seal.seal !== ++seals || seal.lines !== block.length)
      throw damaged(file, `block ${seals + 1} to fit its seal`, 'other bytes than were written');
    end.isComplete = block.at(-1) === '{"end":true}';
    if (end.isComplete) block.pop();
    yield* block;
    block = [];
  }
  end.truncatedLines = block.length;
}

interface Seal {
  readonly seal: unknown;
  readonly lines: unknown;
  readonly sha256: unknown;
}

function sealFields(line: string): Seal | undefined {
  try {
    return JSON.parse(line) as Seal;
  } catch {
    return undefined;
  }
}

/** Complete lines; what follows the last line end is part of a truncated line, and is one more. */
function* linesOf(file: string): Generator<string> {
  const descriptor = openFile(file);
  try {
    const buffer = Buffer.alloc(1 << 20);
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const count = readSync(descriptor, buffer, 0, buffer.length, null);
      if (count === 0) break;
      const parts = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}

function openFile(file: string): number {
  try {
    if (statSync(file).isDirectory()) throw new ReadFault('there is a folder');
    return openSync(file, 'r');
  } catch (cause) {
    throw new BotError({
      code: 'RUN_LOG_MISSING',
      message: `expected the log of a run at ${file}, but ${messageOf(cause)}`,
      remedy: 'Name the folder of a run; runs with record.enabled keep one below record.folder.',
      cause,
    });
  }
}

function damaged(file: string, expected: string, was: string): BotError {
  return new BotError({
    code: 'RUN_LOG_DAMAGED',
    message: `expected ${expected} in ${file}, got ${was}`,
    remedy: 'The file is not as the run left it: use a copy that is.',
  });
}
