/** @module The scale of a Binance USD-M recording: that of the REST snapshots which its books start from. */

import { malformed, type Place, type RecordedScale } from '../location.ts';
import { printedDecimalsOf } from '../plain-decimal.ts';
import type { StatedScale } from '../scale-scan.ts';
import { type BinanceSnapshot, readBinanceUm } from './binance-um.ts';

/** The most records of a file before the REST snapshot that its book starts from. */
const RECORDS_BEFORE_SNAPSHOT_MAX = 20_000;

/** The REST snapshots that books start from, one a file at most. @throws ProtocolError when there is none. */
export async function firstSnapshots(paths: readonly string[]): Promise<readonly BinanceSnapshot[]> {
  const snapshots: BinanceSnapshot[] = [];
  let count = 0;
  let place: Place = { file: paths[0] ?? '', line: 0 };
  for (const path of paths) {
    let left = RECORDS_BEFORE_SNAPSHOT_MAX;
    for await (const record of readBinanceUm([path])) {
      if (record.kind === 'snapshot') snapshots.push(record);
      if (record.kind === 'snapshot' || left-- === 0) break;
      place = record.place;
      count++;
    }
  }
  if (snapshots.length > 0) return snapshots;
  throw malformed(
    place,
    `a REST depth snapshot within the first ${RECORDS_BEFORE_SNAPSHOT_MAX} records`,
    `none in ${count}`,
  );
}

/**
 * The scale of a tape: prices are printed with more zeros than the tick has, which would only spread the book; sizes are
 * as printed. The finest snapshot counts, for days differ.
 */
export function scaleOf(snapshots: readonly BinanceSnapshot[], told: StatedScale): RecordedScale {
  const prices = snapshots.flatMap(({ bids, asks }) => [...bids, ...asks]).map(([price]) => price);
  const priceDecimals = prices.reduce((most, price) => Math.max(most, printedDecimalsOf(price)), 0);
  return {
    priceDecimals: told.priceDecimals ?? priceDecimals,
    sizeDecimals: told.sizeDecimals ?? printedScaleOf(snapshots).sizeDecimals,
  };
}

/** The decimals that prices and sizes are printed with, zeros included. */
export function printedScaleOf(snapshots: readonly BinanceSnapshot[]): RecordedScale {
  const first = snapshots.map(({ bids, asks }) => bids[0] ?? asks[0] ?? ['', '']);
  return {
    priceDecimals: Math.max(...first.map(([price]) => printedDecimals(price))),
    sizeDecimals: Math.max(...first.map(([, size]) => printedDecimals(size))),
  };
}

function printedDecimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}
