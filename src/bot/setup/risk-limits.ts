/**
 * @module
 * Turns the risk section of a configuration into limits in quantums and parts per million. Amounts are
 * rounded down, so that rounding only ever tightens.
 */
import { amountOf, type CapitalLimit, type Config } from '../../config/index.ts';
import { ConfigError, Decimal } from '../../core/index.ts';
import { type MarketSymbol, ppm, type Quantums, quantums, type StrategyId } from '../../domain/index.ts';
import {
  type MonitorLimits,
  monitorLimits,
  type RiskLimits,
  riskLimits,
  type StrategyLimits,
} from '../risk/index.ts';

/** The loss limit of a strategy that names none, as a fraction of the capital. */
const STRATEGY_LOSS_FRACTION = '0.01';

/** The limits of `config`. @throws ConfigError when its capital is less than the collateral token can express. */
export function limitsOf(config: Config, collateralDecimals: number): RiskLimits {
  const { risk } = config;
  const scale = new Decimal(10).pow(collateralDecimals);
  const money = (amount: Decimal): Quantums => quantums(BigInt(amount.times(scale).floor().toFixed(0)));
  const limit = (of: CapitalLimit): Quantums => money(amountOf(of, risk.capital));
  const capital = money(risk.capital);
  if (capital === 0n) throw capitalTooSmall(risk.capital, collateralDecimals);
  const rate = (fraction: Decimal) => ppm(fraction.times(1_000_000).floor().toNumber());
  const strategyDefaults: StrategyLimits = {
    ordersMax: risk.maxOpenOrders,
    openNotionalMax: limit(risk.maxOpenNotional),
    positionNotionalMax: limit(risk.maxPositionNotional),
    lossMax: money(risk.capital.times(STRATEGY_LOSS_FRACTION)),
    isPostOnly: risk.postOnly,
  };
  return riskLimits({
    capital,
    symbols: config.markets.map((market) => market.symbol as MarketSymbol),
    overrides: {
      isOfVault: config.account?.vault !== undefined,
      orderNotionalMax: limit(risk.maxOrderNotional),
      collarPpm: rate(risk.priceCollar),
      crossingPpm: rate(risk.maxCrossDepth),
      referenceGapPpm: rate(risk.maxReferenceDeviation),
      positionNotionalMax: limit(risk.maxPositionNotional),
      grossNotionalMax: limit(risk.maxGrossExposure),
      netNotionalMax: limit(risk.maxNetExposure),
      openOrdersPerSideMax: risk.maxOpenOrdersPerSide,
      openOrdersMax: risk.maxOpenOrders,
      openNotionalMax: limit(risk.maxOpenNotional),
      openNotionalPerMarketMax: limit(risk.maxOpenNotionalPerMarket),
      leveragePpmMax: rate(risk.maxLeverage),
      maintenanceCoverPpmMin: rate(risk.minMarginCoverage),
      freeCollateralPpmMin: rate(risk.minFreeCollateral),
      duplicateWindowMs: Math.ceil(1000 / risk.maxDuplicateOrdersPerSecond),
      laneWritesPerS: risk.maxWritesPerSecond,
      laneWriteBurst: risk.writeBurst,
      accountWritesPerS: risk.maxAccountWritesPerSecond,
      expiryMsMax: risk.maxOrderLifetime,
      switchRemainingMsMin: risk.minSwitchTimeLeft,
      dataAgeMsMax: risk.maxMarketDataAge,
      strategyDefaults,
      strategies: new Map(
        config.strategies.map(({ name, limits }) => [
          name as StrategyId,
          {
            ...strategyDefaults,
            ...(limits.maxOpenOrders === undefined ? {} : { ordersMax: limits.maxOpenOrders }),
            ...(limits.maxOpenNotional === undefined
              ? {}
              : { openNotionalMax: money(limits.maxOpenNotional) }),
            ...(limits.maxLoss === undefined ? {} : { lossMax: money(limits.maxLoss) }),
          },
        ]),
      ),
    },
  });
}

function capitalTooSmall(capital: Decimal, collateralDecimals: number): ConfigError {
  return new ConfigError({
    code: 'RISK_LIMIT_INVALID',
    message: `expected risk.capital to be at least ${new Decimal(10).pow(-collateralDecimals).toFixed()}, the smallest amount of the collateral token, got ${capital.toFixed()}`,
    remedy: 'Name what may be traded with, in the collateral token, as risk.capital.',
  });
}

/** The percentage of the largest position above which an inventory is near its limit (M9). */
const INVENTORY_BAND_PERCENT = 80n;

/** Where a run trades: on an exchange, or at the venue that `paper` simulates, backtests included. */
export type VenueKind = 'exchange' | 'paper';

/** Whether rejected post-only orders count for M5: at a simulated venue, whose queue is a model, only where asked for. */
export function isPostOnlyRejectCounted(risk: Config['risk'], venue: VenueKind): boolean {
  return risk.countPostOnlyRejections ?? venue === 'exchange';
}

/** The limits of the continuous controls, at a venue whose collateral has so many decimals. */
export function monitorLimitsOf(
  config: Config,
  limits: RiskLimits,
  { venue, collateralDecimals }: { readonly venue: VenueKind; readonly collateralDecimals: number },
): MonitorLimits {
  const { risk } = config;
  const scale = new Decimal(10).pow(collateralDecimals);
  const money = (limit: CapitalLimit) =>
    quantums(BigInt(amountOf(limit, risk.capital).times(scale).floor().toFixed(0)));
  return {
    ...monitorLimits(limits.capital, collateralDecimals),
    inventoryNotionalMax: quantums((limits.positionNotionalMax * INVENTORY_BAND_PERCENT) / 100n),
    fillsPerSideMax: risk.maxSameSideFillsPer10s,
    switchFiringsMax: risk.maxSwitchFiringsPerHour,
    rejectsMax: risk.maxRejectionsPer10s,
    isPostOnlyRejectCounted: isPostOnlyRejectCounted(risk, venue),
    replacesPerSMax: risk.maxReplacesPerSecond,
    maxOrderToTradeRatio: risk.maxOrderToTradeRatio,
    maxQueueUtilization: risk.maxQueueUtilization.toNumber(),
    accountLosses: {
      dailyMax: money(risk.maxDailyLoss),
      drawdownMax: money(risk.maxDrawdown),
      minuteMax: money(risk.maxLossPerMinute),
    },
    marketLosses:
      risk.maxDailyLossPerMarket === undefined
        ? undefined
        : { dailyMax: money(risk.maxDailyLossPerMarket), drawdownMax: undefined, minuteMax: undefined },
    strategyLosses: new Map(
      config.strategies.flatMap(({ name, limits: { maxDailyLoss, maxDrawdown } }) =>
        maxDailyLoss === undefined && maxDrawdown === undefined
          ? []
          : [
              [
                name as StrategyId,
                {
                  dailyMax: maxDailyLoss === undefined ? undefined : money(maxDailyLoss),
                  drawdownMax: maxDrawdown === undefined ? undefined : money(maxDrawdown),
                  minuteMax: undefined,
                },
              ] as const,
            ],
      ),
    ),
    lossReaction: {
      haltRatioPpm:
        risk.haltLossRatio === undefined
          ? undefined
          : BigInt(risk.haltLossRatio.times(1_000_000).floor().toFixed(0)),
      cooldownMs: risk.lossCooldown,
      collateralDecimals,
    },
    tradedNotionalMax: money(risk.maxTurnoverPer10s),
  };
}
