/**
 * @module
 * The band around the PnL of a backtest whose models were calibrated: by how much it would differ if this
 * backtest is as wrong as the calibration was on the out-of-sample part of its run.
 *
 *   half band = |trading profit| x error of the filled size + notional as maker x largest error of a markout
 *
 * It is no probability. It does not know markets that behave otherwise than the run it comes from.
 */
import { quantums, type RunRecord, totalOf } from '../../domain/index.ts';

const PPM = 1_000_000;
const PPM_PER_BP = 100;

/** How wrong a calibrated model was out of sample. */
export interface HeldErrors {
  /** As a fraction of the filled size. */
  readonly sizePart: number;
  /** The largest of 1 s and 10 s, bps. */
  readonly markoutBps: number;
}

/** The record with its band. */
export function withBand(record: RunRecord, errors: HeldErrors): RunRecord {
  const { pnl, fills, markets } = record;
  const trading = pnl.realized + pnl.unrealized;
  let maker = 0n;
  for (const { role, symbol, priceTicks, sizeLots } of fills) {
    const market = markets.find((one) => one.symbol === symbol);
    if (role === 'maker' && market !== undefined)
      maker += BigInt(priceTicks) * BigInt(sizeLots) * market.quantumsPerTickLot;
  }
  const half =
    part(trading < 0n ? -trading : trading, errors.sizePart * PPM) +
    part(maker, errors.markoutBps * PPM_PER_BP);
  const total = totalOf(pnl);
  const basis = `calibrated models were off by ${percent(errors.sizePart)} of the filled size and ${errors.markoutBps.toFixed(2)} bps of markout out of sample`;
  return { ...record, band: { low: quantums(total - half), high: quantums(total + half), basis } };
}

/** `ppm` parts per million of an amount, rounded up. */
function part(amount: bigint, ppm: number): bigint {
  return (amount * BigInt(Math.ceil(ppm)) + BigInt(PPM - 1)) / BigInt(PPM);
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
