/** @module An embedded exchange in its own process, for as long as one piece of work needs it. */
import type { StopSignal } from '../../bot/live/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import type { Clock, Log } from '../../core/index.ts';
import { startExchangeChild } from '../../exchange/host/index.ts';

/** What the exchange is started with, and who is asked to stop when it ends. */
export interface OwnExchangeOptions {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Set when the run must stop. */
  readonly stop: StopSignal;
  /** Folder of a recorded market; absent: seeded participants. */
  readonly tape?: string | undefined;
  /** Symbol of the market; `undefined`: the configured one. */
  readonly symbol?: string | undefined;
}

/** The running exchange. */
export type OwnExchange = Awaited<ReturnType<typeof startExchangeChild>>;

/** Starts the exchange, works with it, ends it whatever the outcome of the work. */
export async function onOwnExchange<Result>(
  { source, clock, log, seed, stop, tape, symbol }: OwnExchangeOptions,
  work: (exchange: OwnExchange) => Promise<Result>,
): Promise<Result> {
  const exchange = await startExchangeChild({
    ...{ seed, clock, tape, symbol },
    // A configuration names its market once; whatever the recording calls it, it is this one.
    marketName: source.config.markets[0]?.symbol,
    onExit: (why) => stop.request({ by: 'halt', why: `the exchange ended: ${why}` }),
  });
  log.info('exchange started', { baseUrl: exchange.baseUrl, processId: exchange.processId });
  try {
    return await work(exchange);
  } finally {
    await exchange.stop();
  }
}
