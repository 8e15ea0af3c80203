import { BarrierExit, defineStrategy, param, twap, type ParentOrder } from 'ballast/strategy';

export default defineStrategy({
  name: 'buy-and-guard',
  summary: 'Buys a size in slices, then sells it for a profit, at a stop or when its time is over.',
  parameters: param.object({
    total: param.decimal({ above: '0' }),
    slices: param.integer({ min: 1, max: 1_000 }).prefault(10),
    sliceEvery: param.durationMs().prefault('10s'),
    takeProfitPpm: param.integer({ min: 1, max: 1_000_000 }).prefault(5_000),
    stopPpm: param.integer({ min: 1, max: 1_000_000 }).prefault(5_000),
    holdAtMost: param.durationMs().prefault('1h'),
  }),
  create(context, { total, slices, sliceEvery, takeProfitPpm, stopPpm, holdAtMost }) {
    let saved: { entry?: unknown; exit?: unknown } = {};
    let entry: ParentOrder | undefined;
    let exit: BarrierExit | undefined;

    /** The entry first, the exit when the entry has ended: never both in one market. */
    function begin() {
      const [symbol] = context.symbols;
      if (symbol === undefined) return;
      exit = new BarrierExit(context, {
        symbol,
        takeProfitPpm,
        stopPpm,
        timeMs: holdAtMost,
        onClosed: (barrier) => context.stop(`sold: ${barrier}`),
      });
      const totalLots = context.market(symbol).lotsOf(total);
      const size = { symbol, side: 'buy', totalLots, slices, intervalMs: sliceEvery } as const;
      entry = twap(context, { ...size, style: 'join', finish: 'take', onEnd: guard });
      entry.start(saved.entry);
      // An entry that ended in a previous run reports that at once.
      if (entry.report().state === 'ended') guard();
    }

    function guard() {
      exit?.start(saved.exit);
    }

    const parts = () => [entry?.handlers, isGuarding() ? exit?.handlers : undefined];
    const isGuarding = () => entry?.report().state === 'ended';

    return {
      onLoad(state) {
        if (typeof state === 'object' && state !== null) saved = state;
      },
      onSave: () => ({ entry: entry?.save(), exit: isGuarding() ? exit?.save() : undefined }),
      onStart: begin,
      onBook: (view, book) => parts().forEach((part) => part?.onBook(view, book)),
      onFill: (fill, view) => parts().forEach((part) => part?.onFill(fill, view)),
      onOrder: (update) => parts().forEach((part) => part?.onOrder(update)),
      onDenied: (denial) => parts().forEach((part) => part?.onDenied(denial)),
      onTimer: (timer) => parts().forEach((part) => part?.onTimer(timer)),
      onResumed: (symbol) => parts().forEach((part) => part?.onResumed(symbol)),
    };
  },
});
