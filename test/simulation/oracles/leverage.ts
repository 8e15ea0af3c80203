/**
 * @module
 * Margin is judged with the leverage of the configuration (part of I10): when a life says that its strategies may quote, each
 * market has it at the exchange, whatever became of the writes that set it. What others set meanwhile (F46, F69) and a ledger
 * that was rolled back in the middle of a start (F40) excuse that start.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { limitsOfConfig } from './support/limits.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I10'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const wanted = wantedIn(world);
  /** As the log that runs last set it. */
  const set = new Map<number, number>();
  let isMeddled = false;
  scene.onLog(({ events }, entry) => {
    if (entry.kind === 'epoch' && entry.rolledBackTo !== undefined) {
      set.clear();
      isMeddled = true;
    }
    for (const event of events) {
      if (event.kind !== 'LeverageSet' || event.account !== world.accountId) continue;
      set.set(event.market, event.customImfPpm);
      if (event.customImfPpm !== wanted.get(event.market)?.ppm) isMeddled = true;
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind !== 'life') return;
      if (sight.what === 'started') isMeddled = false;
      if (sight.what !== 'ready' || isMeddled) return;
      for (const [market, { symbol, ppm }] of wanted) {
        const found = set.get(market);
        if (found !== ppm)
          world.violate(
            'I10',
            `a life quotes on ${symbol} with ${found ?? 'no'} ppm of margin set, not ${ppm}`,
          );
      }
    },
  };
}

/** Initial margin by number of the market, of those whose leverage is configured. */
function wantedIn({ plan, exchange }: OracleWorld): ReadonlyMap<number, { symbol: string; ppm: number }> {
  const { leverage } = limitsOfConfig(plan.config);
  return new Map(
    exchange.control.venue.markets().flatMap(({ market: { symbol, signingMarketId } }) => {
      const multiple = leverage.get(symbol);
      return multiple === undefined
        ? []
        : [[signingMarketId, { symbol, ppm: Math.floor(1_000_000 / multiple) }] as const];
    }),
  );
}
