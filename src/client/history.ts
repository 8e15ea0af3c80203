/**
 * @module History as one long list: pages are asked for as they are needed, with the bounds of the first page, until
 * `hasMore` is false (openapi.yaml; obligations O101, O105, O106). What is not written yet is asked for again with the
 * same bounds; a ledger that was restarted ends the list or starts it over, as the caller chose.
 */
import type { Clock } from '../core/index.ts';
import { ApiError, misused } from './errors.ts';
import type { HistoryPage } from './shapes.ts';

/** Bounds and position of a page. */
export interface PageParams {
  /** Entries a page; 1 to 1,000, default 200. */
  readonly limit?: number | undefined;
  /** The id of the last entry that is known: what follows is strictly after it. Needs `epoch` and `upper`. */
  readonly after?: string | undefined;
  /** The life of the ledger, as the first page gave it. */
  readonly epoch?: string | undefined;
  /** The bound that the first page gave. */
  readonly upper?: string | undefined;
  /** The least log position the answer must include. */
  readonly minSeq?: bigint | undefined;
}

/** How a whole history is walked. */
export interface PagingParams extends PageParams {
  /** What to do when the ledger was restarted half way: give up with the error (default), or begin again. */
  readonly onEpochChange?: 'throw' | 'restart';
}

/** What a walk is made with. */
export interface Pager<Entry> {
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Bounds and limit of the walk. */
  readonly params: PagingParams;
  /** Reads one page. */
  page(params: PageParams): Promise<HistoryPage<Entry>>;
}

/** A history that is not written yet is asked for this often, this far apart. */
const INCOMPLETE_ATTEMPTS_MAX = 120;
const INCOMPLETE_PAUSE_MS = 500;
/** How many times a walk restarts. */
const RESTARTS_MAX = 10;

/**
 * All entries up to the bound, in the order of the pages.
 * @throws ApiError `history_epoch_mismatch` when the ledger was restarted (unless it restarts), `HistoryNotComplete`
 * when the bound was not reached in a minute; ClientUsageError when a page does not advance.
 */
export async function* walkPages<Entry>(walk: Pager<Entry>): AsyncGenerator<Entry, void, undefined> {
  let params: PageParams = walk.params;
  for (let restarts = 0; ; ) {
    let page: HistoryPage<Entry>;
    try {
      page = await completePage(walk, params);
    } catch (thrown) {
      const mayRestart = walk.params.onEpochChange === 'restart' && restarts < RESTARTS_MAX;
      if (!mayRestart || !isEpochMismatch(thrown)) throw thrown;
      restarts++;
      params = { limit: walk.params.limit };
      continue;
    }
    yield* page.data;
    if (!page.hasMore) return;
    if (page.next === null || page.next === params.after) throw stuck(page.next);
    const { limit } = walk.params;
    params = { limit, after: page.next, epoch: page.epoch, upper: page.upper };
  }
}

async function completePage<Entry>(
  { page, clock }: Pager<Entry>,
  params: PageParams,
): Promise<HistoryPage<Entry>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await page(params);
    } catch (thrown) {
      if (!isIncomplete(thrown) || attempt >= INCOMPLETE_ATTEMPTS_MAX) throw thrown;
    }
    await new Promise<void>((resolve) => {
      clock.after(INCOMPLETE_PAUSE_MS, resolve);
    });
  }
}

/**
 * The interface names no code for it: the message decides, here and in the stream's reader only (obligations O72,
 * O101).
 */
function isIncomplete(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 400 && thrown.body.includes('not yet complete');
}

/** True if the ledger was restarted. */
function isEpochMismatch(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.code === 'history_epoch_mismatch';
}

function stuck(next: string | null): Error {
  return misused({
    code: 'CLIENT_PAGE_STUCK',
    message: `expected the cursor of a next page, got ${next} again`,
    remedy: 'The gateway breaks the pagination of its interface: report it to its operator.',
  });
}
