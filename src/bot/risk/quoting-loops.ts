/**
 * @module
 * Loops of quoting (denials.md M8): one order that is replaced again and again within a second, and a strategy that
 * sends hundreds of orders for each trade. Either slows the strategy down until it is over. An order is the same one as
 * long as another follows it on its side of the market within a second of its cancel. Pure but for what it counts.
 */
import type {
  AccountChange,
  AccountView,
  Fact,
  IntentId,
  MarketSymbol,
  OrderStatus,
  Side,
  StrategyId,
} from '../../domain/index.ts';
import type { Verdict } from './verdict.ts';

/** Limits of these controls. */
export interface QuotingLoopLimits {
  /** How often one order may be replaced within a second. */
  readonly replacesPerSMax: number;
  /** How many orders a strategy may send for each of its trades within ten minutes; without a trade as for one. */
  readonly maxOrderToTradeRatio: number;
}

/** What was sent, as far as loops are concerned. */
export type SentWrite = Pick<Extract<Fact, { type: 'WriteSent' }>, 'places' | 'cancels'>;

const SECOND_MS = 1_000;
/** A strategy stays slow for this long, ms, after its last loop. */
const HELD_MS = 10_000;
const TRADE_WINDOW_MS = 600_000;
const BUCKET_MS = 10_000;

/** Standings in which an order may still be replaced. */
const LIVES: ReadonlySet<OrderStatus> = new Set(['working', 'fired', 'unresolved', 'cancelRejected']);

/** An order that was canceled, and when those before it in its place were replaced. */
interface GoneOrder {
  readonly atMs: number;
  readonly marks: readonly number[];
}

/** Canceled orders of one strategy in one market, oldest first. */
type GoneOrders = Readonly<Record<Side, GoneOrder[]>>;

interface Bucket {
  readonly atMs: number;
  orders: number;
  trades: number;
}

/** See the module. */
export class QuotingLoops {
  readonly #limits: QuotingLoopLimits;
  readonly #account: AccountView;
  /** When the orders before this one in its place were replaced, within the last second. */
  readonly #marks = new Map<IntentId, readonly number[]>();
  readonly #gone = new Map<StrategyId, Map<MarketSymbol, GoneOrders>>();
  readonly #buckets = new Map<StrategyId, Bucket[]>();
  readonly #loops = new Map<StrategyId, { readonly atMs: number; readonly reason: string }>();
  readonly #throttled = new Set<StrategyId>();

  constructor(limits: QuotingLoopLimits, account: AccountView) {
    this.#limits = limits;
    this.#account = account;
  }

  /** Takes in a write of ours. */
  sent({ places, cancels }: SentWrite, nowMs: number): void {
    for (const { orderId } of cancels) {
      const { intentId, strategyId, symbol, side } = this.#account.workingOrder(orderId) ?? {};
      if (strategyId === undefined || symbol === undefined || side === undefined) continue;
      const marks = (intentId === undefined ? undefined : this.#marks.get(intentId)) ?? [];
      this.#goneOf(strategyId, symbol)[side].push({ atMs: nowMs, marks });
    }
    for (const { intentId, strategyId, symbol, side } of places) {
      this.#bucket(strategyId, nowMs).orders++;
      const before = takeGone(this.#goneOf(strategyId, symbol)[side], nowMs);
      if (before === undefined) continue;
      const marks = [...before.marks.filter((atMs) => nowMs - atMs < SECOND_MS), nowMs];
      this.#marks.set(intentId, marks);
      if (marks.length <= this.#limits.replacesPerSMax) continue;
      const reason = `one order of ${symbol} was replaced ${marks.length} times within a second`;
      this.#loops.set(strategyId, { atMs: nowMs, reason });
    }
  }

  /** Takes in the outcome of orders. */
  observe(change: AccountChange, nowMs: number): void {
    if (change.type === 'FillApplied') {
      if (change.strategyId !== undefined) this.#bucket(change.strategyId, nowMs).trades++;
    } else if (change.type === 'OrderChanged' && change.intentId !== undefined && !LIVES.has(change.status))
      this.#marks.delete(change.intentId);
  }

  /** Adds what has changed since the last look. A throttled strategy has sent something: there are buckets of it. */
  tick(nowMs: number, verdicts: Verdict[]): void {
    for (const bySymbol of this.#gone.values()) {
      for (const { buy, sell } of bySymbol.values()) {
        forgetGone(buy, nowMs);
        forgetGone(sell, nowMs);
      }
    }
    for (const strategyId of this.#buckets.keys()) this.#check(strategyId, nowMs, verdicts);
  }

  #check(strategyId: StrategyId, nowMs: number, verdicts: Verdict[]): void {
    const reason = this.#loopOf(strategyId, nowMs) ?? this.#ratioOf(strategyId, nowMs);
    if (this.#throttled.has(strategyId) === (reason !== undefined)) return;
    const about = { control: 'M8', scope: { kind: 'strategy', strategyId }, isCanceling: false } as const;
    if (reason === undefined) {
      this.#throttled.delete(strategyId);
      verdicts.push({ ...about, trading: { state: 'active', reason: '' } });
      return;
    }
    this.#throttled.add(strategyId);
    verdicts.push({ ...about, trading: { state: 'throttled', reason: `M8: ${reason}` } });
  }

  #loopOf(strategyId: StrategyId, nowMs: number): string | undefined {
    const loop = this.#loops.get(strategyId);
    if (loop === undefined || nowMs - loop.atMs < HELD_MS) return loop?.reason;
    this.#loops.delete(strategyId);
    return undefined;
  }

  #ratioOf(strategyId: StrategyId, nowMs: number): string | undefined {
    const buckets = this.#buckets.get(strategyId) ?? [];
    while (buckets[0] !== undefined && nowMs - buckets[0].atMs >= TRADE_WINDOW_MS) buckets.shift();
    let orders = 0;
    let trades = 0;
    for (const bucket of buckets) {
      orders += bucket.orders;
      trades += bucket.trades;
    }
    if (orders <= this.#limits.maxOrderToTradeRatio * Math.max(1, trades)) return undefined;
    return `${orders} orders for ${trades} trades within ten minutes`;
  }

  #bucket(strategyId: StrategyId, nowMs: number): Bucket {
    const buckets = this.#buckets.get(strategyId) ?? [];
    const last = buckets.at(-1);
    // A clock that was set back continues in the current bucket.
    if (last !== undefined && nowMs - last.atMs < BUCKET_MS) return last;
    const bucket = { atMs: nowMs, orders: 0, trades: 0 };
    buckets.push(bucket);
    this.#buckets.set(strategyId, buckets);
    return bucket;
  }

  #goneOf(strategyId: StrategyId, symbol: MarketSymbol): GoneOrders {
    let bySymbol = this.#gone.get(strategyId);
    if (bySymbol === undefined) {
      bySymbol = new Map();
      this.#gone.set(strategyId, bySymbol);
    }
    let gone = bySymbol.get(symbol);
    if (gone === undefined) {
      gone = { buy: [], sell: [] };
      bySymbol.set(symbol, gone);
    }
    return gone;
  }
}

/** The order that the next one follows: the first that was canceled within the last second. */
function takeGone(gone: GoneOrder[], nowMs: number): GoneOrder | undefined {
  for (let first = gone.shift(); first !== undefined; first = gone.shift())
    if (nowMs - first.atMs < SECOND_MS) return first;
  return undefined;
}

/** Forgets the orders of a side when none of them can be followed any more. */
function forgetGone(gone: GoneOrder[], nowMs: number): void {
  if (gone.length > 0 && gone.every(({ atMs }) => nowMs - atMs >= SECOND_MS)) gone.length = 0;
}
