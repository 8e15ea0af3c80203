import { expect, test } from 'vitest';
import { seededRandom } from '../../../../src/core/index.ts';
import { createDelivery } from '../../../../src/research/backtest/replay/delivery.ts';
import { RowBlocks } from '../../../../src/research/backtest/replay/row-blocks.ts';
import { createTapeWriter, type EventBatch, openTape } from '../../../../src/tape/format/index.ts';
import { someRows, tapeMarket, withTapeFolder } from '../../tape/format/tapes.ts';

function blocksOf(batches: Iterable<EventBatch>): RowBlocks {
  const delivery = createDelivery({ kind: 'constant', us: 500 }, seededRandom(1));
  return new RowBlocks(batches[Symbol.iterator](), delivery, Number.POSITIVE_INFINITY);
}

/** The batches of a tape of 90 rows, 30 in each. */
function batchesOf(folder: string): EventBatch[] {
  const source = { kind: 'recorded', description: 'a test' };
  const writer = createTapeWriter({ folder, markets: [tapeMarket('BTC-USD')], source, batchRows: 30 });
  for (const row of someRows(90)) writer.write(row);
  writer.close();
  return [...openTape(folder).batches()];
}

test('a block that was read by both frees its batch, and the blocks beside it stay whole', () =>
  withTapeFolder((folder) => {
    const batches = batchesOf(folder);
    const blocks = blocksOf(batches);
    const [first, second] = [blocks.next(), blocks.next()];
    if (first === undefined || second === undefined) throw new Error('expected two blocks');
    blocks.release(first);
    expect(batches.map(({ kind }) => kind.length)).toEqual([0, 30, 30]);
    const third = blocks.next();
    const ids = [second, third].flatMap((block) => [...(block?.id ?? [])]);
    expect(ids).toEqual(
      someRows(90)
        .slice(30)
        .map(({ id }) => id),
    );
  }));

test('batches that a run has released are refused by the next one, not read as nothing', () =>
  withTapeFolder((folder) => {
    const batches = batchesOf(folder);
    const blocks = blocksOf(batches);
    for (let block = blocks.next(); block !== undefined; block = blocks.next()) blocks.release(block);
    expect(() => blocksOf(batches).next()).toThrow('a batch that was not released');
  }));
