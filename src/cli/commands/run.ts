/**
 * @module
 * `ballast run` and what `ballast demo` shares with it: a configuration, run to its proven end.
 */
import { join } from 'node:path';
import {
  describeStop,
  isProven,
  listenForStop,
  loadWallets,
  type RunReport,
  type RunStatus,
  type StopSignal,
} from '../../bot/live/index.ts';
import { type ConfigSource, loadConfig, readEnvironment } from '../../config/index.ts';
import { type Clock, ConfigError, type Log, messageOf, SystemClock } from '../../core/index.ts';
import { createLog, type Scrubber } from '../../core/telemetry/index.ts';
import type { Address, RunRecord } from '../../domain/index.ts';
import { runBot, runOnSim } from '../compose/index.ts';
import { EXIT, exitCodeOfCode } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { writeReportFiles } from '../report-files.ts';
import { describeReport } from '../report-text.ts';
import { showStatus } from '../status-line.ts';

/** What `run` takes. */
export interface RunCommandOptions {
  readonly config: string;
  readonly mode: 'sim' | 'live';
  readonly isProduction: boolean;
  readonly html: string | undefined;
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly isVerbose: boolean;
}

/** What a command has at hand while it runs. */
export interface Session {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly stop: StopSignal;
  readonly beganAtMs: number;
  readonly show: (status: () => RunStatus) => () => void;
  /** Takes what the run leaves for reports. */
  readonly onRecord: (record: RunRecord) => void;
  /** Writes the page where one was asked for; its file. */
  writePage(): string | undefined;
}

/** Runs a configuration in mode sim or live. */
export async function runConfig(options: RunCommandOptions): Promise<number> {
  const session = openSession(options);
  const report =
    options.mode === 'sim'
      ? await onSim(session, { ...options, mode: 'sim', tape: undefined, symbol: undefined })
      : await onGateway(session, options);
  return finish(session, report, options.isJson);
}

/** A run against its own exchange. */
export async function runSession(options: {
  readonly config: string;
  readonly mode: 'demo' | 'sim';
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly isVerbose: boolean;
  readonly tape: string | undefined;
  readonly symbol: string | undefined;
  readonly html: string | undefined;
}): Promise<number> {
  const session = openSession(options);
  return finish(session, await onSim(session, options), options.isJson);
}

/** Loads the configuration first: a malformed one ends here, before anything is opened. */
export function openSession(options: {
  readonly config: string;
  readonly forMs: number | undefined;
  readonly html?: string | undefined;
  readonly isVerbose: boolean;
}): Session {
  const clock = new SystemClock();
  const source = loadConfig(options.config);
  const { log: settings } = source.config;
  const environment = readEnvironment();
  const isTerminal = process.stderr.isTTY === true;
  const { log, scrubber } = createLog({
    // A terminal shows the status line; what the log would say beside it would tear it apart.
    level: options.isVerbose ? 'debug' : isTerminal && settings.file === undefined ? 'warn' : settings.level,
    file: settings.file,
    isPretty: isTerminal,
  });
  const output = {
    isTerminal,
    isColored: isTerminal && !environment.isColorless,
    columns: () => process.stderr.columns || 120,
    write: (text: string) => void process.stderr.write(text),
  };
  const stop = listenForStop(clock, { forMs: options.forMs });
  endInOrder(stop, log);
  let record: RunRecord | undefined;
  return {
    source,
    clock,
    log,
    scrubber,
    stop,
    beganAtMs: clock.monotonicMs() - process.uptime() * 1000,
    show: (status) => {
      const line = showStatus(status, clock, output);
      return () => line.stop();
    },
    onRecord: (taken) => {
      record = taken;
    },
    writePage: () => {
      if (record === undefined || options.html === undefined) return undefined;
      writeReportFiles(record, { html: options.html });
      return options.html;
    },
  };
}

/**
 * Strategies run in this process and may start what they never look after. What nobody catches ends the run, but in
 * order: its orders must not wait for the switch. A reader of our output that is gone is no reason to end.
 */
function endInOrder(stop: StopSignal, log: Log): void {
  process.on('uncaughtException', (thrown) => {
    log.error('nobody caught an error', { error: thrown });
    stop.request({ by: 'halt', why: `nobody caught an error: ${messageOf(thrown)}` });
  });
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

function onSim(
  session: Session,
  options: {
    readonly mode: 'demo' | 'sim';
    readonly seed: number | undefined;
    readonly tape: string | undefined;
    readonly symbol: string | undefined;
  },
): Promise<RunReport> {
  const { config } = session.source;
  const folder = join(config.journal.folder, 'sim', String(session.clock.nowMs()));
  return runOnSim({
    ...session,
    mode: options.mode,
    seed: options.seed ?? config.environment.seed,
    tape: options.tape,
    symbol: options.symbol,
    journalFolder: folder,
    recordFolder: config.record.folder,
    lockFolder: readEnvironment().stateHome,
  });
}

async function onGateway(session: Session, options: RunCommandOptions): Promise<RunReport> {
  const { config } = session.source;
  const { baseUrl, production, name } = config.environment;
  const { address, subaccount } = config.account;
  if (baseUrl === undefined || address === undefined) throw notLive(name);
  if (production && !options.isProduction) throw productionUnsaid(name);
  return await runBot({
    ...session,
    mode: 'live',
    market: 'live',
    baseUrl,
    seed: options.seed,
    journalFolder: config.journal.folder,
    recordFolder: config.record.folder,
    lockFolder: readEnvironment().stateHome,
    signers: async (_environment, crypto) => ({
      selection: { address: address as Address, subaccount },
      wallets: await loadWallets(config, { crypto, scrubber: session.scrubber }),
      approvedAtSeq: new Map(),
    }),
  });
}

/** Prints the result and says how it ended: a signal's own code only with a proven end. */
export function finish(session: Session, report: RunReport, isJson: boolean): number {
  const reason = session.stop.reason;
  const page = session.writePage();
  if (isJson) writeDocument(report);
  else writeLine(describeReport(report));
  if (!isJson && page !== undefined) writeLine(`${'page'.padEnd(10)}${page}`);
  // A paper run over a tape ends with it: nobody asked for that.
  if (isProven(report) && reason === undefined && report.mode === 'paper') return EXIT.ok;
  if (!isProven(report) || reason === undefined || reason.by === 'halt') {
    session.log.error('the run did not end as it must', {
      stoppedBy: reason === undefined ? 'nothing' : describeStop(reason),
    });
    const code = reason?.by === 'halt' ? reason.code : undefined;
    return (code === undefined ? undefined : exitCodeOfCode(code)) ?? EXIT.failure;
  }
  if (reason.by === 'time') return EXIT.ok;
  return reason.signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
}

function notLive(name: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_NOT_LIVE',
    message: `expected a gateway and an account in the configuration for --mode live, found environment ${name}`,
    remedy: 'Set environment.name, environment.baseUrl and account.address, or run it with --mode sim.',
  });
}

function productionUnsaid(name: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_PRODUCTION_UNSAID',
    message: `expected --production on the command line for environment ${name}, which has production: true, got none`,
    remedy: 'Say --production when real money is meant.',
  });
}
