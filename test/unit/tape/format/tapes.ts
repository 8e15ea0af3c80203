/** @module Small tapes for tests: rows by a formula, folders that are gone after use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT, type EventRow, FLAG_END, type TapeMarket } from '../../../../src/tape/format/index.ts';

/** Where the times of {@link someRows} begin: no whole second, and beyond 2^50. */
export const START_US = 1_767_657_600_123_456;

/** A market of one decimal and five. */
export function tapeMarket(symbol: string): TapeMarket {
  return { symbol, priceDecimals: 1, sizeDecimals: 5, tickStep: 1, lotStep: 10, depth: 'levels' };
}

/** `count` rows in `markets` markets, a frame of three every 1.5 ms; extremes of every column among them. */
export function someRows(count: number, markets = 1): readonly EventRow[] {
  const kinds = [EVENT.bidLevel, EVENT.askLevel, EVENT.buyTrade, EVENT.mark];
  return Array.from({ length: count }, (_, index) => ({
    kind: kinds[(index * 7) % 4] ?? EVENT.mark,
    flags: index % 3 === 2 ? FLAG_END : 0,
    market: index % markets,
    exchangeUs: START_US + Math.floor(index / 3) * 1_500,
    receivedUs: START_US + Math.floor(index / 3) * 1_500 + 20_000 - (index % 2) * 30_000,
    price: index === 0 ? 0xffff_ffff : 900_000 + ((index * 7_919) % 1_000),
    size: index === 1 ? Number.MAX_SAFE_INTEGER : (index * 104_729) % 100_003,
    id: index === 2 ? Number.MIN_SAFE_INTEGER : index,
  }));
}

/** Calls `use` with a folder that does not exist yet and whose parent is removed afterwards. */
export async function withTapeFolder(use: (folder: string) => void | Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'ballast-tape-'));
  try {
    await use(join(parent, 'tape'));
  } finally {
    rmSync(parent, { recursive: true });
  }
}
