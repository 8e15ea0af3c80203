/** @module The list of checks before a live run, in their order, and which of them a refusal of a start belongs to. */
import { BotError, withDetails } from '../../../core/index.ts';
import { ALERT_CHECK } from './alert-check.ts';
import type { Check } from './check.ts';
import { GATEWAY_CHECKS } from './gateway-checks.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';

/** All checks, in the order in which the doctor makes them. */
export const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ALERT_CHECK, ...GATEWAY_CHECKS];

/** What keeps a run from starting, with the id of its check: the same that the doctor names. Else as it is. */
export function withCheck(thrown: unknown, id = checkOf(thrown)): unknown {
  if (!(thrown instanceof BotError) || id === undefined || 'check' in thrown.details) return thrown;
  return withDetails(thrown, { check: id });
}

function checkOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof BotError)) return undefined;
  return CHECKS.find(({ codes }) => codes.some((start) => thrown.code.startsWith(start)))?.id;
}
