/** @module Which halts of lanes no waiting mends. */
import type { LaneId } from '../domain/index.ts';
import type { LaneStatus } from '../execution/index.ts';

/** Halt codes of lanes, as `execution` names them. */
const JOURNAL_FAILED = 'EXECUTION_JOURNAL_FAILED';
const FOREIGN_WRITER = 'EXECUTION_FOREIGN_WRITER';

/**
 * Is a run over whose lane has halted with `code`? With a failed journal, or when no lane is left that may write; and
 * when somebody else writes with all trading wallets: only a new start finds its place behind him, or is refused.
 */
export function isRunLost(
  code: string,
  lanes: readonly Pick<LaneStatus, 'lane' | 'haltCode'>[],
  trading: ReadonlySet<LaneId | undefined>,
): boolean {
  if (code === JOURNAL_FAILED) return true;
  const needed = code === FOREIGN_WRITER ? lanes.filter(({ lane }) => trading.has(lane)) : lanes;
  return needed.every(({ haltCode }) => haltCode !== undefined);
}
