/**
 * @module
 * A world in which a plain post-only order passes every risk check, and the means to spoil one thing in it.
 */

import { ORDER_CHECKS } from '../../src/bot/risk/checks/index.ts';
import {
  createRiskGate,
  type LimitOverrides,
  type Review,
  type RiskGate,
  riskLimits,
  TradingStates,
} from '../../src/bot/risk/index.ts';
import {
  AccountState,
  type Fact,
  type LaneId,
  MarketState,
  type OrderSpec,
  type ReplaceOrders,
} from '../../src/domain/index.ts';
import {
  aBook,
  aMarket,
  aSummary,
  atMs,
  BTC,
  ETH,
  LANE,
  MAKER,
  START_MS,
  seq,
  somePrices,
  usd,
} from './trading-builders.ts';

/** Facts after which 100,000.0 is the price of BTC and the account is synced, armed and has 100,000 USD. */
export function quietWorld(): readonly Fact[] {
  return [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'MarketChanged', market: aMarket({ symbol: ETH, signingMarketId: 1 }) },
    { type: 'BookUpdated', book: aBook() },
    { type: 'PricesUpdated', prices: somePrices(1_000_000) },
    { type: 'BookUpdated', book: aBook({ symbol: ETH }) },
    { type: 'PricesUpdated', prices: somePrices(1_000_000, { symbol: ETH }) },
    { type: 'AccountUpdated', account: aSummary(100_000), seq: seq(1) },
    { type: 'AccountSynced', seq: seq(1) },
    { type: 'SwitchArmed', triggerAtMs: atMs(20_000), atMs: START_MS },
  ];
}

/** State and limits to review in. */
export class RiskWorld {
  readonly account = new AccountState();
  readonly markets = new MarketState();
  readonly trading = new TradingStates();
  nowMs = START_MS;
  #gate: RiskGate;

  constructor(overrides: LimitOverrides = {}, checks = ORDER_CHECKS) {
    for (const fact of quietWorld()) this.fold(fact);
    const limits = riskLimits({
      capital: usd(100_000),
      symbols: [BTC, ETH],
      overrides,
    });
    this.#gate = createRiskGate(limits, checks);
  }

  get gate(): RiskGate {
    return this.#gate;
  }

  fold(...facts: readonly Fact[]): this {
    for (const fact of facts) {
      this.account.fold(fact);
      foldMarket(this.markets, fact);
    }
    return this;
  }

  place(orders: readonly OrderSpec[], lane: LaneId = LANE): Review {
    const [first] = orders;
    const request = {
      lane,
      strategyId: first?.strategyId ?? MAKER,
      intentId: first?.intentId ?? ('none' as OrderSpec['intentId']),
      command: { kind: 'place', orders } as const,
    };
    return this.#gate.review([request], this);
  }

  replace(orders: readonly OrderSpec[], cancels: ReplaceOrders['cancels'], lane: LaneId = LANE): Review {
    const command = { kind: 'replace', symbol: BTC, cancels, orders } as const;
    const intentId = orders[0]?.intentId ?? ('none' as OrderSpec['intentId']);
    return this.#gate.review([{ lane, strategyId: MAKER, intentId, command }], this);
  }

  /** The codes that deny `spec` when it is placed alone. */
  codesOf(spec: OrderSpec): readonly string[] {
    return this.place([spec]).denied.map((denial) => denial.code);
  }
}

/** Folds what concerns markets. */
export function foldMarket(markets: MarketState, fact: Fact): void {
  switch (fact.type) {
    case 'MarketChanged':
    case 'BookUpdated':
    case 'BboUpdated':
    case 'TradePrinted':
    case 'PricesUpdated':
    case 'CandleUpdated':
    case 'FundingSettled':
    case 'MarketStale':
      markets.fold(fact);
      return;
    default:
      return;
  }
}
