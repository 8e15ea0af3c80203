/** @module All checks, in the order of the interface document. */
import type { Check } from '../check.ts';
import { ENVIRONMENT, MARKET_DATA, MARKETS } from './environment.ts';

/** All of them. */
export const CHECKS: readonly Check[] = [...ENVIRONMENT, ...MARKETS, ...MARKET_DATA];
