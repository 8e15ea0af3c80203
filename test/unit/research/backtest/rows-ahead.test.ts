/** @module Rows are asked for ahead, each once, and none behind the end of its block. */
import { expect, test } from 'vitest';
import type { RowBlock } from '../../../../src/research/backtest/replay/row-blocks.ts';
import { RowsAhead } from '../../../../src/research/backtest/replay/rows-ahead.ts';

/** Columns of ones that count how often they are looked at, and throw behind their end. */
function countedBlock(rows: number): { readonly block: RowBlock; readonly reads: Map<string, number[]> } {
  const reads = new Map<string, number[]>();
  const column = (name: string): never => {
    const seen: number[] = [];
    reads.set(name, seen);
    return new Proxy([], {
      get: (_target, key) => {
        const row = Number(key);
        if (!(row < rows)) throw new Error(`expected a row below ${rows}, got ${String(key)}`);
        seen.push(row);
        return 1;
      },
    }) as never;
  };
  const exchangeUs = column('exchangeUs');
  const block: RowBlock = {
    ...{ rows, exchangeUs, deliveryUs: exchangeUs, delayUs: 0 },
    ...{ kind: column('kind'), flags: column('flags'), market: column('market') },
    ...{ price: column('price'), size: column('size'), id: column('id') },
  };
  return { block, reads };
}

test('asks for a value of each line of each column once, and for none behind the end', () => {
  const { block, reads } = countedBlock(300);
  const ahead = new RowsAhead();
  for (let row = 0; row < 300; row += 3) ahead.from(row, block);
  const every = (rows: number): number[] => [...Array(Math.ceil(300 / rows)).keys()].map((at) => at * rows);
  for (const name of ['exchangeUs', 'size', 'id']) expect(reads.get(name)).toEqual(every(8));
  expect(reads.get('price')).toEqual(every(16));
  for (const name of ['kind', 'flags', 'market']) expect(reads.get(name)).toEqual(every(32));
});

test('begins again with a block, and where a reader has continued on its own', () => {
  const ahead = new RowsAhead();
  const first = countedBlock(1_000);
  ahead.from(500, first.block);
  expect(first.reads.get('price')?.[0]).toBe(500);
  ahead.restart();
  const second = countedBlock(10);
  ahead.from(0, second.block);
  expect(second.reads.get('size')).toEqual([0, 8]);
});
