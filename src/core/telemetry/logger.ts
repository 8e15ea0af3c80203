/**
 * @module
 * Log lines by pino, to standard error or to a file, each line scrubbed of secrets before it leaves. Standard output
 * stays free for documents (`--json`).
 */
import { createRequire } from 'node:module';
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
  if (!settings.isPretty) {
    const stderr = pino.destination({ dest: 2, sync: true });
    return { write: (line) => stderr.write(line) };
  }
  // On a terminal only: a bot under a supervisor starts without its thirty modules.
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty');
  const stream = pretty({
    destination: 2,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
  });
  return { write: (line) => stream.write(line) };
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
