/**
 * @module
 * What the passing of time does, at the beginning of a block: expiry, then schedule-cancels, then the end of
 * markets, then triggers, then slices of time-weighted orders, then funding,
 * then liquidations.
 */
import { fireTriggers, sweepLegs } from './commands/trigger-orders.ts';
import { sliceTwaps } from './commands/twap.ts';
import { settleEndedMarkets } from './final-settlement.ts';
import { beginFund } from './insurance.ts';
import { liquidateAccounts } from './liquidation.ts';
import { settleFunding } from './prices/funding.ts';
import { fireScheduleCancels } from './schedule-cancel.ts';
import type { VenueState } from './state.ts';

/** Brings the venue to the time of the block. */
export function beginBlock(state: VenueState): void {
  const { log, settings } = state;
  const { blockAtMs, seq } = log.at;
  log.emit({ kind: 'BlockBegun', blockAtMs });
  beginFund(state);
  for (let order = state.orders.takeExpired(blockAtMs); order; order = state.orders.takeExpired(blockAtMs)) {
    order.seq = seq;
    const canceledLots = state.orders.remove(order, 'expired');
    log.emit({ kind: 'OrderExpired', order: order.snapshot(), canceledLots });
  }
  fireScheduleCancels(state);
  settleEndedMarkets(state);
  sweepLegs(state);
  fireTriggers(state);
  sliceTwaps(state);
  for (const market of state.markets.values()) {
    const settled = settleFunding(market, blockAtMs, {
      impactNotional: settings.impactNotional,
      intervalMs: settings.fundingIntervalMs,
    });
    for (const settlement of settled) {
      state.priceVersion++;
      log.emit({
        kind: 'FundingSettled',
        market: market.number,
        ...settlement,
        indexTicks: market.indexTicks,
      });
    }
  }
  liquidateAccounts(state);
}
