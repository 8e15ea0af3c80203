/**
 * @module
 * Tardis.dev CSV downloads (incremental_book_L2, trades) as frames of a tape. Times are microseconds; a snapshot in the
 * middle of a file makes what was known void; changes before the first snapshot are dropped and counted.
 */
import type { CsvFileMapping, CsvMapping } from '../csv-mapping.ts';
import { openMapped } from '../csv-tape.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';

const FILE = {
  separator: ',',
  hasHeader: true,
  time: { column: 'timestamp', unit: 'us' },
  received: { column: 'local_timestamp', unit: 'us' },
  symbol: 'symbol',
} as const satisfies Partial<CsvFileMapping>;

const MAPPING: CsvMapping = {
  files: [
    {
      ...FILE,
      name: '*incremental_book_L2*.csv*',
      rows: 'levels',
      columns: { price: 'price', size: 'amount', side: 'side', snapshot: 'is_snapshot' },
      sides: { buy: ['bid'], sell: ['ask'] },
    },
    {
      ...FILE,
      name: '*trades*.csv*',
      rows: 'trades',
      columns: { price: 'price', size: 'amount', side: 'side', id: 'id' },
      sides: { buy: ['buy'], sell: ['sell'] },
    },
  ],
};

/** Looks at the files; reads them once for their markets and decimals. */
export async function openTardisImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  return openMapped(request, MAPPING, counts);
}
