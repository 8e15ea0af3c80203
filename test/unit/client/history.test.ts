/** The walk over history pages: bounds, patience, epochs (openapi.yaml). */
import { describe, expect, test } from 'vitest';
import { type PageParams, type PagingParams, walkPages } from '../../../src/client/history.ts';
import { ApiError } from '../../../src/client/index.ts';
import type { HistoryPage } from '../../../src/client/shapes.ts';
import { VirtualClock } from '../../../src/core/index.ts';

type Answer = HistoryPage<number> | Error;

const page = (data: readonly number[], next: string | null, epoch = 'e1'): HistoryPage<number> => ({
  epoch,
  upper: `${epoch}-upper`,
  next,
  hasMore: next !== null,
  data,
});

function refused(status: number, code: string, message = 'no'): ApiError {
  const body = JSON.stringify({ error: { code, num: 1, message } });
  return new ApiError({ status, body, effect: 'none', message });
}

/** Walks over made answers; gives what was yielded, what was asked, and what was thrown. */
async function walk(answers: readonly Answer[], params: PagingParams = {}) {
  const clock = new VirtualClock(0);
  const left = [...answers];
  const asked: PageParams[] = [];
  const found: number[] = [];
  const run = async () => {
    const pages = walkPages<number>({
      clock,
      params,
      page: async (wanted) => {
        asked.push(wanted);
        const answer = left.length > 1 ? left.shift() : left[0];
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
      },
    });
    for await (const entry of pages) found.push(entry);
  };
  let thrown: unknown;
  let isDone = false;
  const running = run().then(
    () => {
      isDone = true;
    },
    (error: unknown) => {
      thrown = error;
      isDone = true;
    },
  );
  while (!isDone) await clock.advanceAsync(500);
  await running;
  return { found, asked, thrown, passedMs: clock.monotonicMs() };
}

describe('walkPages', () => {
  test('asks the first page without bounds and every later one with those of the first (obligations O105, O106)', async () => {
    const { found, asked } = await walk([page([1, 2], 'a'), page([3], 'b'), page([4], null)], { limit: 2 });
    expect(found).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([
      { limit: 2 },
      { limit: 2, after: 'a', epoch: 'e1', upper: 'e1-upper' },
      { limit: 2, after: 'b', epoch: 'e1', upper: 'e1-upper' },
    ]);
  });

  test('a short page is not the end, only hasMore is', async () => {
    expect((await walk([page([], 'a'), page([1], null)])).found).toEqual([1]);
  });

  test('what is not yet complete is asked for again with the same bounds (obligations O101)', async () => {
    const incomplete = refused(400, 'HistoryNotComplete', 'history up to 9 is not yet complete');
    const { found, asked, passedMs } = await walk([page([1], 'a'), incomplete, incomplete, page([2], null)]);
    expect(found).toEqual([1, 2]);
    expect(asked.slice(1)).toEqual(
      Array(3).fill({ limit: undefined, after: 'a', epoch: 'e1', upper: 'e1-upper' }),
    );
    expect(passedMs).toBeGreaterThanOrEqual(1_000);
  });

  test('error: what never gets complete is given up with its code', async () => {
    const incomplete = refused(400, 'HistoryNotComplete', 'not yet complete');
    const { thrown, passedMs } = await walk([incomplete]);
    expect(thrown).toBe(incomplete);
    expect(passedMs).toBeGreaterThan(55_000);
  });

  test('error: a ledger that was begun again ends the walk', async () => {
    const { found, thrown } = await walk([page([1], 'a'), refused(409, 'history_epoch_mismatch')]);
    expect([found, thrown]).toMatchObject([[1], { code: 'history_epoch_mismatch', status: 409 }]);
  });

  test('a walk that may restart begins with a first page of the new ledger', async () => {
    const answers = [page([1], 'a'), refused(409, 'history_epoch_mismatch'), page([7], null, 'e2')];
    const { found, asked, thrown } = await walk(answers, { onEpochChange: 'restart', limit: 5 });
    expect(thrown).toBeUndefined();
    expect(found).toEqual([1, 7]);
    expect(asked.at(-1)).toEqual({ limit: 5 });
  });

  test('error: a cursor that does not advance ends the walk', async () => {
    const { thrown } = await walk([page([1], 'a'), page([2], 'a')]);
    expect(thrown).toMatchObject({ code: 'CLIENT_PAGE_STUCK' });
  });

  test('error: any other refusal ends the walk at once', async () => {
    const { thrown, asked } = await walk([refused(400, 'InvalidPagination')]);
    expect(thrown).toMatchObject({ code: 'InvalidPagination' });
    expect(asked).toHaveLength(1);
  });
});
