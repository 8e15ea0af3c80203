/** Buys at the best ask each period, with a stop and a take-profit at the exchange before the order is sent. */
import { Bracket, compose, defineStrategy, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'buy-in-brackets',
  summary: 'Buys at the best ask each period, with a stop and a take-profit at the exchange.',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    stopPpm: param.ppm({ min: 1 }),
    takeProfitPpm: param.ppm({ min: 1 }),
    period: param.durationMs().prefault('10s'),
  }),
  create(context, { size, stopPpm, takeProfitPpm, period }) {
    const [symbol] = context.symbols;
    if (symbol === undefined) return {};
    const bracket = new Bracket(context, { symbol, onEnded: (how) => context.log.info(`ended: ${how}`) });

    function look() {
      const view = context.market(symbol ?? '');
      const entryTicks = view.externalAskTicks;
      if (bracket.isActive || !view.isFresh || entryTicks === undefined) return;
      const stopTicks = view.floorTicks(entryTicks * (1 - stopPpm / 1_000_000));
      const takeProfitTicks = view.ceilTicks(entryTicks * (1 + takeProfitPpm / 1_000_000));
      const exits = { stopTicks, takeProfitTicks };
      bracket.enter({ side: 'buy', sizeLots: view.lotsOf(size), entryTicks, timeInForce: 'ioc', ...exits });
    }

    return compose(bracket, {
      onStart: () => context.startInterval('look', period),
      onTimer: look,
    });
  },
});
