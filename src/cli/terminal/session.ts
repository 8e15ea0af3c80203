/**
 * @module
 * What the commands share that run until they are stopped: log, stop signal, status line, and the end with its exit code.
 */
import { join } from 'node:path';
import {
  describeStop,
  type EndCode,
  hasFailedStrategy,
  isHaltedByControl,
  isProven,
  listenForStop,
  type RunReport,
  type RunStatus,
  type StopReason,
  type StopSignal,
} from '../../bot/live/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import { readEnvironment } from '../../core/environment/index.ts';
import { BotError, type Clock, type Log, messageOf, SystemClock } from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import type { RunRecord } from '../../domain/index.ts';
import { endProcess } from './command-process.ts';
import { EXIT, exitCodeOf, exitCodeOfCode, exitCodeOfStop } from './exit-codes.ts';
import { errorTerminal, neverWaitForOutput, writeDocument, writeLine, writeNote } from './output.ts';
import { writeReportFiles } from './report-files.ts';
import { describeReport } from './report-text.ts';
import { exitCodeOfRun } from './run-exit-code.ts';
import { showStatus } from './status-line.ts';

/** What a command has at hand while it runs. */
export interface Session {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** Takes the clock of a tape: log lines carry its time from then on. */
  readonly onClock: (nowMs: () => number) => void;
  /** Set when the run must stop. */
  readonly stop: StopSignal;
  /** The exit code that an end means. */
  readonly codeOf: EndCode['codeOf'];
  /** Start of the session, Unix ms. */
  readonly beganAtMs: number;
  /** Shows the status line; gives the function that removes it. */
  readonly show: (status: () => RunStatus) => () => void;
  /** Takes what the run leaves for reports. */
  readonly onRecord: (record: RunRecord) => void;
  /** The exit code that the outcomes of the strategies mean. */
  exitCodeOfRecord(): number;
  /** Writes the page where one was asked for; its file. */
  writePage(): string | undefined;
  /** Lines of the log that could not be written so far. */
  readonly lostLines: () => number;
}

/** What a session looks at of the command line. */
export interface SessionArgs {
  /** Milliseconds after which it stops on its own. */
  readonly duration: number | undefined;
  /** File for the page. */
  readonly html?: string | undefined;
  /** True to log debug lines. */
  readonly verbose: boolean | undefined;
}

/** Opens a session on a configuration that was loaded. */
export function openSession(source: ConfigSource, { duration, html, verbose }: SessionArgs): Session {
  const clock = new SystemClock();
  const { log: settings } = source.config;
  neverWaitForOutput();
  const terminal = errorTerminal();
  const { isTerminal } = terminal;
  let tapeNowMs: (() => number) | undefined;
  const log = createLog({
    now: () => tapeNowMs?.(),
    // A terminal shows the status line, which log lines would break.
    level: verbose ? 'debug' : isTerminal && settings.file === undefined ? 'warn' : settings.level,
    file: settings.file,
    maxBytes: settings.maxSizeMb === undefined ? undefined : settings.maxSizeMb * 1_048_576,
    keptFiles: settings.keptFiles,
    isPretty: isTerminal,
  });
  const output = { ...terminal, isColored: isTerminal && !readEnvironment().isColorless };
  const onReopen = settings.file === undefined ? undefined : () => log.reopen();
  const stop = listenForStop(clock, { forMs: duration, onReopen, onSecondSignal: endAtOnce });
  endInOrder(stop, log);
  let record: RunRecord | undefined;
  return {
    source,
    clock,
    log,
    onClock: (nowMs) => {
      tapeNowMs = nowMs;
    },
    stop,
    codeOf: (ended) =>
      'report' in ended ? codeOfReport(stop.reason, ended.report) : exitCodeOf(ended.thrown),
    beganAtMs: clock.monotonicMs() - process.uptime() * 1000,
    show: (status) => {
      const line = showStatus(() => ({ ...status(), lostLines: log.lost() }), clock, output);
      return () => line.stop();
    },
    onRecord: (taken) => {
      record = taken;
    },
    exitCodeOfRecord: () => (record === undefined ? EXIT.ok : exitCodeOfRun(record)),
    writePage: () => {
      if (record === undefined || html === undefined) return undefined;
      writeReportFiles(record, { html });
      return html;
    },
    lostLines: () => log.lost(),
  };
}

/** What the first signal began is cut short. */
function endAtOnce(signal: NodeJS.Signals): never {
  writeNote(
    `ballast: ended at once by a second ${signal}: it is not proven that no order is open; the guardian cancels what rests, without one the switch does`,
  );
  return endProcess(EXIT.failure);
}

/**
 * Strategies run in this process and may start what they never look after. An uncaught error ends the run, but in
 * order: its orders must not wait for the switch.
 */
function endInOrder(stop: StopSignal, log: Log): void {
  process.on('uncaughtException', (thrown) => {
    stop.request({ by: 'halt', why: `uncaught error: ${messageOf(thrown)}` });
    log.error('uncaught error', { error: thrown });
  });
}

/** Runs the bot of a session on its own exchange. */
export async function runSessionOnSim(
  session: Session,
  options: {
    readonly mode: 'demo' | 'sim';
    readonly seed: number | undefined;
    readonly tape: string | undefined;
    readonly symbol: string | undefined;
  },
): Promise<RunReport> {
  const { runOnSim } = await import('../compose/index.ts');
  const { config } = session.source;
  return runOnSim({
    ...session,
    ...options,
    seed: options.seed ?? config.environment.seed,
    // Of this process alone: others may begin in the same millisecond.
    journalFolder: join(config.journal.folder, 'sim', `${session.clock.nowMs()}-${process.pid}`),
    recordFolder: config.record.folder,
    lockFolder: readEnvironment().stateHome,
  });
}

/** A run that has ended waits this long, ms, for someone who reads its result: its supervisor waits for it. */
const UNREAD_MS_MAX = 5_000;

/** Prints the result and says how it ended: a signal's own code only with a proven end. */
export function finish(session: Session, report: RunReport, isJson: boolean | undefined): number {
  const reason = session.stop.reason;
  const page = session.writePage();
  const isRead = isJson
    ? writeDocument(report, UNREAD_MS_MAX)
    : writeLine(describeReport(report), UNREAD_MS_MAX);
  // The end of the run is worth more than its words: the exit code says how it ended all the same.
  if (!isRead) session.log.error('the result is not whole: nobody reads standard output');
  else if (!isJson && page !== undefined) writeLine(`${'page'.padEnd(10)}${page}`);
  // A paper run over a tape ends with the tape, without a stop.
  if (isProven(report) && reason === undefined && report.mode === 'paper') return session.exitCodeOfRecord();
  if (!isProven(report) || reason === undefined || reason.by === 'halt') {
    session.log.error(isProven(report) ? 'the run was halted' : 'the run did not end with the proof', {
      stopReason: reason === undefined ? 'nothing' : describeStop(reason),
    });
  }
  return codeOfReport(reason, report);
}

/** The exit code of a run that ended with a report. */
function codeOfReport(reason: StopReason | undefined, report: RunReport): number {
  if (!isProven(report) || reason === undefined || reason.by === 'halt') {
    const code = reason?.by === 'halt' ? reason.code : undefined;
    return (code === undefined ? undefined : exitCodeOfCode(code)) ?? EXIT.failure;
  }
  // A halt that only a person ends is no good end, whatever asked for it; one that a person began is. Neither is a
  // strategy that had failed by then.
  const isGood = !isHaltedByControl(report) && !hasFailedStrategy(report);
  return isGood ? exitCodeOfStop(reason) : EXIT.strategy;
}

/** Prints, where a document is wanted, how a run ended that has no result: its end could not be proven, or it did not start. */
export function finishFailed(thrown: unknown, mode: RunReport['mode']): void {
  const { code, message, remedy } =
    thrown instanceof BotError ? thrown : { code: 'UNEXPECTED', message: messageOf(thrown), remedy: '' };
  writeDocument({ schema: 1, mode, isProven: false, error: { code, message, remedy } }, UNREAD_MS_MAX);
}
