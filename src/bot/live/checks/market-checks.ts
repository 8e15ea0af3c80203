/**
 * @module
 * Whether the limits of a configuration leave room for one order in each market, and whether the steps of a market are
 * those that the last run knew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BotError, formatScaled, isRecord, messageOf } from '../../../core/index.ts';
import type { Market, StrategyId } from '../../../domain/index.ts';
import { readCandles } from '../../../wire/gateway/index.ts';
import { journalPath } from '../../journal/index.ts';
import { limitsOf } from '../../setup/index.ts';
import { instanceOf } from '../bot-name.ts';
import { journalBinding } from '../connect/lanes.ts';
import type { AccountChecks, CheckedAccount } from './account-checks.ts';

/** What an order in a market costs at least, in quantums, and why. */
interface Least {
  readonly market: Market;
  readonly notional: bigint;
  readonly why: string;
}

/** Compares limits with the smallest order of each market. @throws BotError `PREFLIGHT_LIMIT_BELOW_MINIMUM`. */
export async function examineLimits(checks: AccountChecks): Promise<CheckedAccount> {
  const { config, environment } = checks;
  const { collateralDecimals } = environment.info;
  const limits = limitsOf(config, collateralDecimals);
  const money = (quantums: bigint): string => formatScaled(quantums, collateralDecimals);
  const least: Least[] = [];
  for (const { symbol } of config.markets) {
    const market = environment.markets.get(symbol);
    if (market !== undefined) least.push(await leastOrder(checks, market));
  }
  for (const { market, notional, why } of least) {
    const traders = config.strategies.filter(({ markets }) => markets.includes(market.symbol));
    const bounds: readonly (readonly [string, bigint])[] = [
      ['risk.maxOrderNotional', limits.orderNotionalMax],
      ['risk.maxPositionNotional', limits.positionNotionalMax],
      ['risk.maxOpenNotionalPerMarket', limits.openNotionalPerMarketMax],
      ...traders.map(({ name }): readonly [string, bigint] => [
        `maxOpenNotional of ${name}`,
        (limits.strategies.get(name as StrategyId) ?? limits.strategyDefaults).openNotionalMax,
      ]),
    ];
    const tight = bounds.find(([, most]) => most < notional);
    if (tight === undefined) continue;
    throw new BotError({
      code: 'PREFLIGHT_LIMIT_BELOW_MINIMUM',
      message: `expected ${tight[0]} to leave room for one order in ${market.symbol}, which is at least ${money(notional)} (${why}), got ${money(tight[1])}`,
      remedy: 'Raise the limit or risk.capital, or take the market out of the configuration.',
    });
  }
  const parts = least.map(({ market, notional }) => `${market.symbol} at least ${money(notional)}`);
  return { detail: `an order is at most ${money(limits.orderNotionalMax)}; ${parts.join(', ')}` };
}

/** The larger of the least notional and of one lot at the last price. */
async function leastOrder({ environment }: AccountChecks, market: Market): Promise<Least> {
  const { gateway, context } = environment;
  const [candle] = await readCandles(gateway.reader, {
    symbol: market.symbol,
    interval: '1m',
    limit: 1,
    context,
  });
  const lot =
    candle === undefined
      ? 0n
      : BigInt(candle.closeTicks) * BigInt(market.lotStep) * market.quantumsPerTickLot;
  return lot > market.minNotional
    ? { market, notional: lot, why: 'one lot at the last price' }
    : { market, notional: market.minNotional, why: 'the least notional of the market' };
}

/** The steps of a market that parameters of strategies may be meant in. */
type Steps = Pick<Market, 'priceDecimals' | 'sizeDecimals' | 'tickStep' | 'lotStep'>;

/** Compares the steps of the markets with those that the last start knew. */
export function examineSteps(checks: AccountChecks): CheckedAccount {
  const known = readSteps(stepsFile(checks));
  const found = stepsNow(checks);
  const changed = found.filter(([symbol, steps]) => {
    const before = known[symbol];
    return before !== undefined && before !== wordsOf(steps);
  });
  if (changed.length > 0)
    return {
      detail: changed
        .map(([symbol, steps]) => `${symbol} was ${known[symbol] ?? ''} and is ${wordsOf(steps)}`)
        .join('; '),
      fix: 'Look at parameters that are meant in ticks or lots: they mean something else now.',
    };
  return { detail: found.map(([symbol, steps]) => `${symbol} ${wordsOf(steps)}`).join(', ') };
}

/** Keeps the steps of the markets for the next start; where that fails, it compares with older ones. */
export function keepSteps(checks: AccountChecks): void {
  const kept = Object.fromEntries(stepsNow(checks).map(([symbol, steps]) => [symbol, wordsOf(steps)]));
  try {
    writeFileSync(stepsFile(checks), JSON.stringify(kept), { mode: 0o600 });
  } catch (thrown) {
    checks.log.warn('the steps of the markets could not be kept', { why: messageOf(thrown) });
  }
}

function stepsNow({ config, environment }: AccountChecks): readonly (readonly [string, Steps])[] {
  return config.markets.flatMap(({ symbol }) => {
    const market = environment.markets.get(symbol);
    return market === undefined ? [] : [[symbol, market] as const];
  });
}

function wordsOf({ priceDecimals, sizeDecimals, tickStep, lotStep }: Steps): string {
  return `tick ${formatScaled(tickStep, priceDecimals)} lot ${formatScaled(lotStep, sizeDecimals)}`;
}

function stepsFile({ environment, selection, config }: AccountChecks): string {
  const binding = journalBinding(environment, selection, instanceOf(config));
  return `${journalPath(config.journal.folder, binding)}.markets.json`;
}

function readSteps(path: string): Readonly<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(read) ? read : {};
  } catch {
    return {};
  }
}
