/**
 * @module How rows are stored in the columns of an Arrow file, by the version of the tape. Integers are in words of 16
 * bits, named after what they are shifted by (`size0 + size16 * 2^16 + size32 * 2^32`): those above the lowest hardly
 * change, so that they unpack in a third of the time of columns of eight bytes. Version 1 has a column of eight bytes
 * for each number.
 */
import { type DataType, Field, Float64, Int32, Message, Schema, Uint8, Uint16, Uint32 } from 'apache-arrow';
import { must } from '../../core/index.ts';

/** A column as it is stored in a file. */
export interface StoredColumn {
  readonly name: string;
  /** Arrow type of the values. */
  readonly type: DataType;
  /** Of one value. */
  readonly bytes: number;
  /** It is unpacked when it is first read: many readers do not read it. */
  readonly isLate: boolean;
}

/** The columns of a file. */
export interface Layout {
  /** Columns in file order. */
  readonly columns: readonly StoredColumn[];
  /** The Arrow schema of the columns. */
  readonly schema: Schema;
  /** The message of the schema: what every file of this layout begins with. */
  readonly metadata: Buffer;
}

type Make = (name: string, isLate?: boolean) => StoredColumn;
const u8: Make = (name, isLate = false) => ({ name, type: new Uint8(), bytes: 1, isLate });
const u16: Make = (name, isLate = false) => ({ name, type: new Uint16(), bytes: 2, isLate });
const u32: Make = (name, isLate = false) => ({ name, type: new Uint32(), bytes: 4, isLate });
const i32: Make = (name, isLate = false) => ({ name, type: new Int32(), bytes: 4, isLate });
const f64: Make = (name, isLate = false) => ({ name, type: new Float64(), bytes: 8, isLate });
const words = (name: string, isLate = false): readonly StoredColumn[] => [
  u16(`${name}0`, isLate),
  u16(`${name}16`, isLate),
  i32(`${name}32`, isLate),
];

function layoutOf(columns: readonly StoredColumn[]): Layout {
  const schema = new Schema(columns.map(({ name, type }) => new Field(name, type, false)));
  return { columns, schema, metadata: Buffer.from(Message.encode(Message.from(schema))) };
}

/** Version 1: columns of eight bytes. */
export const WHOLE_COLUMNS = layoutOf([
  u8('kind'),
  u8('flags'),
  u16('market'),
  f64('exchangeUs'),
  f64('receivedUs', true),
  u32('price'),
  f64('size'),
  f64('id', true),
]);

/** Version 2: columns of words. The time of receipt is stored as how long after the exchange's it was. */
export const WORD_COLUMNS = layoutOf([
  u8('kind'),
  u8('flags'),
  u16('market'),
  ...words('exchangeUs'),
  ...words('delayUs', true),
  u16('price0'),
  u16('price16'),
  ...words('size'),
  ...words('id', true),
]);

/** All that are read, by the version of the tape less one. */
export const LAYOUTS: readonly Layout[] = [WHOLE_COLUMNS, WORD_COLUMNS];

/** The layout that tapes of `version` are written in. */
export function layoutOfVersion(version: number): Layout {
  return must(LAYOUTS[version - 1], `a layout of tapes of version ${version}`);
}
