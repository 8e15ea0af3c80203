/**
 * @module
 * A run with its door: it is put on the list of runs, gets its token, and is reached from outside from before its first
 * quote to after its last cancel.
 */
import { type AuditEvent, BotError, type Clock, type Log, messageOf, runAction } from '../../core/index.ts';
import type { Dashboard } from '../dashboard/index.ts';
import type { Instruction } from '../kernel/index.ts';
import { OPERATOR_ACTIONS } from './actions.ts';
import { newToken, removeControl, writeControl } from './control-file.ts';
import type { Door, DoorPlace } from './door.ts';
import type { GuardedDoor } from './guardian-door.ts';
import { Kept, type KeptEvent, type KeptLine, keepingLog } from './kept.ts';
import { operatorOpenApi } from './openapi.ts';
import type { AlertBoard, OperatedRun, RunAbout, RunEnd, RunView, StartedRun } from './ports.ts';
import { PROBES } from './probes.ts';
import { OPERATOR_READS } from './reads.ts';
import { formerEnd, listRun } from './run-list.ts';

/** What a door is opened for. */
export interface OperationOptions {
  readonly about: RunAbout;
  readonly clock: Clock;
  readonly log: Log;
  /** `undefined`: it has no door. */
  readonly place: DoorPlace | undefined;
  /** Makes who tells people of the run; `view` is the run at the moment of the call. */
  readonly alerts?: ((log: Log, view: () => RunView) => AlertBoard) | undefined;
  /** With less free space than this the disk of the journal is low. */
  readonly lowDiskBytes: number;
  /** Folder of the list of runs. */
  readonly runsFolder: string;
  /** Ends the run in order. */
  stop(order: Instruction): void;
}

/** A run that can be reached. */
export interface Operation {
  /** The log of the run: what is written to it can be read at the door. */
  readonly log: Log;
  /** What the guardian needs for a door of its own. */
  readonly door: GuardedDoor;
  /** Keeps a row of the journal for readers. */
  keep(event: AuditEvent): void;
  /** Opens the door. @throws ConfigError `CONFIG_PORT_IN_USE`. */
  open(): Promise<void>;
  /** Actions are taken from now on. */
  began(started: StartedRun): void;
  /** Closes the door; `end` as it is listed and told. Again, this does nothing. */
  close(end: Omit<RunEnd, 'atMs'>): void;
  /** Resolves when people have been told of the end, or it took too long. */
  told(): Promise<void>;
}

/** The end of a run waits for its last alerts so long, ms. */
const TOLD_MS_MAX = 3_000;
const LINES_MAX = 2_000;
const EVENTS_MAX = 5_000;

/** Makes a run reachable. Nothing of the disk or the network is touched before {@link Operation.open}. */
export function operate(options: OperationOptions): Operation {
  return new RunOperation(options);
}

class RunOperation implements Operation {
  readonly log: Log;
  readonly door: Operation['door'];
  readonly #options: OperationOptions;
  readonly #run: OperatedRun;
  readonly #events = new Kept<KeptEvent>(EVENTS_MAX);
  #dashboard: Dashboard | undefined;
  #started: StartedRun | undefined;
  readonly #board: AlertBoard | undefined;
  #door: Door | undefined;
  #isClosed = false;

  constructor(options: OperationOptions) {
    const { about, clock } = options;
    const lines = new Kept<KeptLine>(LINES_MAX);
    this.#options = options;
    this.log = keepingLog(options.log, lines, () => clock.nowMs());
    const { runsFolder } = options;
    this.door = { runId: about.runId, folder: about.folder, token: newToken(), runsFolder };
    this.#board = options.alerts?.(this.log, () => this.#view());
    this.#run = {
      ...{ about, clock, log: this.log, lines, events: this.#events, board: this.#board },
      started: () => this.#started,
      stop: (order) => options.stop(order),
    };
  }

  keep(event: AuditEvent): void {
    this.#events.add(event);
  }

  async open(): Promise<void> {
    const { about, place, runsFolder, clock } = this.#options;
    if (place === undefined) return;
    const { openDoor } = await import('./door.ts');
    const { createDashboard } = await import('../dashboard/index.ts');
    const { reportPath, runRows } = await import('./site.ts');
    const dashboard = createDashboard({
      ...{ run: about, clock, log: this.log, events: this.#events, lines: this.#run.lines },
      started: () => this.#started,
    });
    this.#dashboard = dashboard;
    const { token, folder } = this.door;
    this.#door = await openDoor({
      ...{ ...place, token, log: this.log, document: operatorOpenApi() },
      probes: new Map(PROBES.map(({ name, answer }) => [`/${name}`, () => answer(this.#view())])),
      reads: [...OPERATOR_READS.map(({ name }) => name), 'runs', 'view'],
      actions: OPERATOR_ACTIONS.map(({ name }) => name),
      read: (name, query) =>
        name === 'runs'
          ? { runs: runRows(runsFolder) }
          : name === 'view'
            ? dashboard.message()
            : (OPERATOR_READS.find((read) => read.name === name)?.run(this.#run, query) ?? {}),
      act: (name, body) => this.#act(name, body),
      dashboard,
      report: (runId) => reportPath(runsFolder, runId, dashboard),
    });
    const { baseUrl } = this.#door;
    this.#onDisk(() => {
      writeControl(folder, 'control', { runId: about.runId, baseUrl, token });
      listRun(runsFolder, about);
    });
    this.log.info('the door of the run is open', { baseUrl, folder });
  }

  began(started: StartedRun): void {
    this.#started = started;
    const { about, runsFolder } = this.#options;
    this.#board?.began(formerEnd(runsFolder, about));
  }

  close(end: Omit<RunEnd, 'atMs'>): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#board?.ended(end);
    const { about, runsFolder, clock } = this.#options;
    this.#dashboard?.close();
    this.#door?.close();
    if (this.#door === undefined) return;
    this.#onDisk(() => {
      removeControl(about.folder, 'control');
      const ended: RunEnd = { atMs: clock.nowMs(), ...end };
      listRun(runsFolder, { ...about, ended });
    });
  }

  async told(): Promise<void> {
    await this.#board?.told(TOLD_MS_MAX);
  }

  #view(): RunView {
    const { about, clock, lowDiskBytes } = this.#options;
    const started = this.#started;
    return {
      ...{ about, lowDiskBytes, nowMs: clock.nowMs() },
      ...{ status: started?.bot.status(), figures: started?.figures },
      alerts: this.#board?.document(),
    };
  }

  async #act(name: string, body: unknown): Promise<object> {
    const action = OPERATOR_ACTIONS.find((one) => one.name === name);
    try {
      if (action === undefined) return {};
      const done = await runAction<OperatedRun>(action, this.#run, body);
      this.log.info('an action of a person', { asked: body, ...done });
      return done;
    } catch (thrown) {
      if (thrown instanceof BotError) this.#refused(name, body, thrown);
      throw thrown;
    }
  }

  /** What was asked and not done stands in the journal, too. */
  #refused(action: string, asked: unknown, { code, message }: BotError): void {
    const fields = { action, asked, code, message };
    this.#started?.audit.record({ type: 'ActionRefused', atMs: this.#options.clock.nowMs(), fields });
    this.log.warn('an action of a person is refused', fields);
  }

  /** A disk that fails takes the commands away from people and nothing from the run. */
  #onDisk(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.log.error('the run cannot be found by commands: its files could not be written', {
        error: messageOf(cause),
      });
    }
  }
}
