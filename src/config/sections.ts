/**
 * @module
 * The sections of a configuration as schemas: keys, units, defaults, bounds, meaning. Unknown keys are errors. What
 * `describe` says is what docs/reference/config.md and the JSON Schema for editors say.
 */
import { z } from 'zod';
import { alertsSection } from './alerts-section.ts';
import { feedsSection } from './feeds-section.ts';
import { keepSection, logTurns } from './keep-section.ts';
import { botName, operatorSection } from './operator-section.ts';
import { paperSection } from './paper-section.ts';
import {
  address,
  capitalLimit,
  choice,
  codeHash,
  decimal,
  decimalFrom,
  decimalUpTo,
  durationFrom,
  flag,
  headerPrefix,
  httpUrl,
  integer,
  name,
  path,
  symbol,
  vaultId,
  wsUrl,
} from './scalars.ts';
import { signerSection } from './signer-section.ts';
import { stopSection } from './stop-section.ts';
import { sweepSection } from './sweep-section.ts';

/** Which gateway, and how it is spoken to. */
const environment = z
  .strictObject({
    name: name.describe(
      '`sim`: the exchange in the box, started by ballast. Any other name is yours for a gateway (`test`, `production`).',
    ),
    baseUrl: httpUrl
      .optional()
      .describe('Base URL of the gateway, without /v1. Needed unless the environment is `sim`.'),
    wsUrl: wsUrl
      .optional()
      .describe(
        'WebSocket URL of the streams, wss where the base URL is https. Left out: the base URL with ws instead of http, and /v1/ws.',
      ),
    caFile: path
      .optional()
      .describe(
        'File with certificates (PEM) that are believed beside those that Node knows: of a gateway or a proxy with an authority of its own. Relative to the configuration.',
      ),
    proxy: httpUrl
      .optional()
      .describe(
        'Outgoing proxy for all connections to the gateway, as http://host:port: requests and WebSocket go through a tunnel (CONNECT). Without user name and password.',
      ),
    headerPrefix: headerPrefix.default('x-svc-').describe("Start of the names of the gateway's own headers."),
    production: flag.prefault('false').describe('With true the command line must also say --production.'),
    openapiFile: path
      .optional()
      .describe(
        "The operator's own OpenAPI document (YAML or JSON), for its `x-eip712.typeString` of each write: what is signed where it differs from ballast's own table. Relative to the configuration. Mode sim checks it and signs for its own exchange.",
      ),
    signingBackend: choice('auto', 'native', 'wasm', 'noble')
      .default('auto')
      .describe(
        'What computes signatures: native (libsecp256k1), wasm or noble (plain JavaScript). auto: the first of them that works. The log names the one in use.',
      ),
    seed: integer(0, 4_294_967_295).prefault('7').describe('Seed of the embedded exchange, in mode sim.'),
  })
  .describe('Which gateway, and how it is spoken to.');

const account = z
  .strictObject({
    address: address
      .optional()
      .describe(
        'The main wallet whose account is traded, in one case or with its checksum (EIP-55); its key is never here. Needed for orders on a gateway.',
      ),
    subaccount: integer(0, 65_535)
      .prefault('0')
      .describe(
        'Number of the subaccount; 0 is the main account, and the one that is traded where the environment is `sim`. Of a vault: the account that claimed it.',
      ),
    vault: vaultId
      .optional()
      .describe(
        'Id of a vault that is traded instead, as its manager: `address` and `subaccount` name the account that claimed it, where its API wallets are approved. Only place, cancel, replace, cancel-all, schedule-cancel and leverage are written for it.',
      ),
    orphanOrders: choice('halt', 'adopt', 'cancel')
      .default('halt')
      .describe(
        'What is done with open orders found at the start that the journal does not know. Adopted ones belong to no strategy.',
      ),
    orphanPositions: choice('halt', 'adopt')
      .default('halt')
      .describe('What is done with a position found at the start that the journal does not explain.'),
  })
  .describe('Whose orders these are, and what to do with what is found at the start.');

const wallet = z
  .strictObject({
    name: name.describe('Name of the wallet; strategies refer to it.'),
    role: choice('trading', 'safety')
      .default('trading')
      .describe(
        'trading carries orders of strategies; safety (at most one) carries the switch and emergency cancels.',
      ),
    keyFile: path
      .optional()
      .describe(
        "File of mode 600 with the API wallet's key: plain hex, or a keystore (version 3). Relative to the configuration. Needed unless `signer` has the key.",
      ),
    passwordFile: path
      .optional()
      .describe('For a keystore: file of mode 600 with its password. Relative to the configuration.'),
    signer: signerSection.optional(),
  })
  .describe('One API wallet.');

const market = z
  .strictObject({
    symbol: symbol.describe('The market as the gateway names it.'),
    leverage: integer(1, 100)
      .optional()
      .describe('Leverage set at the start: initial margin is 1/leverage. Left out: what the account has.'),
  })
  .describe('One market that may be traded.');

const strategyLimits = z
  .strictObject({
    maxOpenNotional: decimal
      .optional()
      .describe(
        'Notional of its open orders, in the collateral token (P18). Left out: the limit of the account.',
      ),
    maxOpenOrders: integer(1, 1000)
      .optional()
      .describe('Number of its open orders (P18). Left out: the limit of the account.'),
    maxLoss: decimal
      .optional()
      .describe(
        'Loss, realized and unrealized, in the collateral token (P18). Above it only reduce-only orders pass. Left out: 1% of the capital.',
      ),
    maxDailyLoss: capitalLimit(100)
      .optional()
      .describe(
        'Its loss since the start of the UTC day, restarts included; above it only reduce-only orders of it pass (M4). Left out: no limit.',
      ),
    maxDrawdown: capitalLimit(100)
      .optional()
      .describe('Its loss from its highest profit, restarts included (M4). Left out: no limit.'),
  })
  .describe('What one strategy may use, within the limits of the account.');

const strategy = z
  .strictObject({
    name: name.describe('Name of this strategy in logs, reports and the journal.'),
    module: path.describe(
      'TypeScript or JavaScript module of the strategy. Relative to the configuration; no build step.',
    ),
    sha256: codeHash
      .prefault('any')
      .describe(
        'SHA-256 of the reviewed code: the module and what it imports by relative paths, as `ballast config check` prints it. Every command that loads it refuses other code before any of it runs, and pinned code that imports what this does not cover. `any`: whatever stands in the files, or in the lock that `ballast config check --lock` writes beside the configuration.',
      ),
    freezeViews: flag
      .prefault('false')
      .describe(
        'Books, prices, trades and candles are shown to it as frozen copies, so that a line that writes to them throws. Slower: for development.',
      ),
    wallet: name
      .optional()
      .describe('Name of the trading wallet whose lane it uses. Left out: the first trading wallet.'),
    markets: z
      .array(symbol)
      .min(1, { error: 'at least one market' })
      .describe('Markets it sees and may trade; each is listed in the section markets.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("The strategy's own parameters, checked by its own schema."),
    orderLifetime: durationFrom('2s', '5m')
      .optional()
      .describe(
        'How long its quotes and single orders live at the exchange where the strategy states nothing itself; at most `risk.maxOrderLifetime`. Quotes are renewed before they end. Left out: no end but that of the switch.',
      ),
    limits: strategyLimits.prefault({}),
  })
  .describe('One strategy.');

/** The most that a limit of capital may be, in percent of it. */
export const CAPITAL_PERCENT_MAX = {
  maxOrderNotional: 100,
  maxPositionNotional: 300,
  maxGrossExposure: 600,
  maxNetExposure: 300,
  maxOpenNotional: 1_200,
  maxOpenNotionalPerMarket: 600,
  maxTurnoverPer10s: 100_000,
  maxDailyLoss: 100,
  maxDrawdown: 100,
  maxLossPerMinute: 100,
  maxDailyLossPerMarket: 100,
} as const;

/** Limits; amounts in the collateral token, or a percentage of `capital`. */
const risk = z
  .strictObject({
    capital: decimal
      .refine((value) => value.gt(0), { error: 'a decimal above 0' })
      .meta({ title: 'a decimal above 0' })
      .describe(
        'What may be traded with, in the collateral token. A limit like `10%` is a percentage of it.',
      ),
    maxOrderNotional: capitalLimit(CAPITAL_PERCENT_MAX.maxOrderNotional)
      .prefault('10%')
      .describe('Notional of one order (P2).'),
    priceCollar: decimalUpTo('0.1')
      .prefault('0.03')
      .describe('Largest distance of a price from the reference price, as a fraction of it (P3).'),
    maxCrossDepth: decimalUpTo('0.02')
      .prefault('0.005')
      .describe(
        'How deep a crossing order may reach past the best opposite price, as a fraction of it (P3).',
      ),
    maxReferenceDeviation: decimalUpTo('0.05')
      .prefault('0.01')
      .describe('Two sources of the reference price may differ by this fraction (P4).'),
    maxPositionNotional: capitalLimit(CAPITAL_PERCENT_MAX.maxPositionNotional)
      .prefault('50%')
      .describe('Worst-case position of one market (P5).'),
    maxGrossExposure: capitalLimit(CAPITAL_PERCENT_MAX.maxGrossExposure)
      .prefault('200%')
      .describe('Sum of all worst-case positions (P5).'),
    maxNetExposure: capitalLimit(CAPITAL_PERCENT_MAX.maxNetExposure)
      .prefault('100%')
      .describe('Sum of the worst-case positions of one sign, netted (P5).'),
    maxOpenOrdersPerSide: integer(1, 100).prefault('5').describe('Open orders on one side of a market (P6).'),
    maxOpenOrders: integer(1, 1000).prefault('50').describe('Open orders in all markets (P6).'),
    maxOpenNotional: capitalLimit(CAPITAL_PERCENT_MAX.maxOpenNotional)
      .prefault('200%')
      .describe('Notional of all open orders (P7).'),
    maxOpenNotionalPerMarket: capitalLimit(CAPITAL_PERCENT_MAX.maxOpenNotionalPerMarket)
      .prefault('100%')
      .describe('Notional of the open orders of one market (P7).'),
    maxLeverage: decimalUpTo('10').prefault('3').describe('Worst-case gross notional over equity (P8).'),
    minMarginCoverage: decimalFrom('1.2', '100')
      .prefault('2')
      .describe('Equity / worst-case maintenance margin (P9).'),
    minFreeCollateral: decimalFrom('0.05', '1')
      .prefault('0.2')
      .describe('Fraction of equity that stays free (P9).'),
    maxDuplicateOrdersPerSecond: integer(1, 100)
      .prefault('1')
      .describe('How often the same order may be sent within a second (P10).'),
    maxWritesPerSecond: integer(1, 100).prefault('10').describe('Writes per second of one lane (P11).'),
    writeBurst: integer(1, 200).prefault('20').describe('Writes of one lane at once, after a pause (P11).'),
    maxAccountWritesPerSecond: integer(1, 500)
      .prefault('20')
      .describe('Writes per second of the account; one strategy gets 60 % of them (P11).'),
    maxOrderLifetime: durationFrom('1ms', '5m')
      .prefault('60s')
      .describe('Longest lifetime of an order with an expiry (P14).'),
    minSwitchTimeLeft: durationFrom('1s', '2m')
      .prefault('5s')
      .describe("No order is placed when the dead man's switch has less time left (P15)."),
    maxMarketDataAge: durationFrom('1ms', '10s')
      .prefault('2s')
      .describe('No order is placed on older market data, by our clock and by that of the exchange (P16).'),
    postOnly: flag.prefault('true').describe('Every order must be post-only, except reduce-only ones (P17).'),
    maxSameSideFillsPer10s: integer(1, 100_000)
      .prefault('20')
      .describe('Fills on one side of a market within 10 s; more halt the market (M1).'),
    maxTurnoverPer10s: capitalLimit(CAPITAL_PERCENT_MAX.maxTurnoverPer10s)
      .prefault('50%')
      .describe('Notional traded in a market within 10 s; more halts the market (M1).'),
    maxDailyLoss: capitalLimit(CAPITAL_PERCENT_MAX.maxDailyLoss)
      .prefault('3%')
      .describe(
        'Loss of the account since the start of the UTC day, restarts included; above it only reduce-only orders pass (M4).',
      ),
    maxDrawdown: capitalLimit(CAPITAL_PERCENT_MAX.maxDrawdown)
      .prefault('5%')
      .describe('Loss of the account from its highest profit, restarts included (M4).'),
    maxLossPerMinute: capitalLimit(CAPITAL_PERCENT_MAX.maxLossPerMinute)
      .prefault('1%')
      .describe('Loss of the account within a minute (M4).'),
    maxDailyLossPerMarket: capitalLimit(CAPITAL_PERCENT_MAX.maxDailyLossPerMarket)
      .optional()
      .describe('Loss of one market since the start of the UTC day (M4). Left out: no limit.'),
    haltLossRatio: decimalFrom('1', '100')
      .optional()
      .describe(
        'A loss of so many times one of these limits halts its scope, which ends a run with 79 (M4). Left out: no loss halts.',
      ),
    lossCooldown: durationFrom('1s', '168h')
      .optional()
      .describe(
        'So long after a loss limit was passed losses count from zero and trading continues (M4). Left out: a person resumes.',
      ),
    maxRejectionsPer10s: integer(1, 100_000)
      .prefault('5')
      .describe(
        'Orders of a strategy that the exchange rejects within 10 s; this many pause it for 60 s (M5).',
      ),
    countPostOnlyRejections: flag
      .optional()
      .describe(
        'Post-only orders that were rejected since they would have taken count for M5. Default: true where orders reach an exchange, false in a backtest and on paper: there they are the lot of a maker that joins the touch, and no exchange minds.',
      ),
    maxReplacesPerSecond: integer(1, 100)
      .prefault('5')
      .describe(
        'Replaces of one order within a second; more throttle its strategy to one write a second (M8).',
      ),
    maxOrderToTradeRatio: integer(1, 100_000)
      .prefault('500')
      .describe(
        'Orders of a strategy for each of its trades within ten minutes, counted from the start; more throttle it to one write a second (M8).',
      ),
    maxQueueUtilization: decimalUpTo('1')
      .prefault('0.8')
      .describe(
        'Fraction of the capacity of a queue of facts or frames; above it the health check fails (M14).',
      ),
    minGrantTimeLeft: durationFrom('2m')
      .prefault('2m')
      .describe(
        'The run ends when the grant of a wallet has less time left; it warns a week, a day and an hour before (M16).',
      ),
    maxSwitchFiringsPerHour: integer(0, 100)
      .prefault('1')
      .describe(
        "Firings of the dead man's switch within an hour, counted from the start; more halt the account until a person resumes it (M12).",
      ),
  })
  .describe(
    'Limits, checked before every write. A limit of capital is a percentage like `10%` or an amount like `5000`, which may be no more than the largest percentage.',
  );

const deadMansSwitch = z
  .strictObject({
    heartbeat: durationFrom('1s', '10s')
      .prefault('5s')
      .describe('How often a healthy bot renews the switch.'),
    timeout: durationFrom('3s', '2m')
      .prefault('20s')
      .describe(
        'After this time without a renewal the exchange cancels all orders. At least three heartbeats.',
      ),
    guardian: flag
      .prefault('true')
      .describe(
        'Whether a live run has a guardian: a process of its own that cancels all orders within 2 s when the run dies or its main loop stands still for 1.2 s. Without it the switch does, after its timeout.',
      ),
  })
  .describe("The dead man's switch at the exchange.");

const journal = z
  .strictObject({
    folder: path
      .prefault('.ballast/journal')
      .describe('Folder of the journal, relative to the configuration.'),
    minFreeDiskMb: integer(1, 1_000_000)
      .prefault('64')
      .describe('No order is placed when the disk has less free space than this, in megabytes.'),
  })
  .describe('The durable memory of writes.');

const record = z
  .strictObject({
    enabled: flag.prefault('true').describe('Whether every frame is kept.'),
    folder: path.prefault('.ballast/tapes').describe('Where recordings go. Relative to the configuration.'),
  })
  .describe('Recording of what the gateway sent.');

const log = z
  .strictObject({
    level: choice('debug', 'info', 'warn', 'error')
      .prefault('info')
      .describe('The least level that is logged.'),
    file: path.optional().describe('Where logs go. Relative to the configuration. Left out: standard error.'),
    ...logTurns,
  })
  .describe('What is said, and where to.');

/** A whole configuration, as text scalars in and values out. */
export const configSchema = z.strictObject({
  name: botName,
  environment,
  account: account.prefault({}),
  wallets: z
    .array(wallet)
    .default([])
    .describe('API wallets. Needed for orders on a gateway; recordings and paper trading use none.'),
  markets: z.array(market).min(1, { error: 'at least one market' }).describe('Markets that may be traded.'),
  strategies: z
    .array(strategy)
    .min(1, { error: 'at least one strategy' })
    .describe('What runs, in one process.'),
  risk,
  deadMansSwitch: deadMansSwitch.prefault({}),
  stop: stopSection.prefault({}),
  journal: journal.prefault({}),
  record: record.prefault({}),
  keep: keepSection.prefault({}),
  tape: path
    .optional()
    .describe(
      'Folder of the tape that backtests, sweeps and bars read, unless --tape names another. Relative to the configuration.',
    ),
  paper: paperSection.prefault({}),
  feeds: feedsSection.default([]),
  sweep: sweepSection.optional(),
  operator: operatorSection.prefault({}),
  alerts: alertsSection.prefault({}),
  log: log.prefault({}),
});

/** The same for a recording, which trades nothing: what only orders need may be missing, and is never looked at. */
export const recordingSchema = configSchema.extend({
  strategies: z.array(strategy).default([]),
  risk: risk.prefault({ capital: '1' }),
});

/** What {@link configSchema} gives. */
export type ConfigValues = z.output<typeof configSchema>;
