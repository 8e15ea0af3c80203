/** @module The trading state of account, market and strategy: reducing and halted let only reducing orders pass. */
import type { OrderCheck } from '../check.ts';

/** Checks that trading continues. What a reduce-only order may close is checked by P13. */
export const tradingState: OrderCheck = {
  control: 'trading state',
  codes: ['RISK_TRADING_REDUCING', 'RISK_TRADING_HALTED'],
  review(spec, scene) {
    const { state, reason } = scene.view.trading.of(spec.strategyId, spec.symbol);
    if (state === 'active' || state === 'throttled' || spec.reduceOnly) return undefined;
    return {
      code: state === 'reducing' ? 'RISK_TRADING_REDUCING' : 'RISK_TRADING_HALTED',
      message: `expected trading in ${spec.symbol} to be active, got ${state}: ${reason}`,
    };
  },
};
