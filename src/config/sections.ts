/**
 * @module
 * The sections of a configuration as schemas: keys, units, defaults, bounds. Unknown keys are errors.
 */
import { z } from 'zod';
import {
  address,
  decimal,
  decimalUpTo,
  duration,
  flag,
  httpUrl,
  integer,
  name,
  path,
  symbol,
  wsUrl,
} from './scalars.ts';

/** Which gateway, and how it is spoken to. In mode `sim` the exchange is started by ballast and `baseUrl` is not used. */
const environment = z.strictObject({
  /** `sim`, or a name of your own for a gateway (`test`, `production`). */
  name,
  baseUrl: httpUrl.optional(),
  /** Default: the base URL with ws in place of http, and /v1/ws. */
  wsUrl: wsUrl.optional(),
  headerPrefix: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}-$/, { error: 'a header prefix like x-svc-' })
    .default('x-svc-'),
  /** Production asks for --production on the command line besides. */
  isProduction: flag.default(false),
  /** Seed of the embedded exchange in mode sim. */
  seed: integer(0, 4_294_967_295).default(7),
});

/** Whose orders these are, and what to do with what is found at the start. */
const account = z.strictObject({
  address: address.optional(),
  subaccount: integer(0, 65_535).default(0),
  /** Orders found at the start that this bot's journal does not know. */
  foundOrders: z.enum(['halt', 'adopt', 'cancel'], { error: 'halt, adopt or cancel' }).default('halt'),
  /** A position found at the start that this bot's journal does not explain. */
  foundPositions: z.enum(['halt', 'adopt'], { error: 'halt or adopt' }).default('halt'),
});

/** One API wallet: its key lies in a file of mode 0600, plain hex or a keystore. */
const wallet = z.strictObject({
  name,
  role: z.enum(['trading', 'safety'], { error: 'trading or safety' }).default('trading'),
  keyFile: path,
  /** For a keystore: the file that holds its password. */
  passwordFile: path.optional(),
});

/** One market that may be traded. */
const market = z.strictObject({
  symbol,
  /** Initial margin of 1/leverage, set at the start. Default: what the account has. */
  leverage: integer(1, 100).optional(),
});

/** What one strategy may use, within the limits of the account (risk-and-keys P18). */
const budget = z.strictObject({
  notionalMax: decimal.optional(),
  openOrdersMax: integer(1, 1000).optional(),
  lossMax: decimal.optional(),
});

/** One strategy instance. */
const strategy = z.strictObject({
  name,
  /** A TypeScript or JavaScript module, relative to this file. */
  module: path,
  /** Name of the wallet whose lane it uses. Default: the first trading wallet. */
  wallet: name.optional(),
  markets: z.array(symbol).min(1, { error: 'at least one market' }),
  /** Checked by the strategy's own schema. */
  parameters: z.record(z.string(), z.unknown()).default({}),
  budget: budget.prefault({}),
});

/** Limits of risk-and-keys 6; amounts in the collateral token, fractions of `capital` where the name says so. */
const risk = z.strictObject({
  /** C of the specification: all default limits are fractions of it. */
  capital: decimal.refine((value) => value.gt(0), { error: 'a decimal above 0' }),
  /** P2. */
  orderNotionalMaxOfCapital: decimalUpTo('1').prefault('0.10'),
  /** P3: greatest distance of a price from the reference. */
  priceCollar: decimalUpTo('0.2').prefault('0.03'),
  /** P3: how far through the far touch a crossing order may reach. */
  crossThroughMax: decimalUpTo('0.05').prefault('0.005'),
  /** P4: two reference prices may differ by this at most. */
  referenceGapMax: decimalUpTo('0.2').prefault('0.01'),
  /** P5. */
  positionMaxOfCapital: decimalUpTo('20').prefault('0.5'),
  grossMaxOfCapital: decimalUpTo('20').prefault('2'),
  netMaxOfCapital: decimalUpTo('20').prefault('1'),
  /** P6. */
  openOrdersPerSideMax: integer(1, 200).prefault('5'),
  openOrdersMax: integer(1, 1000).prefault('50'),
  /** P7. */
  openNotionalMaxOfCapital: decimalUpTo('20').prefault('2'),
  openNotionalPerMarketMaxOfCapital: decimalUpTo('20').prefault('1'),
  /** P8. */
  leverageMax: decimalUpTo('50').prefault('3'),
  /** P9: equity over maintenance margin at the least. */
  marginCoverMin: decimalUpTo('100').prefault('2'),
  freeCollateralMin: decimalUpTo('1').prefault('0.2'),
  /** P10. */
  duplicatesPerSecondMax: integer(1, 100).prefault('1'),
  /** P11. */
  writesPerSecondMax: integer(1, 1000).prefault('10'),
  writesBurst: integer(1, 1000).prefault('20'),
  /** P14. */
  orderLifetimeMax: duration.prefault('60s'),
  /** P15: the switch must have at least this much time left. */
  switchRemainingMin: duration.prefault('5s'),
  /** P16. */
  marketDataAgeMax: duration.prefault('2s'),
  /** P17: every order of every strategy must be post-only unless false. */
  isMakerOnly: flag.prefault('true'),
});

/** The dead man's switch (decision C4). */
const deadMansSwitch = z.strictObject({
  heartbeat: duration.prefault('5s'),
  trigger: duration.prefault('20s'),
});

/** Where the journal lies. */
const journal = z.strictObject({
  folder: path.prefault('.ballast/journal'),
  /** Below this nothing is placed. */
  reserveMegabytes: integer(1, 1_000_000).prefault('64'),
});

/** Whether every frame is kept. */
const record = z.strictObject({
  isOn: flag.prefault('true'),
  folder: path.prefault('.ballast/tapes'),
});

/** What is said, and where to. */
const log = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error'], { error: 'debug, info, warn or error' }).prefault('info'),
  /** Default: standard error. */
  file: path.optional(),
});

/** A whole configuration, as text scalars in and values out. */
export const configSchema = z.strictObject({
  environment,
  account: account.prefault({}),
  wallets: z.array(wallet).default([]),
  markets: z.array(market).min(1, { error: 'at least one market' }),
  strategies: z.array(strategy).min(1, { error: 'at least one strategy' }),
  risk,
  switch: deadMansSwitch.prefault({}),
  journal: journal.prefault({}),
  record: record.prefault({}),
  log: log.prefault({}),
});

/** What {@link configSchema} gives. */
export type ConfigValues = z.output<typeof configSchema>;
