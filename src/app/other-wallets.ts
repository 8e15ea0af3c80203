/**
 * @module
 * Writes in the journal of this bot by wallets that are not configured any more. No lane of this run can prove or close
 * them: they are named, and a start with their wallets resolves them (invariant I20).
 */
import type { Log } from '../core/index.ts';
import type { Executor } from '../execution/index.ts';
import type { Journal } from '../journal/index.ts';

/** What is looked through. */
export interface KeptWrites {
  readonly executor: Pick<Executor, 'lanes'>;
  readonly journal: Pick<Journal, 'openWrites'>;
}

/** Requests that are named at the most. */
const NAMED_MAX = 5;

/** The open writes whose scope no lane of this run holds. */
function openByOtherWallets({ executor, journal }: KeptWrites): ReturnType<Journal['openWrites']> {
  const held = new Set(executor.lanes().map(({ scope }) => scope));
  return journal.openWrites().filter(({ scope }) => !held.has(scope));
}

/** Names them, with what can be done. */
export function nameOpenByOtherWallets(kept: KeptWrites, log: Log): void {
  const open = openByOtherWallets(kept);
  if (open.length === 0) return;
  log.warn('the journal has writes without a proven end by wallets that are not configured any more', {
    writes: open.length,
    scopes: [...new Set(open.map(({ scope }) => scope))],
    requestIds: open.slice(0, NAMED_MAX).map(({ requestId }) => requestId),
    remedy: 'Start once with these wallets: their lanes prove what became of the writes, or close them.',
  });
}
