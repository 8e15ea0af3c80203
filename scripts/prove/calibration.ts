/**
 * Calibrates the queue model against markets whose queues are known, and holds what a backtest predicts for the part of
 * the run that was not trained on against what really happened there (docs/concepts/fill-models.md).
 *
 * Usage: npm run prove -- calibration [--minutes 10] [--seed 1] [--json]
 *
 * The last line of standard output with `--json` is {rows: [{market, figure, actual, predicted, error, band, holds}]}. Exit
 * code 1: a figure lies outside of its band: fills within 5 %, markouts at 1 s and 10 s within 0.2 bps.
 */

import { jsonOption } from '../../src/cli/terminal/options.ts';
import { calibrateQueue } from '../../src/research/calibration/index.ts';
import { readOptions, whole } from '../options.ts';
import { queueMarket } from './calibration/queue-market.ts';
import { quoteOver, tapeOf } from './calibration/queue-runs.ts';

const values = readOptions({
  minutes: whole('Length of each market', { min: 1, otherwise: 10 }),
  seed: whole('Of the first market', { otherwise: 1 }),
  json: jsonOption,
});
const { minutes, seed } = values;

const FILLS_BAND = 0.05;
const MARKOUT_BAND_BPS = 0.2;
const HORIZONS_MS = [1_000, 10_000];
/** Where strangers cancel: anywhere in the queue, or rather at its back. */
const MARKETS = [
  { market: 'cancels anywhere', cancelBias: 0 },
  { market: 'cancels rather behind', cancelBias: 1 },
];

interface Row {
  readonly market: string;
  readonly figure: string;
  readonly actual: number;
  readonly predicted: number;
  readonly error: number;
  readonly band: number;
  readonly holds: boolean;
}

const US_PER_MS = 1_000;
const write = (text: string) => void (values.json ? process.stderr : process.stdout).write(`${text}\n`);
const rows: Row[] = [];
for (const [at, { market, cancelBias }] of MARKETS.entries()) {
  const flow = { seed: seed + at, durationUs: minutes * 60e6, everyUs: 5_000, cancelBias };
  const made = queueMarket(flow);
  const [orders, levels] = [tapeOf(made.orders, 'orders'), tapeOf(made.levels, 'levels')];
  const span = { fromMs: Math.ceil(orders.fromUs / US_PER_MS), toMs: Math.floor(orders.toUs / US_PER_MS) };
  const rangeOf = ({ fromMs, toMs }: typeof span) => ({ fromUs: fromMs * US_PER_MS, toUs: toMs * US_PER_MS });
  const { fillModel, held, trained } = calibrateQueue({
    span,
    fills: quoteOver(orders, { name: 'fifo' }, rangeOf(span)).record.fills,
    simulate: (model, part) => quoteOver(levels, model, rangeOf(part)).record.fills,
  });
  write(
    `${market}: ${JSON.stringify(fillModel)}, trained on ${trained.actualFills} fills, predicted ${trained.predictedFills}`,
  );
  const error = held.predictedFills / held.actualFills - 1;
  add({
    market,
    figure: 'fills',
    actual: held.actualFills,
    predicted: held.predictedFills,
    error,
    band: FILLS_BAND,
  });
  for (const { horizonMs, actualBps, predictedBps } of held.markouts) {
    if (!HORIZONS_MS.includes(horizonMs)) continue;
    const figure = `markout at ${horizonMs / 1000} s, bps`;
    const off = predictedBps - actualBps;
    add({ market, figure, actual: actualBps, predicted: predictedBps, error: off, band: MARKOUT_BAND_BPS });
  }
}
if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

function add(row: Omit<Row, 'holds'>): void {
  const holds = Math.abs(row.error) <= row.band;
  rows.push({ ...row, holds });
  const text = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
  write(
    `${holds ? 'holds' : 'FAILS'}  ${row.market}: ${row.figure} ${text(row.actual)}, predicted ${text(row.predicted)}, off by ${row.error.toFixed(4)} of ± ${row.band}`,
  );
}
