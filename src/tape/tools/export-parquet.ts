/**
 * @module
 * Rows of an export as Parquet: integers, words, and prices and sizes as decimals, exact as they were recorded. Row groups
 * are written as they fill, so that a tape of any size needs little memory.
 */

import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { assert } from '../../core/index.ts';
import type { Tape } from '../format/index.ts';
import type { ExportNumber, RowSink } from './export-rows.ts';

const GROUP_ROWS = 131_072;
/** Digits that an INT64 holds for certain. */
const LONG_DIGITS = 18;
/** Digits of ticks and of lots at most. */
const TICK_DIGITS = 10;
const LOT_DIGITS = 16;

/** Writes the rows of `tape` to the new file `path`. @throws the error of the file system. */
export function parquetSink(path: string, tape: Pick<Tape, 'markets'>): RowSink {
  const price = decimalOf(
    'price',
    TICK_DIGITS,
    tape.markets.map((market) => market.priceDecimals),
  );
  const size = decimalOf(
    'size',
    LOT_DIGITS,
    tape.markets.map((market) => market.sizeDecimals),
  );
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 9 },
    ...[long('exchangeUs'), long('receivedUs'), word('market', 'REQUIRED'), word('kind', 'REQUIRED')],
    { name: 'isEnd', type: 'BOOLEAN', repetition_type: 'REQUIRED' },
    ...[price, size, long('id'), word('value', 'OPTIONAL')],
  ];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema, createdBy: 'ballast' });
  let columns = emptyColumns();
  const flush = () => {
    const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }));
    void writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    columns = emptyColumns();
  };
  return {
    add: (row) => {
      columns.exchangeUs.push(BigInt(row.exchangeUs));
      columns.receivedUs.push(BigInt(row.receivedUs));
      columns.market.push(row.market);
      columns.kind.push(row.kind);
      columns.isEnd.push(row.isEnd);
      columns.price.push(unscaledOf(row.price, price));
      columns.size.push(unscaledOf(row.size, size));
      columns.id.push(BigInt(row.id));
      columns.value.push(row.value);
      if (columns.id.length === GROUP_ROWS) flush();
    },
    finish: () => {
      flush();
      void writer.finish();
    },
  };
}

function emptyColumns() {
  return {
    exchangeUs: [] as bigint[],
    receivedUs: [] as bigint[],
    market: [] as string[],
    kind: [] as string[],
    isEnd: [] as boolean[],
    price: [] as (bigint | undefined)[],
    size: [] as (bigint | undefined)[],
    id: [] as bigint[],
    value: [] as (string | undefined)[],
  };
}

function long(name: string): SchemaElement {
  return { name, type: 'INT64', repetition_type: 'REQUIRED' };
}

function word(name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: repetition };
}

/** A column of decimals at the finest scale of all markets; wide only where 64 bits might not do. */
function decimalOf(name: string, digits: number, decimals: readonly number[]): SchemaElement {
  const scale = Math.max(0, ...decimals);
  const isWide = digits + scale - Math.min(scale, ...decimals) > LONG_DIGITS;
  return {
    ...{ name, scale, converted_type: 'DECIMAL', repetition_type: 'OPTIONAL' },
    ...(isWide
      ? { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, precision: 38 }
      : { type: 'INT64', precision: LONG_DIGITS }),
  };
}

function unscaledOf(
  number: ExportNumber,
  { name, scale = 0, precision = 0 }: SchemaElement,
): bigint | undefined {
  if (number === undefined) return undefined;
  const unscaled = BigInt(number.unscaled) * 10n ** BigInt(scale - number.decimals);
  const digits = unscaled.toString().replace('-', '').length;
  assert(digits <= precision, `a ${name} of at most ${precision} digits, got ${unscaled} x 10^-${scale}`);
  return unscaled;
}
