/**
 * @module
 * The whole framework of G5, as `ballast run --mode live` starts it: preflight, streams, reconciliation, dead man's
 * switch, a strategy, risk, lane, journal. Its configuration is an ordinary one within the bounds of its limits, so a lane
 * takes a burst of {@link BURST} writes and then waits.
 */
import { join } from 'node:path';
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';
import { MARKET } from '../../book-frames.ts';
import { startLiveRun } from '../../live-run.ts';
import { tickPort } from './tick-port.ts';

/** Writes of a lane at once, and how many a second it gets back (denials.md P11, ceilings). */
export const BURST = 200;
const WRITES_PER_S = 100;
/** Limits at their ceilings where the bench needs it: one order after the other, none of them resting. */
const CONFIG = `
markets: [{ symbol: ${MARKET.symbol} }]
strategies:
  - { name: bench, module: ${join(import.meta.dirname, 'strategy.ts')}, markets: [${MARKET.symbol}] }
risk:
  capital: 1000000
  postOnly: false
  maxWritesPerSecond: ${WRITES_PER_S}
  writeBurst: ${BURST}
  maxAccountWritesPerSecond: 500
  maxDuplicateOrdersPerSecond: 100
  maxReplacesPerSecond: 100
  maxOrderToTradeRatio: 100000
  maxMarketDataAge: 10s
`;

/** A running bot that makes orders when it is told. */
export interface Framework {
  /** Calls `askForFrame` and resolves when the order that the frame caused is over. */
  order(askForFrame: () => void): Promise<void>;
  /** Books that its strategy saw and did not order on, so far. */
  books(): number;
  /** Resolves when a whole burst may be sent again. */
  rested(): Promise<void>;
  /** Stops it: rejects unless the run proves its end. */
  close(): Promise<void>;
}

/** Starts it; resolves when its strategy may trade. */
export async function openFramework(options: {
  readonly origin: string;
  readonly account: FundedSeedAccount;
  readonly folder: string;
  /** True: the run has a door. */
  readonly hasDoor?: boolean;
}): Promise<Framework> {
  const { origin, account, folder, hasDoor = false } = options;
  const ready = Promise.withResolvers<void>();
  let tick = Promise.withResolvers<void>();
  let books = 0;
  tickPort.listener = {
    onReady: ready.resolve,
    onDone: () => tick.resolve(),
    onBook: () => {
      books++;
    },
    onFailed: (why) => tick.reject(new Error(`expected an order of the framework, got ${why}`)),
  };
  const run = startLiveRun({ origin, account, folder, config: CONFIG, hasDoor });
  run.failed.catch((error: unknown) => tick.reject(error));
  await Promise.race([ready.promise, run.failed]);

  return {
    async order(askForFrame) {
      tick = Promise.withResolvers<void>();
      tickPort.isWanted = true;
      askForFrame();
      await tick.promise;
    },
    books: () => books,
    rested: () => new Promise((resolve) => setTimeout(resolve, (BURST / WRITES_PER_S) * 1000)),
    close: () => run.stop(),
  };
}
