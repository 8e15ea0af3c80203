/** @module All checks, in the order of the interface document. */
import type { Check } from '../check.ts';
import { ACCOUNT_STATE, SELECTION } from './accounts.ts';
import { BUDGETS, CONSISTENCY, ERRORS } from './budgets.ts';
import { CANCELS, LEVERAGE, REPLACES, SWITCH } from './cancels.ts';
import { ACCOUNT_CHANNELS, MARKET_CHANNELS } from './channels.ts';
import { ENVIRONMENT, MARKET_DATA, MARKETS } from './environment.ts';
import { FRAMES } from './frames.ts';
import { GRANTS } from './grants.ts';
import { EPOCHS, LAGGED } from './lagged.ts';
import { MONEY } from './money.ts';
import { ENVELOPE, NONCES } from './nonces.ts';
import { ACCOUNT_LIMITS, BATCHES, ORDER_LIMITS, ORDERS } from './orders.ts';
import { PAGES } from './pages.ts';
import { ACKS, RECEIPTS } from './receipts.ts';
import { SIGNATURES } from './signatures.ts';
import { OFFERS, VAULT_LIMITS, VAULT_TRADING, VAULTS } from './vaults.ts';
import { WAITING } from './waiting.ts';

/** All of them. */
export const CHECKS: readonly Check[] = [
  ...ENVIRONMENT,
  ...MARKETS,
  ...MARKET_DATA,
  ...SELECTION,
  ...ACCOUNT_STATE,
  ...NONCES,
  ...ENVELOPE,
  ...SIGNATURES,
  ...GRANTS,
  ...ORDERS,
  ...ORDER_LIMITS,
  ...ACCOUNT_LIMITS,
  ...BATCHES,
  ...CANCELS,
  ...REPLACES,
  ...SWITCH,
  ...LEVERAGE,
  ...ACKS,
  ...RECEIPTS,
  ...PAGES,
  ...MONEY,
  ...CONSISTENCY,
  ...BUDGETS,
  ...ERRORS,
  ...FRAMES,
  ...MARKET_CHANNELS,
  ...ACCOUNT_CHANNELS,
  ...LAGGED,
  ...EPOCHS,
  ...WAITING,
  ...VAULTS,
  ...VAULT_TRADING,
  ...VAULT_LIMITS,
  ...OFFERS,
];
