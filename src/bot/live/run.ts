/**
 * @module
 * A full run: environment and wallets from where the mode has them, the bot from its start to its stop, and the proof
 * at the end, read over its own connection. What is seen meanwhile is {@link RunStatus}.
 */
import { join } from 'node:path';
import type { ConfigSource } from '../../config/index.ts';
import { type Clock, freshSeed, type Log, seededRandom, silentMeter } from '../../core/index.ts';
import { type CountedMetrics, createMetrics, type MetricsSnapshot } from '../../core/telemetry/index.ts';
import type { AccountSelection } from '../../domain/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import type { Operation } from '../operator/index.ts';
import type { KeptLog, RunLogWriter } from '../replay/index.ts';
import type { PreparedStrategy } from '../setup/index.ts';
import { describeOperatorStructs, type Prepared } from '../setup/index.ts';
import { formerInstanceOf, instanceOf } from './bot-name.ts';
import type { Examination } from './checks/examination.ts';
import type { Environment } from './connect/environment.ts';
import type { SimulatedMachine } from './connect/machine.ts';
import { checkAccount, checkMarkets } from './connect/preflight.ts';
import { connectRun, withSeat } from './connect/run-environment.ts';
import type { SharedBudget } from './connect/shared-budget.ts';
import type { LoadedWallet } from './connect/wallets.ts';
import type { RunGuard } from './guard.ts';
import { type LiveBot, startLiveBot } from './live-bot.ts';
import { keepTidy } from './output/retention.ts';
import { alertPlanOf } from './output/run-alerts.ts';
import { behindDoor, type EndCode, letActionsIn, runDoorOf } from './output/run-door.ts';
import { runFilesOf } from './output/run-files.ts';
import { collectRun, type RecordTaker } from './output/run-folder.ts';
import { openRunRecording, type RunRecording } from './output/run-recording.ts';
import { readBaseline } from './proof/account-snapshot.ts';
import { type Ended, endRun } from './proof/end-run.ts';
import { positionsHeld, type RunReport, strategiesOf, unownedOf } from './proof/run-report.ts';
import { type RunStatus, runStatusOf } from './run-status.ts';
import { describeStop, type StopReason, type StopSignal } from './stop-signal.ts';

/** Who signs, and for which account. */
export interface Signers {
  readonly selection: AccountSelection;
  readonly wallets: readonly LoadedWallet[];
  /** Positions of approvals made just now, by the wallet's name. */
  readonly approvedAtSeq: ReadonlyMap<string, bigint>;
}

/** What a run is made of. */
export interface RunOptions {
  /** Mode of the run, as in its report. */
  readonly mode: RunReport['mode'];
  /** A recorded market that is played, as in the report. */
  readonly market: RunReport['market'];
  readonly source: ConfigSource;
  /** URL of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the run's own randomness; a fresh one when absent. */
  readonly seed: number | undefined;
  /** Folder of the journals. */
  readonly journalFolder: string;
  /** Folder of the run record; `undefined`: it is not kept. */
  readonly recordFolder: string | undefined;
  /** Folder of the locks of nonce scopes; `undefined`: the user's own folder. */
  readonly lockFolder: string | undefined;
  readonly stop: StopSignal;
  readonly codeOf?: EndCode['codeOf'];
  /** A position that is of no strategy is accepted as nobody's, this once. */
  readonly acceptsDifference?: boolean | undefined;
  /** Absent: this machine. With it the whole run follows from the seed. */
  readonly machine?: SimulatedMachine | undefined;
  /** Monotonic ms at which the command began. */
  readonly beganAtMs: number;
  /** Gets wallets once the environment is known. */
  readonly signers: (environment: Environment, crypto: Crypto) => Promise<Signers>;
  /** Is given what the run leaves for reports, when its end is proven or has failed. */
  readonly onRecord?: RecordTaker | undefined;
  /** Cancels what the run leaves when it does not end itself; absent: the switch alone does. */
  readonly guard?: RunGuard | undefined;
  /** How many lines of the log could not be written so far; absent: none. */
  readonly lostLines?: (() => number) | undefined;
  /** Looks at what the start needs before it; rejects with what keeps the run from starting. */
  readonly ready?: (opened: Examination['opened']) => Promise<void>;
  /** Shows the run; the function it returns takes the view down. */
  readonly show: (status: () => RunStatus) => () => void;
}

/** Runs until the stop is asked for, and proves the end, with everything at hand that comes from files. @throws what keeps a run from starting. */
export async function runPrepared(given: RunOptions, prepared: Prepared): Promise<RunReport> {
  const seed = given.seed ?? freshSeed();
  const runId = runIdOf(given.clock, given.machine === undefined ? freshSeed() : seed);
  const door = runDoorOf(given, { runId, name: instanceOf(given.source.config) });
  const options = door === undefined ? given : { ...given, log: door.log };
  const { signer, skipped } = prepared.crypto;
  options.log.info('signing back end', { signer, skipped });
  if (prepared.structs !== undefined)
    options.log.info('signed structs', { structs: describeOperatorStructs(prepared.structs) });
  const recording = openRecording(options, runId);
  const endKeeping = keepTidy(options, runId);
  let report: RunReport;
  try {
    report = await behindDoor(
      door,
      () => runRecorded(options, prepared, { seed, runId, recording, door }),
      (ended) => ended,
      given,
    );
  } finally {
    endKeeping();
    await recording?.close();
  }
  const notRecorded = recording?.lost();
  return notRecorded === undefined ? report : { ...report, notRecorded };
}

/** A run that is connected. */
interface Connected extends Begun {
  readonly meter: CountedMetrics;
  readonly sharing: SharedBudget | undefined;
  readonly environment: Environment;
}

interface Begun {
  readonly seed: number;
  readonly runId: string;
  readonly recording: RunRecording | undefined;
  /** Where a person reaches the run. */
  readonly door: Operation | undefined;
}

async function runRecorded(options: RunOptions, prepared: Prepared, begun: Begun): Promise<RunReport> {
  const meter = createMetrics();
  return await withSeat(options, begun.runId, async (sharing) => {
    const environment = await connectRun(options, prepared, { ...begun, meter, sharing });
    return await runConnected(options, prepared, { ...begun, meter, sharing, environment });
  });
}

/** With the environment that the bot trades on. */
async function runConnected(
  options: RunOptions,
  prepared: Prepared,
  { seed, runId, recording, door, meter, sharing, environment }: Connected,
): Promise<RunReport> {
  const { source, clock, log, stop } = options;
  const { strategies, crypto } = prepared;
  // What the proof reads does not count for the bot.
  const reader = await connectRun(options, prepared, {
    ...{ seed, recording, meter: silentMeter },
    beside: environment,
  });
  const runLog = options.machine === undefined ? recording?.openLog() : options.machine.runLog;
  const { collateralDecimals } = environment.info;
  const collecting = collectRun(options, { seed, runId, strategies, collateralDecimals });
  try {
    const signers = await options.signers(environment, crypto);
    const { structs } = prepared.structs ?? {};
    const { name: environmentName } = source.config.environment;
    const about = {
      runId,
      name: instanceOf(source.config),
      mode: options.mode,
      environment: environmentName,
    };
    options.guard?.begin({
      ...{ ...signers, structs, signer: crypto.signer, door: door?.door },
      alerts: alertPlanOf(source.config, about),
    });
    const signingAccountId = await checkAccount(reader, signers.selection);
    // It has read the markets after the other one: the later table says what is open (obligation O10).
    checkMarkets(
      reader,
      source.config.markets.map(({ symbol }) => symbol),
    );
    const { wallets } = signers;
    await options.ready?.({ environment: reader, crypto, wallets, signingAccountId });
    const baseline = await readBaseline(reader, signers.selection);
    const live = await startLiveBot({
      ...options,
      ...signers,
      config: source.config,
      environment,
      crypto,
      random: seededRandom(seed),
      meter,
      strategies,
      runId,
      instance: instanceOf(source.config),
      formerInstance: formerInstanceOf(source.config),
      ...(runLog === undefined
        ? {}
        : { keptLog: keptLogOf(options, runLog, { environment, strategies, seed }) }),
      ...(recording === undefined ? {} : { recording }),
      ...(collecting === undefined ? {} : { collector: collecting.collector }),
      onAudit: (event) => door?.keep(event),
      reachedAs: door === undefined ? undefined : instanceOf(source.config),
      onHalt: (why, code) => stop.request({ by: 'halt', why, ...(code === undefined ? {} : { code }) }),
    });
    const files = runFilesOf(options, live.lanes.journal, runId);
    letActionsIn(door, {
      ...{ bot: live.bot, strategies, journal: live.lanes.journal, limits: live.limits, meter },
      ...{ guard: options.guard, counts: live.counts, explain: files?.explain, sharing },
      ...{ progress: collecting?.collector.progress, lanes: () => live.lanes.executor.lanes() },
      signers: () => live.lanes.signers(),
    });
    log.info('strategies may quote', { afterMs: Math.round(clock.monotonicMs() - options.beganAtMs), runId });
    const takeDown = options.show(() => runStatusOf(live.bot, clock.monotonicMs() - options.beganAtMs));
    const reason = await stop.requested;
    const isAdopting = source.config.account.orphanPositions === 'adopt';
    const { guard } = options;
    const ended = await endRun({
      ...{ live, reader, baseline, isAdopting, clock, reason, log, takeDown, guard },
      ...{ selection: signers.selection, stop: source.config.stop },
    }).finally(() => collecting?.finish());
    await files?.end({ ended, reader, selection: signers.selection, baseline });
    meter.count('log_lines_lost_total', options.lostLines?.() ?? 0);
    return reportOf({
      ...{ options, crypto, live, ended, reason, seed, collateralDecimals },
      metrics: meter.snapshot(),
    });
  } finally {
    await runLog?.close();
    await reader.gateway.close();
    await environment.gateway.close();
  }
}

/** No two runs of a bot have the same: intent ids begin with it. */
export function runIdOf(clock: Clock, seed: number): string {
  const chance = seededRandom(`${seed} run`).integer(0, 46_655);
  return `${clock.nowMs().toString(36)}${chance.toString(36).padStart(3, '0')}`;
}

/** The tape of a run, unless nothing is recorded. */
export function openRecording(
  {
    source,
    recordFolder,
    clock,
    log,
    mode,
  }: Pick<RunOptions, 'source' | 'recordFolder' | 'clock' | 'log' | 'mode'>,
  runId: string,
): RunRecording | undefined {
  if (!source.config.record.enabled || recordFolder === undefined) return undefined;
  const description = `run ${runId} (${mode}) of ${instanceOf(source.config)}`;
  return openRunRecording({ folder: join(recordFolder, runId), clock, log, description });
}

function keptLogOf(
  { source, mode }: RunOptions,
  writer: RunLogWriter,
  {
    environment,
    strategies,
    seed,
  }: { environment: Environment; strategies: readonly PreparedStrategy[]; seed: number },
): KeptLog {
  const { config, text } = source;
  const { collateralDecimals } = environment.info;
  return {
    writer,
    strategies,
    about: { mode, seed, collateralDecimals, config: { file: config.file, text } },
  };
}

function reportOf(parts: {
  readonly options: RunOptions;
  readonly crypto: Crypto;
  readonly live: LiveBot;
  readonly ended: Ended;
  readonly reason: StopReason;
  readonly seed: number;
  readonly collateralDecimals: number;
  readonly metrics: MetricsSnapshot;
}): RunReport {
  const { options, crypto, live, ended, reason, seed, collateralDecimals, metrics } = parts;
  const { counts } = live;
  return {
    schema: 1,
    mode: options.mode,
    environment: options.source.config.environment.name,
    market: options.market,
    durationMs: Math.round(options.clock.monotonicMs() - options.beganAtMs),
    timeToFirstQuoteMs:
      counts.firstQuoteAtMs === undefined ? null : Math.round(counts.firstQuoteAtMs - options.beganAtMs),
    replaces: counts.replaces,
    ordersPlaced: counts.ordersPlaced,
    ordersCanceled: counts.ordersCanceled,
    ...ended.proof,
    openOrdersProof: ended.openOrdersProof.isProven ? 'proven' : ended.openOrdersProof.why,
    unresolved: ended.unresolved,
    ...positionsHeld(ended.proof),
    switch: { armed: counts.armed, fired: counts.fired },
    signer: crypto.signer,
    seed,
    strategies: strategiesOf(live.bot, { collateralDecimals, marks: ended.marks }),
    ...unownedOf(live.bot),
    ...(ended.halts.length === 0 ? {} : { halts: ended.halts }),
    stopReason: describeStop(reason),
    metrics,
  };
}
