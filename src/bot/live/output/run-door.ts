/** @module The door of a run: what of a run a person reaches while it goes on, and which run it is. */
import { join } from 'node:path';
import type { ConfigSource } from '../../../config/index.ts';
import { type Clock, isRecord, type Log, messageOf } from '../../../core/index.ts';
import type { CountedMetrics } from '../../../core/telemetry/index.ts';
import { openDesk, postByNetwork } from '../../alerts/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { Bot } from '../../kernel/index.ts';
import {
  type LaneRow,
  type Operation,
  operate,
  runsFolder,
  type SharedFigures,
  type SignerFigures,
  type ViewSources,
} from '../../operator/index.ts';
import type { PreparedStrategy } from '../../setup/index.ts';
import { identityOf } from '../bot-name.ts';
import type { SharedBudget } from '../connect/shared-budget.ts';
import type { RunGuard } from '../guard.ts';
import { haltsByControl, isProven, type RunReport } from '../proof/run-report.ts';
import type { StopSignal } from '../stop-signal.ts';
import type { WriteCounts } from '../watch/write-counts.ts';
import { alertPlanOf } from './run-alerts.ts';

/** What a door is made for. */
export interface RunDoorOptions {
  readonly mode: RunReport['mode'];
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the records of runs; `undefined`: a run that leaves nothing has no door. */
  readonly recordFolder: string | undefined;
  /** Folder of the user's state; `undefined`: the user's own. */
  readonly lockFolder: string | undefined;
  readonly stop: StopSignal;
  /** A simulated machine has nobody at its door. */
  readonly machine?: unknown;
}

/** How a run ends, for who lists and tells it. */
export interface EndCode {
  readonly stop: StopSignal;
  /** The exit code that an end means; absent: it is not known. */
  readonly codeOf?:
    | ((ended: { readonly report: RunReport } | { readonly thrown: unknown }) => number)
    | undefined;
}

/** The door of a run, not open yet; `undefined`: it has none. `name` is that of the bot. */
export function runDoorOf(
  options: RunDoorOptions,
  { runId, name }: { readonly runId: string; readonly name: string },
): Operation | undefined {
  const { source, clock, log, recordFolder, lockFolder, stop, mode, machine } = options;
  const { operator, environment, file, alerts } = source.config;
  if (recordFolder === undefined || machine !== undefined) return undefined;
  const account = identityOf(source.config);
  const plan = alertPlanOf(source.config, { runId, name, mode, environment: environment.name });
  if (!operator.enabled && plan === undefined) return undefined;
  return operate({
    ...{ clock, log, runsFolder: runsFolder(lockFolder), lowDiskBytes: alerts.lowDiskMb * 1_048_576 },
    place: operator.enabled
      ? {
          ...{ port: operator.port, address: operator.address, hosts: operator.hosts },
          hasOpenProbes: operator.openMetrics,
        }
      : undefined,
    alerts: plan && ((log, view) => openDesk(plan, { clock, log, view, post: postByNetwork })),
    about: {
      ...{ runId, name, mode, environment: environment.name, config: file },
      ...(account === undefined || mode !== 'live' ? {} : { account }),
      folder: join(recordFolder, runId),
      processId: process.pid,
      startedAtMs: clock.nowMs(),
    },
    stop: ({ actor, reason }) => stop.request({ by: 'operator', actor, reason }),
  });
}

/** Lets actions in: the bot has started. `journal`: where its rows are kept; absent: nowhere but for readers. */
export function letActionsIn(
  door: Operation | undefined,
  {
    bot,
    strategies,
    journal,
    meter,
    guard,
    counts,
    explain,
    sharing,
    signers = () => [],
    lanes,
    ...shown
  }: Omit<ViewSources, 'bot'> & {
    readonly bot: Bot;
    readonly strategies: readonly PreparedStrategy[];
    readonly journal?: Pick<Journal, 'audit' | 'status'>;
    readonly meter: CountedMetrics;
    readonly guard?: RunGuard | undefined;
    readonly counts?: Pick<WriteCounts, 'fired'>;
    /** Answers questions about the past of the run. */
    readonly explain?: ((words: readonly string[]) => object) | undefined;
    /** Who uses the request budgets, too; absent: nobody. */
    readonly sharing?: SharedBudget | undefined;
    /** How signers elsewhere fare. */
    signers?(): readonly SignerFigures[];
  },
): void {
  door?.began({
    ...{ ...shown, bot },
    ...(lanes === undefined ? {} : { lanes: () => lanes().map((row) => withSigner(row, signers())) }),
    audit: {
      record: (event) => {
        journal?.audit.record(event);
        door.keep(event);
      },
    },
    figures: {
      counted: () => meter.snapshot(),
      freeDiskBytes: () => journal?.status().freeBytes,
      guardian: () => (guard === undefined ? 'none' : guard.isWatching() ? 'watching' : 'gone'),
      switchFirings: () => counts?.fired ?? 0,
      signers,
      budgets: () => (sharing === undefined ? [] : budgetsOf(sharing)),
    },
    explain,
    parametersOf: (id) => {
      const schema = strategies.find(({ name }) => name === id)?.definition.jsonSchema() ?? {};
      return 'properties' in schema && isRecord(schema.properties) ? Object.keys(schema.properties) : [];
    },
  });
}

function withSigner(row: LaneRow, signers: readonly SignerFigures[]): LaneRow {
  const signer = signers.find(({ lane }) => lane === row.lane);
  return signer === undefined ? row : { ...row, signer };
}

function budgetsOf(sharing: SharedBudget): readonly SharedFigures[] {
  return (['ip', 'account'] as const).map((budget) => ({
    budget,
    sharers: sharing.sharers(budget),
    with: sharing.others(budget).map(({ name, runId }) => ({ name, runId })),
  }));
}

/** Works behind an open door, which ends with the work. @throws what the work throws. */
export async function behindDoor<Result>(
  door: Operation | undefined,
  work: () => Promise<Result>,
  reportOf: (result: Result) => RunReport,
  { stop, codeOf }: Pick<EndCode, 'stop' | 'codeOf'>,
): Promise<Result> {
  const withCode = (ended: Parameters<NonNullable<typeof codeOf>>[0]) => {
    const code = codeOf?.(ended);
    return code === undefined ? {} : { code };
  };
  try {
    await door?.open();
    const result = await work();
    const report = reportOf(result);
    const isAsked = stop.reason !== undefined && stop.reason.by !== 'halt';
    const halted = haltsByControl(report).map(
      ({ scope, control, reason }) => `${scope} by ${control}: ${reason}`,
    );
    door?.close({
      ...{ reason: report.stopReason, isProven: isProven(report), isAsked },
      ...(halted.length === 0 ? {} : { halted: halted.join('; ') }),
      ...withCode({ report }),
    });
    return result;
  } catch (thrown) {
    door?.close({ reason: messageOf(thrown), isProven: false, isAsked: false, ...withCode({ thrown }) });
    throw thrown;
  } finally {
    await door?.told();
  }
}
