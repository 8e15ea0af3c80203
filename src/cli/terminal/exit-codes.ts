/**
 * @module Exit codes: one per kind of end, so that a supervisor knows which ends a restart can fix.
 * docs/reference/exit-codes.md is made from these tables.
 */
import type { StopReason } from '../../bot/live/index.ts';
import {
  AssertionError,
  BotError,
  ConfigError,
  GatewayError,
  ProtocolError,
  TransportError,
} from '../../core/index.ts';

/** Every exit code ballast uses. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 64,
  badData: 65,
  unreachable: 69,
  internal: 70,
  journal: 73,
  locked: 75,
  refused: 77,
  config: 78,
  strategy: 79,
  died: 80,
  sigint: 130,
  sigterm: 143,
} as const;

/** What an exit code says, and whether an automatic restart can fix it. */
export const EXIT_MEANINGS: Readonly<
  Record<keyof typeof EXIT, { readonly meaning: string; readonly isFixedByRestart: boolean }>
> = {
  ok: {
    meaning: 'Done; also a run that ended by `--duration` and proved that no orders are open.',
    isFixedByRestart: false,
  },
  failure: {
    meaning:
      'The command failed; also a stop that could not prove that no orders are open and that bot and exchange agree, and one that a second signal cut short.',
    isFixedByRestart: true,
  },
  usage: { meaning: 'The command line is wrong.', isFixedByRestart: false },
  badData: {
    meaning: 'Data from outside is not what it must be: a recording, an answer.',
    isFixedByRestart: false,
  },
  unreachable: { meaning: 'The gateway cannot be reached or does not serve.', isFixedByRestart: true },
  internal: { meaning: 'A bug in ballast: please report it.', isFixedByRestart: true },
  journal: { meaning: 'The journal cannot be written or believed.', isFixedByRestart: false },
  locked: {
    meaning: 'Another process holds the nonce scope, the journal or the port.',
    isFixedByRestart: true,
  },
  refused: {
    meaning: 'A key or a grant is refused, or the account holds what this bot does not know.',
    isFixedByRestart: false,
  },
  config: { meaning: 'The configuration does not hold.', isFixedByRestart: false },
  strategy: {
    meaning:
      'A strategy failed, never quoted, or was held by a control for most of its time: the result names which and why; also a run in which no strategy was left, or that ended while a strategy had failed or a control had halted it until a person resumes it; and a strategy that `examine` broke.',
    isFixedByRestart: false,
  },
  died: {
    meaning:
      'The process did not end itself: it was killed, ran out of memory, hung until its guardian ended it, or code of others called `process.exit`. The guardian of a live run has canceled what rested, as the last line says; without one the switch does.',
    isFixedByRestart: true,
  },
  sigint: {
    meaning: 'Stopped by SIGINT or Ctrl-C; a run has proven that no orders are open.',
    isFixedByRestart: false,
  },
  sigterm: {
    meaning: 'Stopped by SIGTERM; a run has proven that no orders are open.',
    isFixedByRestart: false,
  },
};

/** Prefixes of error codes and the exit code they mean; the first that fits decides, then the class of the error. */
const BY_PREFIX: readonly (readonly [string, number])[] = [
  ['CONFIG_SECRET_UNREADABLE', EXIT.usage],
  ['CONFIG_SECRET_CANCELED', EXIT.sigint],
  ['CONFIG_SET_INVALID', EXIT.usage],
  ['CONFIG_PORT_IN_USE', EXIT.locked],
  ['CONFIG_QUIRK_INVALID', EXIT.usage],
  ['CONFIG_KEY_FILE_UNSAFE', EXIT.refused],
  ['CONFIG_KEY_FILE_UNWRITABLE', EXIT.usage],
  ['CONFIG_', EXIT.config],
  ['STRATEGY_NONE_LEFT', EXIT.strategy],
  ['STRATEGY_', EXIT.config],
  ['JOURNAL_LOCKED', EXIT.locked],
  ['JOURNAL_SCOPE_LOCKED', EXIT.locked],
  ['JOURNAL_', EXIT.journal],
  ['EXECUTION_JOURNAL_FAILED', EXIT.journal],
  ['EXECUTION_GRANT_INVALID', EXIT.refused],
  ['EXECUTION_GRANT_EXPIRING', EXIT.refused],
  ['EXECUTION_OTHER_WRITER', EXIT.locked],
  ['EXECUTION_LANE_BLOCKED', EXIT.unreachable],
  ['EXECUTION_NONCE_AHEAD', EXIT.unreachable],
  ['EXECUTION_REPEATED_REJECTS', EXIT.unreachable],
  ['EXECUTION_SIGNATURE_REFUSED', EXIT.unreachable],
  ['EXECUTION_VAULT_SCOPE', EXIT.usage],
  ['ACCOUNT_HISTORY_CONTRADICTED', EXIT.unreachable],
  ['ENVIRONMENT_CODEC_', EXIT.config],
  ['ENVIRONMENT_', EXIT.unreachable],
  ['VERIFICATION_UNREADABLE', EXIT.unreachable],
  ['PREFLIGHT_UNREACHABLE', EXIT.unreachable],
  ['PREFLIGHT_MARKET_CLOSED', EXIT.unreachable],
  ['PREFLIGHT_NOT_RECONCILED', EXIT.unreachable],
  ['PREFLIGHT_SWITCH_NOT_ARMED', EXIT.unreachable],
  ['PREFLIGHT_CANCEL_INCOMPLETE', EXIT.unreachable],
  ['PREFLIGHT_LEVERAGE_UNPROVEN', EXIT.unreachable],
  ['PREFLIGHT_RECEIPT_PENDING', EXIT.unreachable],
  ['PREFLIGHT_GRANT_', EXIT.refused],
  ['PREFLIGHT_MAIN_KEY_', EXIT.refused],
  ['PREFLIGHT_DEBUGGER_OPEN', EXIT.refused],
  ['PREFLIGHT_SOCKET_SILENT', EXIT.unreachable],
  ['PREFLIGHT_PROXY_REFUSED', EXIT.unreachable],
  ['PREFLIGHT_DISK_', EXIT.journal],
  ['PREFLIGHT_COLLATERAL_MISSING', EXIT.refused],
  ['PREFLIGHT_SCOPE_UNEXPECTED', EXIT.refused],
  ['PREFLIGHT_ORPHAN_ORDERS', EXIT.refused],
  ['PREFLIGHT_ORPHAN_POSITION', EXIT.refused],
  ['PREFLIGHT_', EXIT.config],
  ['GATEWAY_WRITE_REJECTED', EXIT.refused],
  ['CLIENT_RESPONSE_', EXIT.badData],
  ['CLIENT_CODEC_', EXIT.config],
  ['CLIENT_OUTCOME_', EXIT.unreachable],
  ['CLIENT_WRITE_', EXIT.unreachable],
  ['CLIENT_LANE_', EXIT.unreachable],
  ['CLIENT_', EXIT.usage],
  ['CONFORMANCE_CHECK_UNKNOWN', EXIT.usage],
  ['CONFORMANCE_KEYS_', EXIT.refused],
  ['CONFORMANCE_PRODUCTION', EXIT.refused],
  ['CONFORMANCE_', EXIT.badData],
  ['SIM_TAPE_REFUSED', EXIT.badData],
  ['SIM_', EXIT.unreachable],
  ['GUARDIAN_', EXIT.unreachable],
  ['RUN_DEADLOCKED', EXIT.internal],
  ['RUN_LOG_MISSING', EXIT.usage],
  ['RUN_LOG_', EXIT.badData],
  ['REPLAY_CODE_', EXIT.refused],
  ['REPLAY_', EXIT.usage],
  ['REPORT_RUN_MISSING', EXIT.usage],
  ['REPORT_FILE_UNWRITABLE', EXIT.usage],
  ['REPORT_', EXIT.badData],
  ['CRYPTO_KEYSTORE_', EXIT.refused],
  ['CRYPTO_SECRET_KEY_', EXIT.refused],
  ['CRYPTO_SIGNER_REFUSED', EXIT.refused],
  ['SIGNER_UNAVAILABLE', EXIT.unreachable],
  ['TAPE_EXISTS', EXIT.usage],
  ['TAPE_FILE_UNWRITABLE', EXIT.usage],
  ['TAPE_SPAN_OUTSIDE', EXIT.usage],
  ['TAPE_SLICE_EMPTY', EXIT.usage],
  ['TAPE_MERGE_REFUSED', EXIT.usage],
  ['TAPE_', EXIT.badData],
  ['BARS_SOURCE_MISSING', EXIT.usage],
  ['BARS_STRATEGY_AMBIGUOUS', EXIT.usage],
  ['AGENT_', EXIT.usage],
  ['ATTEST_', EXIT.usage],
  ['BARS_MARKET_AMBIGUOUS', EXIT.usage],
  ['BARS_LENGTH_', EXIT.usage],
  ['BARS_OFFSET_', EXIT.usage],
  ['BARS_', EXIT.badData],
  ['CALIBRATION_FILLS_TOO_FEW', EXIT.badData],
  ['EXAMINE_', EXIT.usage],
  ['EXPLAIN_', EXIT.usage],
  ['SQL_DUCKDB_MISSING', EXIT.config],
  ['SQL_', EXIT.usage],
  ['SWEEP_QUEUE_MISSING', EXIT.config],
  ['SWEEP_QUEUE_UNREACHABLE', EXIT.unreachable],
  ['SWEEP_RESULTS_DAMAGED', EXIT.badData],
  ['SWEEP_RESULTS_UNWRITABLE', EXIT.usage],
  ['CONTROL_REFUSED', EXIT.failure],
  ['CONTROL_', EXIT.usage],
  ['OPERATOR_RUN_', EXIT.usage],
  ['OPERATOR_REASON_MISSING', EXIT.usage],
  ['OPERATOR_UNREACHABLE', EXIT.unreachable],
  ['OPERATOR_', EXIT.refused],
  ['SNAPSHOT_UNWRITABLE', EXIT.usage],
  ['SNAPSHOT_', EXIT.badData],
  ['SCENARIO_', EXIT.config],
];

const BY_CLASS: readonly (readonly [typeof BotError, number])[] = [
  [ConfigError, EXIT.config],
  [TransportError, EXIT.unreachable],
  [GatewayError, EXIT.unreachable],
  [ProtocolError, EXIT.badData],
  [AssertionError, EXIT.internal],
];

/** What the system says of a place that could be written if there were space, or a sound disk. */
const DISK_FAULTS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/** The exit code of something thrown. */
export function exitCodeOf(thrown: unknown): number {
  if (!(thrown instanceof BotError)) return EXIT.internal;
  const byCode = exitCodeOfCode(thrown.code);
  // A full disk is no fault of the command line.
  if (byCode === EXIT.usage && isDiskFault(thrown.cause)) return EXIT.failure;
  if (byCode !== undefined) return byCode;
  for (const [kind, code] of BY_CLASS) if (thrown instanceof kind) return code;
  return EXIT.failure;
}

/** The exit code of a command that ended in order: a signal has its own. */
export function exitCodeOfStop(reason: StopReason): number {
  if (reason.by !== 'signal') return EXIT.ok;
  return reason.signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
}

function isDiskFault(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && DISK_FAULTS.has(cause.code);
}

/** The exit code of an error code or a halt code; `undefined` when its class decides. */
export function exitCodeOfCode(code: string): number | undefined {
  return BY_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1];
}
