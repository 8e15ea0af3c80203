/**
 * @module
 * The log of a run on disk: `log.jsonl.zst` in the run's folder, one JSON line an entry, in sealed and packed blocks
 * (`core/sealed-lines.ts`). Runs of older versions left `log.jsonl`, which is the same as text.
 *
 *   {"header": ...} · entries · {"seal": 1, "lines": n, "sha256": ...} · entries · {"seal": 2, ...} · {"end": ...}
 */
import { join } from 'node:path';
import {
  BlockFault,
  BotError,
  isRecord,
  parseJson,
  ReadFault,
  readSealedLines,
  type SealedEnd,
  sealedLinesAt,
} from '../../core/index.ts';
import type { LaneId, MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { Instant, LogEntry } from './entry.ts';
import { parseEntry } from './line.ts';
import { type EventLog, LineLog, type LineWriter } from './run-log.ts';

/** The name of the file in a run's folder, before it is packed. */
export const RUN_LOG_FILE = 'log.jsonl';
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
  readonly log: EventLog;
  /** Writes the header: once, before the first entry is taken. */
  begin(header: RunLogHeader): void;
  /** Entries that wait to be written. */
  readonly waiting: number;
  /** Writes what waits: for those who make entries faster than the clock lets them be written. */
  flush(): Promise<void>;
  /** Writes what waits, and that the log is complete. */
  close(): Promise<void>;
}

/** The last line of a log that is complete. */
const END_LINE = '{"end":true}';

/** Begins a log whose lines `lines` writes down. */
export function openRunLog(lines: LineWriter): RunLogWriter {
  const log = new LineLog(lines);
  return {
    log,
    begin: (header) => log.begin(JSON.stringify({ header }), header.madeAt.nowMs),
    get waiting() {
      return lines.waiting;
    },
    flush: () => lines.flush(),
    close: () => {
      log.end(END_LINE);
      return lines.close();
    },
  };
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
  end.isComplete = false;
  try {
    for (const block of readSealedLines(file, end satisfies SealedEnd)) {
      end.isComplete = block.at(-1) === END_LINE;
      yield* end.isComplete ? block.slice(0, -1) : block;
    }
  } catch (cause) {
    const { path } = sealedLinesAt(file);
    if (cause instanceof ReadFault) throw missing(path, cause);
    throw cause instanceof BlockFault ? damaged(path, 'the bytes that the run wrote', cause.message) : cause;
  }
}

function missing(file: string, cause: ReadFault): BotError {
  return new BotError({
    code: 'RUN_LOG_MISSING',
    message: `expected the log of a run at ${file}, but ${cause.message}`,
    remedy: 'Name the folder of a run; runs with record.enabled keep one below record.folder.',
    cause,
  });
}

function damaged(file: string, expected: string, was: string): BotError {
  return new BotError({
    code: 'RUN_LOG_DAMAGED',
    message: `expected ${expected} in ${file}, got ${was}`,
    remedy: 'The file is not as the run left it: use a copy that is.',
  });
}
