/**
 * @module
 * One life of the bot's process: a whole run with a clock, a stop and a log of its own, which can die at any instant.
 * What it leaves is on the disk; what it does after its death reaches nobody.
 */

import type { Executor } from '../../src/bot/execution/index.ts';
import type { Journal } from '../../src/bot/journal/index.ts';
import type { Bot } from '../../src/bot/kernel/index.ts';
import type { AttestFacts } from '../../src/bot/live/attest/document.ts';
import type { StopSignal } from '../../src/bot/live/index.ts';
import { type RunOptions, runPrepared } from '../../src/bot/live/run.ts';
import { stopAfter } from '../../src/bot/live/stop-signal.ts';
import type { TradingScope } from '../../src/bot/risk/index.ts';
import { assert, type Fields, type Log, type VirtualClock } from '../../src/core/index.ts';
import type { MarketSymbol } from '../../src/domain/index.ts';
import type { SimulationDisk } from './disk.ts';
import { LifeClock, type MachineTime } from './life-clock.ts';
import type { SimulationNetwork } from './network.ts';
import type { BotProgram, SightWithoutTime } from './parts.ts';
import type { LifeSigners } from './signers.ts';
import type { BotView, Life, Sight } from './types.ts';
import { RedItems, viewOf } from './view.ts';

type LifeEvent = Extract<Sight, { readonly kind: 'life' }>['what'];

/** What a life is made of. */
export interface LifeParts {
  readonly number: number;
  readonly program: BotProgram;
  readonly world: VirtualClock;
  readonly machine: MachineTime;
  readonly network: SimulationNetwork;
  readonly disk: SimulationDisk;
  readonly signers: LifeSigners;
  readonly tell: (sight: SightWithoutTime) => void;
}

/** See the module. */
export class LifeRun implements Life {
  readonly number: number;
  readonly clock: LifeClock;
  state: Life['state'] = 'starting';
  report: unknown;
  failure: Error | undefined;
  attestFacts: AttestFacts | undefined;
  readonly #parts: LifeParts;
  readonly #stop: StopSignal;
  readonly #red = new RedItems();
  #bot: Bot | undefined;
  #view: BotView | undefined;

  constructor(parts: LifeParts) {
    this.#parts = parts;
    this.number = parts.number;
    this.clock = new LifeClock(parts.world, parts.machine);
    this.#stop = this.#stopSignal();
  }

  /** Begins. */
  start(): void {
    const { program, disk } = this.#parts;
    this.#tell('started');
    const isFirst = disk.rowCount === 0;
    const journal = this.#openJournal();
    if (journal === undefined) return;
    runPrepared(this.#options(journal, isFirst), program).then(
      (report) => this.#over('ended', report, undefined),
      (thrown: unknown) => this.#over(this.state === 'starting' ? 'refused' : 'failed', undefined, thrown),
    );
  }

  view(): BotView | undefined {
    return this.#view;
  }

  /** Looks at the health, unless the process stands. */
  look(): void {
    if (this.#bot !== undefined && this.state !== 'over' && !this.clock.isPaused)
      this.#red.look(this.#bot, this.#parts.world.monotonicMs());
  }

  #redNow(): BotView['red'] {
    this.look();
    return this.#red.list();
  }

  /** SIGTERM: heard when the process runs. */
  terminate(): void {
    this.clock.deliver(() => this.#stop.request({ by: 'signal', signal: 'SIGTERM' }));
  }

  /** `ballast resume`: heard when the process runs. */
  letTrade(scope: TradingScope): void {
    this.clock.deliver(() =>
      this.#bot?.setTrading(scope, 'active', { actor: 'operator', reason: 'looked at' }),
    );
  }

  /** SIGKILL. */
  kill(why: string): void {
    assert(this.state !== 'over', 'a life that is not over');
    this.#tell('killed', why);
    this.clock.kill();
    this.state = 'over';
  }

  /** A journal that cannot be believed or written ends the life before it begins. */
  #openJournal(): Journal | undefined {
    const { disk, tell } = this.#parts;
    const life = this.number;
    try {
      return disk.open(this.clock, {
        onRow: (kind, row) => {
          if (!this.clock.isDead) tell({ kind, life, ...row });
        },
        onAudit: (event) => {
          if (!this.clock.isDead) tell({ kind: 'audit', life, event });
        },
        onTailTorn: (rows) => tell({ kind: 'tailTorn', life, rows }),
      });
    } catch (thrown) {
      this.#over('refused', undefined, thrown);
      return undefined;
    }
  }

  #over(what: 'ended' | 'refused' | 'failed', report: unknown, thrown: unknown): void {
    if (this.clock.isDead) return;
    this.report = report;
    if (thrown !== undefined) this.failure = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#stop.dispose();
    this.#tell(what, this.failure?.message);
    this.clock.kill();
    this.state = 'over';
    this.#parts.network.hangUp(this.number);
  }

  /** As the run's own, but it tells when the stop begins. */
  #stopSignal(): StopSignal {
    const stop = stopAfter(this.clock, undefined);
    return {
      get reason() {
        return stop.reason;
      },
      requested: stop.requested,
      dispose: () => stop.dispose(),
      request: (reason) => {
        if (stop.reason !== undefined || this.clock.isDead) return;
        if (this.state === 'running') this.state = 'stopping';
        this.#tell('stopping', reason.by === 'halt' ? reason.why : reason.by);
        stop.request(reason);
      },
    };
  }

  #options(journal: Journal, isFirst: boolean): RunOptions {
    const { program, network, disk, signers } = this.#parts;
    return {
      mode: 'sim',
      market: 'synthetic',
      source: program.source,
      baseUrl: 'http://in.process',
      clock: this.clock,
      log: this.#log({}),
      seed: program.seed * 1_000 + this.number,
      journalFolder: '',
      recordFolder: undefined,
      lockFolder: undefined,
      stop: this.#stop,
      machine: {
        journal,
        newTransport: () => network.connect(this),
        strategyStore: disk.strategyStore,
        ...(isFirst ? {} : { earlierRecords: () => disk.records() }),
        onAttestFacts: (facts) => {
          this.attestFacts = facts;
        },
        onBot: (bot, executor) => this.#noteBot(bot, executor, journal),
      },
      beganAtMs: this.clock.monotonicMs(),
      signers: (environment, crypto) => signers.of({ environment, crypto, clock: this.clock }),
      show: () => {
        if (this.state === 'starting') this.state = this.#stop.reason === undefined ? 'running' : 'stopping';
        this.#tell('ready');
        return () => undefined;
      },
    };
  }

  #noteBot(bot: Bot, executor: Executor, journal: Journal): void {
    const symbols = this.#parts.program.source.config.markets.map(({ symbol }) => symbol as MarketSymbol);
    this.#bot = bot;
    this.#view = viewOf({ bot, executor, journal, symbols, red: () => this.#redNow() });
  }

  #tell(what: LifeEvent, why?: string): void {
    if (this.clock.isDead) return;
    this.#parts.tell({ kind: 'life', life: this.number, what, ...(why === undefined ? {} : { why }) });
  }

  #log(fixed: Fields): Log {
    const say =
      (level: 'info' | 'warn' | 'error') =>
      (message: string, fields: Fields = {}): void => {
        if (this.clock.isDead) return;
        this.#parts.tell({ kind: 'log', life: this.number, level, message, fields: { ...fixed, ...fields } });
      };
    return {
      debug: () => undefined,
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      child: (fields) => this.#log({ ...fixed, ...fields }),
    };
  }
}
