/** @module Two sides of a deleverage: a bot that buys once, and an account that is drained. */
import { lots, quantums, ticks } from '../../src/domain/index.ts';
import { BTC } from '../contract/client.ts';
import { strategyOf } from './bot-rig.ts';
import type { TestExchange } from './test-exchange.ts';

/** Bids for 0.1 at 100,000 until it has bought. */
export const bidder = strategyOf((context) => ({
  onBook: (view) => {
    const bids =
      view.inventoryLots < 1_000 && view.averageEntryTicks === undefined
        ? [{ priceTicks: ticks(1_000_000), sizeLots: lots(1_000) }]
        : [];
    context.quote(BTC, { bids, asks: [] });
  },
}));

/** Takes everything out of an account but this much. */
export function drain(account: TestExchange, keptUsd: bigint): void {
  const { collateral } = account.get(`/v1/account?address=${account.address}`).json;
  const all = BigInt((collateral as string).replace('.', ''));
  account.exchange.control.withdraw({
    account: account.account.accountId,
    amount: quantums(all - keptUsd * 1_000_000n),
  });
}
