/**
 * @module
 * The embedded exchange as `ballast sim` runs it: the kernel, its background flow (seeded participants, or a recorded
 * market), funded ephemeral accounts, and the server on loopback.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { BotError, type Clock, type Log, messageOf, seededRandom, whyUnreadable } from '../../core/index.ts';
import { type Crypto, loadCrypto } from '../../wire/crypto/index.ts';
import type { NamedAccount } from '../control/index.ts';
import { createRecordedFlow, createSyntheticParticipants, type RecordedFlow } from '../flow/index.ts';
import { type ClockMode, ControlledClock, Exchange } from '../kernel/index.ts';
import {
  checkScenario,
  loadScenario,
  runScenario,
  type Scenario,
  scenarioSettings,
} from '../scenario/index.ts';
import { ControlApi, type ExchangeServer, startServer } from '../server/index.ts';
import { type ExchangeSettings, parseQuirk } from '../state/index.ts';
import { openTapeMarket, type PlayedMarket } from './tape-market.ts';

/** What an exchange is started with. */
export interface ExchangeHostOptions {
  /** Control actions can move a `ControlledClock` ahead. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Funded accounts to make. */
  readonly accounts: number;
  /** Folder of a tape whose market is played; `undefined`: seeded participants. */
  readonly tape: string | undefined;
  /** Which market of the tape; `undefined`: that called `marketName`, else the first with levels. */
  readonly symbol: string | undefined;
  /** Name of the recorded market at the exchange; `undefined`: as on the tape. */
  readonly marketName?: string | undefined;
  /** No background participants at all. */
  readonly isQuiet: boolean;
  /** Settings that differ from the defaults; absent: none. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Markets, accounts, participants and events; instead of `tape`. */
  readonly scenario?: Scenario | undefined;
  /** Remember what it receives, for snapshots; costs memory as long as it runs. */
  readonly isRecorded?: boolean;
  /** Where the control may write a snapshot to. */
  readonly saveSnapshot?: ((text: string) => void) | undefined;
  /** Answers to what the interface leaves open, as `A4=full`. */
  readonly quirks?: readonly string[];
}

/** An exchange with its market, not served yet. */
export interface HostedExchange {
  /** The exchange that is served. */
  readonly exchange: Exchange;
  /** What can be done to it from outside. */
  readonly api: ControlApi;
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Funded accounts with their keys. */
  readonly accounts: readonly NamedAccount[];
  /** Lines for people about what drives the market. */
  readonly about: readonly string[];
  /** Counters of a recorded market, `undefined` without one. */
  recording(): Readonly<Record<string, number>> | undefined;
  /** Stops serving; resolves when all is closed. */
  stop(): Promise<void>;
}

/** An exchange on a port. */
export interface ServedExchange extends HostedExchange {
  /** The HTTP and stream server. */
  readonly server: ExchangeServer;
  /** Random seed of the exchange. */
  readonly seed: number;
}

const SEED_DEFAULT = 7;

/** Makes and starts an exchange without a server: for runs on virtual time too. */
export async function hostExchange(options: ExchangeHostOptions): Promise<HostedExchange> {
  const { clock, log, seed, scenario } = options;
  const quirks = Object.assign({}, ...(options.quirks ?? []).map(parseQuirk));
  const crypto = await loadCrypto();
  const market = openMarket(options);
  if (scenario !== undefined) await checkScenario(scenario, crypto);
  const exchange = new Exchange({
    clock,
    random: seededRandom(seed),
    crypto,
    isRecorded: options.isRecorded === true,
    settings: {
      ...(market === undefined ? {} : { markets: [market.perpetual] }),
      ...(scenario === undefined ? {} : scenarioSettings(scenario)),
      ...options.settings,
      quirks: { ...scenario?.settings.quirks, ...options.settings?.quirks, ...quirks },
    },
  });
  exchange.start();
  const api = new ControlApi({
    exchange,
    clock,
    ...(clock instanceof ControlledClock ? { controlledClock: clock } : {}),
    origin: { seed, crypto },
    ...(options.saveSnapshot === undefined ? {} : { saveSnapshot: options.saveSnapshot }),
  });
  makeAccounts(api, options);
  const recorded =
    market === undefined ? undefined : createRecordedFlow({ market: 0, source: market.source, log });
  if (recorded !== undefined) exchange.attachParticipants(recorded);
  const flow = scenario === undefined ? { followsIndex: true } : scenario.participants;
  if (recorded === undefined && flow !== undefined && !options.isQuiet)
    exchange.attachParticipants(createSyntheticParticipants(flow));
  return {
    exchange,
    api,
    crypto,
    accounts: api.accounts,
    about: market?.about ?? aboutParticipants(options),
    recording: () => (recorded === undefined ? undefined : countersOf(recorded)),
    async stop() {
      api.exchange.stop();
      market?.source.stop();
    },
  };
}

/** Where a clock that stands still begins: times and the epoch are in answers, and equal requests have equal ones. */
const MANUAL_START_MS = Date.UTC(2026, 0, 5);

/** Other options of a served exchange. */
export interface ServedExchangeOptions
  extends Omit<ExchangeHostOptions, 'seed' | 'scenario' | 'saveSnapshot'> {
  /** TCP port. */
  readonly port: number;
  /** Absent: that of the scenario, or 7. */
  readonly seed: number | undefined;
  /** File of a scenario. */
  readonly scenario?: string | undefined;
  /** File of a snapshot to resume from; it says all that the other options say. */
  readonly snapshotIn?: string | undefined;
  /** File that a snapshot is written to at the end, and when the control asks for it. */
  readonly snapshotOut?: string | undefined;
  /** Default: time passes with the machine. */
  readonly clockMode?: ClockMode;
  /** False: nothing is served below `/control`. */
  readonly hasControl?: boolean;
}

/** As {@link hostExchange}, on a port of 127.0.0.1 (0: a free one). Rejects when the port is taken. */
export async function serveExchange(options: ServedExchangeOptions): Promise<ServedExchange> {
  const { snapshotIn, snapshotOut, log } = options;
  const scenario = options.scenario === undefined ? undefined : loadScenario(options.scenario);
  const seed = options.seed ?? scenario?.seed ?? SEED_DEFAULT;
  const { clockMode } = options;
  const startMs = scenario?.startMs ?? (clockMode === 'manual' ? MANUAL_START_MS : undefined);
  const clock = new ControlledClock(options.clock, clockMode, startMs);
  const saveSnapshot =
    snapshotOut === undefined ? undefined : (text: string) => replaceFile(snapshotOut, text);
  const isRecorded = options.isRecorded === true || snapshotOut !== undefined;
  const empty = snapshotIn === undefined ? {} : { accounts: 0, isQuiet: true };
  const hosted = await hostExchange({
    ...options,
    ...empty,
    seed,
    scenario,
    clock,
    isRecorded,
    saveSnapshot,
  });
  const { api } = hosted;
  if (snapshotIn !== undefined) api.restore(readSnapshot(snapshotIn));
  const server = await startServer(api.exchange, {
    port: options.port,
    api: options.hasControl === false ? undefined : api,
    onError: (error) => log.error('the exchange failed at a request', { error }),
  });
  return {
    ...hosted,
    accounts: api.accounts,
    about:
      snapshotIn === undefined ? hosted.about : [`resumed from ${snapshotIn} at seq ${api.exchange.seq}`],
    seed,
    server,
    async stop() {
      await server.close();
      try {
        if (snapshotOut !== undefined) api.save();
      } finally {
        await hosted.stop();
      }
    },
  };
}

function readSnapshot(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new BotError({
      code: 'SNAPSHOT_UNREADABLE',
      message: `expected a readable snapshot at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy: 'Name a file that --snapshot-out wrote.',
      cause,
    });
  }
}

/** The file is the old one or the new one, whatever happens meanwhile. */
function replaceFile(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (cause) {
    rmSync(`${file}.new`, { force: true });
    throw new BotError({
      code: 'SNAPSHOT_UNWRITABLE',
      message: `expected to write a snapshot to ${file}, but ${messageOf(cause)}`,
      remedy: 'Name with --snapshot-out a file in a folder that exists, may be written and has free space.',
      cause,
    });
  }
}

/** Those of the scenario, or as many as were asked for. */
function makeAccounts(api: ControlApi, { scenario, accounts, log }: ExchangeHostOptions): void {
  if (scenario !== undefined) {
    const played = runScenario(api.exchange.control, scenario, (event, thrown) =>
      log.warn('the exchange refused an event of the scenario', {
        place: event.place,
        error: messageOf(thrown),
      }),
    );
    api.onReplaced(() => played.cancel());
  }
  if (scenario?.accounts !== undefined) return;
  for (let i = 0; i < accounts; i++) api.exchange.control.account({ apiWallets: 0 });
}

function aboutParticipants({ scenario, seed, isQuiet }: ExchangeHostOptions): string[] {
  const isAlone = isQuiet || (scenario !== undefined && scenario.participants === undefined);
  const who = isAlone ? 'no participants' : `seeded participants, seed ${seed}`;
  return scenario === undefined
    ? [who]
    : [`scenario ${scenario.name}: ${scenario.events.length} events`, who];
}

function openMarket({ tape, symbol, marketName, log }: ExchangeHostOptions): PlayedMarket | undefined {
  if (tape === undefined) return undefined;
  return openTapeMarket({ tape, symbol, marketName }, (error) =>
    log.error('the tape is damaged and ends here', { error }),
  );
}

/** The outcome of a recorded market at the exchange, one flat list of counters. */
function countersOf(flow: RecordedFlow): Readonly<Record<string, number>> {
  const counters: Record<string, number> = {};
  for (const [name, value] of Object.entries(flow.stats()))
    if (typeof value === 'number') counters[name] = value;
  return counters;
}
