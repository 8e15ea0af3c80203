/**
 * @module
 * What is done between the armed switch and the first quote: leverage as configured, candle history for strategies, and
 * what is subscribed to.
 */
import type { Config } from '../config/index.ts';
import { BotError, type Clock, must, type UnixMs } from '../core/index.ts';
import type { Fact, FactSink, IntentId, LaneId, MarketSymbol, StrategyId } from '../domain/index.ts';
import { type RateBudget, readCandles } from '../gateway/index.ts';
import type { SubscriptionParams } from '../protocol/index.ts';
import { type RiskGate, TradingStates } from '../risk/index.ts';
import type { Bot } from '../runtime/index.ts';
import type { Environment } from './environment.ts';
import type { Lanes } from './lanes.ts';
import { waitFor } from './patience.ts';

/** Candles strategies find before they start: one-minute bars of the last hours. */
const CANDLE_INTERVAL = '1m';
const CANDLES_COUNT = 500;
const POLL_MS = 5;

/**
 * The market channels of the markets of a run: events first, so that the snapshots that follow tell a place behind the one
 * from which events are live, as with the channels of an account.
 */
export function subscriptionsOf(symbols: readonly MarketSymbol[]): readonly SubscriptionParams[] {
  return [
    ...symbols.flatMap((symbol): SubscriptionParams[] => [
      { channel: 'trades', symbol },
      { channel: 'candles', symbol, interval: CANDLE_INTERVAL },
      { channel: 'funding', symbol },
      { channel: 'book', symbol, depth: 20 },
      { channel: 'bbo', symbol },
    ]),
    { channel: 'prices' },
  ];
}

/**
 * Shows the candle history of each market, so that it is there before `onStart`. Bars that are there already are left as
 * they are: the stream's are as new, and live ones newer than what a replica tells.
 */
export async function showCandleHistory(
  environment: Environment,
  symbols: readonly MarketSymbol[],
  { markets }: Pick<Bot, 'markets'>,
  sink: FactSink,
): Promise<void> {
  for (const symbol of symbols) {
    const candles = await readCandles(environment.gateway.reader, {
      symbol,
      interval: CANDLE_INTERVAL,
      limit: CANDLES_COUNT,
      context: environment.context,
    });
    const known = new Set(markets.candles(symbol, CANDLE_INTERVAL).map(({ startAtMs }) => startAtMs));
    for (const candle of candles)
      if (!known.has(candle.startAtMs)) sink({ type: 'CandleUpdated', candle, isHistory: true });
  }
}

/** What leverage is set with. */
export interface LeverageParts {
  readonly config: Config;
  readonly lanes: Lanes;
  readonly bot: Bot;
  readonly clock: Clock;
  readonly risk: RiskGate;
  readonly budget: Pick<RateBudget, 'hasRoom'>;
  nowMs(): UnixMs;
  /** The write of a lane that was resolved last. */
  lastOutcome(lane: LaneId): ResolvedWrite | undefined;
}

/** What became of a write. */
export type ResolvedWrite = Extract<Fact, { type: 'WriteResolved' }>;

/** Sets the leverage that each market of the configuration asks for, one write after the other, each proven. */
export async function setLeverages(parts: LeverageParts): Promise<void> {
  for (const { symbol, leverage } of parts.config.markets) {
    if (leverage !== undefined) await setLeverage(parts, symbol, leverage);
  }
}

async function setLeverage(parts: LeverageParts, symbol: MarketSymbol, leverage: number): Promise<void> {
  const { lanes, bot, clock, risk } = parts;
  const lane = must([...lanes.byWallet.values()][0], 'a lane');
  const { approved, denied } = risk.review(
    [
      {
        lane,
        command: { kind: 'setLeverage', symbol, leverage },
        strategyId: 'operator' as StrategyId,
        intentId: `leverage-${symbol}` as IntentId,
      },
    ],
    {
      nowMs: clock.nowMs(),
      serverNowMs: parts.nowMs(),
      account: bot.account,
      markets: bot.markets,
      trading: new TradingStates(),
    },
  );
  const command = approved[0];
  if (command === undefined) throw refused(symbol, leverage, denied[0]?.message ?? 'it was denied');
  const wait = (holds: () => boolean) => waitFor(parts, { holds, pollMs: POLL_MS });
  if (!(await wait(() => lanes.executor.isReady(lane))))
    throw unproven(symbol, leverage, { why: 'its lane was not free in time', effect: 'none' });
  const before = parts.lastOutcome(lane);
  lanes.executor.submit(command);
  if (!(await wait(() => parts.lastOutcome(lane) !== before && lanes.executor.isReady(lane))))
    throw unproven(symbol, leverage, { why: 'its outcome was not proven in time', effect: 'unknown' });
  const { outcome, reason } = parts.lastOutcome(lane) ?? {};
  if (outcome !== 'executed')
    throw refused(symbol, leverage, `the exchange rejected it, ${reason ?? outcome}`);
}

function refused(symbol: string, leverage: number, why: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_LEVERAGE',
    message: `expected leverage ${leverage} on ${symbol} to be set, but ${why}`,
    remedy: 'Correct markets[].leverage, or leave it out to keep what the account has.',
  });
}

/** No word of the configuration's leverage, but of the way to the exchange: the same start may do later. */
function unproven(
  symbol: string,
  leverage: number,
  { why, effect }: { readonly why: string; readonly effect: 'none' | 'unknown' },
): BotError {
  return new BotError({
    code: 'PREFLIGHT_LEVERAGE_UNPROVEN',
    message: `expected leverage ${leverage} on ${symbol} to be set, but ${why}`,
    remedy:
      'Start again when the gateway answers receipts: the journal keeps the write, and its outcome is asked for first.',
    effect,
  });
}
