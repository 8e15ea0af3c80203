/**
 * @module
 * Why the dead man's switch is not armed at the start of a bot, in words. Nothing is placed without it (obligations
 * O78), so a start ends here: by a red health, or because the exchange rejects each schedule-cancel (ambiguity A3).
 */
import type { WriteEndFact } from './startup-writes.ts';

/**
 * What was expected, and why it did not come.
 * @param red What is wrong with the health, one sentence each.
 * @param outcomes The outcome of the last write of each lane: before the switch is armed they are schedule-cancels all.
 */
export function whyUnarmed(red: readonly string[], outcomes: Iterable<WriteEndFact>): string {
  const failed = [...outcomes].filter(isResolved).find(({ outcome }) => outcome !== 'executed');
  const answer =
    failed && `the last schedule-cancel was ${failed.outcome}, ${failed.reason ?? 'without a reason'}`;
  return `the dead man's switch to be armed, ${red.join('; ') || answer || 'no reason is known'}`;
}

function isResolved(end: WriteEndFact): end is Extract<WriteEndFact, { type: 'WriteResolved' }> {
  return end.type === 'WriteResolved';
}
