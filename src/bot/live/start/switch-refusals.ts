/**
 * @module
 * Why the dead man's switch is not armed at the start of a bot, in words. Nothing is placed without it (obligations
 * O78), so a start ends here: by a red health, or because the exchange rejects each schedule-cancel (ambiguity A3).
 */
import { BotError } from '../../../core/index.ts';
import type { WriteEndFact } from './startup-writes.ts';
import { READY_MS_MAX } from './wait-for.ts';

/** The refusal of a start whose switch is not armed in time. `red` and `outcomes` as below. */
export function switchNotArmed(red: readonly string[], outcomes: Iterable<WriteEndFact>): BotError {
  return new BotError({
    code: 'PREFLIGHT_SWITCH_NOT_ARMED',
    message: `expected ${whyUnarmed(red, outcomes)} within ${READY_MS_MAX} ms`,
    remedy: 'No order may rest without it: look at the grant of the safety wallet.',
  });
}

/**
 * What was expected, and why it did not come.
 * @param red What is wrong with the health, one sentence each: the reason where the exchange was not even asked.
 * @param outcomes The outcome of the last write of each lane: before the switch is armed they are schedule-cancels all.
 */
function whyUnarmed(red: readonly string[], outcomes: Iterable<WriteEndFact>): string {
  const failed = [...outcomes].filter(isResolved).find(({ outcome }) => outcome !== 'executed');
  const answer =
    failed && `the last schedule-cancel was ${failed.outcome}, ${failed.reason ?? 'without a reason'}`;
  return `the dead man's switch to be armed, ${answer || red.join('; ') || 'no reason is known'}`;
}

function isResolved(end: WriteEndFact): end is Extract<WriteEndFact, { type: 'WriteResolved' }> {
  return end.type === 'WriteResolved';
}
