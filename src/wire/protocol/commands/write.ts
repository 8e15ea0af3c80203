/**
 * @module
 * All write operations in one place: `planWrite` for the side that writes, `readWrite` for the side that is written to.
 * What both agree on is the canonical form; the JSON is not what is signed (openapi.yaml).
 *
 *   Command ─▶ planWrite ─▶ { path, canonical ─▶ bytes ─▶ signature, body } ─▶ composeWrite ─▶ wire
 *   wire ─▶ openEnvelope ─▶ readWrite ─▶ { canonical ─▶ bytes ─▶ recovered signer }
 */
import { assertNever, FieldError } from '../../../core/index.ts';
import type { Command, MainWalletOperation } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { BodyRefused, type WriteProblem } from './body-refused.ts';
import { planCancel, readCancel } from './cancel.ts';
import { planCancelAll, readCancelAll } from './cancel-all.ts';
import { planApprove, planRevoke, readApprove, readRevoke } from './grants.ts';
import { planLeverage, readLeverage } from './leverage.ts';
import type { PlannedWrite, ReadBody, ReadWrite } from './operation.ts';
import { planPlace, readPlace } from './place.ts';
import { planReplace, readReplace } from './replace.ts';
import { planScheduleCancel, readScheduleCancel } from './schedule-cancel.ts';
import { planCreateSubaccount, readCreateSubaccount } from './subaccounts.ts';
import { readTpsl } from './tpsl.ts';
import { readTwap } from './twap.ts';
import { planVaultWrite, readerOfVaultPath } from './vaults.ts';

/**
 * The write of `command`. `nowMs` is the server-corrected time, taken once: the same value is signed and shown
 * (exchange.md#signing, obligation O47).
 * @throws ProtocolError when a market or an order number is unknown, or an expiry cannot be carried.
 */
export function planWrite(command: Command, context: WriteContext, nowMs: number): PlannedWrite {
  switch (command.kind) {
    case 'place':
      return planPlace(command, context, nowMs);
    case 'replace':
      return planReplace(command, context, nowMs);
    case 'cancel':
      return planCancel(command, context);
    case 'cancelAll':
      return planCancelAll(context);
    case 'scheduleCancel':
      return planScheduleCancel(command, context, nowMs);
    case 'setLeverage':
      return planLeverage(command, context);
    default:
      return assertNever(command);
  }
}

/**
 * The write of an operation that only a main wallet may sign. `collateralDecimals`: of the amounts in its body, 6 (USDC)
 * when it is left out.
 */
export function planMainWalletWrite(
  operation: MainWalletOperation,
  collateralDecimals?: number,
): PlannedWrite<MainWalletOperation> {
  switch (operation.kind) {
    case 'ApproveAgent':
      return planApprove(operation);
    case 'RevokeAgent':
      return planRevoke(operation);
    case 'CreateSubaccount':
      return planCreateSubaccount(operation);
    case 'CreateVault':
    case 'DepositVault':
    case 'RedeemVault':
    case 'ClaimVault':
    case 'ConfigureVault':
      return planVaultWrite(operation, collateralDecimals);
    default:
      return assertNever(operation);
  }
}

const READERS: ReadonlyMap<string, ReadBody> = new Map<string, ReadBody>([
  ['/v1/orders', readPlace],
  ['/v1/orders/cancel', readCancel],
  ['/v1/orders/cancel-all', readCancelAll],
  ['/v1/orders/replace', readReplace],
  ['/v1/orders/schedule-cancel', readScheduleCancel],
  ['/v1/orders/twap', readTwap],
  ['/v1/positions/tpsl', readTpsl],
  ['/v1/account/leverage', readLeverage],
  ['/v1/account/agents/approve', readApprove],
  ['/v1/account/agents/revoke', readRevoke],
  ['/v1/account/subaccounts', readCreateSubaccount],
]);

/**
 * The operation that a business body (without its envelope) asks for at `path` (without query): strict, exact, and with
 * the same canonical form that the writer signed. A body that breaks the interface is a problem, not an error.
 */
export function readWrite(
  path: string,
  body: unknown,
  context: WriteContext,
): ReadWrite | { readonly problem: WriteProblem } {
  const read = READERS.get(path) ?? readerOfVaultPath(path);
  if (read === undefined) {
    return { problem: { code: 'OperationUnsupported', message: `expected an operation, got ${path}` } };
  }
  try {
    return read(body, context);
  } catch (thrown) {
    if (!(thrown instanceof FieldError)) throw thrown;
    const code = thrown instanceof BodyRefused ? thrown.reason : 'InvalidRequest';
    const { message } = thrown.place === '' ? thrown.at('body') : thrown;
    return { problem: { code, message } };
  }
}
