/**
 * @module
 * Latency as a run has measured it on its own writes: from a command that leaves to its answer, and from an event's time
 * at the exchange to the moment it is heard. The first less the second is the way in.
 *
 * The exchange's clock counts whole milliseconds and is taken to agree with ours: half a millisecond is taken off what is
 * heard of events, and what would be below nothing counts as nothing.
 */
import type { Fact, RequestId } from '../../domain/index.ts';

/** Measured parts, microseconds, in order of time. */
export interface LatencySamples {
  /** Times from send to the exchange, us. */
  readonly entryUs: readonly number[];
  /** Times from the exchange to the response, us. */
  readonly responseUs: readonly number[];
}

/** Quantiles of a component and how far those of the second half are from them, as a fraction of them. */
export interface LatencyFigures {
  /** Number of samples. */
  readonly samples: number;
  /** Median, us. */
  readonly p50Us: number;
  /** 90th percentile, us. */
  readonly p90Us: number;
  /** Out-of-sample error of the quantiles, as a fraction of them. */
  readonly heldErrorPart: number;
}

const HALF_MS_US = 500;
const US_PER_MS = 1_000;
/** Values that are passed to backtests at most, evenly over the quantiles. */
const VALUES_MAX = 200;

/** Takes the facts of a run with the times at which they were heard. */
export class LatencyProbe {
  readonly #sent = new Map<RequestId, number>();
  readonly #roundTripsUs: number[] = [];
  readonly #responseUs: number[] = [];

  /** `heardUs`: Unix us, by the clock of the bot. */
  take(fact: Fact, heardUs: number): void {
    if (fact.type === 'WriteSent') this.#sent.set(fact.requestId, heardUs);
    else if (fact.type === 'WriteResolved') {
      const sentUs = this.#sent.get(fact.requestId);
      this.#sent.delete(fact.requestId);
      if (sentUs !== undefined && fact.outcome === 'executed') this.#roundTripsUs.push(heardUs - sentUs);
    } else if (fact.type === 'FillRecorded' && fact.fill.role === 'maker' && fact.fill.atMs !== null)
      this.#responseUs.push(Math.max(0, heardUs - fact.fill.atMs * US_PER_MS - HALF_MS_US));
  }

  /** What was measured so far. Without a fill as maker half of the round trip counts as the way back. */
  samples(): LatencySamples {
    const back = this.#responseUs.length === 0 ? undefined : quantile(this.#responseUs, 0.5);
    return {
      entryUs: this.#roundTripsUs.map((us) => Math.max(0, us - (back ?? us / 2))),
      responseUs: back === undefined ? this.#roundTripsUs.map((us) => us / 2) : this.#responseUs,
    };
  }
}

/** Statistics of one component, `undefined` without a sample. The error is that of the median of the second half. */
export function latencyFigures(us: readonly number[]): LatencyFigures | undefined {
  if (us.length === 0) return undefined;
  const half = Math.ceil(us.length / 2);
  const [first, rest] = [us.slice(0, half), us.slice(half)];
  const [trained, held] = [quantile(first, 0.5), quantile(rest.length === 0 ? first : rest, 0.5)];
  return {
    samples: us.length,
    p50Us: quantile(us, 0.5),
    p90Us: quantile(us, 0.9),
    heldErrorPart: trained === 0 ? 0 : Math.abs(held - trained) / trained,
  };
}

/** The values that a backtest draws from: all, or this many of their quantiles. */
export function drawnFrom(us: readonly number[]): readonly number[] {
  if (us.length <= VALUES_MAX) return us.map(Math.round);
  return Array.from({ length: VALUES_MAX }, (_, at) => Math.round(quantile(us, (at + 0.5) / VALUES_MAX)));
}

/** The value below which this fraction of the values is. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
