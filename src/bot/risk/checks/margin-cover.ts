/** @module P9: what is left over after the worst case: maintenance cover, free collateral, distance to liquidation. */
import { minus, shareDown, shareUp } from '../../../core/index.ts';
import type { Market } from '../../../domain/index.ts';
import { money, type OrderCheck, percent } from '../check.ts';
import type { Refusal, ReviewContext } from '../review-context.ts';
import type { MarginAmounts } from '../totals.ts';

type Code =
  | 'RISK_EQUITY_UNKNOWN'
  | 'RISK_MARGIN_COVERAGE_BELOW_LIMIT'
  | 'RISK_FREE_COLLATERAL_BELOW_LIMIT'
  | 'RISK_LIQUIDATION_TOO_CLOSE';

/** Checks margins as they would be with all positions at their worst; what does not raise them passes. */
export const marginCover: OrderCheck = {
  control: 'P9',
  codes: [
    'RISK_EQUITY_UNKNOWN',
    'RISK_MARGIN_COVERAGE_BELOW_LIMIT',
    'RISK_FREE_COLLATERAL_BELOW_LIMIT',
    'RISK_LIQUIDATION_TOO_CLOSE',
  ],
  review(spec, scene) {
    const { market } = scene.here;
    if (market === undefined) return undefined;
    if (scene.totalsWith(spec).gross <= scene.totals().gross) return undefined;
    return checkTotals(scene.marginsWith(spec), scene, market);
  },
};

function checkTotals(after: MarginAmounts, scene: ReviewContext, market: Market): Refusal<Code> | undefined {
  const { equity } = scene;
  if (equity === undefined || equity <= 0)
    return {
      code: 'RISK_EQUITY_UNKNOWN',
      message: `expected an equity above zero, got ${equity === undefined ? 'not known' : money(market, equity)}`,
    };
  const { maintenanceCoverPpmMin, freeCollateralPpmMin, liquidationDistancePpmMin } = scene.limits;
  const { gross, initialMargin, maintenanceMargin } = after;
  if (equity < shareUp(maintenanceMargin, maintenanceCoverPpmMin))
    return {
      code: 'RISK_MARGIN_COVERAGE_BELOW_LIMIT',
      message: `expected equity of at least ${percent(maintenanceCoverPpmMin)} of the maintenance margin ${money(market, maintenanceMargin)}, got ${money(market, equity)}`,
    };
  const free = minus(equity, initialMargin);
  if (free < shareUp(equity, freeCollateralPpmMin))
    return {
      code: 'RISK_FREE_COLLATERAL_BELOW_LIMIT',
      message: `expected ${percent(freeCollateralPpmMin)} of equity ${money(market, equity)} to stay free, would be ${money(market, free)}`,
    };
  const left = minus(equity, shareDown(gross, liquidationDistancePpmMin));
  if (left < maintenanceMargin)
    return {
      code: 'RISK_LIQUIDATION_TOO_CLOSE',
      message: `expected to survive an adverse move of ${percent(liquidationDistancePpmMin)}, would leave ${money(market, left)} of ${money(market, maintenanceMargin)} needed`,
    };
  return undefined;
}
