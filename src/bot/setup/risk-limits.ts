/**
 * @module
 * Turns the risk section of a configuration into limits in quantums and parts per million. Fractions of capital are
 * rounded down, so that rounding only ever tightens.
 */
import type { Config } from '../../config/index.ts';
import { Decimal } from '../../core/index.ts';
import { type MarketSymbol, ppm, type Quantums, quantums, type StrategyId } from '../../domain/index.ts';
import {
  type MonitorLimits,
  monitorLimits,
  type RiskLimits,
  riskLimits,
  type StrategyLimits,
} from '../risk/index.ts';

/** What is assumed of a strategy's loss when its budget names none: this part of the capital (risk-and-keys M4). */
const STRATEGY_LOSS_PART = '0.01';

/** The limits of `config`. @throws ConfigError when one is above its compiled ceiling. */
export function limitsOf(config: Config, collateralDecimals: number): RiskLimits {
  const { risk } = config;
  const scale = new Decimal(10).pow(collateralDecimals);
  const money = (amount: Decimal): Quantums => quantums(BigInt(amount.times(scale).floor().toFixed(0)));
  const part = (fraction: Decimal): Quantums => money(risk.capital.times(fraction));
  const rate = (fraction: Decimal) => ppm(fraction.times(1_000_000).floor().toNumber());
  const strategyDefaults: StrategyLimits = {
    ordersMax: risk.openOrdersMax,
    openNotionalMax: part(risk.openNotionalMaxOfCapital),
    positionNotionalMax: part(risk.positionMaxOfCapital),
    lossMax: part(new Decimal(STRATEGY_LOSS_PART)),
    isPostOnly: risk.isMakerOnly,
  };
  return riskLimits({
    capital: money(risk.capital),
    symbols: config.markets.map((market) => market.symbol as MarketSymbol),
    overrides: {
      orderNotionalMax: part(risk.orderNotionalMaxOfCapital),
      collarPpm: rate(risk.priceCollar),
      crossingPpm: rate(risk.crossThroughMax),
      referenceGapPpm: rate(risk.referenceGapMax),
      positionNotionalMax: part(risk.positionMaxOfCapital),
      grossNotionalMax: part(risk.grossMaxOfCapital),
      netNotionalMax: part(risk.netMaxOfCapital),
      openOrdersPerSideMax: risk.openOrdersPerSideMax,
      openOrdersMax: risk.openOrdersMax,
      openNotionalMax: part(risk.openNotionalMaxOfCapital),
      openNotionalPerMarketMax: part(risk.openNotionalPerMarketMaxOfCapital),
      leveragePpmMax: rate(risk.leverageMax),
      maintenanceCoverPpmMin: rate(risk.marginCoverMin),
      freeCollateralPpmMin: rate(risk.freeCollateralMin),
      duplicateWindowMs: Math.ceil(1000 / risk.duplicatesPerSecondMax),
      laneWritesPerS: risk.writesPerSecondMax,
      laneWriteBurst: risk.writesBurst,
      accountWritesPerS: risk.accountWritesPerSecondMax,
      expiryMsMax: risk.orderLifetimeMax,
      switchRemainingMsMin: risk.switchRemainingMin,
      dataAgeMsMax: risk.marketDataAgeMax,
      strategyDefaults,
      strategies: new Map(
        config.strategies.map(({ name, budget }) => [
          name as StrategyId,
          {
            ...strategyDefaults,
            ...(budget.openOrdersMax === undefined ? {} : { ordersMax: budget.openOrdersMax }),
            ...(budget.notionalMax === undefined ? {} : { openNotionalMax: money(budget.notionalMax) }),
            ...(budget.lossMax === undefined ? {} : { lossMax: money(budget.lossMax) }),
          },
        ]),
      ),
    },
  });
}

/** The part of the greatest position above which an inventory is near its limit (risk-and-keys M9). */
const INVENTORY_BAND_PERCENT = 80n;

/** The limits of the continuous controls (risk-and-keys, at-trade). */
export function monitorLimitsOf(config: Config, limits: RiskLimits): MonitorLimits {
  const { risk } = config;
  const traded = new Decimal(limits.capital.toString()).times(risk.tradedMaxOfCapital).floor();
  return {
    ...monitorLimits(limits.capital),
    inventoryNotionalMax: quantums((limits.positionNotionalMax * INVENTORY_BAND_PERCENT) / 100n),
    fillsPerSideMax: risk.sameSideFillsMax,
    switchFiringsMax: risk.switchFiringsPerHourMax,
    replacesPerSMax: risk.replacesPerSecondMax,
    ordersPerTradeMax: risk.ordersPerTradeMax,
    queueFillMax: risk.queueFillMax.toNumber(),
    tradedNotionalMax: quantums(BigInt(traded.toFixed(0))),
  };
}
