/**
 * @module
 * The deterministic simulation as types: one seed, one world, one run. Rooms of the simulation know each other through
 * this file alone.
 *
 *   plan (seed) ─▶ world: exchange ◀─ network ◀─▶ bot process ◀─▶ disk      faults strike network, exchange, process, disk
 *                    └────────── sights ─▶ oracles, trace hash ─▶ verdict
 *
 * Everything lives on one {@link VirtualClock}. The bot sees a clock of its own that can stand, step and drift.
 */
import type { AttestFacts } from '../../src/bot/live/attest/document.ts';
import type { LoadedWallet } from '../../src/bot/live/connect/wallets.ts';
import type { TradingScope } from '../../src/bot/risk/index.ts';
import type { AuditEvent, Fields, Random, VirtualClock } from '../../src/core/index.ts';
import type { Address } from '../../src/domain/index.ts';
import type { Exchange, ExchangeSettings } from '../../src/exchange/index.ts';
import type { Crypto } from '../../src/wire/crypto/index.ts';

/** Ids of faults (F1 to F77), ambiguities (A1 to A20), invariants (I1 to I31) and steps of a crash (J1 to J28). */
export type FaultId = `F${number}`;
export type AmbiguityId = `A${number}`;
export type InvariantId = `I${number}`;
export type StepId = `J${number}`;

/** What one seed stands for. Plain data: it is printed, and minimized by taking faults out. */
export interface SimulationPlan {
  readonly seed: number;
  /** Virtual time with faults, after the first quote could stand. */
  readonly faultsForMs: number;
  /** Virtual time after everything is healed; then the bot is stopped in order. */
  readonly healedForMs: number;
  /** Faults that may strike in this run, with how many times a virtual minute on average. */
  readonly faults: Readonly<Partial<Record<FaultId, number>>>;
  /** The value of each ambiguity that is not at its default. */
  readonly ambiguities: Readonly<Partial<Record<AmbiguityId, string>>>;
  /** `keyed`: a keyed hash over the same struct bytes in place of secp256k1. */
  readonly signatures: 'real' | 'keyed';
  /** Name of a file in test/simulation/configs or configs, without its ending. */
  readonly config: string;
  /** Of the main wallet's accounts the one that the bot trades: 0, where this is absent, or a subaccount. */
  readonly subaccount?: number;
  /** A vault is traded, which its main wallet has created and paid into. */
  readonly isVault?: boolean;
  /** No safety wallet: what takes risk away goes first in the lane of the first trading wallet. */
  readonly isLaneShared?: boolean;
  /** Do faults strike into the first start? Absent: only into what runs. */
  readonly isStartDisturbed?: boolean;
  /** How many times a virtual minute tokens that are no collateral come into the account; absent: never. */
  readonly tokensPerMinute?: number;
  /** No participants: the market stands as the test leaves it. */
  readonly isStill?: boolean;
  readonly latency: {
    readonly requestMs: number;
    readonly answerMs: number;
    readonly frameMs: number;
    readonly journalMs: number;
  };
  /** Of the exchange, drawn from the seed: block length, lags, ids, prefixes. */
  readonly settings: Partial<ExchangeSettings>;
}

/** One thing that was seen. `atMs`: milliseconds of virtual time since the world began. */
export type Sight = { readonly atMs: number } & (
  | ({ readonly kind: 'request' } & RequestSight)
  /** The request reached the exchange; `times` counts deliveries of the same bytes, from 1. */
  | { readonly kind: 'arrived'; readonly id: number; readonly times: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly life: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, unknown>>;
      readonly body: string;
    }
  | { readonly kind: 'noAnswer'; readonly id: number; readonly life: number; readonly why: string }
  /** A text frame from the bot, or to it. */
  | { readonly kind: 'sent' | 'frame'; readonly socket: number; readonly life: number; readonly text: string }
  | {
      readonly kind: 'opening' | 'opened' | 'closed';
      readonly socket: number;
      readonly life: number;
      readonly why?: string;
    }
  /** A row handed to the journal, and the same row when the journal said it is durable. */
  | {
      readonly kind: 'recorded' | 'durable';
      readonly life: number;
      readonly type: string;
      readonly scope: string;
      readonly body: string;
    }
  | { readonly kind: 'audit'; readonly life: number; readonly event: AuditEvent }
  | {
      readonly kind: 'log';
      readonly life: number;
      readonly level: 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: Fields;
    }
  | {
      readonly kind: 'life';
      readonly life: number;
      /** `ready`: strategies may quote. `refused`: it would not start. `ended`: it stopped in order. */
      readonly what:
        | 'started'
        | 'ready'
        | 'paused'
        | 'resumed'
        | 'killed'
        | 'stopping'
        | 'ended'
        | 'refused'
        | 'failed';
      readonly why?: string;
    }
  /** The wall clock of the living bot's machine was stepped. */
  | { readonly kind: 'clockStepped'; readonly life: number; readonly byMs: number }
  /** A life has opened a journal of which so many of the last rows were torn off, and believes what is left. */
  | { readonly kind: 'tailTorn'; readonly life: number; readonly rows: number }
  | { readonly kind: 'fault'; readonly id: FaultId; readonly what: 'begun' | 'ended' }
  /** A frame, or the row of a page, that the bot was not given and of which nothing tells it. */
  | { readonly kind: 'withheld'; readonly text: string }
  | { readonly kind: 'healed' }
);

/** A request as it left the bot. */
export interface RequestSight {
  /** Numbers all requests of a world. */
  readonly id: number;
  readonly life: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type BarFigure = 'startAtMs' | 'openTicks' | 'highTicks' | 'lowTicks' | 'closeTicks' | 'volumeLots';

/** What the bot believes, as plain data: oracles hold it against the exchange. Sizes in lots, prices in ticks, amounts in quantums. */
export interface BotView {
  readonly fills: readonly {
    readonly id: string;
    readonly symbol: string;
    readonly side: 'buy' | 'sell';
    readonly priceTicks: number;
    readonly sizeLots: number;
  }[];
  readonly ledger: readonly {
    readonly id: string;
    readonly amount: bigint;
    readonly otherToken?: { readonly token: number; readonly amount: string };
  }[];
  readonly positions: Readonly<Record<string, number>>;
  /** What each strategy holds of them, and what nobody owns (`-`). */
  readonly owned: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly openOrders: readonly {
    readonly orderId: string;
    readonly symbol: string;
    readonly side: 'buy' | 'sell';
    readonly priceTicks: number;
    readonly remainingLots: number;
  }[];
  /** Lots by which each market's position could grow at most, as risk reserves them: working, in flight, unresolved. */
  readonly reserved: Readonly<Record<string, { readonly buyLots: number; readonly sellLots: number }>>;
  /** Bars of one minute by market, as its strategies see them; their starts in Unix ms. */
  readonly candles: Readonly<Record<string, readonly Readonly<Record<BarFigure, number>>[]>>;
  /** Place in the log of the newest public trade of each market that has one. */
  readonly trades: Readonly<Record<string, bigint | undefined>>;
  /** Red items of the health vector with virtual ms since when (H1 to H9). */
  readonly red: readonly { readonly id: string; readonly sinceMs: number }[];
  /** True: the account is SYNCED; otherwise the name of the degraded state. */
  readonly account: 'synced' | string;
  readonly epoch: string;
  readonly unresolved: number;
  /** Trading state of the run, and of each strategy by its id. */
  readonly state: string;
  readonly strategies: Readonly<Record<string, string>>;
  /** What it saw last of each market and of its account, as it came: states are told apart by it. */
  readonly seen: unknown;
}

/** One life of the bot's process. */
export interface Life {
  /** From 1. */
  readonly number: number;
  /** `starting` until strategies may quote; `over` after its end, its refusal or its death. */
  readonly state: 'starting' | 'running' | 'stopping' | 'over';
  /** What it believes; `undefined` before its account is there. After its end: what it last believed. */
  view(): BotView | undefined;
  /** The report of an ordered end. */
  readonly report: unknown;
  /** Why it refused to start, or failed. */
  readonly failure: Error | undefined;
  /** What an attestation of it needs, after an ordered end. */
  readonly attestFacts: AttestFacts | undefined;
}

/** The process of the bot: it can die and be started again at any instant, on what the disk holds. */
export interface BotProcess {
  readonly life: Life;
  /** Starts the next life. The one before must be over. */
  start(): void;
  /** SIGKILL. `powerLoss`: what the journal had not acknowledged is gone; otherwise a drawn part of it was written. */
  kill(kind: 'crash' | 'powerLoss'): void;
  /** SIGSTOP and SIGCONT: timers and arrivals wait, and come due all at once. */
  pause(): void;
  resume(): void;
  readonly isPaused: boolean;
  /** The event loop is busy for so long: as a pause that ends on its own. */
  stall(forMs: number): void;
  /** Steps the wall clock of the bot's machine; monotonic time goes on. */
  stepClock(byMs: number): void;
  /** Rate error of the machine's clocks, in parts per million. */
  setDrift(ppm: number): void;
  /** SIGTERM: stop in order. */
  terminate(): void;
  /** A person lets a scope trade again: `ballast resume`. */
  letTrade(scope: TradingScope): void;
}

/** What happens to a request between bot and exchange. Bytes are counted in the body. */
export type RequestFault =
  | { readonly kind: 'refuseConnection' }
  /** Cut after `byte` bytes of the request: it never arrives. */
  | { readonly kind: 'cutRequest'; readonly byte: number }
  | { readonly kind: 'dropResponse' }
  /** The answer is cut after `byte` bytes: what did arrive is no answer. */
  | { readonly kind: 'cutAnswer'; readonly byte: number }
  /** The pipe breaks now and the bytes arrive `delayMs` later. */
  | { readonly kind: 'deliverAfterTimeout'; readonly delayMs: number }
  | { readonly kind: 'delayRequest' | 'delayResponse'; readonly delayMs: number }
  | { readonly kind: 'deliverTwice'; readonly delayMs: number }
  /** Another machine answers; the exchange never sees it. */
  | { readonly kind: 'answerInstead'; readonly answer: FakeAnswer }
  /** The exchange executes it; another machine answers. */
  | { readonly kind: 'replaceResponse'; readonly answer: FakeAnswer }
  /** The exchange executes it, `edit` rewrites the answer. */
  | { readonly kind: 'editAnswer'; readonly edit: (answer: FakeAnswer) => FakeAnswer };

/** An answer as text. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where frames go: to the bot or from it. */
export type FrameWay = 'toBot' | 'toExchange';

/** What happens to a frame: nothing (`undefined`), or what is delivered instead, each after a delay; none: dropped. */
export type FrameRule = (
  text: string,
  way: FrameWay,
) => readonly { readonly text: string; readonly delayMs: number }[] | undefined;

/** The network between bot and exchange. Each rule ends with the function it returns. */
export interface Network {
  /** `pick` is asked once a request; `undefined`: this rule leaves it alone. The oldest rule that picks wins. */
  onRequest(pick: (request: RequestSight) => RequestFault | undefined): () => void;
  onFrame(rule: FrameRule): () => void;
  /** Refuses or delays upgrades from now on. */
  onUpgrade(rule: () => { readonly refuse: number } | { readonly delayMs: number } | undefined): () => void;
  /** Cuts every open socket. */
  cutSockets(why: string): void;
  /** Nothing passes in either direction and nobody is told, until the function is called. */
  blackHole(): () => void;
  /** Ends all rules. */
  heal(): void;
}

/** The disk under the journal and the strategies' saved state. */
export interface Disk {
  /** How long a commit takes from now on. */
  setCommitMs(delayMs: number): void;
  /** The next commits fail from the `n`-th on (1: the next one), until healed: full, short write, failed fsync. */
  failFrom(n: number, why: string): void;
  /** Bytes that health sees as free; default plenty. */
  setFreeBytes(bytes: number): void;
  /** Rows that are durable now. */
  readonly rowCount: number;
  heal(): void;
}

/** A world: everything that a run is made of. */
export interface World {
  readonly plan: SimulationPlan;
  readonly clock: VirtualClock;
  /** Fork it by name; never draw from it directly. */
  readonly random: Random;
  readonly exchange: Exchange;
  readonly account: {
    readonly address: Address;
    readonly subaccount: number;
    /** Id of the vault that is traded; absent: the account itself. */
    readonly vault?: string;
    readonly accountId: number;
    readonly privateKey: string;
  };
  /** Addresses of the bot's API wallets: trading wallets in their order, the safety wallet last. Empty before the first approval. */
  agents(): readonly Address[];
  /** The same wallets with their keys: for a second writer that has stolen or shares them. */
  wallets(): readonly LoadedWallet[];
  /** Signs as everybody in this world does. */
  readonly crypto: Crypto;
  readonly network: Network;
  readonly bot: BotProcess;
  readonly disk: Disk;
  /** True from the moment at which all faults have ended. */
  readonly isHealed: boolean;
  /** Numbers of stops of the account that somebody else than the bot has placed. */
  readonly foreignStops: Set<bigint>;
  /** Takes those of {@link foreignStops} away that still wait. */
  cancelForeignStops(): void;
  /** Calls `listener` for each sight from now on. It must change nothing. */
  watch(listener: (sight: Sight) => void): void;
  /** Says what was withheld from the bot in silence. */
  withhold(text: string): void;
  /** Counts that something happened: a fault that took effect, an ambiguity that mattered, a `sometimes` condition. */
  hit(what: FaultId | AmbiguityId | Sometimes): void;
}

/** Conditions that must be reached now and then (reachability). */
export const SOMETIMES = [
  'fence taken',
  'fence lost',
  'refused bytes sequenced later',
  'shadow set of two',
  'lagged during backfill',
  'epoch change during fence',
  'seam with replica behind',
  'replace resolved by receipt after fill',
  'switch fired while unknown',
  'revoke while unknown',
  'recovery with torn tail',
  'recovery inside recovery',
  'conflict by foreign writer',
  'budget reserve used',
  'strategy terminated with live orders',
  'safety lane used while trading lane blocked',
  'not yet complete on last page',
  'snapshot omitting a locally open order',
  'partial batch',
  'crash between effect and cursor',
  'clock step while in flight',
] as const;

/** See {@link SOMETIMES}. */
export type Sometimes = (typeof SOMETIMES)[number];

/** One fault of the catalogue. */
export interface Fault {
  readonly id: FaultId;
  /** In a few words. */
  readonly what: string;
  /** Strikes a day of the bot once. `draw` is this strike's own chance. Returns what ends it, when it does not end on its own. */
  strike(world: World, draw: Random): (() => void) | undefined;
  /** Times a virtual minute when its seed has it; default 1. */
  readonly perMinute?: number;
}

/** A broken invariant. */
export interface Violation {
  readonly id: InvariantId;
  readonly atMs: number;
  readonly what: string;
}

/** What an oracle sees and where it tells. It must change nothing. */
export interface OracleWorld {
  readonly plan: SimulationPlan;
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
  readonly accountId: number;
  readonly address: Address;
  readonly isHealed: boolean;
  view(): BotView | undefined;
  life(): Life;
  isPaused(): boolean;
  agents(): readonly Address[];
  /** Private keys of the run as hex: what must never be seen (I16). */
  secrets(): readonly string[];
  hit(what: Sometimes): void;
  violate(id: InvariantId, what: string): void;
}

/** One or more invariants, checked from the exchange's side. */
export interface Oracle {
  readonly ids: readonly InvariantId[];
  /** Called once, before the first event. */
  begin(world: OracleWorld): OracleChecks;
}

/** What an oracle is called for. Its own look at the exchange's log goes through `exchange.control.watch`. */
export interface OracleChecks {
  onSight?(sight: Sight): void;
  /** Each block of the exchange: cheap checks only. */
  onBlock?(): void;
  /** Healed, quiet for a while and still running: the bot must agree with the exchange. */
  atQuiescence?(): void;
  /** After the last life has ended. */
  atEnd?(): void;
}

/** How long a healed world took until its bot agreed with the exchange and quoted (I13), in virtual ms. */
export interface Convergence {
  /** Since the healing itself. */
  readonly sinceHealingMs: number;
  /** Since nothing of before the healing stood in the way any more: what I13 allows 30 s for. */
  readonly sinceFreeMs: number;
}

/** What a run leaves. */
export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** SHA-256 over all sights but logs, hex. */
  readonly traceHash: string;
  readonly virtualMs: number;
  /** Writes of the bot that the exchange sequenced. */
  readonly writes: number;
  readonly fills: number;
  readonly faultsInjected: number;
  readonly lives: number;
  /** Hits by id or condition. */
  readonly hits: Readonly<Record<string, number>>;
  /** Absent: it did not converge, or its bot was not there to. */
  readonly convergence?: Convergence;
}
