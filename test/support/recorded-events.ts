/** @module Builders of recorded events and a source that holds them, for flows that play a recording. */
import { unixMs } from '../../src/core/index.ts';
import { lots, quantums, type Side, ticks } from '../../src/domain/index.ts';
import type { VenueMarket } from '../../src/exchange/engine/index.ts';
import type {
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowGap,
  RecordedFlowMark,
  RecordedFlowTrade,
  RecordedSource,
} from '../../src/exchange/flow/recorded-source.ts';
import { perpetual } from '../../src/exchange/state/default-markets.ts';

type Levels = readonly (readonly [number, number])[];

/** When the recordings of these builders begin: long before any exchange time of the tests. */
export const RECORDED_START_MS = 1_600_000_000_000;

/** A set of levels `atMs` after the start of the recording; each level is [ticks, lots]. */
export function recordedBook(atMs: number, bids: Levels, asks: Levels): RecordedFlowBook {
  const levels = (side: Levels) =>
    side.map(([price, size]) => ({ priceTicks: ticks(price), sizeLots: lots(size) }));
  return { kind: 'levels', atMs: at(atMs), bids: levels(bids), asks: levels(asks) };
}

export function recordedTrade(
  atMs: number,
  trade: { aggressor: Side; price: number; size: number },
): RecordedFlowTrade {
  const { aggressor, price, size } = trade;
  return { kind: 'trade', atMs: at(atMs), aggressor, priceTicks: ticks(price), sizeLots: lots(size) };
}

export function recordedMark(atMs: number, indexTicks: number): RecordedFlowMark {
  return { kind: 'mark', atMs: at(atMs), indexTicks: ticks(indexTicks) };
}

export function recordedGap(atMs: number, untilMs: number): RecordedFlowGap {
  return { kind: 'gap', atMs: at(atMs), untilMs: at(untilMs) };
}

/** A source of these events. */
export class ListSource implements RecordedSource {
  readonly #events: readonly RecordedFlowEvent[];
  #next = 0;

  constructor(events: readonly RecordedFlowEvent[]) {
    this.#events = events;
  }

  peek(): RecordedFlowEvent | undefined {
    return this.#events[this.#next];
  }

  shift(): RecordedFlowEvent | undefined {
    return this.#events[this.#next++];
  }
}

/** A market for recordings: any size may rest. */
export function recordedVenueMarket(
  options: { minNotional?: bigint; indexTicks?: number } = {},
): VenueMarket {
  const { market, indexTicks } = perpetual({
    symbol: 'BTC-USD',
    signingMarketId: 0,
    priceDecimals: 1,
    sizeDecimals: 4,
    indexTicks: options.indexTicks ?? 1_000,
  });
  return { market: { ...market, minNotional: quantums(options.minNotional ?? 0n) }, indexTicks };
}

function at(atMs: number) {
  return unixMs(RECORDED_START_MS + atMs);
}
