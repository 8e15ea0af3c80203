/** @module All checks, in the order of the interface document. */
import type { Check } from '../check.ts';
import { ACCOUNT_STATE_CHECKS, SELECTION_CHECKS } from './accounts.ts';
import { BUDGET_CHECKS, CONSISTENCY_CHECKS, ERROR_CHECKS } from './budgets.ts';
import { CANCEL_CHECKS, LEVERAGE_CHECKS, REPLACE_CHECKS, SWITCH_CHECKS } from './cancels.ts';
import { ACCOUNT_CHANNEL_CHECKS, MARKET_CHANNEL_CHECKS } from './channels.ts';
import { ENVIRONMENT_CHECKS, MARKET_CHECKS, MARKET_DATA_CHECKS } from './environment.ts';
import { FRAME_CHECKS } from './frames.ts';
import { GRANT_CHECKS } from './grants.ts';
import { EPOCH_CHECKS, LAGGED_CHECKS } from './lagged.ts';
import { MONEY_CHECKS } from './money.ts';
import { ENVELOPE_CHECKS, NONCE_CHECKS } from './nonces.ts';
import { ACCOUNT_LIMIT_CHECKS, BATCH_CHECKS, ORDER_CHECKS, ORDER_LIMIT_CHECKS } from './orders.ts';
import { PAGE_CHECKS } from './pages.ts';
import { ACK_CHECKS, RECEIPT_CHECKS } from './receipts.ts';
import { SIGNATURE_CHECKS } from './signatures.ts';
import { OFFER_CHECKS, VAULT_CHECKS, VAULT_LIMIT_CHECKS, VAULT_TRADING_CHECKS } from './vaults.ts';
import { WAITING_CHECKS } from './waiting.ts';

/** All of them. */
export const CHECKS: readonly Check[] = [
  ...ENVIRONMENT_CHECKS,
  ...MARKET_CHECKS,
  ...MARKET_DATA_CHECKS,
  ...SELECTION_CHECKS,
  ...ACCOUNT_STATE_CHECKS,
  ...NONCE_CHECKS,
  ...ENVELOPE_CHECKS,
  ...SIGNATURE_CHECKS,
  ...GRANT_CHECKS,
  ...ORDER_CHECKS,
  ...ORDER_LIMIT_CHECKS,
  ...ACCOUNT_LIMIT_CHECKS,
  ...BATCH_CHECKS,
  ...CANCEL_CHECKS,
  ...REPLACE_CHECKS,
  ...SWITCH_CHECKS,
  ...LEVERAGE_CHECKS,
  ...ACK_CHECKS,
  ...RECEIPT_CHECKS,
  ...PAGE_CHECKS,
  ...MONEY_CHECKS,
  ...CONSISTENCY_CHECKS,
  ...BUDGET_CHECKS,
  ...ERROR_CHECKS,
  ...FRAME_CHECKS,
  ...MARKET_CHANNEL_CHECKS,
  ...ACCOUNT_CHANNEL_CHECKS,
  ...LAGGED_CHECKS,
  ...EPOCH_CHECKS,
  ...WAITING_CHECKS,
  ...VAULT_CHECKS,
  ...VAULT_TRADING_CHECKS,
  ...VAULT_LIMIT_CHECKS,
  ...OFFER_CHECKS,
];
