/**
 * @module
 * Log lines by pino, to standard error or to a file, each line scrubbed of secrets before it leaves. Standard output
 * stays free for documents (`--json`).
 */
import { dirname } from 'node:path';
import pino from 'pino';
import {
  BotError,
  ConfigError,
  type Fields,
  type Log,
  LossyOutput,
  makeFolder,
  messageOf,
  openToAppend,
  printable,
  SystemClock,
  secrets,
  stackOf,
  standardError,
  type TurnSettings,
  turnOf,
} from '../index.ts';

/** How much is said, and where to. */
export interface LogSettings extends TurnSettings {
  /** Lowest level that is written. */
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** A file for JSON lines; `undefined`: standard error. */
  readonly file?: string | undefined;
  /** The time of a line, Unix ms; absent or `undefined`: that of this machine. */
  readonly now?: (() => number | undefined) | undefined;
  /** Lines for people, on standard error only. */
  readonly isPretty: boolean;
}

/** A log that is never waited for, and whose file can be rotated. */
export interface ReopenableLog extends Log {
  /** Lines that could not be written so far. */
  lost(): number;
  /** Opens its file again by its name, where it has one. */
  reopen(): void;
}

/**
 * Opens a log. Lines are written synchronously, as the last one before a crash is the one that is needed; what cannot be
 * written at once is lost rather than waited for. @throws ConfigError `CONFIG_LOG_FILE_UNUSABLE`.
 */
export function createLog(settings: LogSettings): ReopenableLog {
  const { file } = settings;
  const output = file === undefined ? standardError() : new LossyOutput(openFile(file), describeLoss);
  const shaped =
    settings.isPretty && file === undefined
      ? (line: string) => lineForPeople(withPrintableTexts(line))
      : printable;
  const turn = file === undefined ? undefined : turnOf(file, settings);
  const filtered = {
    write: (line: string) => {
      const text = shaped(secrets.scrub(line));
      output.write(text);
      if (turn?.isDue(text) === true) log.reopen();
    },
  };
  const clock = new SystemClock();
  const options: pino.LoggerOptions = {
    level: settings.level,
    base: null,
    timestamp: () => `,"time":"${new Date(settings.now?.() ?? clock.nowMs()).toISOString()}"`,
  };
  const lines = wrap(pino(options, filtered));
  const log: ReopenableLog = {
    ...lines,
    lost: () => output.lost,
    reopen() {
      if (file === undefined) return;
      try {
        output.moveTo(openFile(file));
      } catch (error) {
        lines.warn('the log could not be opened again: the file of before goes on', { error });
      }
    },
  };
  return log;
}

/** What stands in a file whose disk has room again. */
function describeLoss(count: number): string {
  const time = new Date(new SystemClock().nowMs()).toISOString();
  return `${JSON.stringify({ level: 50, time, lost: count, msg: `${count} lines of the log were lost: they could not be written` })}\n`;
}

function openFile(path: string): number {
  try {
    makeFolder(dirname(path));
    return openToAppend(path);
  } catch (cause) {
    throw new ConfigError({
      code: 'CONFIG_LOG_FILE_UNUSABLE',
      message: `expected a file for the log that can be written at ${path}, got ${messageOf(cause)}`,
      remedy:
        'Let log.file name a file in a folder of yours, or leave it out: then lines go to standard error.',
      cause,
    });
  }
}

/** A line whose texts are printable after they were read, as they are before they are made pretty. */
function withPrintableTexts(line: string): string {
  const values: unknown = JSON.parse(line, (_key, value: unknown) =>
    typeof value === 'string' ? printable(value) : value,
  );
  return `${JSON.stringify(values)}\n`;
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR' };

/** A line of JSON as a person reads it: the time of day, the level, the message, then the fields as JSON. */
function lineForPeople(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = LEVELS[Number(level)] ?? String(level);
  const text = `[${timeOfDay(String(time))}] ${name}: ${String(msg)}`;
  return `${text}${Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`}\n`;
}

/** The time of day where the reader is, with milliseconds. */
function timeOfDay(time: string): string {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${time.slice(-4, -1)}`;
}

function wrap(logger: pino.Logger): Log {
  return {
    debug: (message, fields) => logger.debug(plain(fields), message),
    info: (message, fields) => logger.info(plain(fields), message),
    warn: (message, fields) => logger.warn(plain(fields), message),
    error: (message, fields) => logger.error(plain(fields), message),
    child: (fields) => wrap(logger.child(plain(fields))),
  };
}

/** Values that JSON can hold: bigints as text, errors as their facts. */
function plain(fields: Fields | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields ?? {})) values[key] = plainValue(value);
  return values;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof BotError)
    return { code: value.code, message: value.message, remedy: value.remedy, ...plain(value.details) };
  if (value instanceof Error) return { message: messageOf(value), stack: stackOf(value) };
  return value;
}
