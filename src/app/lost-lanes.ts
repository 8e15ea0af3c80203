/** @module Which halts of lanes no waiting mends. */
import type { LaneId } from '../domain/index.ts';
import type { LaneStatus } from '../execution/index.ts';

/** Halt codes of lanes, as `execution` names them. */
const JOURNAL_FAILED = 'EXECUTION_JOURNAL_FAILED';
const GRANT_LOST = 'EXECUTION_GRANT_LOST';
/** A new start mends these: it finds its place behind another writer, and resolves what found no end. */
const MENDED_BY_START: ReadonlySet<string> = new Set(['EXECUTION_FOREIGN_WRITER', 'EXECUTION_LANE_BLOCKED']);

/**
 * Is a run over whose lane has halted with `code`? With a failed journal, or when no lane is left that may write; and
 * when all trading lanes have halted for what a new start mends: until then the run would idle for ever. So it would when a
 * wallet has lost its grant whose write is open: nothing can close it, and the health stays red.
 */
export function isRunLost(
  code: string,
  lanes: readonly Pick<LaneStatus, 'lane' | 'haltCode' | 'unresolved'>[],
  trading: ReadonlySet<LaneId | undefined>,
): boolean {
  if (code === JOURNAL_FAILED) return true;
  if (lanes.some(({ haltCode, unresolved }) => haltCode === GRANT_LOST && unresolved > 0)) return true;
  const needed = MENDED_BY_START.has(code) ? lanes.filter(({ lane }) => trading.has(lane)) : lanes;
  return needed.every(({ haltCode }) => haltCode !== undefined);
}
