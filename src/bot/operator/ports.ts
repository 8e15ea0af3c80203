/** @module What the door needs of a run, and what it writes down of one. The room `bot/live` joins them. */
import type { Audit, Clock, Log } from '../../core/index.ts';
import type { Bot, BotStatus, Instruction } from '../kernel/index.ts';
import type { Kept, KeptEvent, KeptLine } from './kept.ts';

/** Which run it is. */
export interface RunAbout {
  readonly runId: string;
  /** Name of the bot: `name` of the configuration, else that of its file. */
  readonly name: string;
  readonly mode: 'demo' | 'sim' | 'live' | 'paper';
  /** Name of the environment. */
  readonly environment: string;
  /** The configuration, absolute. */
  readonly config: string;
  /** Folder of the run, absolute. */
  readonly folder: string;
  readonly processId: number;
  /** Unix ms. */
  readonly startedAtMs: number;
}

/** What a person may ask of a bot while it runs: each is a call that its log keeps. */
export type OperatedBot = Pick<
  Bot,
  'account' | 'status' | 'setTrading' | 'flatten' | 'cancelAll' | 'setParameters'
>;

/** Metrics of the run by their names in `METRICS` of core. */
export interface CountedFigures {
  readonly counters: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number | undefined>>;
  readonly summaries: Readonly<
    Record<string, { readonly count: number; readonly sum: number; readonly max: number } | undefined>
  >;
}

/** What is known of a run beside its bot. Each is read when it is asked for. */
export interface RunFigures {
  counted(): CountedFigures;
  /** Of the disk of the journal; `undefined`: not known, or the run has none. */
  freeDiskBytes(): number | undefined;
  guardian(): 'none' | 'watching' | 'gone';
}

/** A run at one instant, for who judges it. */
export interface RunView {
  readonly about: RunAbout;
  /** `undefined`: it starts. */
  readonly status: BotStatus | undefined;
  readonly figures: RunFigures | undefined;
  /** With less free space than this the disk of the journal is low. */
  readonly lowDiskBytes: number;
  readonly nowMs: number;
}

/** A bot that has started, and what else actions work on. */
export interface StartedRun {
  readonly bot: OperatedBot;
  readonly figures: RunFigures;
  /** The rows of the journal. */
  readonly audit: Audit;
  /** Names of the parameters that a strategy takes, for what is misspelt; empty: not known. */
  parametersOf(strategyId: string): readonly string[];
}

/** A run as its door sees it. */
export interface OperatedRun {
  readonly about: RunAbout;
  readonly clock: Clock;
  readonly log: Log;
  /** `undefined`: it starts. */
  started(): StartedRun | undefined;
  /** Ends the run in order, once. */
  stop(order: Instruction): void;
  /** Lines of the log. */
  readonly lines: Kept<KeptLine>;
  /** Rows of the journal that explain decisions. */
  readonly events: Kept<KeptEvent>;
}
