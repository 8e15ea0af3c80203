/**
 * @module
 * The metrics of a run, by name: `area_noun_unit`. Only these are counted.
 */

/** Kind of a metric: a count that only grows, the last value, or count, sum, least and greatest of many values. */
export type MetricKind = 'counter' | 'gauge' | 'summary';

/** One metric. */
export interface Metric {
  readonly kind: MetricKind;
  /** What it counts or measures, and what an unusual value means. */
  readonly meaning: string;
}

const counter = (meaning: string) => ({ kind: 'counter', meaning }) as const;
const gauge = (meaning: string) => ({ kind: 'gauge', meaning }) as const;
const summary = (meaning: string) => ({ kind: 'summary', meaning }) as const;

/** All metrics. */
export const METRICS = {
  gateway_read_duration_ms: summary(
    'A read, from when it is sent to its response; waits for the request budget are not in it.',
  ),
  gateway_write_duration_ms: summary('A write, from when it is sent to its response.'),
  gateway_requests_unanswered_total: counter(
    'Requests that were sent and got no response; the receipt decides the outcome of a write.',
  ),
  gateway_requests_not_sent_total: counter('Requests that were not sent: there was no connection.'),
  gateway_rate_limit_waits_total: counter('Requests that waited because the request budget was used up.'),
  gateway_rate_limited_total: counter('Requests that the gateway refused with 429.'),
  gateway_clock_offset_ms: gauge("The exchange's clock less ours."),
  stream_binary_frames_total: counter('Frames that are not text; ignored.'),
  stream_connections_opened_total: counter(
    'Connections of the streams that were opened: more than at first are reconnects.',
  ),
  stream_lagged_total: counter('Notices that the exchange dropped frames: the streams were joined again.'),
  stream_malformed_frames_total: counter('Frames that could not be read; ignored.'),
  stream_unknown_frames_total: counter('Frames of an unknown channel; ignored.'),
  stream_unsubscribed_frames_total: counter('Frames of the market without a subscription; ignored.'),
  stream_other_account_frames_total: counter('Frames of another account; ignored.'),
  stream_error_frames_total: counter('Error frames of the exchange.'),
  stream_coalesced_frames_total: counter(
    'Books and best prices that a newer one of the same market replaced before they were read: the run is overloaded.',
  ),
  stream_unread_frames_total: counter('Books of markets that no strategy reads: recorded, not decoded.'),
  stream_late_frames_total: counter("Frames that arrived more than 500 ms after the exchange's timestamp."),
  stream_frames_before_snapshot_total: counter('Frames of the market before their snapshot; ignored.'),
  stream_invalid_books_total: counter(
    'Order books that cannot be used: the market was stale until the next one.',
  ),
  stream_quiet_snapshots_total: counter(
    'Snapshots of quotes that were asked for since none came for a while.',
  ),
  stream_doubted_books_total: counter('Books that trades, fills, prices or best quotes contradicted.'),
  stream_lost_entries_total: counter(
    'Fills and ledger entries that an audit booked and the stream did not bring within half a minute after.',
  ),
  stream_doubted_positions_total: counter(
    'Frames that waited until the log was known to reach their position.',
  ),
  stream_resubscriptions_total: counter('Subscriptions sent again because their snapshot did not come.'),
  stream_trade_gaps_total: counter('Gaps in the trades of a market that its history could not fill.'),
  stream_history_retries_total: counter('Pages of a history of the account that had to be asked for again.'),
  stream_buffer_overflows_total: counter(
    'Times that more frames came than are held back during a joining: it began again.',
  ),
  inbox_depth_peak: gauge('The most facts that waited for the kernel in the last period of its guard.'),
  messages_total: counter('Messages between strategies.'),
  messages_unheard_total: counter('Messages that no running strategy took.'),
  inbox_overflow_total: counter('Times that facts about own orders came faster than they were handled.'),
  log_lines_lost_total: counter(
    'Lines of the log that could not be written: the disk was full, or nobody read them.',
  ),
  grant_time_left_ms: gauge('Time left of the grant that expires first.'),
} as const satisfies Readonly<Record<string, Metric>>;

/** A name of {@link METRICS}. */
export type MetricName = keyof typeof METRICS;

/** The metrics of one kind. */
export type MetricOf<Kind extends MetricKind> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
