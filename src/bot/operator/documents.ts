/** @module The documents that the door of a run gives. All are JSON: what is not there is left out; amounts are decimal text. */
import type { FeedMessage } from '../dashboard/index.ts';
import type { BotStatus, HaltStatus } from '../kernel/index.ts';
import type { KeptEvent, KeptLine, Page } from './kept.ts';
import type { AlertsDocument, RunAbout, SharedFigures, SignerFigures } from './ports.ts';
import type { ListedRun } from './run-list.ts';

/** Which run, and what it is doing. */
export type RunDocument = RunAbout & Pick<BotStatus, 'reasons' | 'halts'> & { readonly state: string };

type Market = BotStatus['markets'][number];

/** A position and who holds it. */
export interface PositionRow
  extends Pick<Market, 'symbol' | 'position' | 'averagePrice' | 'mark' | 'unrealized' | 'unowned'> {
  /** Signed size by strategy. */
  readonly byStrategy: Readonly<Record<string, string | undefined>>;
}

/** A run of the list with what it is doing, as far as that is known without asking it. */
export type RunRow = ListedRun & {
  readonly state: 'ended' | 'goes on' | 'died';
  readonly hasReport: boolean;
};

/** The bot, and what is known of the run beside it. */
export type StatusDocument = BotStatus & {
  /** Budgets of requests that bots of this machine share; empty: none. */
  readonly budgets: readonly SharedFigures[];
  /** Keys of wallets that are elsewhere; empty: none is. */
  readonly signers: readonly SignerFigures[];
};

/** The document of each read; while a run starts, all but `run`, `runs` and pages hold nothing but its state. */
export interface ReadDocuments {
  readonly run: RunDocument;
  readonly status: StatusDocument;
  readonly orders: { readonly orders: readonly ({ readonly symbol: string } & Market['orders'][number])[] };
  readonly positions: Pick<BotStatus, 'equity' | 'pnl'> & { readonly positions: readonly PositionRow[] };
  readonly fills: Pick<BotStatus, 'fills'>;
  readonly health: BotStatus['health'] &
    Pick<BotStatus, 'switch' | 'unresolved'> &
    Pick<StatusDocument, 'signers'>;
  readonly alerts: AlertsDocument;
  readonly events: Page<KeptEvent>;
  readonly logs: Page<KeptLine>;
  /** As `ballast explain --json` prints it. */
  readonly explain: object;
  readonly runs: { readonly runs: readonly RunRow[] };
  /** All that the dashboard shows. */
  readonly view: FeedMessage;
}

/** The answer of an action. */
export interface ActionAnswer {
  readonly action: string;
  /** `account`, a market or a strategy. */
  readonly scope: string;
  /** State of the scope, or value of the parameter, before the action. */
  readonly before: unknown;
  /** The same after it. */
  readonly after: unknown;
  /** True if the effect is there: nothing is left that {@link ActionAnswer.waitsFor} would name. */
  readonly isConfirmed: boolean;
  /** What the effect still waits for. */
  readonly waitsFor: readonly string[];
  /** What is halted now until a person resumes it. */
  readonly halts: readonly HaltStatus[];
}
