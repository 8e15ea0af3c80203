/**
 * @module Settings of an embedded exchange, with defaults that suit a demo on one machine. Where the interface document
 * is silent the values are those of docs/reference/exchange.md.
 */
import { assert } from '../../core/index.ts';
import { ppm, quantums } from '../../domain/index.ts';
import {
  HEADER_PREFIX_DEFAULT,
  IDLE_CLOSE_MS,
  type RequestIdDerivation,
  STRUCTS,
  type StructTable,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  signerAndDigest,
} from '../../wire/protocol/index.ts';
import type { VenueSettings } from '../engine/index.ts';
import { defaultMarkets } from './default-markets.ts';
import { type DexSettings, marketsOfDexes } from './dexes.ts';
import { defaultQuirks, type Quirks } from './quirks.ts';

/** The signing domain of an environment (exchange.md#signing). */
export interface ExchangeDomain {
  /** Name field of the EIP-712 domain. */
  readonly name: string;
  /** Version field of the EIP-712 domain. */
  readonly version: string;
  /** Chain id of the signing domain. */
  readonly chainId: number;
  /** Contract address of the signing domain. */
  readonly verifyingContract: string;
}

/** Settings of an {@link Exchange}. Times in ms, budgets in weight per 60 s window. */
export interface ExchangeSettings extends VenueSettings {
  /** Builder dexes (exchange.md#market-rules). */
  readonly dexes: readonly DexSettings[];
  /** Length of a block: order of system events, expiries and coalesced frames. */
  readonly blockMs: number;
  /** EIP-712 signing domain. */
  readonly domain: ExchangeDomain;
  /** The table of signed structs. */
  readonly structs: StructTable;
  /** How request ids follow from signer and digest (ambiguity A1). */
  readonly requestIdOf: RequestIdDerivation;
  /** False: a named signer is believed. For benches and for long simulations only. */
  readonly checksSignatures: boolean;
  /** Prefix of `min-seq` and `seq` in header names, lower case, such as `x-svc-`. */
  readonly headerPrefix: string;
  /** What precedes `/v1` in paths, without a trailing slash; empty: nothing. */
  readonly basePath: string;
  /** The life of the ledger (exchange.md#streams); empty: made from the clock and the seed. */
  readonly epoch: string;
  /** Lag of the replica that answers reads; 0: reads are served from the newest state. */
  readonly replicaLagMs: number;
  /**
   * Several replicas at one address, each this many ms behind; a request is answered by one of them, drawn by lot.
   * Empty: none, and `replicaLagMs` counts.
   */
  readonly replicas: readonly number[];
  /** How long a sequenced write stays `pending` and out of history. */
  readonly durabilityLagMs: number;
  /** How long a read waits for its min-seq before it ends in 412 (exchange.md#write-answers). */
  readonly readTimeoutMs: number;
  /** How long a write with `ack=result` waits for its result before it ends in 202. */
  readonly resultTimeoutMs: number;
  /** Request weight per minute and peer address. */
  readonly ipWeightLimit: number;
  /** Request weight per minute and wallet. */
  readonly accountWeightLimit: number;
  /** Subscriptions per connection (openapi.yaml). */
  readonly subscriptionsMax: number;
  /** A connection without a client frame for this long is closed (openapi.yaml). */
  readonly idleCloseMs: number;
  /** Frames that wait for one slow subscriber before it is sent `lagged` (exchange.md#streams). */
  readonly queuedFramesMax: number;
  /** Receipts that are kept, and users of nonces per scope; what is older ends in `history_unavailable`. */
  readonly receiptsMax: number;
  /** Fills and ledger entries kept per account, each; of ended orders a fifth of it. */
  readonly historyMax: number;
  /** Raw events that are kept. */
  readonly eventsMax: number;
  /** Remembers the whole log, so that a restart can roll it back. */
  readonly keepsLog: boolean;
  /** Answers to what the interface document leaves open; those not named are the likely ones. */
  readonly quirks: Partial<Quirks>;
}

/** Settings in which every question has its answer. */
export interface ResolvedSettings extends ExchangeSettings {
  /** Chosen answers to the open points of the interface. */
  readonly quirks: Quirks;
}

/** Lead of the switch under `A3=lead`: the upper end of what is thought possible (quirks.md). */
const LEAD_MS = 5_000;
/** Each replica is a whole exchange. */
const REPLICAS_MAX = 16;
/** Times the switch may fire in a day under `A3=cap`. */
const FIRES_PER_DAY_MAX = 10;

/** The defaults: base fees 500 / 0 ppm, hourly funding (exchange.md#resources, exchange.md#assumptions). */
export function defaultSettings(): ExchangeSettings {
  return {
    markets: defaultMarkets(),
    takerFeePpm: ppm(500),
    makerFeePpm: ppm(0),
    fundingIntervalMs: 3_600_000,
    impactNotional: quantums(20_000_000_000n),
    openOrdersMax: 1_000,
    scheduleCancelLeadMs: 0,
    dexes: [],
    blockMs: 100,
    domain: {
      name: 'dex-os',
      version: '1',
      chainId: 31_337,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    structs: STRUCTS,
    requestIdOf: signerAndDigest,
    checksSignatures: true,
    headerPrefix: HEADER_PREFIX_DEFAULT,
    basePath: '',
    epoch: '',
    replicaLagMs: 0,
    replicas: [],
    durabilityLagMs: 0,
    readTimeoutMs: 500,
    resultTimeoutMs: 1_000,
    ipWeightLimit: 6_000,
    accountWeightLimit: 6_000,
    subscriptionsMax: SUBSCRIPTIONS_PER_CONNECTION_MAX,
    idleCloseMs: IDLE_CLOSE_MS,
    queuedFramesMax: 8_192,
    receiptsMax: 20_000,
    historyMax: 100_000,
    eventsMax: 20_000,
    keepsLog: false,
    quirks: {},
  };
}

/** The defaults with `overrides` laid over them. @throws AssertionError when a value makes no exchange. */
export function resolveSettings(overrides: Partial<ExchangeSettings>): ResolvedSettings {
  const quirks: Quirks = { ...defaultQuirks(), ...overrides.quirks };
  const merged = { ...defaultSettings(), ...overrides };
  const markets = marketsOfDexes(merged.markets, merged.dexes);
  const settings = { ...merged, markets, ...venueQuirks(quirks), quirks };
  assert(settings.markets.length > 0, 'at least one market');
  assert(settings.blockMs > 0, `a block length above zero ms, got ${settings.blockMs}`);
  assert(/^[a-z0-9-]+$/.test(settings.headerPrefix), `a header prefix, got ${settings.headerPrefix}`);
  assert(
    settings.basePath === '' || /^\/.*[^/]$/.test(settings.basePath),
    `a base path with a leading and without a trailing slash, got ${settings.basePath}`,
  );
  assert(settings.replicas.length === 0 || settings.replicaLagMs === 0, 'replicas, or one replicaLagMs');
  assert(settings.replicas.length <= REPLICAS_MAX, `at most ${REPLICAS_MAX} replicas`);
  assert(settings.ipWeightLimit > 0 && settings.accountWeightLimit > 0, 'request budgets above zero');
  return Object.freeze(settings);
}

/** Quirks of the matching kernel, in its own words. */
function venueQuirks({ A3, A10, A13 }: Quirks): Partial<VenueSettings> {
  return {
    ...(A3 === 'lead' ? { scheduleCancelLeadMs: LEAD_MS } : {}),
    ...(A3 === 'cap' ? { scheduleCancelsPerDayMax: FIRES_PER_DAY_MAX } : {}),
    ...(A3 === 'no-clear' ? { hasNoScheduleCancelClear: true } : {}),
    ...(A10 === 'kept' ? { replaceKeepsNumber: true } : {}),
    ...(A13 === 'plain' ? { sparesTriggerOrders: true } : {}),
  };
}
