/** @module Both ways to read pieces of a file of a tape give the bytes that lie there, whatever is asked of them. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readerOf } from '../../src/tape/format/file-access.ts';

const PIECES = fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { minLength: 1, maxLength: 20 });

test.each([
  { what: 'read whole', wholeBytesMax: 1_000_000 },
  { what: 'read in pieces', wholeBytesMax: 0 },
])('a file that is $what gives each piece, and less where it ends', ({ wholeBytesMax }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-pieces-'));
  try {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_000 }), fc.nat(4_500), PIECES, (bytes, told, pieces) => {
        const path = join(folder, 'file');
        writeFileSync(path, bytes);
        const descriptor = openSync(path, 'r');
        try {
          const readAt = readerOf(descriptor, told, wholeBytesMax);
          for (const [position, length] of pieces) {
            const expected = bytes.subarray(0, told).subarray(position, position + length);
            expect(Buffer.compare(readAt(position, length), expected)).toBe(0);
          }
        } finally {
          closeSync(descriptor);
        }
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
