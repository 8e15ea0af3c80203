/**
 * @module
 * The face of the venue: one deterministic state machine. Same settings, same calls, same outcomes and events, to the
 * byte. It reads no clock: time is the block time in {@link LogPosition}.
 */
import type { CanonicalCommand, CanonicalOrderId, Market, Quantums } from '../../domain/index.ts';
import type {
  BuilderFigures,
  CommandOutcome,
  LogPosition,
  MarketRules,
  VenueAccount,
  VenueEvent,
  VenueLevels,
  VenueMarketView,
  VenueOrder,
  VenuePosition,
} from './types.ts';

/** What the simulator and the paper venue drive. Unknown accounts and markets are caller's bugs (AssertionError) except inside commands. */
export interface VenueKernel {
  /** Makes an account and gives its number; numbers count up from 1. */
  createAccount(): number;
  /** Adds cash from outside. */
  deposit(account: number, amount: Quantums, at: LogPosition): readonly VenueEvent[];
  /** Takes cash out; false when the withdrawable amount does not reach. */
  withdraw(account: number, amount: Quantums, at: LogPosition): readonly VenueEvent[] | false;
  /** Moves cash between accounts, as ledger entries of `kind`; false when the sender's withdrawable amount does not reach. */
  transfer(
    move: { from: number; to: number; amount: Quantums; kind?: string },
    at: LogPosition,
  ): readonly VenueEvent[] | false;
  /** Sets the index (oracle) price; the mark price is refreshed with it and only then. */
  setIndexPrice(market: number, indexTicks: number, at: LogPosition): readonly VenueEvent[];
  /** Changes the status of a market. */
  setMarketStatus(market: number, status: string, at: LogPosition): readonly VenueEvent[];
  /** Changes the steps and the minimum of a market; what rests stays as it is. */
  setMarketRules(market: number, rules: MarketRules, at: LogPosition): readonly VenueEvent[];
  /** The armed switch of an account fires now, or is forgotten without a word; nothing when it is not armed. */
  endSwitch(account: number, how: 'fire' | 'forget', at: LogPosition): readonly VenueEvent[];
  /** Smallest distance of a schedule-cancel trigger from now on. */
  setScheduleCancelLead(leadMs: number): void;
  /** Funding settles with the next block, whatever the time. */
  makeFundingDue(): void;
  /** Opens a block: what time and the index price bring about, see `begin-block`. */
  beginBlock(at: LogPosition): readonly VenueEvent[];
  /** Executes one command. Business failures are outcomes, never exceptions. */
  execute(command: CanonicalCommand, at: LogPosition): CommandOutcome;

  /** True if the account exists. */
  hasAccount(account: number): boolean;
  /** Current state of an account. */
  account(account: number): VenueAccount;
  /** What the account has earned by routing orders of others. */
  builder(account: number): BuilderFigures;
  /** Positions that are not zero, by market number. */
  positions(account: number): readonly VenuePosition[];
  /** Orders of the account that wait for a trigger, oldest first. */
  triggerOrders(account: number): readonly CanonicalOrderId[];
  /** All orders of the account that wait outside the book, for a price or for the time of a slice. */
  waitingOrders(account: number): readonly VenueOrder[];
  /** One that waits outside the book, `undefined` when there is none of that number. */
  waitingOrder(market: number, orderSeq: bigint): VenueOrder | undefined;
  /** Orders in the book, oldest first. */
  openOrders(account: number): readonly VenueOrder[];
  /** An order in the book, `undefined` when there is none of that number. */
  openOrder(market: number, orderSeq: bigint): VenueOrder | undefined;
  /** All markets. */
  markets(): readonly VenueMarketView[];
  /** Current state of a market. */
  marketView(market: number): VenueMarketView;
  /** The market only, with its present status and rules. */
  market(market: number): Market;
  /** Best first, at most `depth` levels a side, sizes of all accounts together. */
  book(market: number, depth: number): { readonly bids: VenueLevels; readonly asks: VenueLevels };
}
