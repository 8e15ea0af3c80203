/** @module The keys of a scenario, section by section: what each means, what it may be. */
import {
  ADDRESS,
  ANY_TEXT,
  durationFrom,
  FRACTION,
  integerFrom,
  type Kind,
  lineOf,
  listOf,
  oneOf,
  optional,
  parseScaled,
  preset,
  required,
  UNSIGNED_DECIMAL,
} from '../../core/index.ts';

import { allControlActions } from '../control/index.ts';

const anything = (expected: string): Kind<object | string> => ({
  expected,
  read: (value) =>
    (typeof value === 'object' && value !== null) || typeof value === 'string' ? value : undefined,
});

/** A fee in basis points, read as ppm. A fraction of a basis point is exact or an error: it is an integer of ppm. */
const bps = (min: number, max: number): Kind<number> => ({
  expected: `basis points from ${min} to ${max}, with at most 2 decimals`,
  read: (value) => {
    const fee = typeof value === 'string' ? parseScaled(value, 2) : undefined;
    return fee === undefined || fee < min * 100 || fee > max * 100 ? undefined : Number(fee);
  },
});

/** The sections. Those that hold others are read by their own table. */
export const SCENARIO_KEYS = {
  name: optional(lineOf('a name'), 'Names it.', "the file's name"),
  description: optional(ANY_TEXT, 'What it shows.'),
  seed: optional(integerFrom(0, 4_294_967_295), 'Seed of keys and participants; `--seed` wins.', '7'),
  start: optional(
    lineOf('an instant like 2026-01-05T00:00:00Z'),
    'First time of the clock. Time continues from there, or is stopped with `--clock manual`.',
    "the machine's time; with `--clock manual` 2026-01-05T00:00:00Z",
  ),
  settings: optional(anything('a section with keys'), 'Settings of the exchange.'),
  quirks: optional(anything('a section with keys'), 'Answers to open questions, `A4: full`; see quirks.md.'),
  markets: optional(anything('a list of sections'), 'Markets.', 'BTC-USD and ETH-USD'),
  dexes: optional(anything('a list of sections'), 'Builder dexes.', 'none'),
  feeTiers: optional(
    anything('a list of sections'),
    'Fee tiers by 30-day volume, the smallest first.',
    'none',
  ),
  accounts: optional(anything('a list of sections'), 'Funded accounts with ephemeral keys.', '`--accounts`'),
  participants: optional(
    anything('a section with keys'),
    'Who else trades.',
    'seeded participants in all markets',
  ),
  events: optional(anything('a list of sections'), 'What happens when: actions of control.md.'),
};

/** Keys of `settings`. */
export const SETTINGS_KEYS = {
  blockInterval: optional(durationFrom('1ms', '1m'), 'Length of a block.', '100ms'),
  replicas: optional(listOf(durationFrom('0ms', '1h'), 16), 'Lag of each replica at the address.', 'none'),
  durabilityLag: optional(durationFrom('0ms', '1h'), 'How long a write stays pending.', '0ms'),
  readTimeout: optional(durationFrom('0ms', '1m'), 'How long a read waits for its min-seq.', '500ms'),
  resultTimeout: optional(durationFrom('0ms', '1m'), 'How long a write waits for its result.', '1s'),
  ipWeightLimit: optional(integerFrom(1, 1_000_000_000), 'Weight per 60 s and IP.', '6000'),
  accountWeightLimit: optional(integerFrom(1, 1_000_000_000), 'Weight per 60 s and main wallet.', '6000'),
  takerFeeBps: optional(bps(0, 1_000), 'Taker fee.', '5'),
  makerFeeBps: optional(bps(-1_000, 1_000), 'Maker fee; below 0: a rebate.', '0'),
  maxBuilderFeeBps: optional(bps(0, 10_000), 'Highest fee that a builder may ask for an order.', '10'),
  insuranceFund: optional(UNSIGNED_DECIMAL, 'What the insurance fund begins with, USDC.', '0'),
  liquidationFeeBps: optional(
    bps(0, 10_000),
    'Fee of the fund on the notional that a liquidation closed.',
    '50',
  ),
  fundingInterval: optional(durationFrom('1ms', '24h'), 'Time between funding settlements.', '1h'),
  maxOpenOrders: optional(integerFrom(1, 100_000), 'Open orders per account.', '1000'),
  maxQueuedFrames: optional(integerFrom(1, 1_000_000), 'Frames that wait for a slow subscriber.', '8192'),
  basePath: optional(
    lineOf('a path like /perps, without a slash at its end'),
    'What precedes /v1.',
    'nothing',
  ),
  headerPrefix: optional(lineOf('a header prefix like x-svc-'), 'Start of header names.', 'x-svc-'),
  chainId: optional(integerFrom(1, 2_147_483_647), 'Chain of the signing domain.', '31337'),
  epoch: optional(lineOf('an epoch'), 'Name of the ledger.', 'made from clock and seed'),
};

/** Keys of each of `markets`. */
export const MARKET_KEYS = {
  symbol: required(lineOf('a symbol like BTC-USD'), 'Its name.'),
  priceDecimals: required(integerFrom(0, 6), 'Decimals of prices.'),
  sizeDecimals: required(integerFrom(0, 6), 'Decimals of sizes; at most 6 together with those of prices.'),
  indexPrice: required(UNSIGNED_DECIMAL, 'The first index price.'),
  signingMarketId: optional(
    integerFrom(0, 65_535),
    'Its number inside signed structs.',
    'its index in the list',
  ),
  minNotional: optional(UNSIGNED_DECIMAL, 'Smallest notional of an order, USDC.', '10'),
  initialMarginPpm: optional(integerFrom(1_000, 1_000_000), 'Initial margin.', '50000'),
  maintenanceFractionPpm: optional(
    integerFrom(1_000, 1_000_000),
    'Fraction of it that must be kept.',
    '600000',
  ),
};

/** Keys of each of `dexes`. */
export const DEX_KEYS = {
  id: required(lineOf('an id'), 'Its id.'),
  name: optional(lineOf('a name'), 'Its name.', 'its id'),
  deployer: required(ADDRESS, 'The wallet that receives the fee.'),
  symbols: required(listOf(lineOf('a market symbol')), 'Its markets.'),
  feeScalePpm: preset(
    integerFrom(0, 1_000_000),
    0,
    "Fraction of the protocol's taker fee that comes on top, in ppm of it.",
  ),
  deployerFeeBps: optional(bps(0, 1_000), "Fee of the deployer on a taker's notional.", '0'),
};

/** Keys of each of `feeTiers`. */
export const FEE_TIER_KEYS = {
  volume: required(UNSIGNED_DECIMAL, 'What must have been traded within 30 days, USDC.'),
  takerFeeBps: required(bps(0, 1_000), 'Taker fee.'),
  makerFeeBps: required(bps(-1_000, 1_000), 'Maker fee; below 0: a rebate.'),
};

/** Keys of each of `accounts`. */
export const ACCOUNT_KEYS = {
  name: required(lineOf('a name'), 'Names it for events.'),
  balance: preset(UNSIGNED_DECIMAL, '1000000', 'USDC it is given.'),
  apiWallets: preset(integerFrom(0, 20), 2, 'API wallets to make and approve.'),
};

/** Keys of `participants`. */
export const PARTICIPANT_KEYS = {
  kind: preset(oneOf('synthetic', 'none'), 'synthetic', 'Seeded participants, or none.'),
  markets: optional(listOf(lineOf('a market symbol')), 'Where they live.', 'all markets'),
  indexStepPpm: optional(integerFrom(0, 100_000), 'Step of the index price per second.', '60'),
  jumpProbability: optional(FRACTION, 'Probability of a jump per second.', '0.06'),
  jumpPpm: optional(integerFrom(0, 500_000), 'Size of a jump.', '2000'),
  takersPerSecond: optional(integerFrom(1, 1_000), 'Market orders of noise per second.', '5'),
  makers: optional(integerFrom(0, 2), 'Background makers.', '2'),
};

/** Keys of each of `events`, beside the parameters of its action. */
export const EVENT_KEYS = {
  at: required(durationFrom('0ms', '24h'), 'When, from the start on.'),
  action: required(
    oneOf(
      ...allControlActions()
        .filter(({ isForScenarios }) => isForScenarios)
        .map(({ name }) => name),
    ),
    'An action of control.md; its parameters are keys beside it.',
  ),
  every: optional(durationFrom('1ms', '24h'), 'Repeats at this interval.', 'once'),
  repeat: optional(integerFrom(1, 1_000_000), 'How often, with `every`.', 'without end'),
};
