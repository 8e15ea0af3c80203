/**
 * @module Runs against the embedded exchange in its own process: a funded ephemeral account, API wallets made and
 * approved for this run only. Configured keys are not loaded.
 */
import { rmSync } from 'node:fs';
import type { StopSignal } from '../../bot/live/index.ts';
import { isProven, type RunOptions, type RunReport, runPrepared } from '../../bot/live/index.ts';
import { prepareRun } from '../../bot/setup/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import { type Clock, type Log, must, secureBytes } from '../../core/index.ts';
import { ephemeralSigners } from './ephemeral-signers.ts';
import { onOwnExchange } from './own-exchange.ts';

/** What a run in mode sim or a demo is started with. `journalFolder` belongs to this run only. */
export interface SimRunOptions
  extends Pick<
    RunOptions,
    'show' | 'journalFolder' | 'recordFolder' | 'lockFolder' | 'beganAtMs' | 'onRecord'
  > {
  /** Mode of the run. */
  readonly mode: 'demo' | 'sim';
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Path of the tape to play; `undefined`: synthetic participants. */
  readonly tape: string | undefined;
  /** Symbol of the market; `undefined`: the configured one. */
  readonly symbol: string | undefined;
  /** Set when the run must stop. */
  readonly stop: StopSignal;
}

/** Starts the exchange, runs the bot on it, ends both. */
export async function runOnSim(options: SimRunOptions): Promise<RunReport> {
  const { clock, tape, source } = options;
  // An error in a file is reported before anything is started. Its own exchange signs ballast's own structs.
  const prepared = await prepareRun(source);
  return onOwnExchange(options, async (exchange) => {
    const run: RunOptions = {
      ...options,
      market: tape === undefined ? 'synthetic' : 'recorded',
      baseUrl: exchange.baseUrl,
      signers: (environment, crypto) =>
        ephemeralSigners({
          environment,
          crypto,
          clock,
          config: source.config,
          privateKey: must(exchange.accounts[0], 'a funded account').privateKey,
          randomBytes: secureBytes,
        }),
    };
    const report = await runPrepared(run, prepared);
    const recording = await exchange.stop();
    // The journal is about an account that is gone with its exchange; of a run that is not proven it is the evidence.
    if (isProven(report)) rmSync(options.journalFolder, { recursive: true, force: true });
    return recording === undefined ? report : { ...report, recording };
  });
}
