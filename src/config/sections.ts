/**
 * @module
 * The sections of a configuration as schemas: keys, units, defaults, bounds, meaning. Unknown keys are errors. What
 * `describe` says is what docs/reference/config.md and the JSON Schema for editors say.
 */
import { z } from 'zod';
import { feedsSection } from './feeds-section.ts';
import { paperSection } from './paper-section.ts';
import {
  address,
  choice,
  codeHash,
  decimal,
  decimalUpTo,
  duration,
  flag,
  headerPrefix,
  httpUrl,
  integer,
  name,
  path,
  symbol,
  wsUrl,
} from './scalars.ts';
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
      .describe('WebSocket URL. Left out: the base URL with ws in place of http, and /v1/ws.'),
    headerPrefix: headerPrefix.default('x-svc-').describe("Start of the names of the gateway's own headers."),
    isProduction: flag
      .prefault('false')
      .describe('With true the command line must say --production besides.'),
    document: path
      .optional()
      .describe(
        "The operator's own OpenAPI document (YAML or JSON), for its `x-eip712.typeString` of each write: what is signed where it differs from ballast's own table. Relative to the configuration. Mode sim checks it and signs for its own exchange.",
      ),
    signer: choice('auto', 'native', 'wasm', 'noble')
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
        'The main wallet whose account is traded, in one case or with its checksum (EIP-55); its key is never here. Needed unless the environment is `sim`.',
      ),
    subaccount: integer(0, 65_535)
      .prefault('0')
      .describe(
        'Number of the subaccount; 0 is the main account, and the one that is traded where the environment is `sim`.',
      ),
    foundOrders: choice('halt', 'adopt', 'cancel')
      .default('halt')
      .describe(
        'What is done with open orders found at the start that the journal does not know. Adopted ones belong to no strategy.',
      ),
    foundPositions: choice('halt', 'adopt')
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
        'trading carries orders of strategies; safety (one at the most) carries the switch and emergency cancels.',
      ),
    keyFile: path.describe(
      "File of mode 600 with the API wallet's key: plain hex, or a keystore (version 3). Relative to the configuration.",
    ),
    passwordFile: path
      .optional()
      .describe('For a keystore: file of mode 600 with its password. Relative to the configuration.'),
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

const budget = z
  .strictObject({
    notionalMax: decimal
      .optional()
      .describe(
        'P18: notional of its open orders at the most, in the collateral token. Left out: the limit of the account.',
      ),
    openOrdersMax: integer(1, 1000)
      .optional()
      .describe('P18: its open orders at the most. Left out: the limit of the account.'),
    lossMax: decimal
      .optional()
      .describe(
        'P18: loss, realised and not, in the collateral token; beyond it only reducing orders pass. Left out: 1 % of the capital.',
      ),
  })
  .describe('What one strategy may use, within the limits of the account.');

const strategy = z
  .strictObject({
    name: name.describe('Name of this instance: in logs, reports and the journal.'),
    module: path.describe(
      'TypeScript or JavaScript module of the strategy. Relative to the configuration; no build step.',
    ),
    sha256: codeHash
      .prefault('any')
      .describe(
        'SHA-256 of the code that was read and found good: the module and what it imports by relative paths, as `ballast config check` prints it. `ballast run` refuses other code before any of it runs; backtests and replays are for changed code and take it. `any`: whatever stands in the files.',
      ),
    wallet: name
      .optional()
      .describe('Name of the trading wallet whose lane it uses. Left out: the first trading wallet.'),
    markets: z
      .array(symbol)
      .min(1, { error: 'at least one market' })
      .describe('Markets it sees and may trade; each stands in the section markets.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("The strategy's own parameters, checked by its own schema."),
    budget: budget.prefault({}),
  })
  .describe('One strategy instance.');

/** Limits of risk-and-keys 6; amounts in the collateral token, fractions of `capital` where the name says so. */
const risk = z
  .strictObject({
    capital: decimal
      .refine((value) => value.gt(0), { error: 'a decimal above 0' })
      .meta({ title: 'a decimal above 0' })
      .describe('What may be traded with, in the collateral token; limits `…OfCapital` are fractions of it.'),
    orderNotionalMaxOfCapital: decimalUpTo('1').prefault('0.10').describe('P2: notional of one order.'),
    priceCollar: decimalUpTo('0.2')
      .prefault('0.03')
      .describe(
        'P3: greatest distance of a price from the reference price, as a fraction of it. Ceiling 0.1.',
      ),
    crossThroughMax: decimalUpTo('0.05')
      .prefault('0.005')
      .describe('P3: how far through the far touch a crossing order may reach, as a fraction. Ceiling 0.02.'),
    referenceGapMax: decimalUpTo('0.2')
      .prefault('0.01')
      .describe('P4: two sources of the reference price may differ by this fraction. Ceiling 0.05.'),
    positionMaxOfCapital: decimalUpTo('20')
      .prefault('0.5')
      .describe('P5: worst-case position of one market. Ceiling 3.'),
    grossMaxOfCapital: decimalUpTo('20')
      .prefault('2')
      .describe('P5: all worst-case positions added up. Ceiling 6.'),
    netMaxOfCapital: decimalUpTo('20')
      .prefault('1')
      .describe('P5: all worst-case positions of one sign, netted. Ceiling 3.'),
    openOrdersPerSideMax: integer(1, 200)
      .prefault('5')
      .describe('P6: open orders on one side of a market. Ceiling 100.'),
    openOrdersMax: integer(1, 1000).prefault('50').describe('P6: open orders in all.'),
    openNotionalMaxOfCapital: decimalUpTo('20')
      .prefault('2')
      .describe('P7: notional of all open orders. Ceiling 12.'),
    openNotionalPerMarketMaxOfCapital: decimalUpTo('20')
      .prefault('1')
      .describe('P7: notional of the open orders of one market. Ceiling 6.'),
    leverageMax: decimalUpTo('50')
      .prefault('3')
      .describe('P8: worst-case gross notional over equity. Ceiling 10.'),
    marginCoverMin: decimalUpTo('100')
      .prefault('2')
      .describe('P9: equity over worst-case maintenance margin at the least. Floor 1.2.'),
    freeCollateralMin: decimalUpTo('1')
      .prefault('0.2')
      .describe('P9: fraction of equity that stays free. Floor 0.05.'),
    duplicatesPerSecondMax: integer(1, 100)
      .prefault('1')
      .describe('P10: how often the same order may leave within a second.'),
    writesPerSecondMax: integer(1, 1000)
      .prefault('10')
      .describe('P11: writes per second of one lane. Ceiling 100.'),
    writesBurst: integer(1, 1000)
      .prefault('20')
      .describe('P11: writes of one lane at once, after a pause. Ceiling 200.'),
    accountWritesPerSecondMax: integer(1, 1000)
      .prefault('20')
      .describe('P11: writes per second of the account; one strategy gets 60 % of them. Ceiling 500.'),
    orderLifetimeMax: duration
      .prefault('60s')
      .describe('P14: longest life of an order with an expiry. Ceiling 5m.'),
    switchRemainingMin: duration
      .prefault('5s')
      .describe("P15: nothing is placed when the dead man's switch has less time left. Floor 1s."),
    marketDataAgeMax: duration
      .prefault('2s')
      .describe(
        'P16: nothing is placed on older market data, by our clock and by that of the exchange. Ceiling 10s.',
      ),
    isMakerOnly: flag
      .prefault('true')
      .describe('P17: every order must be post-only, except reduce-only ones.'),
    sameSideFillsMax: integer(1, 100_000)
      .prefault('20')
      .describe('M1: fills on one side of a market within 10 s; more halt the market.'),
    tradedMaxOfCapital: decimalUpTo('1000')
      .prefault('0.5')
      .describe(
        'M1: notional traded in a market within 10 s, as a part of the capital; more halts the market.',
      ),
    replacesPerSecondMax: integer(1, 100)
      .prefault('5')
      .describe('M8: replaces of one order within a second; more slow its strategy to one write a second.'),
    ordersPerTradeMax: integer(1, 100_000)
      .prefault('500')
      .describe(
        'M8: orders of a strategy for each of its trades within ten minutes, counted from the start; more slow it to one write a second.',
      ),
    queueFillMax: decimalUpTo('1')
      .prefault('0.8')
      .describe('M14: the part of the room of a queue of facts or frames above which the health is red.'),
    grantLeftMin: duration
      .prefault('2m')
      .describe(
        'M16: the run ends when the grant of a wallet has less time left; said a week, a day and an hour before. At least 2m.',
      ),
    switchFiringsPerHourMax: integer(0, 100)
      .prefault('1')
      .describe(
        "M12: firings of the dead man's switch within an hour, counted from the start; more halt the account until a person resumes it.",
      ),
  })
  .describe(
    'Limits, checked before every write. A ceiling or floor holds at the start, besides the bounds of the value.',
  );

const deadMansSwitch = z
  .strictObject({
    heartbeat: duration.prefault('5s').describe('How often a healthy bot renews the switch. From 1s to 10s.'),
    trigger: duration
      .prefault('20s')
      .describe(
        'How far ahead it is armed; then the exchange cancels everything. At least three heartbeats, at most 2m.',
      ),
  })
  .describe("The dead man's switch at the exchange.");

const journal = z
  .strictObject({
    folder: path
      .prefault('.ballast/journal')
      .describe('Where the journal lies. Relative to the configuration.'),
    reserveMegabytes: integer(1, 1_000_000)
      .prefault('64')
      .describe('With less room on the disk than this, in megabytes, nothing is placed.'),
  })
  .describe('The durable memory of writes.');

const record = z
  .strictObject({
    isOn: flag.prefault('true').describe('Whether every frame is kept.'),
    folder: path.prefault('.ballast/tapes').describe('Where recordings go. Relative to the configuration.'),
  })
  .describe('Recording of what the gateway sent.');

const log = z
  .strictObject({
    level: choice('debug', 'info', 'warn', 'error')
      .prefault('info')
      .describe('The least level that is logged.'),
    file: path.optional().describe('Where logs go. Relative to the configuration. Left out: standard error.'),
  })
  .describe('What is said, and where to.');

/** A whole configuration, as text scalars in and values out. */
export const configSchema = z.strictObject({
  environment,
  account: account.prefault({}),
  wallets: z.array(wallet).default([]).describe('API wallets. Needed unless the environment is `sim`.'),
  markets: z.array(market).min(1, { error: 'at least one market' }).describe('Markets that may be traded.'),
  strategies: z
    .array(strategy)
    .min(1, { error: 'at least one strategy' })
    .describe('What runs, in one process.'),
  risk,
  switch: deadMansSwitch.prefault({}),
  journal: journal.prefault({}),
  record: record.prefault({}),
  paper: paperSection.prefault({}),
  feeds: feedsSection.default([]),
  sweep: sweepSection.optional(),
  log: log.prefault({}),
});

/** What {@link configSchema} gives. */
export type ConfigValues = z.output<typeof configSchema>;
