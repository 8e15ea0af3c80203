/**
 * @module
 * Writes in the journal of this bot by wallets that are not configured any more. No lane of this run can prove or close
 * them: they are named, and a start with their wallets resolves them (invariant I20).
 */
import type { Log } from '../../../core/index.ts';
import type { Lanes } from '../connect/lanes.ts';

/** Requests that are named at most. */
const NAMED_MAX = 5;

/** Names the open writes whose scope no lane of this run holds. */
export function nameOpenByOtherWallets({ executor, journal }: Lanes, log: Log): void {
  const held = new Set(executor.lanes().map(({ scope }) => scope));
  const open = journal.openWrites().filter(({ scope }) => !held.has(scope));
  if (open.length === 0) return;
  log.warn('the journal has writes without a proven end by wallets that are not configured any more', {
    writes: open.length,
    scopes: [...new Set(open.map(({ scope }) => scope))],
    requestIds: open.slice(0, NAMED_MAX).map(({ requestId }) => requestId),
    remedy:
      'Start once with these wallets while their grants last: their lanes prove the outcome of the writes, or close them.',
  });
}
