/**
 * @module
 * The client for people: every read and every write of the interface as one function, decimal text in, exact decimals
 * out.
 *
 *   createClient ─▶ Session ─┬▶ reads          one question, one answer, by the shapes
 *                            ├▶ history        pages as one list
 *                            ├▶ writes         one lane per nonce scope, outcome proven (module `execution`)
 *                            └▶ streams        subscriptions that repair themselves (module `stream`)
 *
 * It does not trade automatically. It has no risk checks and no dead man's switch; bots run under
 * `ballast run`.
 */
import {
  type Clock,
  freshSeed,
  type Log,
  type Metrics,
  type Random,
  SystemClock,
  seededRandom,
  silentLog,
  silentMeter,
  VERSION,
} from '../core/index.ts';
import type { Crypto } from '../wire/crypto/index.ts';
import { createGateway, type Transport } from '../wire/gateway/index.ts';
import { replaceStructs } from '../wire/protocol/index.ts';
import { type Argument, mustGive } from './calls/argument.ts';
import { CALLS, GET, OPTIONS } from './calls/calls.ts';
import { checkedCall, checkedGroups, readArguments } from './calls/checked.ts';
import { clientJournal, type JournalLocation } from './journal.ts';
import {
  type AccountReads,
  accountReads,
  type EventReads,
  eventReads,
  type RequestReads,
  requestReads,
} from './reads/account.ts';
import { readByPath } from './reads/by-path.ts';
import {
  type DexReads,
  dexReads,
  type EnvironmentReads,
  environmentReads,
  type MarketReads,
  marketReads,
} from './reads/market.ts';
import { type ApiWalletReads, apiWalletReads, type VaultReads, vaultReads } from './reads/wallets.ts';
import type { AccountSelector } from './selection.ts';
import { Session } from './session.ts';
import { type Streams, streamsOf } from './streams/channels.ts';
import { StreamHub } from './streams/hub.ts';
import { WriteClient } from './write-client.ts';
import {
  type AccountWrites,
  type ApiWalletWrites,
  accountWrites,
  apiWalletWrites,
} from './writes/account.ts';
import { type AlgoOrderWrites, algoOrderWrites } from './writes/algo-orders.ts';
import { type OrderWrites, orderWrites } from './writes/orders.ts';
import { type VaultWrites, vaultWrites } from './writes/vaults.ts';

/** What a client is made of. Only `baseUrl` is needed, for public reads. */
export interface ClientOptions {
  /** The operator's address, without `/v1`, for example `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** Private key that signs writes, 64 hex digits: the main wallet's, or that of an API wallet of `account`. */
  readonly wallet?: string;
  /**
   * The account that calls are about when they name none, and for which API wallets write: an address as text, or
   * `{ address, subaccount }`, or `{ vault }`, with the `address` of its manager for an API wallet. Default: the main account of `wallet`.
   */
  readonly account?: AccountSelector | string;
  /**
   * How long a write is waited for, in ms, before it is handed back as `UnresolvedWriteError`; the lane continues to
   * resolve it. Default 15,000.
   */
  readonly resolveWithinMs?: number;
  /** `result` (default) waits for the execution; `sequenced` is answered earlier and proven by the receipt. */
  readonly ack?: 'result' | 'sequenced';
  /** Where writes are written down before they leave. Default: in memory, so a crash forgets what was open. */
  readonly journal?: JournalLocation;
  /** Other type strings of signed structs, by operation, as the operator's document names them (`x-eip712.typeString`). */
  readonly structs?: Readonly<Record<string, string>>;
  /** Before `min-seq` and `seq` in header names; default `x-svc-`. */
  readonly headerPrefix?: string;
  /** Instead of the network, for an exchange in this process. */
  readonly transport?: Transport;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Default: seeded afresh. */
  readonly random?: Random;
  /** Default: none. */
  readonly log?: Log;
  /** Default: none. */
  readonly meter?: Metrics;
  /** Default: the fastest backends that load. */
  readonly crypto?: Crypto;
}

/** Options with the account as a selector. */
type CheckedOptions = Omit<ClientOptions, 'account'> & { readonly account?: AccountSelector };

/** How long a write is waited for unless the options say otherwise. */
const RESOLVE_WITHIN_MS = 15_000;

/** The client of one gateway. */
export interface Client {
  /** Time, signing domain, tokens. */
  readonly environment: EnvironmentReads;
  /** Markets, prices, books, trades, candles, funding, fees. */
  readonly markets: MarketReads;
  /** Builder dexes and builders. */
  readonly dexes: DexReads;
  /** One account. */
  readonly account: AccountReads & AccountWrites;
  /** Orders: place, cancel, replace, the dead man's switch; triggers, time-weighted orders, take-profit and stop-loss. */
  readonly orders: OrderWrites & AlgoOrderWrites;
  /** Receipts of writes. */
  readonly requests: RequestReads;
  /** Raw events of the exchange's log. */
  readonly events: EventReads;
  /** API wallets and their grants. */
  readonly apiWallets: ApiWalletReads & ApiWalletWrites;
  /** Vaults. */
  readonly vaults: VaultReads & VaultWrites;
  /** The twelve channels. */
  readonly streams: Streams;
  /**
   * Any read by its path, as JSON text: for what the functions do not show. Writes are refused.
   * @throws ClientUsageError `CLIENT_PATH_UNKNOWN`; ApiError, TransportError
   * @example
   * const text = await client.get('/v1/markets/BTC-USD/book', { depth: '5' });
   * assert(JSON.parse(text).symbol === 'BTC-USD');
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<string>;
  /** Ends everything: timers, sockets, lanes. What is open stays open; its journal, if durable, knows. */
  close(): Promise<void>;
}

/**
 * A client. Nothing is contacted before the first call.
 * @throws ClientUsageError for an option that is not known or of a wrong type; ConfigError when the base URL cannot be one.
 * @example
 * const reader = createClient({ baseUrl });
 * const { serverTime } = await reader.environment.time();
 * await reader.close();
 */
export function createClient(given: ClientOptions): Client {
  const [options] = readArguments(
    'createClient',
    [mustGive(OPTIONS satisfies Argument<keyof ClientOptions>)],
    [given],
  ) as [CheckedOptions];
  const { baseUrl, wallet, account = {}, headerPrefix, transport, crypto } = options;
  const clock = options.clock ?? new SystemClock();
  const random = options.random ?? seededRandom(freshSeed());
  const log = options.log ?? silentLog;
  const meter = options.meter ?? silentMeter;
  const gateway = createGateway({
    baseUrl,
    clock,
    random,
    log,
    meter,
    ...(transport === undefined ? {} : { transport }),
    ...(headerPrefix === undefined ? {} : { headerPrefix }),
  });
  const session = new Session({
    gateway,
    account,
    wallet,
    clock,
    random,
    log,
    meter,
    crypto: crypto === undefined ? undefined : () => Promise.resolve(crypto),
  });
  const writer = new WriteClient(session, {
    ack: options.ack ?? 'result',
    resolveWithinMs: options.resolveWithinMs ?? RESOLVE_WITHIN_MS,
    structs: options.structs === undefined ? undefined : replaceStructs(options.structs),
    journal: clientJournal(options.journal, VERSION),
  });
  const hub = new StreamHub(session);
  return {
    ...checkedGroups<Omit<Client, 'get' | 'close'>>(
      {
        environment: environmentReads(session),
        markets: marketReads(session),
        dexes: dexReads(session),
        account: { ...accountReads(session), ...accountWrites(writer) },
        orders: { ...orderWrites(writer), ...algoOrderWrites(writer) },
        requests: requestReads(session),
        events: eventReads(session),
        apiWallets: { ...apiWalletReads(session), ...apiWalletWrites(writer) },
        vaults: { ...vaultReads(session), ...vaultWrites(writer) },
        streams: streamsOf(session, hub),
      },
      CALLS,
    ),
    get: checkedCall(
      'get',
      (path: string, query?: Readonly<Record<string, string>>) => readByPath(session, path, query),
      GET,
    ),
    close: async () => {
      hub.close();
      await writer.close();
      await gateway.close();
    },
  };
}
