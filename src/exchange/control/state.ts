/** @module What the control tells of an exchange: things that the interface does not show, or shows one by one. */
import { formatPrice, ticks } from '../../domain/index.ts';
import type { ControlApi } from './control-api.ts';

/** The exchange as JSON. Keys are those of accounts that were made here: ephemeral keys. */
export function exchangeState(api: ControlApi): object {
  const { exchange, clock, controlledClock, accounts } = api;
  const { control } = exchange;
  const price = (market: Parameters<typeof formatPrice>[0], value: number) =>
    value === 0 ? null : formatPrice(market, ticks(value));
  return {
    nowMs: clock.nowMs(),
    clock: controlledClock?.mode ?? 'fixed',
    epoch: exchange.epoch,
    seq: exchange.seq,
    blockAtMs: exchange.blockAtMs,
    isDown: exchange.isDown,
    markets: control.venue.markets().map(({ market, indexTicks, markTicks }) => ({
      symbol: market.symbol,
      status: market.status,
      indexPrice: price(market, indexTicks),
      markPrice: price(market, markTicks),
    })),
    accounts,
    replicas: control.replicas(),
    quirks: control.quirks,
    rateLimits: { ip: exchange.settings.ipWeightLimit, account: exchange.settings.accountWeightLimit },
    streams: control.streamCount,
  };
}
