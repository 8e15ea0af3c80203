/**
 * @module
 * The recorded sets beside the project as tapes: the figures that others computed from the same files, and the flow that
 * an exchange plays of them.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTape } from '../../src/tape/format/index.ts';
import { importedTape, playedEvents } from '../support/imported-flow.ts';
import { hasShared, readSharedJson, sharedPath } from '../support/shared.ts';

/**
 * Symbols of each set with the SHA-256 of their flow: sets of levels, trades and index prices in order, a JSON line each.
 * Computed once by a reader that took them straight from the recorded files.
 */
const SETS = [
  {
    folder: 'binance-um-20240808',
    format: 'binance-um',
    flows: {
      BTCUSDT: 'a3e4e990a6ee47c3a0099a9aa591a89fbda9bcf11b8b492a0e415e65d61782df',
      ETHUSDT: 'ef329c4b6055e5dc3a866c1ddedeecbebba7dd878062092b988ae7810b9400b9',
    },
    tradesMoved: 0,
  },
  {
    folder: 'binance-um-btcusdt-20230404',
    format: 'binance-um',
    flows: { BTCUSDT: '1e850b126334e7bca5ba1573c48164bda63bf3f3d4d198d72904e1f399683159' },
    tradesMoved: 0,
  },
  {
    folder: 'standx-btcusd-20260106',
    format: 'standx',
    flows: { 'BTC-USD': 'fa2d94755a99adbcdaa19b199f68883a4743e32bc26a757622513b6e98d6997b' },
    tradesMoved: 33_531,
  },
] as const;

const found = SETS.filter(({ folder }) => hasShared('data', folder));
if (found.length < SETS.length) console.log('skipped: recorded sets that are not in ../shared/data');

test.each(found)(
  '$folder: every figure, and the same flow from the tape as from the files',
  { timeout: 60_000 },
  async ({ folder, format, flows, tradesMoved }) => {
    const tape = await importedTape(format, sharedPath('data', folder));
    expect(tape.result.statistics).toEqual(readSharedJson('data', folder, 'expected.json'));
    for (const [symbol, sha256] of Object.entries(flows)) {
      const played = playedEvents(openTape(tape.folder), symbol);
      expect(hashOf(played.events)).toBe(sha256);
      expect(played.tradesMoved).toBe(tradesMoved);
    }
  },
);

function hashOf(events: ReturnType<typeof playedEvents>['events']): string {
  const hash = createHash('sha256');
  type Levels = readonly { readonly priceTicks: number; readonly sizeLots: number }[];
  const side = (levels: Levels) => levels.map(({ priceTicks, sizeLots }) => [priceTicks, sizeLots]);
  for (const event of events) {
    if (event.kind === 'gap') continue;
    const { atMs } = event;
    if (event.kind === 'levels')
      hash.update(`${JSON.stringify(['L', atMs, side(event.bids), side(event.asks)])}\n`);
    else if (event.kind === 'mark') hash.update(`${JSON.stringify(['M', atMs, event.indexTicks])}\n`);
    else hash.update(`${JSON.stringify(['T', atMs, event.aggressor, event.priceTicks, event.sizeLots])}\n`);
  }
  return hash.digest('hex');
}
