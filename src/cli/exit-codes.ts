/**
 * @module
 * Exit codes: one per kind of end, so that a supervisor knows which ends a restart can mend (decisions, Commands).
 */
import { BotError, ConfigError } from '../core/index.ts';

/** Every exit code ballast uses. */
export const EXIT = {
  ok: 0,
  /** A stop whose empty book could not be proven is one of these. */
  failure: 1,
  usage: 64,
  badData: 65,
  unreachable: 69,
  internal: 70,
  journal: 73,
  locked: 75,
  refused: 77,
  config: 78,
  sigint: 130,
  sigterm: 143,
} as const;

/** Prefixes of error codes and the exit code they mean; the first that fits decides. */
const BY_PREFIX: readonly (readonly [string, number])[] = [
  ['CONFIG_', EXIT.config],
  ['PARAMETER_', EXIT.config],
  ['STRATEGY_MODULE_', EXIT.config],
  ['JOURNAL_LOCKED', EXIT.locked],
  ['SCOPE_LOCKED', EXIT.locked],
  ['JOURNAL_', EXIT.journal],
  ['PREFLIGHT_UNREACHABLE', EXIT.unreachable],
  ['PREFLIGHT_', EXIT.refused],
  ['CRYPTO_', EXIT.refused],
  ['TAPE_', EXIT.badData],
  ['CORE_ASSERTION', EXIT.internal],
];

/** The exit code of something thrown. */
export function exitCodeOf(thrown: unknown): number {
  if (!(thrown instanceof BotError)) return EXIT.internal;
  for (const [prefix, code] of BY_PREFIX) if (thrown.code.startsWith(prefix)) return code;
  if (thrown instanceof ConfigError) return EXIT.config;
  return EXIT.failure;
}
