/** @module What tests of vaults have in common: create, pay in, take out, win or lose. */

import { expect } from 'vitest';
import { ticks } from '../../src/domain/index.ts';
import type { Answer, TestExchange } from './test-exchange.ts';

/** The main wallet signs. */
export const WALLET = { by: 'wallet' } as const;

/** A vault created by the first wallet; gives its id. */
export function created(venue: TestExchange, name = 'Basis trade'): string {
  return venue.write('/v1/vaults', { name }, WALLET).json.vault.id;
}

/** The main wallet pays into a vault. */
export function deposit(venue: TestExchange, vault: string, amount: string): Answer {
  return venue.write(`/v1/vaults/${vault}/deposit`, { amount }, WALLET);
}

/** The main wallet takes out of a vault. */
export function redeem(venue: TestExchange, vault: string, shares: string): Answer {
  return venue.write(`/v1/vaults/${vault}/redeem`, { shares }, WALLET);
}

/** HTTP status with the error code, or with the status of the write. */
export function outcome({ status, json }: Answer): readonly unknown[] {
  return [status, json.error?.code ?? json.status];
}

/** The details of a vault. */
export function vaultOf(venue: TestExchange, id: string) {
  return venue.get(`/v1/vaults/${id}`).json;
}

/** The vault buys 0.01 BTC from another wallet at 100,000, and the price moves to `indexTicks`. */
export function winOrLose(venue: TestExchange, vault: string, indexTicks: number): void {
  const seller = venue.another();
  seller.place([{ side: 'sell', price: '100000.0', size: '0.0100' }]);
  const bought = venue.place([{ price: '100000.0', size: '0.0100' }], { vault });
  expect(bought.json.items[0].filledSize).toBe('0.0100');
  venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(indexTicks) });
}
