/**
 * @module
 * The limits of a run's configuration, read from the file itself: an oracle does not ask the client what its limits are.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { formatScaled, must, parseScaled } from '../../../../src/core/index.ts';
import type { SimulationPlan } from '../../types.ts';

/** Limits in quantums and counts; names as in the section `risk` (docs/reference/config.md). */
export interface ConfiguredLimits {
  readonly orderNotionalMax: bigint;
  /** How far from the reference price, in millionths of it. */
  readonly collarPpm: number;
  readonly positionMax: bigint;
  /** Of all markets added up. */
  readonly grossMax: bigint;
  readonly openNotionalMax: bigint;
  readonly openNotionalPerMarketMax: bigint;
  readonly openOrdersPerSideMax: number;
  readonly openOrdersMax: number;
  readonly marketDataAgeMs: number;
  readonly switchMs: number;
  readonly heartbeatMs: number;
  readonly symbols: ReadonlySet<string>;
  /** By symbol, where it is configured. */
  readonly leverage: ReadonlyMap<string, number>;
  /** Names of the wallets that carry orders. */
  readonly tradingWallets: readonly string[];
}

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const FOLDERS = [join(ROOT, 'test', 'simulation', 'configs'), join(ROOT, 'configs')];
const COLLATERAL_DECIMALS = 6;
const PPM = 1_000_000n;
/** Names of wallets that no configuration names. */
const ONLY_WALLET = 'trading';
export const SAFETY_WALLET = 'safety';
const known = new Map<string, ConfiguredLimits>();

/** The limits of the configuration of this name; what it leaves out has its documented default. */
export function limitsOfConfig(name: string): ConfiguredLimits {
  const before = known.get(name);
  if (before !== undefined) return before;
  const file = FOLDERS.map((folder) => join(folder, `${name}.yaml`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`expected a configuration of the name ${name}`);
  const limits = readLimits(readFileSync(file, 'utf8'));
  known.set(name, limits);
  return limits;
}

/** The limits that a text states. */
export function readLimits(text: string): ConfiguredLimits {
  const document = sectionOf(parse(text));
  const risk = sectionOf(document['risk']);
  const amount = (field: string, usual: string): bigint =>
    must(parseScaled(textOf(risk[field], usual), COLLATERAL_DECIMALS), `a decimal in risk.${field}`);
  const capital = amount('capital', '0');
  const part = (field: string, usual: string): bigint => {
    const text = textOf(risk[field], usual);
    if (!text.endsWith('%')) return amount(field, usual);
    const percent = must(
      parseScaled(text.slice(0, -1), COLLATERAL_DECIMALS),
      `a percentage in risk.${field}`,
    );
    return (capital * percent) / (100n * PPM);
  };
  const markets = Array.isArray(document['markets']) ? document['markets'] : [];
  const strategies = Array.isArray(document['strategies']) ? document['strategies'] : [];
  return {
    orderNotionalMax: part('maxOrderNotional', '10%'),
    collarPpm: Math.round(Number(textOf(risk['priceCollar'], '0.03')) * Number(PPM)),
    positionMax: part('maxPositionNotional', '50%'),
    grossMax: part('maxGrossExposure', '200%'),
    openNotionalMax: part('maxOpenNotional', '200%'),
    openNotionalPerMarketMax: part('maxOpenNotionalPerMarket', '100%'),
    openOrdersPerSideMax: Number(textOf(risk['maxOpenOrdersPerSide'], '5')),
    openOrdersMax: Number(textOf(risk['maxOpenOrders'], '50')),
    marketDataAgeMs: msOf(textOf(risk['maxMarketDataAge'], '2s')),
    switchMs: msOf(textOf(sectionOf(document['deadMansSwitch'])['timeout'], '20s')),
    heartbeatMs: msOf(textOf(sectionOf(document['deadMansSwitch'])['heartbeat'], '5s')),
    symbols: new Set(markets.map((market: unknown) => String(sectionOf(market)['symbol']))),
    leverage: new Map(
      markets.flatMap((market: unknown) => {
        const { symbol, leverage } = sectionOf(market);
        return leverage === undefined ? [] : [[String(symbol), Number(leverage)] as const];
      }),
    ),
    tradingWallets: [
      ...new Set(strategies.map((strategy: unknown) => textOf(sectionOf(strategy)['wallet'], ONLY_WALLET))),
    ],
  };
}

/** The lane that carries what takes risk away: without a wallet of its own that of the first one. */
export function safetyLaneOf({ config, isLaneShared }: SimulationPlan): string {
  return isLaneShared === true
    ? must(limitsOfConfig(config).tradingWallets[0], 'a trading wallet')
    : SAFETY_WALLET;
}

/** An amount of quantums for people. */
export function money(amount: bigint): string {
  return formatScaled(amount, COLLATERAL_DECIMALS);
}

function sectionOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown, usual: string): string {
  return value === undefined ? usual : String(value);
}

function msOf(text: string): number {
  const match = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)$/.exec(text);
  const factor = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[match?.[2] ?? ''];
  if (match === null || factor === undefined) throw new Error(`expected a duration, got ${text}`);
  return Number(match[1]) * factor;
}
