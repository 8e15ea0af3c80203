/** Enters where two means of the mid cross, in a bracket: a stop and a take-profit, of which one cancels the other. */
import { Bracket, compose, defineStrategy, Ema, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'ema-brackets',
  summary: 'Enters where two means of the mid cross, with a stop and a take-profit at the exchange.',
  parameters: param
    .object({
      tradeSize: param.decimal({ above: '0' }),
      bar: param.durationMs({ min: '1s' }).prefault('10s'),
      fastBars: param.integer({ min: 1, max: 1_000 }).prefault(10),
      slowBars: param.integer({ min: 2, max: 10_000 }).prefault(20),
      stopPpm: param.ppm({ min: 1 }),
      takeProfitPpm: param.ppm({ min: 1 }),
    })
    .refine((values) => values.fastBars < values.slowBars, { path: ['fastBars'], error: 'below slowBars' }),
  create(context, values) {
    const [symbol] = context.symbols;
    if (symbol === undefined) return {};
    const bracket = new Bracket(context, { symbol, onEnded: (how) => context.log.info(`ended: ${how}`) });
    const [fast, slow] = [new Ema(values.fastBars), new Ema(values.slowBars)];
    let wasAbove: boolean | undefined;

    function onBar(): void {
      const view = context.market(symbol ?? '');
      const [bid, ask, mid] = [view.externalBidTicks, view.externalAskTicks, view.externalMidTicks];
      if (!view.isFresh || bid === undefined || ask === undefined || mid === undefined) return;
      const isAbove = fast.observe(mid) > slow.observe(mid);
      const hasCrossed = wasAbove !== undefined && isAbove !== wasAbove && slow.count > values.slowBars;
      wasAbove = isAbove;
      if (!hasCrossed || bracket.isActive) return;
      const [side, entryTicks, sign] = isAbove ? (['buy', ask, 1] as const) : (['sell', bid, -1] as const);
      const away = (ppm: number): number => entryTicks * (1 + (sign * ppm) / 1_000_000);
      bracket.enter({
        side,
        sizeLots: view.lotsOf(values.tradeSize),
        entryTicks,
        timeInForce: 'ioc',
        stopTicks: view.floorTicks(away(-values.stopPpm)),
        takeProfitTicks: view.floorTicks(away(values.takeProfitPpm)),
      });
    }

    return compose(bracket, {
      onStart: () => context.startInterval('bar', values.bar),
      onTimer({ name }) {
        if (name === 'bar') onBar();
      },
    });
  },
});
