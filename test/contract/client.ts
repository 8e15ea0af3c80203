/**
 * @module
 * The client from its environment to its lanes, on the embedded exchange over a kept wire, on virtual time: what a bot
 * is below its strategies.
 */

import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import { type Environment, openEnvironment } from '../../src/bot/live/connect/environment.ts';
import { type Lanes, openLanes } from '../../src/bot/live/connect/lanes.ts';
import type { LoadedWallet } from '../../src/bot/live/connect/wallets.ts';
import {
  type Log,
  must,
  seededRandom,
  silentLog,
  silentMeter,
  type VirtualClock,
} from '../../src/core/index.ts';
import {
  type AccountSelection,
  approve,
  type Fact,
  type LaneId,
  lots,
  type MarketSymbol,
  type OrderSpec,
  type TradingCommand,
  ticks,
} from '../../src/domain/index.ts';
import type { ExchangeSettings } from '../../src/exchange/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { aSpec } from '../support/trading-builders.ts';
import { Wire } from './wire.ts';

export const TRADER = 'trader' as LaneId;
export const SAFETY = 'safety' as LaneId;
export const BTC = 'BTC-USD' as MarketSymbol;

/** Lets virtual time pass until `work` is done, at most `msMax`. */
export async function during<T>(clock: VirtualClock, work: Promise<T>, msMax = 120_000): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const untilMs = clock.monotonicMs() + msMax;
  while (!isDone && clock.monotonicMs() < untilMs) await clock.advanceAsync(10);
  if (!isDone) throw new Error(`expected an end within ${msMax} ms of virtual time`);
  return await work;
}

/** The wallets of a test account: the first trades, the second is for safety. */
export function walletsOf(venue: TestExchange): readonly LoadedWallet[] {
  const [first, second] = venue.account.apiWallets;
  return [
    { name: TRADER, role: 'trading', key: must(first, 'an API wallet').key },
    { name: SAFETY, role: 'safety', key: must(second, 'a second one').key },
  ];
}

/** An environment over `wire`. */
export function environmentOver(venue: TestExchange, wire: Wire, log: Log = silentLog): Promise<Environment> {
  const opening = openEnvironment({
    baseUrl: 'http://in.process',
    transport: wire,
    headerPrefix: venue.exchange.settings.headerPrefix,
    clock: venue.clock,
    random: seededRandom(5),
    log,
    meter: silentMeter,
    crypto: venue.crypto,
  });
  return during(venue.clock, opening);
}

/** A client that has started. */
export interface Client {
  readonly venue: TestExchange;
  readonly wire: Wire;
  readonly environment: Environment;
  readonly lanes: Lanes;
  readonly journal: InMemoryJournal;
  readonly selection: AccountSelection;
  readonly facts: Fact[];
  readonly bugs: unknown[];
  run(durationMs: number): Promise<void>;
  of<T extends Fact['type']>(type: T): Extract<Fact, { type: T }>[];
  submit(command: TradingCommand): void;
  place(changes?: Parameters<typeof aSpec>[0]): OrderSpec;
  /** Lets time pass until the trading lane is free. */
  settled(msMax?: number): Promise<void>;
  /** Orders open at the exchange, asked past the wire. */
  openOrders(): readonly { readonly orderId: string; readonly symbol: string }[];
}

/** How a client is made. */
export interface ClientOptions {
  readonly settings?: Partial<ExchangeSettings>;
  readonly venue?: TestExchange;
  readonly log?: Log;
  readonly journal?: InMemoryJournal;
  /** Called before anything passes the wire. */
  readonly prepare?: (wire: Wire, venue: TestExchange) => void;
}

/** Starts a client: environment read, scopes resolved, switch armed. */
export async function startClient(options: ClientOptions = {}): Promise<Client> {
  const { log = silentLog } = options;
  const venue = options.venue ?? (await startTestExchange(options.settings));
  const { clock, crypto } = venue;
  const wire = new Wire(venue.exchange, clock);
  options.prepare?.(wire, venue);
  const environment = await environmentOver(venue, wire, log);
  const journal = options.journal ?? createInMemoryJournal({ commit: { clock, delayMs: 1 } });
  const selection: AccountSelection = { address: venue.address, subaccount: 0 };
  const facts: Fact[] = [];
  const bugs: unknown[] = [];
  const lanes = await openLanes({
    environment,
    crypto,
    clock,
    random: seededRandom(6),
    log,
    selection,
    signingAccountId: venue.account.accountId,
    wallets: walletsOf(venue),
    instance: 'contract',
    journalFolder: '',
    journalReserveBytes: 0,
    lockFolder: undefined,
    machine: { journal, newTransport: () => wire },
    approvedAtSeq: new Map(),
    switch: { periodMs: 5_000, timeoutMs: 20_000 },
    sink: (fact) => void facts.push(fact),
    health: () => [],
    onBug: (error) => void bugs.push(error),
  });
  await during(clock, lanes.executor.start());
  const isReady = () => lanes.executor.isReady(TRADER);
  const client: Client = {
    venue,
    wire,
    environment,
    lanes,
    journal,
    selection,
    facts,
    bugs,
    run: (durationMs) => clock.advanceAsync(durationMs),
    of: <T extends Fact['type']>(type: T) =>
      facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type),
    submit: (command) => lanes.executor.submit(approve({ lane: TRADER, command })),
    place: (changes) => {
      const spec = anOrder(changes);
      client.submit({ kind: 'place', orders: [spec] });
      return spec;
    },
    settled: async (msMax = 30_000) => {
      const untilMs = clock.monotonicMs() + msMax;
      while (!isReady() && clock.monotonicMs() < untilMs) await clock.advanceAsync(5);
      if (!isReady()) throw new Error(`expected a free lane within ${msMax} ms`);
    },
    openOrders: () => venue.get(`/v1/account/orders?address=${venue.address}`).json.orders,
  };
  await client.settled();
  return client;
}

/** A resting bid far below the market. */
export function anOrder(changes: Parameters<typeof aSpec>[0] = {}): OrderSpec {
  return { ...aSpec({ symbol: BTC, priceTicks: ticks(900_000), sizeLots: lots(100), ...changes }) };
}
