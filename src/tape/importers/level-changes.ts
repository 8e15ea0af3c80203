/**
 * @module Whole recorded books as rows: the first one (and one after a gap) as a reset with all its levels, each later
 * one as what changed. A book that changed in nothing says its best level again, so that a reader knows it was seen.
 */
import { must } from '../../core/index.ts';
import { EVENT } from '../format/index.ts';
import type { RecordedLevels, Sides } from './book-repair.ts';
import type { FrameRow } from './frame.ts';

/** The first row of a whole book. */
export const RESET_ROW: FrameRow = [EVENT.bookReset, 0, 0, 0];

type LevelKind = typeof EVENT.bidLevel | typeof EVENT.askLevel;

/** The books of one market, one after the other. */
export class LevelChanges {
  #before: Sides | undefined;

  /** The rows that make `sides` of the book before it; all of `sides` when `isWhole` or at the first. */
  rows(sides: Sides, isWhole = false): readonly FrameRow[] {
    const before = isWhole ? undefined : this.#before;
    this.#before = sides;
    const rows: FrameRow[] = before === undefined ? [RESET_ROW] : [];
    appendChanges(rows, before?.bids ?? [], sides.bids, EVENT.bidLevel);
    appendChanges(rows, before?.asks ?? [], sides.asks, EVENT.askLevel);
    return rows.length > 0 ? rows : [seenAgain(sides)];
  }
}

function seenAgain({ bids: [bid], asks: [ask] }: Sides): FrameRow {
  if (bid !== undefined) return [EVENT.bidLevel, bid.priceTicks, bid.sizeLots, 0];
  return ask === undefined ? RESET_ROW : [EVENT.askLevel, ask.priceTicks, ask.sizeLots, 0];
}

/** Both sides of a change are best first: bids fall, asks rise. */
function appendChanges(
  rows: FrameRow[],
  before: RecordedLevels,
  after: RecordedLevels,
  kind: LevelKind,
): void {
  const direction = kind === EVENT.bidLevel ? -1 : 1;
  let old = 0;
  let now = 0;
  while (old < before.length || now < after.length) {
    const gone = before[old];
    const level = after[now];
    const order =
      gone === undefined ? 1 : level === undefined ? -1 : (gone.priceTicks - level.priceTicks) * direction;
    if (order < 0) rows.push([kind, must(gone, 'a level before').priceTicks, 0, 0]);
    else {
      const { priceTicks, sizeLots } = must(level, 'a level after');
      if (order > 0 || gone?.sizeLots !== sizeLots) rows.push([kind, priceTicks, sizeLots, 0]);
    }
    if (order <= 0) old++;
    if (order >= 0) now++;
  }
}
