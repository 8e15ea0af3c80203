/** @module What an order that a strategy asks for is read with: the time, the index price, what is held. */
import type { TpslIntents } from '../strategy/index.ts';
import type { DraftContext, OrderIntent } from './intent-reader.ts';
import type { SpecNames } from './order-spec.ts';
import type { QuoteState } from './quote-state.ts';
import type { RouterPorts } from './router-ports.ts';

/** What an intent is read with; of that only what its kind needs. */
export function draftContextOf(
  ports: RouterPorts,
  { host, symbol, record }: QuoteState,
  asked: { readonly intent: OrderIntent; readonly names: SpecNames; readonly ids: TpslIntents },
): DraftContext {
  const { account, hosts, markets } = ports;
  const { names, ids, intent } = asked;
  const { nowMs, serverNowMs = nowMs } = ports.view();
  const context = { names, serverNowMs, lifetimeMs: host.setup.orderLifetimeMs ?? 0 };
  switch (intent.kind) {
    case 'placeTwap':
      // The index price, or the one at which positions are valued where no index has come.
      return { ...context, indexTicks: record?.prices?.indexTicks ?? markets.valuationTicks(symbol) };
    case 'placeTpsl': {
      const isShared = [...hosts.values()].some((one) => one !== host && one.setup.symbols.includes(symbol));
      const [accountLots, ownLots] = [account.positionLots(symbol), account.positionLots(symbol, host.id)];
      return { ...context, legs: { ids, held: { accountLots, ownLots, isShared } } };
    }
    default:
      return context;
  }
}
