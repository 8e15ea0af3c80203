/**
 * @module
 * Runs against the embedded exchange in a process of its own: a funded ephemeral account, API wallets made and approved
 * for this run alone. Configured keys are not loaded.
 */
import { rmSync } from 'node:fs';
import type { StopSignal } from '../../bot/live/index.ts';
import { isProven, type RunOptions, type RunReport, runPrepared } from '../../bot/live/index.ts';
import { prepareRun } from '../../bot/setup/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import { type Clock, type Log, secureBytes } from '../../core/index.ts';
import { type FundedAccount, startExchangeChild } from '../../exchange/host/index.ts';
import { LOCKED_BOOK_RULE } from '../../tape/importers/index.ts';
import { ephemeralSigners } from './ephemeral-signers.ts';

/** What a run in mode sim or a demo is started with. `journalFolder` is this run's alone. */
export interface SimRunOptions
  extends Pick<
    RunOptions,
    'show' | 'journalFolder' | 'recordFolder' | 'lockFolder' | 'beganAtMs' | 'onRecord'
  > {
  readonly mode: 'demo' | 'sim';
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly seed: number;
  readonly tape: string | undefined;
  readonly symbol: string | undefined;
  readonly stop: StopSignal;
}

/** Starts the exchange, runs the bot on it, ends both. */
export async function runOnSim(options: SimRunOptions): Promise<RunReport> {
  const { clock, seed, tape, symbol, stop, log } = options;
  // What is wrong with a file is said before anything is started. Its own exchange signs ballast's own structs.
  const { strategies, crypto } = await prepareRun(options.source);
  const exchange = await startExchangeChild({
    seed,
    tape,
    symbol,
    // A configuration names its market once; whatever the recording calls it, it is this one.
    marketName: options.source.config.markets[0]?.symbol,
    clock,
    onExit: (why) => stop.request({ by: 'halt', why: `the exchange ended: ${why}` }),
  });
  log.info('exchange started', { baseUrl: exchange.baseUrl, processId: exchange.processId });
  try {
    const run: RunOptions = {
      ...options,
      market: tape === undefined ? 'synthetic' : 'recorded',
      baseUrl: exchange.baseUrl,
      signers: (environment, crypto) =>
        ephemeralSigners({
          environment,
          crypto,
          clock,
          config: options.source.config,
          privateKey: (exchange.accounts[0] as FundedAccount).privateKey,
          randomBytes: secureBytes,
        }),
    };
    const report = await runPrepared(run, { strategies, crypto });
    const recording = await exchange.stop();
    // The journal is about an account that is gone with its exchange; of a run that is not proven it is the evidence.
    if (isProven(report)) rmSync(options.journalFolder, { recursive: true, force: true });
    return recording === undefined ? report : { ...report, recording, recordingRule: LOCKED_BOOK_RULE };
  } finally {
    await exchange.stop();
  }
}
