/**
 * @module
 * Why a strategy has no order on one side of a market: one reason of a closed list, derived from the state of the run at the
 * moment of the question. The status, the door, the journal and the report show what is derived here; the reference page
 * of quote gaps is made from {@link GAP_REASONS}.
 */
import type { UnixMs } from '../../core/index.ts';
import {
  type AccountState,
  isTradable,
  type MarketState,
  type MarketSymbol,
  type Side,
} from '../../domain/index.ts';
import {
  LANE_HOLDER,
  OPERATOR_HOLDER,
  STOP_HOLDER,
  type TradingScope,
  type TradingStates,
} from '../risk/index.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { QuoteState } from './quote-state.ts';

/** One row: what the reason means, and what to do. */
export interface GapReasonRow {
  readonly meaning: string;
  readonly remedy: string;
}

/** All reasons, in the order in which they are looked for: the first that holds is the reason. */
export const GAP_REASONS = {
  stopped: {
    meaning: 'The run is stopping or has ended.',
    remedy: 'Start the bot again; the reason of the stop is named.',
  },
  starting: {
    meaning: 'The run or the strategy has not started yet.',
    remedy: 'Nothing: it takes seconds.',
  },
  strategyFailed: {
    meaning: 'The strategy threw, and has not been started again.',
    remedy: 'Read what it threw in the log; it starts again up to three times.',
  },
  strategyStopped: {
    meaning: 'The strategy ended itself, or a person ended it.',
    remedy: 'Start the bot again.',
  },
  reconciling: {
    meaning: 'The run reads its account for the first time, or waits for its first armed switch.',
    remedy: 'Wait; the details say what is missing.',
  },
  accountNotSynced: {
    meaning: 'The state of the account has a gap that is being closed.',
    remedy: 'Wait until the history is read; it continues on its own.',
  },
  switchNotArmed: {
    meaning: "The dead man's switch is not armed long enough, or is held back.",
    remedy: 'Look at the health of the run: what is red keeps the switch from being renewed.',
  },
  laneHalted: {
    meaning: 'The lane of the strategy has halted: it cannot write.',
    remedy: 'Start the bot again; the reason of the halt is named.',
  },
  overloaded: {
    meaning: 'Facts about own orders came faster than they could be handled.',
    remedy: 'Nothing, if it is seldom; else use fewer levels or another machine.',
  },
  degraded: {
    meaning: 'The run is degraded for the reason named.',
    remedy: 'The reason says what is missing.',
  },
  haltedByPerson: {
    meaning: 'A person has paused or halted the account, the market or the strategy.',
    remedy: '`ballast resume` on the same scope.',
  },
  haltedByControl: {
    meaning: 'A control (M1 to M17) has halted the account, the market or the strategy.',
    remedy:
      'The reference of denials has each control; `ballast resume --reason` where it waits for a person.',
  },
  reducing: {
    meaning: 'Only orders that reduce a position may be sent, and this side would not.',
    remedy: '`ballast resume` where a person or a control that waits for one has set it.',
  },
  marketUnknown: {
    meaning: 'The exchange has not described the market.',
    remedy: 'Check the symbol against the markets of the gateway.',
  },
  marketClosed: {
    meaning: 'The market is not open for orders.',
    remedy: 'Wait until the exchange shows it as Active.',
  },
  marketStale: {
    meaning: 'The data of the market is too old, has not come, or is not trusted.',
    remedy: 'Wait for the stream; quotes continue on their own.',
  },
  writeUnresolved: {
    meaning: 'A write of the lane has no proven outcome: nothing else is sent before.',
    remedy: 'Wait for receipt or fence; it continues on its own.',
  },
  inFlight: {
    meaning: 'An order for this side is on its way.',
    remedy: 'Nothing: it rests with the answer of the exchange.',
  },
  pulled: {
    meaning: 'The run took the quotes away, and the strategy has not stated new ones since.',
    remedy: 'Nothing, if it lasts to the next book; else look at when the strategy quotes.',
  },
  notAsked: {
    meaning: 'The strategy has never asked for quotes in the market.',
    remedy: 'Nothing, for a strategy that only places single orders; else look at its handlers.',
  },
  notWanted: {
    meaning: 'The strategy wants no quotes in the market, or none on this side.',
    remedy: 'Read the reason that the strategy gives, and its parameters.',
  },
  intentInvalid: {
    meaning: 'What the strategy asked for could not be used.',
    remedy: 'Correct the strategy: the code and the value are named.',
  },
  throttled: {
    meaning: 'The budget of writes holds the quotes back.',
    remedy: 'Requote less often, or look at M8 where the strategy is throttled.',
  },
  denied: {
    meaning: 'A check before the order denied it.',
    remedy: 'The code and its numbers are named; the reference of denials has the remedy.',
  },
  rejected: {
    meaning: 'The exchange rejected the last order of this side.',
    remedy: 'The reason of the exchange is named.',
  },
  laneBusy: {
    meaning: 'Another write of the lane is on its way.',
    remedy:
      'Nothing: the newest quotes go with the answer. A strategy with a wallet of its own waits for none.',
  },
  ended: {
    meaning:
      'The last order of this side was filled, canceled or has expired, and no other was asked for since.',
    remedy: 'Nothing, if it lasts to the next book; else look at when the strategy quotes.',
  },
  waiting: {
    meaning: 'The quotes are stated and will be compared with what rests when the turn ends.',
    remedy: 'Nothing.',
  },
} as const satisfies Record<string, GapReasonRow>;

/** A reason of {@link GAP_REASONS}. */
export type GapCode = keyof typeof GAP_REASONS;

/** Why there is no order on a side. */
export interface GapReason {
  readonly code: GapCode;
  /** What tells it from others of its code: a denial's code, a control, what the strategy says; empty: nothing. */
  readonly about: string;
  /** In words, with numbers. */
  readonly detail: string;
}

/** What a reason is derived from. */
export interface GapSources {
  readonly account: Pick<AccountState, 'reservations' | 'pendingWrites'>;
  readonly markets: Pick<MarketState, 'get'>;
  readonly trading: TradingStates;
  readonly lifecycle: Lifecycle;
  /** Markets whose data is not trusted. */
  readonly staleMarkets: ReadonlyMap<MarketSymbol, { readonly reason: string }>;
  /** Age of the data above which nothing is placed, ms. */
  readonly dataAgeMsMax: number;
  /** The local time, Unix ms. */
  now(): UnixMs;
}

/** The reason for which `state` has no order on `side` now. To be asked only where there is none. */
export function gapReasonOf(state: QuoteState, side: Side, sources: GapSources): GapReason {
  return (
    ofRun(state, sources) ??
    ofTrading(state, sources) ??
    ofMarket(state, sources) ??
    ofWrites(state, side, sources) ??
    ofQuotes(state, side) ??
    (sources.account.pendingWrites().some(({ lane }) => lane === state.lane)
      ? reason('laneBusy', `lane ${state.lane} waits for the answer to another write`)
      : (ofLastOrder(state, side) ?? reason('waiting', 'the quotes are stated and not sent yet')))
  );
}

/** What a degraded run, by the name of the reason, is. */
const OF_LIFECYCLE: Readonly<Record<string, GapCode>> = {
  account: 'accountNotSynced',
  switch: 'switchNotArmed',
  inbox: 'overloaded',
  lanes: 'laneHalted',
  strategies: 'strategyFailed',
};

function ofRun({ host }: QuoteState, { lifecycle }: GapSources): GapReason | undefined {
  if (lifecycle.isEnding) return reason('stopped', host.reason || 'the run ends');
  if (lifecycle.state === 'starting') return reason('starting', 'the run has not started');
  if (host.state === 'failed') return reason('strategyFailed', host.reason);
  if (host.state === 'stopped') return reason('strategyStopped', host.reason);
  const first = lifecycle.firstReason();
  if (first !== undefined) {
    const [name, text] = first;
    return reason(lifecycle.wasArmed ? (OF_LIFECYCLE[name] ?? 'degraded') : 'reconciling', text);
  }
  if (!lifecycle.wasArmed) return reason('reconciling', 'the account is being read');
  return host.isRunning ? undefined : reason('starting', `strategy ${host.id} starts again`);
}

function ofTrading({ strategyId, symbol }: QuoteState, { trading }: GapSources): GapReason | undefined {
  const held = trading.of(strategyId, symbol);
  if (held.state === 'reducing') return reason('reducing', held.reason);
  if (held.state !== 'halted') return undefined;
  const halts = trading.halts().filter(({ scope }) => appliesTo(scope, strategyId, symbol));
  const byPerson = halts.find(({ holder }) => holder === OPERATOR_HOLDER);
  if (byPerson !== undefined) return reason('haltedByPerson', byPerson.reason);
  const [first] = halts;
  if (first === undefined) return reason('haltedByControl', held.reason);
  if (first.holder === STOP_HOLDER) return reason('stopped', first.reason);
  if (first.holder.startsWith(LANE_HOLDER)) return reason('laneHalted', first.reason);
  return { code: 'haltedByControl', about: first.holder, detail: `${first.holder}: ${first.reason}` };
}

function appliesTo(scope: TradingScope, strategyId: string, symbol: string): boolean {
  if (scope.kind === 'account') return true;
  return scope.kind === 'market' ? scope.symbol === symbol : scope.strategyId === strategyId;
}

function ofMarket({ symbol }: QuoteState, sources: GapSources): GapReason | undefined {
  const { markets, staleMarkets, dataAgeMsMax, now } = sources;
  const record = markets.get(symbol);
  const market = record?.market;
  if (market === undefined) return reason('marketUnknown', `${symbol} is not described yet`);
  if (!isTradable(market)) return reason('marketClosed', `${symbol} is ${market.status}`);
  const stale = record?.staleReason ?? staleMarkets.get(symbol)?.reason;
  if (stale !== undefined) return reason('marketStale', stale);
  const dataAtMs = record?.dataAtMs;
  if (dataAtMs === undefined) return reason('marketStale', `no data of ${symbol} has come`);
  const ageMs = Math.abs(now() - dataAtMs);
  return ageMs > dataAgeMsMax
    ? reason('marketStale', `data of ${symbol} is ${Math.round(ageMs)} ms old, at most ${dataAgeMsMax} ms`)
    : undefined;
}

function ofWrites(state: QuoteState, side: Side, { account }: GapSources): GapReason | undefined {
  for (const { requestId, lane, isUnresolved } of account.pendingWrites())
    if (isUnresolved && lane === state.lane)
      return reason('writeUnresolved', `a write of lane ${lane} has no proven outcome: ${requestId}`);
  for (const { spec, stage, requestId } of account.reservations()) {
    const isOurs = spec.strategyId === state.strategyId && spec.symbol === state.symbol && spec.side === side;
    if (!isOurs || stage === 'shadow') continue;
    const by = `${spec.intentId}${requestId === undefined ? '' : `, write ${requestId}`}`;
    return stage === 'approved' || stage === 'inFlight'
      ? reason('inFlight', `an order is on its way: ${by}`)
      : reason('writeUnresolved', `an order has no proven outcome: ${by}`);
  }
  return undefined;
}

function ofQuotes(state: QuoteState, side: Side): GapReason | undefined {
  const { wanted, withdrawn } = state;
  if (wanted === undefined) {
    if (withdrawn === undefined) {
      const last = ofLastOrder(state, side);
      const detail = 'no quotes were ever asked for';
      return reason('notAsked', last === undefined ? detail : `${detail}; single orders: ${last.detail}`);
    }
    const { by, why } = withdrawn;
    if (by === 'strategy') return { code: 'notWanted', about: why, detail: why };
    return by === 'run' ? reason('pulled', why) : { code: 'intentInvalid', about: by, detail: why };
  }
  const levels = side === 'buy' ? wanted.bids : wanted.asks;
  if (levels.length === 0) {
    const why = `the strategy wants no ${side === 'buy' ? 'bid' : 'ask'}`;
    return reason('notWanted', why);
  }
  if (state.throttledForMs > 0)
    return reason('throttled', `the budget of writes allows the next one in ${state.throttledForMs} ms`);
  return undefined;
}

function ofLastOrder(state: QuoteState, side: Side): GapReason | undefined {
  const { denial, end } = side === 'buy' ? state.lastBuy : state.lastSell;
  if (denial !== undefined)
    return { code: 'denied', about: denial.code, detail: `${denial.code}: ${denial.message}` };
  if (end === undefined) return undefined;
  const { status, orderId } = end;
  const why = end.reason === undefined ? '' : `: ${end.reason}`;
  const name = orderId === undefined ? 'the last order' : `order ${orderId}`;
  return reason(status === 'rejected' ? 'rejected' : 'ended', `${name} was ${wordOf(status)}${why}`);
}

function wordOf(status: string): string {
  return status === 'notExecuted' ? 'not executed' : status;
}

function reason(code: GapCode, detail: string): GapReason {
  return { code, about: '', detail };
}
