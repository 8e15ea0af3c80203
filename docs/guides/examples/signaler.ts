import { defineStrategy, param } from 'ballast/strategy';
import { signal } from './signal-topic.ts';

/** Says which way a market went, each time its mid has moved so far. */
export default defineStrategy({
  name: 'signaler',
  parameters: param.object({ movePpm: param.ppm({ min: 1 }).prefault(500) }),
  publishes: [signal],
  create(context, { movePpm }) {
    const saidAt = new Map<string, number>();
    return {
      onBook({ symbol, externalMidTicks: mid }) {
        if (mid === undefined) return;
        const before = saidAt.get(symbol) ?? mid;
        const isFar = Math.abs(mid - before) * 1_000_000 >= before * movePpm;
        if (isFar) context.publish(signal, { symbol, side: mid > before ? 'buy' : 'sell' });
        if (isFar || !saidAt.has(symbol)) saidAt.set(symbol, mid);
      },
    };
  },
});
