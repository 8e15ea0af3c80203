/** @module Which halts of lanes waiting does not fix. */
import { BotError } from '../../../core/index.ts';
import type { LaneId } from '../../../domain/index.ts';
import type { LaneStatus } from '../../execution/index.ts';

/** Halt codes of lanes, as `execution` names them. */
const JOURNAL_FAILED = 'EXECUTION_JOURNAL_FAILED';
/** The exchange may have another signing domain by now. */
export const SIGNATURE_REFUSED = 'EXECUTION_SIGNATURE_REFUSED';
/** A signer elsewhere does not sign: its lane is given back when it does again. */
export const SIGNER_DOWN = 'SIGNER_UNAVAILABLE';
/** With these no fence is made any more: a write that is open stays open. */
const WITHOUT_FENCE: ReadonlySet<string | undefined> = new Set([
  'EXECUTION_GRANT_INVALID',
  'EXECUTION_NONCE_AHEAD',
  'EXECUTION_REPEATED_REJECTS',
  SIGNATURE_REFUSED,
]);
/**
 * True if a run is over whose lane has halted with `code`: with a failed journal, and when no trading lane is left that may
 * write, for what a new start fixes (another writer, a write without an end, another signing domain for a moment, obligation
 * O5) or for what a person has to fix first (a revoked grant): either way the run would idle forever, and look healthy. So it
 * would when a lane whose nonce is open makes no fence any more: nothing can close it, and the health stays red.
 */
export function isRunLost(
  code: string,
  lanes: readonly Pick<LaneStatus, 'lane' | 'haltCode' | 'busyMs'>[],
  trading: ReadonlySet<LaneId | undefined>,
): boolean {
  if (code === JOURNAL_FAILED) return true;
  if (lanes.some(({ haltCode, busyMs }) => WITHOUT_FENCE.has(haltCode) && busyMs > 0)) return true;
  return lanes.every(({ lane, haltCode }) => haltCode !== undefined || !trading.has(lane));
}

/** The error that ends a run which {@link isRunLost}. */
export function lanesLost(code: string, reason: string): BotError {
  return new BotError({
    code,
    message: `expected lanes that can write, but ${reason}`,
    remedy: 'Fix the cause named above, then restart: the start resolves open writes from their receipts.',
  });
}

/** The error that ends a run whose books have what the exchange has not. */
export function historyContradicted(why: string): BotError {
  return new BotError({
    code: 'ACCOUNT_HISTORY_CONTRADICTED',
    message: `expected all that was booked in the history of the exchange, but ${why}`,
    remedy:
      'The journal has taken it back: start again, and ask the operator of the gateway why it reported it.',
  });
}
