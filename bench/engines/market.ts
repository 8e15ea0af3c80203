/**
 * @module
 * The market that all engines replay: levels and trades of a tape, without the best quotes that run beside the book,
 * since not every engine takes them. As batches for ours, as plain columns in files for theirs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT, type EventBatch, FLAG_END, type Tape } from '../../src/tape/format/index.ts';

const KINDS = new Set<number>([
  EVENT.bidLevel,
  EVENT.askLevel,
  EVENT.buyTrade,
  EVENT.sellTrade,
  EVENT.bookReset,
]);

/** The rows of `tape` that every engine takes, in one batch. */
export function commonRows(tape: Tape): EventBatch {
  const kept: { readonly batch: EventBatch; readonly row: number }[] = [];
  for (const batch of tape.batches())
    for (let row = 0; row < batch.rows; row++) if (KINDS.has(batch.kind[row]!)) kept.push({ batch, row });
  const column = (name: Exclude<keyof EventBatch, 'rows' | 'release'>) =>
    kept.map(({ batch, row }) => batch[name][row]!);
  return {
    rows: kept.length,
    kind: Uint8Array.from(column('kind')),
    // What was left out of a frame may have been its end.
    flags: Uint8Array.from(kept, ({ batch, row }, at) => {
      const next = kept[at + 1];
      const isLast = next === undefined || next.batch.exchangeUs[next.row] !== batch.exchangeUs[row];
      return batch.flags[row]! | (isLast ? FLAG_END : 0);
    }),
    market: Uint16Array.from(column('market')),
    exchangeUs: Float64Array.from(column('exchangeUs')),
    receivedUs: Float64Array.from(column('receivedUs')),
    price: Uint32Array.from(column('price')),
    size: Float64Array.from(column('size')),
    id: Float64Array.from(column('id')),
  };
}

/** Writes the columns as little-endian numbers, one file each. */
export function writeColumns(folder: string, rows: EventBatch): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ['kind', 'exchangeUs', 'price', 'size'] as const)
    writeFileSync(join(folder, `${name}.bin`), new Uint8Array(rows[name].buffer));
}
