/**
 * @module
 * The figures that a run counts about itself, by name: `area_noun_unit`. What is not named here is not counted.
 */

/** What a figure is: a count that only grows, the last value, or count, sum, least and greatest of many values. */
export type FigureKind = 'counter' | 'gauge' | 'observed';

/** One figure. */
export interface Figure {
  readonly kind: FigureKind;
  /** What it counts or measures, and what a value that stands out means. */
  readonly meaning: string;
}

const counter = (meaning: string) => ({ kind: 'counter', meaning }) as const;
const gauge = (meaning: string) => ({ kind: 'gauge', meaning }) as const;
const observed = (meaning: string) => ({ kind: 'observed', meaning }) as const;

/** All figures. */
export const FIGURES = {
  gateway_read_ms: observed('A read, from its leave to its answer, waits for the request budget left out.'),
  gateway_write_ms: observed('A write, from its leave to its answer.'),
  gateway_lost_total: counter('Requests that left and got no answer: of a write its receipt decides.'),
  gateway_not_sent_total: counter('Requests that never left, for there was no connection.'),
  gateway_rate_waits_total: counter('Requests that waited for room in the request budget.'),
  gateway_rate_refusals_total: counter('Requests that the gateway refused with 429.'),
  gateway_clock_offset_ms: gauge("The exchange's clock less ours."),
  gateway_binary_frames_total: counter('Frames that are no text: passed over.'),
  stream_connections_opened_total: counter(
    'Connections of the streams that were opened: more than at first are reconnects.',
  ),
  stream_lagged_total: counter('Notices that the exchange dropped frames: the streams were joined anew.'),
  stream_malformed_frames_total: counter('Frames that could not be read: passed over.'),
  stream_unknown_frames_total: counter('Frames of a channel that nobody knows: passed over.'),
  stream_unasked_frames_total: counter('Frames of the market that nobody subscribed to: passed over.'),
  stream_foreign_frames_total: counter('Frames of another account: passed over.'),
  stream_error_frames_total: counter('Error frames of the exchange.'),
  stream_late_frames_total: counter("Frames that were on their way for long by the exchange's clock."),
  stream_before_snapshot_total: counter('Frames of the market before their snapshot: passed over.'),
  stream_bad_books_total: counter('Books that cannot be used: the market was stale until the next one.'),
  stream_resubscriptions_total: counter(
    'Subscriptions asked for once more, for their snapshot did not come.',
  ),
  stream_trade_gaps_total: counter('Gaps in the trades of a market that its history could not fill.'),
  stream_history_retries_total: counter('Pages of a history of the account that had to be asked for again.'),
  stream_buffer_overflows_total: counter(
    'Times that more frames came than are held back during a joining: it began anew.',
  ),
  inbox_peak_facts: gauge('The most facts that waited for the kernel in the last period of its guard.'),
  inbox_overflow_total: counter('Times that facts about own orders came faster than they were handled.'),
  grant_left_ms: gauge('What is left of the grant that ends first.'),
} as const satisfies Readonly<Record<string, Figure>>;

/** A name of {@link FIGURES}. */
export type FigureName = keyof typeof FIGURES;

/** The figures of one kind. */
export type FigureOf<Kind extends FigureKind> = {
  [Name in FigureName]: (typeof FIGURES)[Name]['kind'] extends Kind ? Name : never;
}[FigureName];
