/**
 * @module
 * A whole run in one thread on virtual time: the embedded exchange and a bot with everything it has, joined by the
 * transport port instead of sockets. Same configuration, seed and recording: the same requests, frames, orders and
 * fills, to the byte.
 *
 *   exchange ◀─ carried requests, frames ─▶ gateway, stream, lanes, kernel, strategies
 *       └────────────────── one VirtualClock ──────────────────┘
 */
import { createInMemoryJournal, type InMemoryJournal } from '../../bot/journal/index.ts';
import type { RecordTaker, RunReport } from '../../bot/live/index.ts';
import { type RunOptions, runPrepared, type StopSignal, stopAfter } from '../../bot/live/index.ts';
import type { RunLogWriter } from '../../bot/replay/index.ts';
import { type PreparedStrategy, prepareStrategies } from '../../bot/setup/index.ts';
import type { ConfigSource } from '../../config/index.ts';
import {
  BotError,
  type Log,
  must,
  type Random,
  seededRandom,
  silentLog,
  VirtualClock,
} from '../../core/index.ts';
import type { Address, Fill } from '../../domain/index.ts';
import type { VenueOrder } from '../../exchange/engine/index.ts';
import { type HostedExchange, hostExchange } from '../../exchange/host/index.ts';
import type { Exchange } from '../../exchange/kernel/index.ts';
import { inProcessTransport } from '../../exchange/server/index.ts';
import type { ExchangeSettings } from '../../exchange/state/index.ts';
import type { Transport } from '../../wire/gateway/index.ts';
import { ephemeralSigners } from './ephemeral-signers.ts';
import { Traffic, watchOrders } from './witness.ts';

/** How long things are under way, in virtual milliseconds. */
export interface InProcessLatency {
  /** Time from the bot to the exchange, ms. */
  readonly requestMs: number;
  /** Time from the exchange back to the bot, ms. */
  readonly answerMs: number;
  /** Delay of stream frames, ms. */
  readonly frameMs: number;
  /** A commit of the journal. */
  readonly journalMs: number;
}

/** What a run in one process is made of. */
export interface InProcessRunOptions {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Virtual time from the start of the bot to its stop, in ms. */
  readonly forMs: number;
  /** Instead of those the configuration names. */
  readonly strategies?: readonly PreparedStrategy[];
  /** Folder of a tape that drives the market; absent: seeded participants. */
  readonly tape?: string;
  /** Symbol of the market; absent: the configured one. */
  readonly symbol?: string;
  /** Simulated latency; absent: none. */
  readonly latency?: Partial<InProcessLatency>;
  /** Of the exchange. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Receives log lines; absent: none are written. */
  readonly log?: Log;
  /** Keeps what the kernel sees and decides. */
  readonly runLog?: RunLogWriter;
  /** Shows the bot as soon as it exists, for who acts on it. */
  readonly onBot?: NonNullable<NonNullable<RunOptions['machine']>['onBot']>;
  /** Is given what the run leaves for reports. */
  readonly onRecord?: RecordTaker | undefined;
  /** Looks at the world, or disturbs it: called when the exchange runs and the bot has not begun. */
  readonly prepare?: (world: InProcessWorld) => void;
}

/** The world of a run, for oracles and for those who disturb it. */
export interface InProcessWorld {
  /** The embedded exchange. */
  readonly exchange: Exchange;
  /** Clock of the run. */
  readonly clock: VirtualClock;
  /** Address of the bot's main wallet. */
  readonly address: string;
  /** Account number of the bot. */
  readonly accountId: number;
  /** Its own random generator, drawn from the seed. */
  readonly random: Random;
  /** Set when the run must stop. */
  readonly stop: StopSignal;
}

/** What a run leaves. */
export interface InProcessRun {
  /** Report of the run. */
  readonly report: RunReport;
  /** As the bot knows them, oldest first. */
  readonly fills: readonly Fill[];
  /** Every order of the bot as the venue last had it, oldest first. */
  readonly orders: readonly VenueOrder[];
  /** SHA-256 over all requests, answers and frames in the order they passed, hex. */
  readonly trafficHash: string;
  /** Requests and frames that passed. */
  readonly traffic: number;
  /** Head of the journal's hash chain, hex. */
  readonly journalHead: string;
  /** The journal, with its rows and its audit events. */
  readonly journal: Pick<InMemoryJournal, 'rows' | 'auditEvents' | 'effects' | 'placedOrders'>;
  /** Virtual time the run took, in ms. */
  readonly virtualMs: number;
}

/** Virtual time begins at a round minute, and with it a window of the request budgets. */
const START_MS = 1_767_700_020_000;
/** Start, stop and proof may take this much virtual time beyond {@link InProcessRunOptions.forMs}. */
const OVERTIME_MS_MAX = 300_000;
const LATENCY: InProcessLatency = { requestMs: 3, answerMs: 3, frameMs: 2, journalMs: 1 };

/** Runs from the first block to the proof. @throws what keeps a run from starting; BotError `RUN_DEADLOCKED` when it does not end. */
export async function runInProcess(options: InProcessRunOptions): Promise<InProcessRun> {
  const { source, forMs } = options;
  const strategies = options.strategies ?? (await prepareStrategies(source));
  const parts = await openParts(options);
  const { clock, hosted, journal, orders, traffic, world } = parts;
  options.prepare?.(world);
  const run = runPrepared(runOptionsOf(options, parts), { strategies, crypto: hosted.crypto });
  try {
    const report = await drive(run, { clock, hosted, untilMs: forMs + OVERTIME_MS_MAX });
    return {
      report,
      fills: journal.effects().fills,
      orders: [...orders.values()],
      trafficHash: traffic.hash(),
      traffic: traffic.count,
      journalHead: journal.head(),
      journal,
      virtualMs: clock.monotonicMs(),
    };
  } finally {
    world.stop.dispose();
    await hosted.stop();
  }
}

interface Parts {
  readonly clock: VirtualClock;
  readonly hosted: HostedExchange;
  readonly account: HostedExchange['accounts'][number];
  readonly latency: InProcessLatency;
  readonly journal: InMemoryJournal;
  readonly traffic: Traffic;
  readonly orders: ReadonlyMap<string, VenueOrder>;
  readonly world: InProcessWorld;
}

/** The exchange with its market and everything between it and the bot. */
async function openParts(options: InProcessRunOptions): Promise<Parts> {
  const { seed, forMs, tape, symbol, settings, log = silentLog } = options;
  const clock = new VirtualClock(START_MS);
  const hosted = await hostExchange({
    clock,
    log,
    seed,
    accounts: 1,
    tape,
    symbol,
    isQuiet: false,
    ...(settings === undefined ? {} : { settings }),
  });
  const { exchange } = hosted;
  const account = must(hosted.accounts[0], 'a funded account');
  const accountId = must(exchange.control.accountId(account.address as Address), 'its number');
  const latency = { ...LATENCY, ...options.latency };
  // The account is on the replica too before the bot begins.
  await clock.advanceAsync(exchange.settings.replicaLagMs);
  return {
    clock,
    hosted,
    account,
    latency,
    journal: createInMemoryJournal({ commit: { clock, delayMs: latency.journalMs } }),
    traffic: new Traffic(),
    orders: watchOrders(exchange, accountId),
    world: {
      exchange,
      clock,
      address: account.address,
      accountId,
      random: seededRandom(`${seed} world`),
      stop: stopAfter(clock, forMs),
    },
  };
}

function runOptionsOf(options: InProcessRunOptions, parts: Parts): RunOptions {
  const { source, seed, tape, log = silentLog } = options;
  const { clock, hosted, account, latency, journal, traffic, world } = parts;
  const keys = seededRandom(`${seed} keys`);
  return {
    mode: 'sim',
    market: tape === undefined ? 'synthetic' : 'recorded',
    source,
    baseUrl: 'http://in.process',
    clock,
    log,
    seed,
    journalFolder: '',
    recordFolder: undefined,
    lockFolder: undefined,
    stop: world.stop,
    onRecord: options.onRecord,
    machine: {
      journal,
      newTransport: () => traffic.watch(carry(hosted.exchange, clock, latency)),
      ...(options.runLog === undefined ? {} : { runLog: options.runLog }),
      ...(options.onBot === undefined ? {} : { onBot: options.onBot }),
    },
    beganAtMs: clock.monotonicMs(),
    signers: (environment, crypto) =>
      ephemeralSigners({
        environment,
        crypto,
        clock,
        config: source.config,
        privateKey: account.privateKey,
        randomBytes: (count) => Uint8Array.from({ length: count }, () => keys.integer(0, 255)),
      }),
    show: () => () => undefined,
  };
}

/** Lets time pass until the run is over. */
async function drive<Result>(
  run: Promise<Result>,
  { clock, hosted, untilMs }: { clock: VirtualClock; hosted: HostedExchange; untilMs: number },
): Promise<Result> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  run.then(over, over);
  while (!isOver && clock.monotonicMs() < untilMs) {
    await clock.advanceAsync(hosted.exchange.settings.blockMs);
  }
  if (isOver) return await run;
  throw new BotError({
    code: 'RUN_DEADLOCKED',
    message: `expected the run to end within ${untilMs} ms of virtual time, it continues`,
    remedy: 'Something waits for what never comes: run again with a log, the seed repeats it.',
  });
}

function carry(exchange: Exchange, clock: VirtualClock, latency: InProcessLatency): Transport {
  return inProcessTransport(exchange, {
    clock,
    requestLatencyMs: latency.requestMs,
    answerLatencyMs: latency.answerMs,
    frameLatencyMs: latency.frameMs,
  });
}
