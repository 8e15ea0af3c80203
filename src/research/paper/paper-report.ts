/** @module The document of a paper run: the statistics of a run on a gateway, proven by the local venue's own books. */

import { type Bot, redReasons } from '../../bot/kernel/index.ts';
import { type RunReport, strategiesOf } from '../../bot/live/index.ts';
import type { Config } from '../../config/index.ts';
import type { Market, MarketSymbol } from '../../domain/index.ts';
import type { LocalVenue } from '../venue/index.ts';
import type { PaperBooks } from './paper-books.ts';

/** What a report is made of. */
export interface PaperReportParts {
  /** The checked configuration. */
  readonly config: Config;
  /** The bot. */
  readonly bot: Bot;
  /** The local venue. */
  readonly venue: LocalVenue;
  /** Accounts of the run. */
  readonly books: PaperBooks;
  /** Traded markets. */
  readonly markets: readonly Market[];
  /** Decimals of the collateral; one quantum is 10^-collateralDecimals. */
  readonly collateralDecimals: number;
  /** Origin of the market data. */
  readonly market: RunReport['market'];
  /** Random seed, an integer. */
  readonly seed: number;
  /** Length of the run, ms. */
  readonly durationMs: number;
  /** Machine time at which the command began. */
  readonly beganAtMs: number;
  /** True if no orders are open at the end. */
  readonly isEmpty: boolean;
  /** Why the run ended. */
  readonly stopReason: string;
  /** Operational metrics; absent: none. */
  readonly metrics?: RunReport['metrics'];
}

/** The report of a paper run that has stopped. */
export function paperReportOf(parts: PaperReportParts): RunReport {
  const { config, bot, venue, books, collateralDecimals, beganAtMs, isEmpty } = parts;
  const { counts } = books;
  const markets = new Map<MarketSymbol, Market>(parts.markets.map((market) => [market.symbol, market]));
  const symbols = config.markets.map(({ symbol }) => symbol);
  return {
    schema: 1,
    mode: 'paper',
    environment: config.environment.name,
    market: parts.market,
    durationMs: Math.round(parts.durationMs),
    timeToFirstQuoteMs:
      counts.firstQuoteAtMs === undefined ? null : Math.round(counts.firstQuoteAtMs - beganAtMs),
    replaces: counts.replaces,
    ordersPlaced: counts.ordersPlaced,
    ordersCanceled: counts.ordersCanceled,
    ...books.prove({ bot, venue, markets, symbols, collateralDecimals }),
    openOrdersProof: isEmpty ? 'proven' : 'orders or intents are still out',
    unresolved: bot.account.pendingWrites().length,
    switch: { armed: counts.armed, fired: counts.fired },
    signer: 'none',
    seed: parts.seed,
    strategies: strategiesOf(bot, { collateralDecimals }),
    stopReason: parts.stopReason,
    ...(parts.metrics === undefined ? {} : { metrics: parts.metrics }),
  };
}

/** One heartbeat of the switch at the local venue: never without a green health. */
export function beatSwitch(
  bot: Bot,
  nowMs: number,
  arm: (triggerAtMs: number) => void,
  timeoutMs: number,
): void {
  const reasons = redReasons(bot.health());
  if (reasons.length > 0) bot.sink({ type: 'SwitchHeld', reasons });
  else arm(nowMs + timeoutMs);
}
