/** @module The assumptions of a backtest in words: they are shown with its report. */
import { isoOfUs } from '../../core/index.ts';
import type { Latency } from '../venue/index.ts';
import type { FeedClockCheck } from './replay/delivery.ts';
import type { BacktestOptions, FeedLatency } from './types.ts';

/** What assumptions are made of. */
export interface Assumed
  extends Pick<BacktestOptions, 'fillModel' | 'latency' | 'venue' | 'fromUs' | 'toUs'> {
  /** `unknown`: of what was received only the time of receipt is there. */
  readonly feed: FeedLatency | 'unknown';
  readonly tape?: Pick<BacktestOptions['tape'], 'markets' | 'undelayed' | 'fromUs' | 'toUs'>;
}

const HOUR_MS = 3_600_000;
const PPM_PER_BP = 100;
const US_PER_MS = 1_000;
/** A shorter piece of a span that is not on the tape is not worth a line. */
const SAID_FROM_US = 1_000_000;
const NOT_KNOWN = 'unknown (one time for each event; shown without delay)';

/** One line an assumption, in the order fills, latency, fees, funding, and a span that the tape covers only in part. */
export function assumptionsOf(options: Assumed): readonly string[] {
  const { fillModel, latency, venue } = options;
  const power = fillModel.name === 'queue-power' ? ` (exponent ${fillModel.exponent ?? 3})` : '';
  const { makerPpm, takerPpm } = venue.fees;
  const tiers = venue.feeTiers === undefined ? '' : `, ${venue.feeTiers.length} tiers by volume`;
  return [
    `fills: ${fillModel.name}${power}; recorded participants do not react to our orders`,
    `latency: feed ${describeFeed(options)}, entry ${describe(latency.entry)}, response ${describe(latency.response)}`,
    `fees: maker ${bpsText(makerPpm)}, taker ${bpsText(takerPpm)}${tiers}`,
    `funding: as settled on the tape, else every ${(venue.fundingIntervalMs ?? HOUR_MS) / HOUR_MS} h at the rate in force`,
    ...describeSpan(options),
  ];
}

/** What was asked for and is not on the tape, beyond a second. */
function describeSpan({ tape, fromUs, toUs }: Assumed): readonly string[] {
  if (tape === undefined) return [];
  const missing = [
    ...(fromUs === undefined || tape.fromUs - fromUs < SAID_FROM_US
      ? []
      : [`asked for from ${isoOfUs(fromUs)}, the tape begins at ${isoOfUs(tape.fromUs)}`]),
    ...(toUs === undefined || toUs - tape.toUs < SAID_FROM_US
      ? []
      : [`asked for to ${isoOfUs(toUs)}, the tape ends at ${isoOfUs(tape.toUs)}`]),
  ];
  return missing.length === 0 ? [] : [`span: ${missing.join('; ')}`];
}

/**
 * What a recorder's clock behind the exchange's did to a feed as recorded, with the offset that puts it right; `undefined`:
 * nothing, or the feed is modeled.
 */
export function describeFeedClock(check: FeedClockCheck | undefined, feed: FeedLatency): string | undefined {
  if (check === undefined || check.early === 0 || feed.kind !== 'in-data') return undefined;
  const { rows, early, earliestUs } = check;
  const share = ((early / rows) * 100).toPrecision(3).replace(/\.0+$/, '');
  const offsetMs = Math.ceil((feed.shiftUs + earliestUs) / US_PER_MS);
  return `feed latency: not known of ${early} of ${rows} rows (${share} %), shown without delay: the recorder's clock was behind the exchange's by up to ${latencyText(earliestUs)}; paper.feedClockOffset: ${offsetMs}ms puts it right`;
}

/** A rate for people: the exchange counts in ppm. @example bpsText(25) // '0.25 bps' */
export function bpsText(ppm: number): string {
  return `${ppm / PPM_PER_BP} bps`;
}

/** A latency for people: microseconds below a millisecond, else milliseconds. */
function latencyText(us: number): string {
  return Math.abs(us) < 1_000 ? `${us} us` : `${us / 1_000} ms`;
}

/** A tape with one time for each event says nothing of the feed: that is no latency of 0. */
function describeFeed({ feed, tape }: Assumed): string {
  if (feed === 'unknown') return NOT_KNOWN;
  if (feed.kind !== 'in-data') return describe(feed);
  const shifted = feed.shiftUs === 0 ? '' : `, shifted by ${latencyText(feed.shiftUs)}`;
  const undelayed = tape?.undelayed ?? [];
  if (undelayed.length === 0) return `as recorded${shifted}`;
  if (undelayed.length === tape?.markets.length) return `${NOT_KNOWN}${shifted}`;
  return `as recorded, of ${undelayed.join(', ')} ${NOT_KNOWN}${shifted}`;
}

function describe(latency: Latency): string {
  switch (latency.kind) {
    case 'constant':
      return latencyText(latency.us);
    case 'sampled':
      return `drawn from ${latency.us.length} measured values`;
    case 'recorded':
      return `as measured at the time (${latency.us.length} values)`;
  }
}
