/** What is known of a run beside its bot, as a test wants it. */
import type { RunFigures } from '../../src/bot/operator/index.ts';

export function someFigures(given: Partial<RunFigures> = {}): RunFigures {
  return {
    counted: () => ({ counters: {}, gauges: {}, summaries: {} }),
    freeDiskBytes: () => undefined,
    guardian: () => 'none',
    switchFirings: () => 0,
    budgets: () => [],
    signers: () => [],
    ...given,
  };
}
