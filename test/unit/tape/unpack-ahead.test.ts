import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ArrowFileWriter, readArrowFile } from '../../../src/tape/format/arrow-file.ts';
import type { EventBatch } from '../../../src/tape/format/events.ts';
import { readerOf } from '../../../src/tape/format/file-access.ts';
import { UnpackAhead } from '../../../src/tape/format/unpack-ahead.ts';

const BATCHES = 24;
const ROWS = 3_000;

let folder: string;
let file: string;
let bytes: number;
let descriptor: number;

function batchOf(number: number): EventBatch {
  const column = (step: number) =>
    Float64Array.from({ length: ROWS }, (_none, row) => number * 1e6 + row * step);
  return {
    rows: ROWS,
    kind: Uint8Array.from({ length: ROWS }, (_none, row) => 1 + (row % 4)),
    flags: new Uint8Array(ROWS).fill(1),
    market: new Uint16Array(ROWS),
    exchangeUs: column(3),
    receivedUs: column(5),
    price: Uint32Array.from({ length: ROWS }, (_none, row) => 1_000 + ((row * 7 + number) % 50)),
    size: column(2),
    id: column(1),
  };
}

function read(ahead: UnpackAhead | undefined): Generator<EventBatch> {
  const late = (fault: Error): Error => new Error(`late: ${fault.message}`);
  const end = { wholeBytes: 0, batches: 0, torn: undefined };
  return readArrowFile(readerOf(descriptor, bytes), end, { late, ahead });
}

/** The values of a batch, the late ones too. */
function plain({ rows, kind, flags, market, exchangeUs, receivedUs, price, size, id }: EventBatch) {
  return { rows, columns: [kind, flags, market, exchangeUs, receivedUs, price, size, id].map((c) => [...c]) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-ahead-'));
  file = join(folder, 'events.arrow');
  const parts: Uint8Array[] = [];
  const writer = new ArrowFileWriter((part) => void parts.push(Uint8Array.from(part)));
  for (let number = 0; number < BATCHES; number++) writer.writeRows(batchOf(number));
  writer.end();
  writeFileSync(file, Buffer.concat(parts));
  bytes = writer.position;
  descriptor = openSync(file, 'r');
});

afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

describe('batches that are unpacked ahead', () => {
  test('are what they are without it, whoever comes to each of them first', async () => {
    const alone = Array.from(read(undefined), plain);
    expect(alone).toHaveLength(BATCHES);
    // The second time the thread has started.
    for (let round = 0; round < 3; round++) {
      const ahead = new UnpackAhead(descriptor);
      const seen = [];
      for (const batch of read(ahead)) {
        seen.push(plain(batch));
        await new Promise((resolve) => setImmediate(resolve));
      }
      ahead.close();
      expect(seen).toEqual(alone);
    }
  });

  test('may be left alone in the middle: the file can be closed then', () => {
    const ahead = new UnpackAhead(descriptor);
    const batches = read(ahead);
    expect(batches.next().value?.rows).toBe(ROWS);
    batches.return(undefined);
    ahead.close();
    expect(ahead.take(1)).toBeUndefined();
  });

  test('of a damaged file are refused as without it', () => {
    const damaged = Uint8Array.from(readerOf(descriptor, bytes)(0, bytes));
    const middle = Math.floor(bytes / 2);
    damaged.fill(0xa5, middle, middle + 2_000);
    writeFileSync(join(folder, 'damaged.arrow'), damaged);
    const refusal = (ahead: UnpackAhead | undefined): string => {
      try {
        for (const batch of read(ahead)) plain(batch);
      } catch (thrown) {
        return String(thrown);
      } finally {
        ahead?.close();
      }
      return 'nothing was refused';
    };
    closeSync(descriptor);
    descriptor = openSync(join(folder, 'damaged.arrow'), 'r');
    const alone = refusal(undefined);
    expect(alone).toMatch(/batch \d+, column|message/);
    expect(refusal(new UnpackAhead(descriptor))).toBe(alone);
  });
});
