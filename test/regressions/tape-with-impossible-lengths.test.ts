/**
 * A truncated tape is read without a hash to check it against. The Arrow library believed every length in it: one damaged
 * list made the reader walk for minutes.
 */
import { expect, test } from 'vitest';
import { BlockFault, readLineBlocks } from '../../src/core/index.ts';
import { ArrowFault, type ReadAt } from '../../src/tape/format/arrow-fault.ts';
import { ArrowFileWriter, readArrowFile } from '../../src/tape/format/arrow-file.ts';
import { Columns } from '../../src/tape/format/columns.ts';
import { packBlock, recordsOf } from '../../src/tape/format/raw-file.ts';
import { someRows } from '../unit/tape/format/tapes.ts';

/** Two batches as a file. */
function arrowFile(): Buffer {
  const parts: Buffer[] = [];
  const writer = new ArrowFileWriter((bytes) => void parts.push(Buffer.from(bytes)));
  const columns = new Columns();
  for (const row of someRows(40)) columns.push(row);
  writer.writeRows(columns.view());
  writer.writeRows(columns.view());
  writer.end();
  return Buffer.concat(parts);
}

/** Walks `bytes` to the end. @returns the kind of fault, if there is one. */
function walk(bytes: Buffer, read: (readAt: ReadAt) => void): 'fault' | 'read' {
  try {
    read((position, length) => bytes.subarray(position, Math.max(position, position + length)));
    return 'read';
  } catch (thrown) {
    if (thrown instanceof ArrowFault || thrown instanceof BlockFault) return 'fault';
    throw thrown;
  }
}

test.each([
  [
    'rows',
    () => Promise.resolve(arrowFile()),
    (readAt: ReadAt) => {
      for (const batch of readArrowFile(readAt, { wholeBytes: 0, batches: 0, truncated: undefined }))
        void batch.rows;
    },
  ],
  [
    'raw records',
    () => packBlock(Buffer.from('{"atMs":1,"frame":"a"}\n{"atMs":2,"gap":3}\n'), 2, 1),
    (readAt: ReadAt) => {
      for (const block of readLineBlocks(readAt, { wholeBytes: 0, blocks: 0, truncated: undefined }))
        recordsOf(block);
    },
  ],
])(
  'a number too large anywhere in a file of %s is a fault of the tape, at once',
  async (_what, make, read) => {
    const whole = await make();
    let faults = 0;
    for (let at = 0; at + 4 <= whole.length; at += 4) {
      for (const number of [0x7fff_ffff, -0x8000_0000, 1_000_000]) {
        const changed = Buffer.from(whole);
        changed.writeInt32LE(number, at);
        if (walk(changed, read) === 'fault') faults += 1;
      }
    }
    expect(walk(whole, read)).toBe('read');
    expect(faults).toBeGreaterThan(whole.length / 8);
  },
);
