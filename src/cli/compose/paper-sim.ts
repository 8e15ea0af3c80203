/**
 * @module
 * A paper run on the market of an embedded exchange: the exchange is started for its streams alone, no order reaches it.
 */

import { prepareStrategies } from '../../bot/setup/index.ts';
import { startExchangeChild } from '../../exchange/host/index.ts';
import type { PaperRun } from '../../research/paper/index.ts';
import { type LivePaperOptions, paperOnGateway } from '../../research/paper/index.ts';

/** Starts an exchange with seeded participants, runs on its streams, ends both. */
export async function paperOnSim(
  options: Omit<LivePaperOptions, 'baseUrl' | 'market' | 'seed'> & { readonly seed: number },
): Promise<PaperRun> {
  const { clock, seed, stop, log, source } = options;
  await prepareStrategies(source);
  const exchange = await startExchangeChild({
    ...{ seed, clock, tape: undefined, symbol: undefined, marketName: source.config.markets[0]?.symbol },
    onExit: (why) => stop.request({ by: 'halt', why: `the exchange ended: ${why}` }),
  });
  log.info('exchange started', { baseUrl: exchange.baseUrl, processId: exchange.processId });
  try {
    return await paperOnGateway({ ...options, baseUrl: exchange.baseUrl, market: 'synthetic' });
  } finally {
    await exchange.stop();
  }
}
