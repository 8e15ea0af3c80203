/**
 * @module
 * Messages between the journal and its worker.
 */
import type { JournalImage, JournalRow } from './records.ts';
import type { AuditRow, StoreSettings } from './store.ts';

/** What the worker is started with. */
export interface WorkerSettings extends StoreSettings {
  /** See doorbell. */
  readonly doorbell: SharedArrayBuffer;
  /** See row-ring: rows come this way while there is space. */
  readonly rows: SharedArrayBuffer;
}

/** What the worker is asked for. */
export type ToWorker =
  /**
   * A row that did not fit into the ring, after all that did. `isLazy`: no caller waits for it, so it may wait a moment
   * for a record that has a waiting caller.
   */
  | { readonly kind: 'append'; readonly row: JournalRow; readonly isLazy: boolean }
  | { readonly kind: 'audit'; readonly rows: readonly AuditRow[] }
  | { readonly kind: 'close' };

/** What the worker says. */
export type FromWorker =
  | { readonly kind: 'opened'; readonly image: JournalImage; readonly freeBytes: number }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly remedy: string }
  /** Rows are on the disk: the doorbell has counted them. */
  | { readonly kind: 'durable' }
  | { readonly kind: 'space'; readonly freeBytes: number }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'closed' };
