/**
 * @module
 * Log lines by pino, to standard error or to a file, each line scrubbed of secrets before it leaves. Standard output
 * stays free for documents (`--json`).
 */
import { dirname } from 'node:path';
import pino from 'pino';
import { BotError, type Fields, type Log, makeFolder, printable, SystemClock, secrets } from '../index.ts';

/** How much is said, and where to. */
export interface LogSettings {
  /** Lowest level that is written. */
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** A file for JSON lines; `undefined`: standard error. */
  readonly file?: string | undefined;
  /** The time of a line, Unix ms; absent or `undefined`: that of this machine. */
  readonly now?: (() => number | undefined) | undefined;
  /** Lines for people, on standard error only. */
  readonly isPretty: boolean;
}

/** A log whose file can be rotated. */
export interface ReopenableLog extends Log {
  /** Opens its file again by its name, where it has one. */
  reopen(): void;
}

/** Opens a log. Lines are written synchronously: the last one before a crash is the one that is needed. */
export function createLog(settings: LogSettings): ReopenableLog {
  const sink = openSink(settings);
  const safe = settings.isPretty && settings.file === undefined ? withPrintableTexts : printable;
  const filtered = { write: (line: string) => void sink.write(safe(secrets.scrub(line))) };
  const clock = new SystemClock();
  const options: pino.LoggerOptions = {
    level: settings.level,
    base: null,
    timestamp: () => `,"time":"${new Date(settings.now?.() ?? clock.nowMs()).toISOString()}"`,
  };
  const log = wrap(pino(options, filtered));
  return {
    ...log,
    reopen() {
      try {
        sink.reopen?.();
      } catch (error) {
        log.warn('the log could not be opened again: the file of before goes on', { error });
      }
    },
  };
}

/** A line whose texts are printable after they were read, as they are before they are made pretty. */
function withPrintableTexts(line: string): string {
  const values: unknown = JSON.parse(line, (_key, value: unknown) =>
    typeof value === 'string' ? printable(value) : value,
  );
  return `${JSON.stringify(values)}\n`;
}

function openSink(settings: LogSettings): { write(line: string): unknown; reopen?(): void } {
  if (settings.file !== undefined) {
    makeFolder(dirname(settings.file));
    return pino.destination({ dest: settings.file, sync: true, mode: 0o600 });
  }
  const stderr = pino.destination({ dest: 2, sync: true });
  return { write: (line) => stderr.write(settings.isPretty ? lineForPeople(line) : line) };
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
  if (value instanceof Error) return { message: value.message, stack: value.stack };
  return value;
}
