/**
 * @module
 * Hands the records of a recording to its reader in order of exchange time. Readers keep state (books, repeated ids,
 * prices before), so records are put in order before they are read, not after. Within 30 s that happens in memory; a
 * record that is later still is an error, or with `--sort` all records are sorted on disk.
 *
 *   files ──► records as they came ──► RecordOrder ──► format reader ──► frames ──► FrameOrder
 */
import { ProtocolError } from '../../core/index.ts';
import { DiskSort } from './disk-sort.ts';
import type { QualityWatch } from './quality-watch.ts';
import type { Recorded } from './recorded.ts';
import { shownUs } from './recorded-time.ts';
import { TimeWindow, WINDOW_ITEMS_MAX, WINDOW_US } from './time-window.ts';

/** What a {@link RecordOrder} is made of. */
export interface RecordOrderOptions {
  readonly quality: QualityWatch;
  /** Folder for a temporary file, to sort any disorder on disk; absent: a record beyond the window is an error. */
  readonly sortIn?: string | undefined;
}

/** See the module. */
export class RecordOrder {
  readonly #options: RecordOrderOptions;

  constructor(options: RecordOrderOptions) {
    this.#options = options;
  }

  /**
   * Hands the records of `source` to `take`. A record beyond the window is an error, unless the reader takes it late: it
   * repeats one before and changes nothing (recorders get recent trades again after a reconnect), or is refused there.
   * @throws ProtocolError `TAPE_ORDER_INVALID`.
   */
  async read<T extends Recorded>(
    source: AsyncIterable<T>,
    take: (record: T) => void,
    takesLate: (record: T) => boolean = () => false,
  ): Promise<void> {
    const { quality, sortIn } = this.#options;
    if (sortIn !== undefined) return this.#sort(source, take, sortIn);
    const window = new TimeWindow<T>();
    let newest: T | undefined;
    for await (const record of source) {
      quality.sawRecord(record);
      if (record.exchangeUs < window.releasedUs) {
        if (!takesLate(record)) throw tooLate(record, newest ?? record);
        take(record);
        continue;
      }
      if (newest === undefined || record.exchangeUs >= newest.exchangeUs) newest = record;
      window.add(record);
      for (let next = window.next(); next !== undefined; next = window.next()) take(next);
    }
    for (let next = window.last(); next !== undefined; next = window.last()) take(next);
  }

  async #sort<T extends Recorded>(
    source: AsyncIterable<T>,
    take: (record: T) => void,
    folder: string,
  ): Promise<void> {
    const disk = new DiskSort<T>(folder);
    try {
      for await (const record of source) {
        this.#options.quality.sawRecord(record);
        disk.add(record);
      }
      for (const record of disk.sorted()) take(record);
    } finally {
      disk.close();
    }
  }
}

function tooLate({ place, exchangeUs }: Recorded, newest: Recorded): ProtocolError {
  const { file, line } = place;
  const earlier = `${newest.place.file}:${newest.place.line}`;
  return new ProtocolError({
    code: 'TAPE_ORDER_INVALID',
    message: `expected rows in order of exchange time, at most ${WINDOW_US / 1_000_000} s or ${WINDOW_ITEMS_MAX} rows late, at ${file}:${line}, got ${shownUs(exchangeUs)} after ${shownUs(newest.exchangeUs)} at ${earlier}`,
    remedy: 'Import with --sort, which sorts all rows on disk; or sort the file by its time.',
    details: { file, line },
  });
}
