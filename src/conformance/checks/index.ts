/** @module All checks, in the order of the interface document. */
import type { Check } from '../check.ts';
import { ACCOUNT_STATE, SELECTION } from './accounts.ts';
import { CANCELS, LEVERAGE, REPLACES, SWITCH } from './cancels.ts';
import { ENVIRONMENT, MARKET_DATA, MARKETS } from './environment.ts';
import { GRANTS } from './grants.ts';
import { ENVELOPE, NONCES } from './nonces.ts';
import { BATCHES, ORDER_LIMITS, ORDERS } from './orders.ts';
import { ACKS, RECEIPTS } from './receipts.ts';
import { SIGNATURES } from './signatures.ts';

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
  ...BATCHES,
  ...CANCELS,
  ...REPLACES,
  ...SWITCH,
  ...LEVERAGE,
  ...ACKS,
  ...RECEIPTS,
];
