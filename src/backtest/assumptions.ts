/** @module The assumptions of a backtest in words: they stand beside every figure of its report. */
import type { Latency } from '../venue/index.ts';
import type { BacktestOptions, FeedLatency } from './types.ts';

/** One line an assumption, in the order fills, latency, fees, funding. */
export function assumptionsOf(
  options: Pick<BacktestOptions, 'fillModel' | 'feed' | 'latency' | 'venue'>,
): readonly string[] {
  const { fillModel, feed, latency, venue } = options;
  const power = fillModel.name === 'queue-power' ? ` (exponent ${fillModel.exponent ?? 3})` : '';
  const { makerPpm, takerPpm } = venue.fees;
  const tiers = venue.feeTiers === undefined ? '' : `, ${venue.feeTiers.length} tiers by volume`;
  return [
    `fills: ${fillModel.name}${power}; recorded participants do not react to our orders`,
    `latency: feed ${describe(feed)}, entry ${describe(latency.entry)}, response ${describe(latency.response)}`,
    `fees: maker ${makerPpm} ppm, taker ${takerPpm} ppm${tiers}`,
    `funding: as settled on the tape, else each ${venue.fundingHours ?? 1} h at the rate in force`,
  ];
}

function describe(latency: FeedLatency | Latency): string {
  switch (latency.kind) {
    case 'in-data':
      return latency.shiftUs === 0 ? 'as recorded' : `as recorded, shifted by ${latency.shiftUs} us`;
    case 'constant':
      return `${latency.us} us`;
    case 'sampled':
      return `drawn from ${latency.us.length} measured values`;
    case 'recorded':
      return `as measured at the time (${latency.us.length} values)`;
  }
}
