import {
  type BarMarket,
  type BarRule,
  BarRuleRunner,
  barParams,
  defineStrategy,
  param,
} from 'ballast/strategy';

const parameters = param.object({
  position: param.decimal({ above: '0' }),
  lookback: param.integer({ min: 1, max: 10_000 }).prefault(10),
  ...barParams(),
});

/** Long above the close of some bars ago, short below it. The same rule decides over columns and live. */
function ruleOf(market: BarMarket, values: Parameters): BarRule {
  const positionLots = market.lotsOf(values.position);
  return {
    targetLots({ close }, at, heldLots) {
      const [now, then] = [close[at], close[at - values.lookback]];
      if (now === undefined || then === undefined || now === then) return heldLots;
      return now > then ? positionLots : -positionLots;
    },
  };
}

type Parameters = ReturnType<typeof parameters.parse>;

export default defineStrategy({
  name: 'my-strategy',
  summary: 'Holds a position in the direction of the price against that of some bars ago.',
  parameters,
  create: (context, initial) => new BarRuleRunner(context, initial, ruleOf).handlers,
  bars: ruleOf,
});
