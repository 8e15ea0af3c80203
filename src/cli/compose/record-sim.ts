/** @module `ballast record --mode sim`: an exchange of its own, recorded. */

import { type RecordOptions, type RecordReport, recordMarket } from '../../bot/live/index.ts';
import { startExchangeChild } from '../../exchange/host/index.ts';

/** Starts an embedded exchange with seeded participants and records it. */
export async function recordSim(
  options: Omit<RecordOptions, 'baseUrl'> & { readonly seed: number },
): Promise<RecordReport> {
  const { seed, clock, source, stop } = options;
  const exchange = await startExchangeChild({
    ...{ seed, clock, tape: undefined, symbol: undefined, marketName: source.config.markets[0]?.symbol },
    onExit: (why) => stop.request({ by: 'halt', why: `the exchange ended: ${why}` }),
  });
  try {
    return await recordMarket({ ...options, baseUrl: exchange.baseUrl });
  } finally {
    await exchange.stop();
  }
}
