/** @module The bars and the cross through ballast's bar engine. Prints one line of JSON. */
import { runBars } from '../../src/research/bars/index.ts';
import { BENCH_MARKET, crossRun, randomBars } from '../goals/backtest/bar-cross.ts';

const RUNS = 50;

const bars = randomBars(Number(process.argv[2]));
const seconds: number[] = [];
let last = runBars(crossRun(bars));
for (let run = 0; run < RUNS; run++) {
  const began = performance.now();
  last = runBars(crossRun(bars));
  seconds.push((performance.now() - began) / 1_000);
}
process.stdout.write(
  `${JSON.stringify({
    engine: 'ballast',
    bars: bars.rows,
    seconds,
    trades: last.trades.openBar.length,
    profitTicks: Number((last.equityEnd - last.equityStart) / BENCH_MARKET.quantumsPerTickLot),
  })}\n`,
);
