/** @module The account of an examination: all its equity is cash. */
import { type AccountSummary, type Ppm, quantums } from '../../domain/index.ts';

/** Cash of the account, collateral units. */
const CASH = 1_000_000n;
const COLLATERAL_SCALE = 1_000_000n;

/** The summary of an account with so much cash, collateral units. */
export function summaryOf(cash: bigint = CASH): AccountSummary {
  const [money, none] = [quantums(cash * COLLATERAL_SCALE), quantums(0n)];
  return {
    ...{
      collateral: money,
      equity: money,
      withdrawable: money,
      initialMargin: none,
      maintenanceMargin: none,
    },
    ...{ takerFeePpm: 500 as Ppm, makerFeePpm: 0 as Ppm },
  };
}
