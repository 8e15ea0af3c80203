/**
 * @module
 * Ports for what a run says about itself: log lines, metrics, audit events. `telemetry` implements them.
 */
import type { MetricOf } from './metrics.ts';

/** Facts of a log line or an audit event. Amounts are decimal text; never a secret. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where log lines go. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A log that adds `fields` to each line. */
  child(fields: Fields): Log;
}

/** Where the values of `METRICS` go. */
export interface Metrics {
  count(name: MetricOf<'counter'>, by?: number): void;
  gauge(name: MetricOf<'gauge'>, value: number): void;
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
  readonly atMs: number;
  readonly fields: Fields;
}

/** Where audit events go. */
export interface Audit {
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

/** A meter that counts nothing. */
export const silentMeter: Metrics = {
  count: () => undefined,
  gauge: () => undefined,
  observe: () => undefined,
};

/** An audit that keeps nothing. */
export const silentAudit: Audit = { record: () => undefined };
