/**
 * @module
 * The market that all engines replay: levels and trades of a tape, without the best quotes that run beside the book,
 * since not every engine takes them. A tape for ours, plain columns in files for theirs.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTapeWriter,
  EVENT,
  type EventBatch,
  type EventRow,
  FLAG_END,
  openTape,
  type Tape,
} from '../../src/tape/format/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';

const KINDS = new Set<number>([
  EVENT.bidLevel,
  EVENT.askLevel,
  EVENT.buyTrade,
  EVENT.sellTrade,
  EVENT.bookReset,
]);

/** Between two plays of the market. */
const PAUSE_US = 1_000_000;

/** Makes a tape at `out` of the rows of the tape at `path` that every engine takes, `times` in a row. */
export function makeCommonTape(path: string, out: string, times: number): void {
  const tape = openTape(path);
  const source = { kind: 'sliced', description: `levels and trades of ${tape.name}`, details: {} };
  const writer = createTapeWriter({ folder: out, markets: tape.markets, source });
  let waiting: EventRow | undefined;
  const write = (next?: EventRow): void => {
    // What was left out of a frame may have been its end.
    const isLast = waiting !== undefined && waiting.exchangeUs !== next?.exchangeUs;
    if (waiting !== undefined)
      writer.write(isLast ? { ...waiting, flags: waiting.flags | FLAG_END } : waiting);
    waiting = next;
  };
  for (let time = 0; time < times; time++) {
    const laterUs = time * (tape.toUs - tape.fromUs + PAUSE_US);
    for (const row of rowsOf(tape.batches())) {
      const [exchangeUs, receivedUs] = [row.exchangeUs + laterUs, row.receivedUs + laterUs];
      if (KINDS.has(row.kind)) write({ ...row, exchangeUs, receivedUs });
    }
  }
  write();
  writer.close();
}

/** All rows of `tape` in one batch. */
export function wholeBatch(tape: Tape): EventBatch {
  const kept = [...tape.batches()];
  const column = (name: Exclude<keyof EventBatch, 'rows' | 'release'>) =>
    kept.flatMap((batch) => [...batch[name]]);
  return {
    rows: tape.rows,
    kind: Uint8Array.from(column('kind')),
    flags: Uint8Array.from(column('flags')),
    market: Uint16Array.from(column('market')),
    exchangeUs: Float64Array.from(column('exchangeUs')),
    receivedUs: Float64Array.from(column('receivedUs')),
    price: Uint32Array.from(column('price')),
    size: Float64Array.from(column('size')),
    id: Float64Array.from(column('id')),
  };
}

/** Writes the columns as little-endian numbers, one file each. */
export function writeColumns(folder: string, tape: Tape): void {
  mkdirSync(folder, { recursive: true });
  for (const batch of tape.batches())
    for (const name of ['kind', 'exchangeUs', 'price', 'size'] as const) {
      const { buffer, byteOffset, BYTES_PER_ELEMENT } = batch[name];
      appendFileSync(
        join(folder, `${name}.bin`),
        new Uint8Array(buffer, byteOffset, batch.rows * BYTES_PER_ELEMENT),
      );
    }
}
