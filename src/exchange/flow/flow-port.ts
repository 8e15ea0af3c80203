/**
 * @module
 * What background participants see of the exchange: accounts without signatures, the same log as all other accounts. A
 * flow acts at block boundaries only, so that a run depends on the seed and not on the machine. What this does not
 * do: invent participants; see `flow/`.
 *
 *   block boundary ─▶ venue.beginBlock ─▶ timers of the flow that are due ─▶ flow.onBlock ─▶ frames of the block
 */
import type { Random, Timer, UnixMs } from '../../core/index.ts';
import type { CanonicalCommand, Quantums } from '../../domain/index.ts';
import type {
  CommandOutcome,
  VenueAccount,
  VenueEvent,
  VenueLevels,
  VenueMarketView,
  VenueOrder,
  VenuePosition,
} from '../engine/index.ts';

/** The exchange as a flow sees it. All calls are synchronous; each write is its own log entry. */
export interface FlowHost {
  /** Length of a block in ms. */
  readonly blockMs: number;
  /** A generator of this flow's own, independent of all others: depends on the seed of the exchange and `name` only. */
  random(name: string): Random;
  /** Time of the current block in Unix ms. */
  nowMs(): UnixMs;
  /** The highest log position used so far. */
  seq(): number;

  /** Makes an account that belongs to no wallet and puts `cash` quantums into it; gives its number. */
  createAccount(cash: Quantums): number;
  /** Adds `cash` quantums to one of the flow's accounts: a deposit like any other, with its ledger entry. */
  deposit(account: number, cash: Quantums): void;
  /** Executes `command` for one of the flow's accounts as a separate log entry; its events reach every subscriber. */
  submit(command: CanonicalCommand): CommandOutcome;
  /** Sets the index (oracle) price of a market in ticks, above zero. */
  setIndexPrice(market: number, indexTicks: number): void;
  /** Changes the status of a market, such as `Active` or `Paused`. */
  setMarketStatus(market: number, status: string): void;

  /** All markets, in the order of the settings. */
  markets(): readonly VenueMarketView[];
  /** One market by its `signingMarketId`. */
  marketView(market: number): VenueMarketView;
  /** Best levels first, at most `depth` a side. */
  book(market: number, depth: number): { readonly bids: VenueLevels; readonly asks: VenueLevels };
  /** Current state of an account. */
  account(account: number): VenueAccount;
  /** Open positions of an account. */
  positions(account: number): readonly VenuePosition[];
  /** Open orders of one account, oldest first. */
  openOrders(account: number): readonly VenueOrder[];

  /** Calls `action` at the first block boundary at or after `atMs`; in order of time, then of creation. */
  at(atMs: number, action: () => void): Timer;
}

/** A source of background activity, attached with `Exchange.attachParticipants`. */
export interface Participants {
  /** Names it in logs and gives its random numbers their own stream. */
  readonly name: string;
  /** What makes the same flow again, in a snapshot; absent: what it plays is outside of the exchange. */
  readonly recipe?: object;
  /** Called once, at attachment, inside a block: make accounts, first prices, first orders. */
  start(host: FlowHost): void;
  /** Called at each block boundary, after the timers that are due. */
  onBlock?(host: FlowHost, blockAtMs: UnixMs): void;
  /** Called with the events of every log entry of the block, its own included, just before `onBlock`. */
  onEvents?(host: FlowHost, events: readonly VenueEvent[]): void;
  /** Called once, when the exchange stops. */
  stop?(): void;
}
