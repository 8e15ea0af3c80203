/** @module What the door needs of a run, and what it writes down of one. The room `bot/live` joins them. */
import type { Audit, Clock, Log } from '../../core/index.ts';
import type { ViewSources } from '../dashboard/index.ts';
import type { Bot, BotStatus, Instruction } from '../kernel/index.ts';
import type { Kept, KeptEvent, KeptLine } from './kept.ts';

/** How a run ended. */
export interface RunEnd {
  /** Unix ms. */
  readonly atMs: number;
  readonly reason: string;
  /** True if it is proven that no order is open and all accounts agree. */
  readonly isProven: boolean;
  /** Exit code; absent: not known. */
  readonly code?: number;
  /** True: it ended since somebody asked for it. */
  readonly isAsked?: boolean;
  /** What a control had halted by then until a person resumes it, in words; absent: nothing. */
  readonly halted?: string;
}

/** Which run it is. */
export interface RunAbout {
  readonly runId: string;
  /** Name of the bot: `name` of the configuration, else that of its file. */
  readonly name: string;
  readonly mode: 'demo' | 'sim' | 'live' | 'paper';
  /** Name of the environment. */
  readonly environment: string;
  /** The account, subaccount or vault that is traded, for people; absent: one of an exchange of its own, or none. */
  readonly account?: string;
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
  'account' | 'markets' | 'status' | 'setTrading' | 'flatten' | 'cancelAll' | 'setParameters'
>;

/** Metrics of the run by their names in `METRICS` of core. */
export interface CountedFigures {
  readonly counters: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number | undefined>>;
  readonly summaries: Readonly<
    Record<string, { readonly count: number; readonly sum: number; readonly max: number } | undefined>
  >;
}

/** A budget of requests, and who of this machine uses it: each may take an equal share of what is no reserve. */
export interface SharedFigures {
  /** `ip`: all requests of this machine. `account`: the writes of the account. */
  readonly budget: 'ip' | 'account';
  /** How many share it, this run among them. */
  readonly sharers: number;
  /** The others. */
  readonly with: readonly { readonly name: string; readonly runId: string }[];
}

/** A signer elsewhere: a process or a service that has the key of a wallet. */
export interface SignerFigures {
  readonly wallet: string;
  /** The lane that it signs for. */
  readonly lane: string;
  /** `slow`: its newest signature failed, or orders wait for it. `down`: its lane is halted until it signs again. */
  readonly kind: 'up' | 'slow' | 'down';
  /** Why it did not sign the last time; absent: it did. */
  readonly why?: string | undefined;
  /** When it first failed of the failures that it has not signed since, Unix ms; absent: it signs. */
  readonly sinceMs?: number | undefined;
  /** Times of its newest 200 signatures, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Signatures, and requests for one that failed. */
  readonly signed: number;
  readonly failed: number;
}

/** What is known of a run beside its bot. Each is read when it is asked for. */
export interface RunFigures {
  counted(): CountedFigures;
  /** Of the disk of the journal; `undefined`: not known, or the run has none. */
  freeDiskBytes(): number | undefined;
  guardian(): 'none' | 'watching' | 'gone';
  /** How often the dead man's switch has fired. */
  switchFirings(): number;
  /** Empty: the run shares no budget, as it asks no gateway. */
  budgets(): readonly SharedFigures[];
  /** Empty: all keys are in the process of the run. */
  signers(): readonly SignerFigures[];
}

/** An alert that is not over. */
export interface ActiveAlert {
  /** Of this run, from 1 on. */
  readonly id: number;
  readonly kind: string;
  readonly about: string;
  readonly severity: string;
  readonly text: string;
  /** Unix ms. */
  readonly sinceMs: number;
  /** Who does; absent: nobody. */
  readonly acknowledgedBy?: string;
}

/** What a channel of alerts has done so far. */
export interface ChannelFigures {
  readonly name: string;
  readonly kind: string;
  /** Alerts that were taken by the other side. */
  readonly sent: number;
  /** Alerts that were given up, since too many waited or the other side did not take them. */
  readonly dropped: number;
  /** Requests that failed. */
  readonly failures: number;
  /** Alerts that wait. */
  readonly waiting: number;
  /** Why the last request failed; absent: it did not. */
  readonly lastError?: string;
}

/** Active alerts, and what their channels have done. */
export interface AlertsDocument {
  readonly active: readonly ActiveAlert[];
  readonly channels: readonly ChannelFigures[];
  /** Absent: there is none. */
  readonly heartbeat?: { readonly sent: number; readonly failures: number; readonly sentAtMs?: number };
}

/** Tells people of a run; another room implements it. */
export interface AlertBoard {
  /** The run trades. `former`: how the run before it ended, if not in order. */
  began(former: string | undefined): void;
  /** The run has ended. */
  ended(end: Omit<RunEnd, 'atMs'>): void;
  /** Resolves when all is told, or after this time; nothing is told from then on. */
  told(withinMs: number): Promise<void>;
  /** Repeats alerts no more until they are over; gives their names. */
  acknowledge(which: number | 'all', actor: string): readonly string[];
  document(): AlertsDocument;
}

/** A run at one instant, for who judges it. */
export interface RunView {
  readonly about: RunAbout;
  /** `undefined`: it starts. */
  readonly status: BotStatus | undefined;
  readonly figures: RunFigures | undefined;
  /** With less free space than this the disk of the journal is low. */
  readonly lowDiskBytes: number;
  readonly alerts: AlertsDocument | undefined;
  readonly nowMs: number;
}

/** A bot that has started, what else actions work on, and what else is shown of it. */
export interface StartedRun extends Omit<ViewSources, 'bot'> {
  readonly bot: OperatedBot;
  readonly figures: RunFigures;
  /** The rows of the journal. */
  readonly audit: Audit;
  /** Names of the parameters that a strategy takes, for what is misspelt; empty: not known. */
  parametersOf(strategyId: string): readonly string[];
  /** Answers a question about the past of the run from its journal, as `ballast explain`; absent: it keeps none. @throws BotError `EXPLAIN_...`. */
  readonly explain?: ((words: readonly string[]) => object) | undefined;
}

/** A run as its door sees it. */
export interface OperatedRun {
  readonly about: RunAbout;
  readonly clock: Clock;
  readonly log: Log;
  /** `undefined`: it starts. */
  started(): StartedRun | undefined;
  /** Who tells people of it; `undefined`: nobody. */
  readonly board: AlertBoard | undefined;
  /** Ends the run in order, once. */
  stop(order: Instruction): void;
  /** Lines of the log. */
  readonly lines: Kept<KeptLine>;
  /** Rows of the journal that explain decisions. */
  readonly events: Kept<KeptEvent>;
}
