/**
 * @module
 * What an action still waits for until its effect is there: writes that were under way, orders that must go, positions
 * that are being closed. It only looks: the kernel and the lanes do the work.
 */
import type { Clock } from '../../core/index.ts';
import type { MarketSymbol, RequestId, StrategyId, WorkingOrder } from '../../domain/index.ts';
import type { TradingScope } from '../risk/index.ts';
import type { OperatedBot } from './ports.ts';

/** Tells what it still waits for; empty: the effect is there. */
export type Look = () => readonly string[];

/** How often it looks, ms. */
const LOOK_MS = 20;

/** Waits until nothing is left, `withinMs` at most; gives what is left then. */
export async function untilSettled(clock: Clock, look: Look, withinMs: number): Promise<readonly string[]> {
  const untilMs = clock.monotonicMs() + withinMs;
  for (let left = look(); ; left = look()) {
    if (left.length === 0 || clock.monotonicMs() >= untilMs) return left;
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

/**
 * After a scope was halted or only reduces: every write that was sent before has its outcome, and no order of a strategy
 * is open that could make a position larger. From then on nothing of the scope is placed.
 */
export function pausing(bot: OperatedBot, scope: TradingScope): Look {
  const writes = writesNow(bot);
  return () => [
    ...writesLeft(bot, writes),
    ...ordersLeft(bot, scope, ({ reduceOnly, strategyId }) => !reduceOnly && strategyId !== undefined),
  ];
}

/** After a cancel of everything in a scope: no order is open any more that was open before. */
export function canceling(bot: OperatedBot, scope: TradingScope): Look {
  const writes = writesNow(bot);
  const before = new Set(
    symbolsOf(bot, scope).flatMap((symbol) =>
      bot.account.workingOrders(symbol, ownerOf(scope)).map(({ orderId }) => orderId),
    ),
  );
  return () => [...writesLeft(bot, writes), ...ordersLeft(bot, scope, ({ orderId }) => before.has(orderId))];
}

/** After the positions of a scope are to be closed: they are. */
export function closing(bot: OperatedBot, scope: TradingScope): Look {
  const isPaused = pausing(bot, scope);
  return () => [
    ...isPaused(),
    ...bot.status().markets.flatMap(({ symbol, position }) => {
      const isOpen = isIn(scope, symbol) && bot.account.positionLots(symbol as MarketSymbol) !== 0;
      return isOpen ? [`the position of ${symbol} is ${position}`] : [];
    }),
  ];
}

function writesNow({ account }: OperatedBot): ReadonlySet<RequestId> {
  return new Set(account.pendingWrites().map(({ requestId }) => requestId));
}

function writesLeft({ account }: OperatedBot, before: ReadonlySet<RequestId>): readonly string[] {
  const left = account.pendingWrites().filter(({ requestId }) => before.has(requestId)).length;
  return left === 0 ? [] : [`${left} writes have no outcome yet`];
}

function ordersLeft(
  bot: OperatedBot,
  scope: TradingScope,
  isMeant: (order: WorkingOrder) => boolean,
): readonly string[] {
  return symbolsOf(bot, scope).flatMap((symbol) => {
    const left = bot.account.workingOrders(symbol, ownerOf(scope)).filter(isMeant).length;
    return left === 0 ? [] : [`${left} orders of ${symbol} are open`];
  });
}

function symbolsOf(bot: OperatedBot, scope: TradingScope): readonly MarketSymbol[] {
  return bot
    .status()
    .markets.map(({ symbol }) => symbol as MarketSymbol)
    .filter((symbol) => isIn(scope, symbol));
}

function isIn(scope: TradingScope, symbol: string): boolean {
  return scope.kind !== 'market' || scope.symbol === symbol;
}

function ownerOf(scope: TradingScope): StrategyId | undefined {
  return scope.kind === 'strategy' ? scope.strategyId : undefined;
}
