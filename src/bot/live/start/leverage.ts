/**
 * @module
 * Sets leverage as configured, before the first quote: one write after the other, each proven. A write that was fenced in
 * an outage, or went to a ledger that is gone, is made again.
 */
import type { Config } from '../../../config/index.ts';
import { BotError, type Clock, must, type UnixMs } from '../../../core/index.ts';
import type { IntentId, LaneId, MarketSymbol, StrategyId } from '../../../domain/index.ts';
import type { RequestBudget } from '../../../wire/gateway/index.ts';
import type { Bot } from '../../kernel/index.ts';
import { type RiskGate, TradingStates } from '../../risk/index.ts';
import type { Lanes } from '../connect/lanes.ts';
import type { StartWrites, WriteEndFact } from './startup-writes.ts';
import { waitFor } from './wait-for.ts';

const POLL_MS = 5;
/** Writes of one leverage: each may meet an outage or a new ledger. */
const TRIES_MAX = 5;

/** What leverage is set with. */
export interface LeverageParts {
  readonly config: Config;
  readonly lanes: Lanes;
  readonly bot: Bot;
  readonly clock: Clock;
  readonly risk: RiskGate;
  /** Request budget that the writes must leave capacity in. */
  readonly budget: Pick<RequestBudget, 'hasRoom'>;
  readonly writes: StartWrites;
  /** The local time, Unix ms. */
  nowMs(): UnixMs;
}

/** Sets the leverage that each market of the configuration asks for, one write after the other, each proven. */
export async function setLeverages(parts: LeverageParts): Promise<void> {
  for (const { symbol, leverage } of parts.config.markets) {
    if (leverage !== undefined) await setLeverage(parts, symbol, leverage);
  }
}

async function setLeverage(parts: LeverageParts, symbol: MarketSymbol, leverage: number): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const end = await writeLeverage(parts, symbol, leverage);
    // Fenced, or of a ledger that is gone: it is not set in the one that runs.
    if (end.type === 'WriteVoided' || end.outcome === 'superseded') continue;
    if (end.outcome === 'executed') return;
    const why = `the exchange rejected it, ${end.reason ?? end.outcome}`;
    // The bytes of a refused write are alive until its nonce is consumed (obligation O61): the next start sees to that.
    throw refused(symbol, leverage, { why, effect: end.outcome === 'refused' ? 'unknown' : 'none' });
  }
  throw unproven(symbol, leverage, { why: `none of ${TRIES_MAX} writes was executed`, effect: 'none' });
}

/** Writes it once, and waits for the proof of how that ended. */
async function writeLeverage(
  parts: LeverageParts,
  symbol: MarketSymbol,
  leverage: number,
): Promise<WriteEndFact> {
  const { lanes, writes } = parts;
  const lane = must([...lanes.byWallet.values()][0], 'a lane');
  const wait = (holds: () => boolean) => waitFor(parts, { holds, pollMs: POLL_MS });
  if (!(await wait(() => lanes.executor.isReady(lane))))
    throw unproven(symbol, leverage, { why: 'its lane was not free in time', effect: 'none' });
  lanes.executor.submit(approvedLeverage(parts, lane, { symbol, leverage }));
  const requestId = must(writes.lastSent(lane), 'the request of a write that was submitted');
  // The next write finds a lane that is free again.
  const isOver = () => writes.endOf(requestId) !== undefined && lanes.executor.isReady(lane);
  if (!(await wait(isOver)))
    throw unproven(symbol, leverage, { why: 'its outcome was not proven in time', effect: 'unknown' });
  return must(writes.endOf(requestId), 'the end of a write');
}

function approvedLeverage(
  { bot, clock, risk, nowMs }: LeverageParts,
  lane: LaneId,
  { symbol, leverage }: { readonly symbol: MarketSymbol; readonly leverage: number },
) {
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
      serverNowMs: nowMs(),
      account: bot.account,
      markets: bot.markets,
      trading: new TradingStates(),
    },
  );
  const command = approved[0];
  if (command === undefined) {
    const why = denied[0]?.message ?? 'it was denied';
    throw refused(symbol, leverage, { why, effect: 'none' });
  }
  return command;
}

/** Why a leverage is not set, and whether it may be so after all. */
interface Failure {
  readonly why: string;
  readonly effect: 'none' | 'unknown';
}

function refused(symbol: string, leverage: number, { why, effect }: Failure): BotError {
  return new BotError({
    code: 'PREFLIGHT_LEVERAGE_INVALID',
    message: `expected leverage ${leverage} on ${symbol} to be set, but ${why}`,
    remedy: 'Correct markets[].leverage, or leave it out to keep what the account has.',
    effect,
  });
}

/** No word of the configuration's leverage, but of the way to the exchange: the same start may do later. */
function unproven(symbol: string, leverage: number, { why, effect }: Failure): BotError {
  return new BotError({
    code: 'PREFLIGHT_LEVERAGE_UNPROVEN',
    message: `expected leverage ${leverage} on ${symbol} to be set, but ${why}`,
    remedy:
      'Start again when the gateway answers receipts: the journal keeps the write, and its outcome is asked for first.',
    effect,
  });
}
