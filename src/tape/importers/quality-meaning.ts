/** @module What the quality of a recording means for a backtest, in sentences. */
import type { DataQuality, TapeMarket } from '../format/index.ts';

/** At least one sentence on `found`; the first is about what changes results most. */
export function meaningOf(
  found: Omit<DataQuality, 'meaning'>,
  markets: readonly TapeMarket[],
): readonly string[] {
  const { clock, gaps, fromUs, toUs, coarse, repaired, counts } = found;
  const sentences: string[] = [];
  if (clock?.feedClockOffset != null)
    sentences.push(
      `The recorder's clock was behind the exchange's for ${percent(clock.negativeFraction)} of the records: feedLatency in-data is 0 there. Set paper.feedClockOffset: ${clock.feedClockOffset}, or name a feedLatency.`,
    );
  if (markets.length > 0 && clock === null)
    sentences.push('No record has a receive time: name paper.feedLatency, since in-data cannot know it.');
  if (gaps.count > 0)
    sentences.push(
      `The book is unknown for ${percent((gaps.totalMs * 1_000) / Math.max(1, (toUs - fromUs) * markets.length))} of the span: a backtest does not quote in a gap, and results around one are not those of a whole recording.`,
    );
  if (repaired.fraction > 0)
    sentences.push(
      `${percent(repaired.fraction)} of the records were dropped or moved: traded volume and fills differ from what happened.`,
    );
  if (coarse.some(({ timeMs }) => timeMs !== undefined))
    sentences.push(
      'Times are coarse: what happened within one step has no order, so fills and latencies below it are not known.',
    );
  if (coarse.some(({ price }) => price !== undefined))
    sentences.push('Prices are coarse: spreads and queue positions below the step are not known.');
  if ((counts['booksSeparated'] ?? 0) > 0)
    sentences.push(
      'Locked or crossed books were separated: their touch is a tick away from what was recorded.',
    );
  if ((counts['idsReused'] ?? 0) > 0)
    sentences.push(
      'Ids of trades were used for different trades, which were all kept: repeated trades cannot be told by them.',
    );
  if ((counts['repeatsKept'] ?? 0) > 0)
    sentences.push(
      'Some records without an id equal another one of the same time and were kept: if a file holds records twice, volume is too high.',
    );
  return sentences.length > 0 ? sentences : ['Nothing was found that would change a backtest.'];
}

/** A fraction in percent with two digits, never 0 for more than nothing. */
function percent(fraction: number): string {
  const value = fraction * 100;
  return value > 0 && value < 0.01 ? 'less than 0.01 %' : `${Number(value.toFixed(2))} %`;
}
