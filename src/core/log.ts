/**
 * @module
 * Ports for what a run says about itself: log lines, metrics, audit events. `telemetry` implements them.
 */
import type { MetricOf } from './metrics.ts';

/** Facts of a log line or an audit event. Amounts are decimal text; never a secret. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where log lines go. */
export interface Log {
  /** Detail for finding a defect. */
  debug(message: string, fields?: Fields): void;
  /** Normal progress. */
  info(message: string, fields?: Fields): void;
  /** Unusual, and handled. */
  warn(message: string, fields?: Fields): void;
  /** Failed; needs attention. */
  error(message: string, fields?: Fields): void;
  /** A log that adds `fields` to each line. */
  child(fields: Fields): Log;
}

/** Where the values of `METRICS` go. */
export interface Metrics {
  /** Adds `by` (default 1) to a counter. */
  count(name: MetricOf<'counter'>, by?: number): void;
  /** Sets the present value. */
  gauge(name: MetricOf<'gauge'>, value: number): void;
  /** Adds an observation to a summary. */
  observe(name: MetricOf<'summary'>, value: number): void;
}

/** One step of a run that can be explained afterwards. */
export interface AuditEvent {
  /** What happened, PascalCase past tense. */
  readonly type: string;
  /** The intent it belongs to. */
  readonly correlationId?: string;
  /** The event that led to it. */
  readonly causationId?: string;
  /** Local time, Unix ms. */
  readonly atMs: number;
  readonly fields: Fields;
}

/** Where audit events go. */
export interface Audit {
  /** Records an event. */
  record(event: AuditEvent): void;
}

/** A log that says nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

/** `log`, of which `observe` sees each line from `info` on, with the fields that its children add. */
export function observedLog(
  log: Log,
  observe: (level: 'info' | 'warn' | 'error', message: string, fields: Fields | undefined) => void,
  bound?: Fields,
): Log {
  const seen =
    (level: 'info' | 'warn' | 'error') =>
    (message: string, fields?: Fields): void => {
      observe(level, message, bound === undefined ? fields : { ...bound, ...fields });
      log[level](message, fields);
    };
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: seen('info'),
    warn: seen('warn'),
    error: seen('error'),
    child: (fields) => observedLog(log.child(fields), observe, { ...bound, ...fields }),
  };
}

/** A meter that counts nothing. */
export const silentMeter: Metrics = {
  count: () => undefined,
  gauge: () => undefined,
  observe: () => undefined,
};

/** An audit that keeps nothing. */
export const silentAudit: Audit = { record: () => undefined };
