/** @module `ballast bars`: the result as text or as a document; the same run gives the same document. */

import { formatScaled, makeFolder, SystemClock } from '../../core/index.ts';
import { describeRun, jsonOfRun } from '../../report/index.ts';
import type { BarsResult, ConfiguredBars } from '../../research/bars/index.ts';
import { runConfiguredBars, sweepBars } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { progressBar } from '../progress-bar.ts';
import { type ReportFiles, writeReportFiles, writing } from '../report-files.ts';
import { tellSweep } from './sweep.ts';

/** Tries the section sweep over bars and tells, as `ballast sweep` does. */
export async function barsSweep(
  options: ConfiguredBars & { readonly out: string; readonly isJson: boolean },
): Promise<number> {
  // Before the runs: a folder that cannot be made would cost them all.
  writing(options.out, () => makeFolder(options.out));
  const bar = progressBar('runs', new SystemClock(), {
    isTerminal: process.stderr.isTTY === true,
    columns: () => process.stderr.columns || 120,
    write: (text) => void process.stderr.write(text),
  });
  const document = await sweepBars({ ...options, onProgress: (done, total) => bar.show(done, total) });
  bar.end();
  return tellSweep(document, options);
}

/** Runs and tells. */
export async function bars(
  options: ConfiguredBars & ReportFiles & { readonly isJson: boolean },
): Promise<number> {
  const result = await runConfiguredBars(options);
  const { record } = result;
  writeReportFiles(record, options);
  const figures = figuresOf(result);
  if (options.isJson) writeDocument({ ...jsonOfRun(record), bars: figures, trades: tradesOf(result) });
  else for (const line of [describeRun(record), ...linesOf(figures)]) writeLine(line);
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}

function figuresOf({ run, bars, reasons, madeOf, record }: BarsResult) {
  const { trades } = run;
  const money = (amount: bigint) => formatScaled(amount, record.collateralDecimals);
  const closed = trades.profit.filter((_profit, at) => !Number.isNaN(trades.closeBar[at]));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const won = closed.filter((profit) => profit > 0n);
  const lost = closed.filter((profit) => profit <= 0n);
  const ended = reasons.map((name, place) => [name, trades.reason.filter((one) => one === place).length]);
  return {
    rows: bars.rows,
    lengthMs: bars.barUs / 1_000,
    madeOf,
    trades: closed.length,
    openTrades: trades.profit.length - closed.length,
    won: won.length,
    wonProfit: money(sum(won)),
    lostProfit: money(sum(lost)),
    endedBy: Object.fromEntries(ended) as Record<BarsResult['reasons'][number], number>,
    cut: run.cut,
    tooSmall: run.tooSmall,
  };
}

function linesOf(figures: ReturnType<typeof figuresOf>): readonly string[] {
  const { rows, lengthMs, madeOf, trades, openTrades, won, wonProfit, lostProfit, endedBy } = figures;
  const exits = Object.entries(endedBy).flatMap(([name, count]) => (count > 0 ? `${count} by ${name}` : []));
  return [
    `${'bars'.padEnd(12)}${rows} of ${lengthMs / 1_000} s, made of ${madeOf === 'file' ? 'a file' : madeOf}`,
    `${'trades'.padEnd(12)}${trades} ended (${exits.join(', ') || 'none'}), ${openTrades} open; ${won} won ${wonProfit}, ${trades - won} did not: ${lostProfit}`,
    `${'limits'.padEnd(12)}${figures.cut} wishes cut by margin or position limit, ${figures.tooSmall} below the smallest notional`,
  ];
}

/** The trades as columns: times, prices, sizes and profit as text. */
function tradesOf({ run, bars, reasons, market, record }: BarsResult) {
  const { trades } = run;
  const times = (column: Float64Array) =>
    Array.from(column, (at) =>
      Number.isNaN(at) ? null : new Date((bars.openUs[at] ?? 0) / 1_000).toISOString(),
    );
  const scaled = (column: Float64Array, decimals: number) =>
    Array.from(column, (value) => (Number.isNaN(value) ? null : formatScaled(value, decimals)));
  return {
    openBar: times(trades.openBar),
    closeBar: times(trades.closeBar),
    size: scaled(trades.lots, market.sizeDecimals),
    openPrice: scaled(trades.openTicks, market.priceDecimals),
    closePrice: scaled(trades.closeTicks, market.priceDecimals),
    profit: Array.from(trades.profit, (amount) => formatScaled(amount, record.collateralDecimals)),
    reason: Array.from(trades.reason, (place) => reasons[place] ?? null),
  };
}
