/** @module I3: every change of cash exactly once, and the sum is the balance to the last unit. */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { agreesAtLast, ledgerDiffers } from './support/agreement.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I3'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const checks = agreesAtLast(sceneOf(world), 'I3', ledgerDiffers);
  return {
    ...checks,
    atEnd: () => {
      checks.atEnd?.();
      const { report } = world.life();
      if (typeof report !== 'object' || report === null) return;
      // A report of an ordered end says itself what is left between ledger and balance.
      const { ledgerResidual, openOrders } = report as Record<string, unknown>;
      if (openOrders === 0 && ledgerResidual !== '0')
        world.violate('I3', `a report with a residual of ${String(ledgerResidual)}`);
    },
  };
}
