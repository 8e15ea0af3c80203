/**
 * Batches of a tape belong to their reader, and the replay reads the next ones before it is done with one. What was not
 * packed in the file, a few rows or the times of receipt, was a view on the buffer into which the next piece was read.
 */
import { expect, test } from 'vitest';
import { createTapeWriter, openTape } from '../../src/tape/format/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { someRows, tapeMarket, withTapeFolder } from '../unit/tape/format/tapes.ts';

test.each([1, 2, 5, 100])('batches of %i rows stay as they were read', (batchRows) =>
  withTapeFolder((folder) => {
    const source = { kind: 'recorded', description: 'a test' };
    const writer = createTapeWriter({ folder, markets: [tapeMarket('BTC-USD')], source, batchRows });
    for (const row of someRows(300)) writer.write(row);
    writer.close();
    const kept = [...openTape(folder).batches()];
    expect([...rowsOf(kept)]).toEqual(someRows(300));
  }),
);
