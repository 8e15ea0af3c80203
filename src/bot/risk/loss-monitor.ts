/**
 * @module
 * Losses of the account, of each market and of single strategies (denials.md M4), looked after at each guard tick.
 */
import { isRecord } from '../../core/index.ts';
import {
  type AccountView,
  type MarketState,
  type MarketSymbol,
  type StrategyId,
  totalOf,
} from '../../domain/index.ts';
import { Losses, type LossLimits, type LossReaction, type LossUsage, type SavedLosses } from './losses.ts';
import type { TradingScope } from './trading-state.ts';
import type { Verdict } from './verdict.ts';

/** What may be lost, and what follows. */
interface LossMonitorLimits {
  readonly accountLosses: LossLimits;
  readonly marketLosses: LossLimits | undefined;
  readonly strategyLosses: ReadonlyMap<StrategyId, LossLimits>;
  readonly lossReaction: LossReaction;
}

interface Watched {
  readonly scope: TradingScope;
  readonly losses: Losses;
  /** Its profit now, quantums. */
  total(): bigint;
}

/** See the module. */
export class LossMonitor {
  readonly #limits: LossMonitorLimits;
  readonly #account: AccountView;
  readonly #markets: MarketState;
  readonly #watched = new Map<string, Watched>();
  /** Of scopes that nothing has happened in yet. */
  readonly #saved = new Map<string, SavedLosses>();

  constructor(
    limits: LossMonitorLimits,
    sources: { readonly account: AccountView; readonly markets: MarketState },
  ) {
    this.#limits = limits;
    this.#account = sources.account;
    this.#markets = sources.markets;
    const { account } = sources;
    const markOf = (symbol: MarketSymbol) => this.#markets.valuationTicks(symbol);
    this.#watch({ kind: 'account' }, limits.accountLosses, () => totalOf(account.pnl(markOf)));
    for (const [strategyId, own] of limits.strategyLosses)
      this.#watch({ kind: 'strategy', strategyId }, own, () => totalOf(account.pnl(markOf, strategyId)));
  }

  /** One look at all scopes. */
  tick(nowMs: number, verdicts: Verdict[]): void {
    this.#meetMarkets();
    for (const { scope, losses, total } of this.#watched.values()) {
      if (losses.isOver(nowMs)) {
        losses.rebase();
        verdicts.push({ control: 'M4', scope, trading: { state: 'active', reason: '' }, isCanceling: false });
      }
      const found = losses.look(nowMs, total());
      if (found !== undefined) verdicts.push({ control: 'M4', scope, trading: found, isCanceling: true });
    }
  }

  /** What holds a scope, without a look: of a restart, what was found before it. */
  held(nowMs: number): readonly Verdict[] {
    return [...this.#watched.values()].flatMap(({ scope, losses }) => {
      const { found } = losses;
      if (found === undefined || losses.isOver(nowMs)) return [];
      return [{ control: 'M4' as const, scope, trading: found, isCanceling: false }];
    });
  }

  /** The losses of a scope count from here. Of the account: of all scopes. */
  rebase(scope: TradingScope): void {
    for (const [key, { losses }] of this.#watched)
      if (scope.kind === 'account' || key === keyOf(scope)) losses.rebase();
  }

  /** The profit is counted from zero, as with a new ledger: what was lost stays lost. */
  carryOver(): void {
    const saved = this.save();
    for (const { losses } of this.#watched.values()) losses.rebase();
    this.restore(saved);
  }

  /** What has been lost and what may be, by scope: `account`, a market, a strategy. */
  usage(): readonly { readonly scope: TradingScope; readonly usage: LossUsage }[] {
    return Array.from(this.#watched.values(), ({ scope, losses }) => ({ scope, usage: losses.usage() }));
  }

  /** What a restart must know. */
  save(): Readonly<Record<string, SavedLosses>> {
    const kept = new Map(this.#saved);
    for (const [key, { losses }] of this.#watched) {
      const saved = losses.save();
      if (saved !== undefined) kept.set(key, saved);
    }
    return Object.fromEntries(kept);
  }

  /**
   * Takes over what was lost before a restart. What is no such state counts as nothing lost. A market that is held is
   * watched at once where it is one of `symbols`: others are watched from their first position on.
   */
  restore(saved: unknown, symbols: Iterable<MarketSymbol> = []): void {
    if (!isRecord(saved)) return;
    const markets = new Map(Array.from(symbols, (symbol) => [keyOf({ kind: 'market', symbol }), symbol]));
    for (const [key, one] of Object.entries(saved)) {
      if (!isSavedLosses(one)) continue;
      const watched = this.#watched.get(key);
      if (watched === undefined) this.#saved.set(key, one);
      else watched.losses.restore(one);
      const symbol = one.found === undefined ? undefined : markets.get(key);
      if (symbol !== undefined) this.#watchMarket(symbol);
    }
  }

  /** Markets are watched from their first position on. */
  #meetMarkets(): void {
    if (this.#limits.marketLosses === undefined) return;
    for (const symbol of this.#account.seenSymbols) this.#watchMarket(symbol);
  }

  #watchMarket(symbol: MarketSymbol): void {
    const { marketLosses } = this.#limits;
    if (marketLosses === undefined || this.#watched.has(keyOf({ kind: 'market', symbol }))) return;
    this.#watch({ kind: 'market', symbol }, marketLosses, () => {
      const pnl = this.#account.inventory(symbol)?.pnlAt(this.#markets.valuationTicks(symbol));
      return pnl === undefined ? 0n : totalOf(pnl);
    });
  }

  #watch(scope: TradingScope, limits: LossLimits, total: () => bigint): void {
    const losses = new Losses(limits, this.#limits.lossReaction);
    const key = keyOf(scope);
    const saved = this.#saved.get(key);
    if (saved !== undefined) losses.restore(saved);
    this.#saved.delete(key);
    this.#watched.set(key, { scope, losses, total });
  }
}

function keyOf(scope: TradingScope): string {
  if (scope.kind === 'account') return 'account';
  return scope.kind === 'market' ? `market ${scope.symbol}` : `strategy ${scope.strategyId}`;
}

function isSavedLosses(value: unknown): value is SavedLosses {
  if (!isRecord(value)) return false;
  const { day, daily, drawdown, found } = value;
  if (found !== undefined && !isSavedFinding(found)) return false;
  return Number.isSafeInteger(day) && [daily, drawdown].every((text) => /^-?\d{1,40}$/.test(String(text)));
}

function isSavedFinding(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { state, reason, atMs } = value;
  return (
    (state === 'reducing' || state === 'halted') && typeof reason === 'string' && Number.isSafeInteger(atMs)
  );
}
