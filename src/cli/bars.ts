/** @module `ballast bars`: the result as text or as a document; the same run gives the same document. */
import type { Argv } from 'yargs';
import { formatScaled, isoOfUs, labeledText, makeFolder, SystemClock } from '../core/index.ts';
import type { BarsResult, ConfiguredBars } from '../research/bars/index.ts';
import { configured, run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import {
  configPosition,
  duration,
  flagOption,
  type Given,
  htmlOption,
  instant,
  jsonOption,
  outOption,
  textOption,
  whole,
} from './terminal/options.ts';
import { errorTerminal, writeDocument, writeLine } from './terminal/output.ts';
import { progressBar } from './terminal/progress-bar.ts';
import { writing } from './terminal/writing.ts';

const DECIMALS_MAX = 12;
/** Where `ballast sweep` puts its results too. */
const SWEEP_FOLDER = '.ballast/sweep';

const OPTIONS = {
  tape: textOption('Use the candles of this tape, or bars made of its trades'),
  csv: textOption('Use this CSV file: time, open, high, low, close, volume'),
  funding: { ...textOption('Read funding from this CSV file: time, funding_rate'), implies: 'csv' },
  'price-decimals': {
    ...textOption('Set the decimals of prices in --csv (default: as in it)'),
    implies: 'csv',
    coerce: whole('price-decimals', DECIMALS_MAX),
  },
  'size-decimals': {
    ...textOption('Set the decimals of sizes in --csv (default: as in it)'),
    implies: 'csv',
    coerce: whole('size-decimals', DECIMALS_MAX),
  },
  interval: {
    ...textOption('Use bars of this length, such as 1h (default: as in data)'),
    coerce: duration('interval'),
  },
  'bar-offset': {
    ...textOption('Let bars of --interval begin this long after its multiples'),
    implies: 'interval',
    coerce: duration('bar-offset'),
  },
  strategy: textOption('Run this strategy, if there are several'),
  market: textOption('Trade this market, if the strategy has several'),
  'slippage-ticks': {
    ...textOption('Make each fill at market worse by this many ticks'),
    default: '0',
    coerce: whole('slippage-ticks', 1_000_000),
  },
  'allow-gaps': flagOption('Allow missing bars; positions are held across them'),
  from: { ...textOption('Start at this bar, such as 2026-01-06T08:00:00Z'), coerce: instant('from') },
  to: { ...textOption('End at this time, in the form of --from'), coerce: instant('to') },
  robustness: {
    ...textOption('Not over bars: see ballast backtest'),
    hidden: true,
    coerce: () => {
      throw new Error(
        '--robustness: expected ballast backtest, which has orders in a book, got ballast bars: a fill at the next open has no delay and no queue',
      );
    },
  },
  sweep: flagOption('Search the section sweep instead; results go to --out'),
  html: htmlOption,
  out: outOption,
  json: jsonOption,
} as const;

/** Adds `bars` to the command line. */
export function barsCommand(cli: Argv): Argv {
  return cli.command(
    'bars <config>',
    'Run the rule of a strategy over bars; fills at the next open',
    (one) =>
      one
        .positional('config', configPosition)
        .options(OPTIONS)
        .conflicts('tape', 'csv')
        .check(({ sweep, html }) => {
          if (sweep && html !== undefined) throw new Error('--html: expected a run, got --sweep');
          return true;
        }),
    (args) =>
      run(async () => {
        const source = await configured(args.config);
        const tape = args.tape ?? (args.csv === undefined ? source.config.tape : undefined);
        const options = {
          ...{ source, tape, csv: args.csv, funding: args.funding },
          ...{ priceDecimals: args['price-decimals'], sizeDecimals: args['size-decimals'] },
          ...{
            barMs: args.interval,
            barOffsetMs: args['bar-offset'],
            strategy: args.strategy,
            market: args.market,
          },
          ...{ slippageTicks: args['slippage-ticks'], isGapAllowed: args['allow-gaps'] === true },
          ...{ fromMs: args.from, toMs: args.to },
        };
        return args.sweep ? searchBars(options, args) : bars(options, args);
      }),
  );
}

/** Searches the section sweep over bars and shows the results as `ballast sweep` does. */
async function searchBars(
  options: ConfiguredBars,
  { out = SWEEP_FOLDER, json }: Given<typeof OPTIONS>,
): Promise<number> {
  const { sweepBars } = await import('../research/sweep/index.ts');
  const { showSweep } = await import('./terminal/sweep-files.ts');
  // Before the runs: a folder that cannot be made would cost them all.
  writing(out, () => makeFolder(out));
  const bar = progressBar('runs', new SystemClock(), errorTerminal());
  const onProgress = (done: number, total: number) => bar.show(done, total);
  const document = await sweepBars({ ...options, onProgress });
  bar.end();
  return showSweep(document, { out, isJson: json === true });
}

async function bars(options: ConfiguredBars, args: Given<typeof OPTIONS>): Promise<number> {
  const { runConfiguredBars } = await import('../research/bars/index.ts');
  const { describeRun, jsonOfRun } = await import('../report/index.ts');
  const { writeReportFiles } = await import('./terminal/report-files.ts');
  const result = await runConfiguredBars(options);
  const { record } = result;
  writeReportFiles(record, args);
  const statistics = statisticsOf(result);
  if (args.json) writeDocument({ ...jsonOfRun(record), bars: statistics, trades: tradesOf(result) });
  else for (const line of [describeRun(record), ...linesOf(statistics)]) writeLine(line);
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}

function statisticsOf({ run, bars, reasons, madeOf, record }: BarsResult) {
  const { trades } = run;
  const money = (amount: bigint) => formatScaled(amount, record.collateralDecimals);
  const closed = trades.pnl.filter((_pnl, at) => !Number.isNaN(trades.closeBar[at]));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const won = closed.filter((pnl) => pnl > 0n);
  const lost = closed.filter((pnl) => pnl <= 0n);
  const ended = reasons.map((name, place) => [name, trades.reason.filter((one) => one === place).length]);
  return {
    rows: bars.rows,
    lengthMs: bars.barUs / 1_000,
    madeOf,
    trades: closed.length,
    openTrades: trades.pnl.length - closed.length,
    won: won.length,
    wonPnl: money(sum(won)),
    lostPnl: money(sum(lost)),
    endedBy: Object.fromEntries(ended) as Record<BarsResult['reasons'][number], number>,
    cut: run.cut,
    tooSmall: run.tooSmall,
  };
}

function linesOf(statistics: ReturnType<typeof statisticsOf>): readonly string[] {
  const { rows, lengthMs, madeOf, trades, openTrades, won, wonPnl, lostPnl, endedBy } = statistics;
  const exits = Object.entries(endedBy).flatMap(([name, count]) => (count > 0 ? `${count} by ${name}` : []));
  return [
    labeledText(
      'bars',
      `${rows} of ${lengthMs / 1_000} s, made of ${madeOf === 'file' ? 'a file' : madeOf}`,
      14,
    ),
    labeledText(
      'trades',
      `${trades} ended (${exits.join(', ') || 'none'}), ${openTrades} open; ${won} won ${wonPnl}, ${trades - won} lost ${lostPnl}`,
      14,
    ),
    labeledText(
      'limits',
      `${statistics.cut} targets cut by margin or position limit, ${statistics.tooSmall} below the minimum notional`,
      14,
    ),
  ];
}

/** The trades as columns: times, prices, sizes and PnL as text. */
function tradesOf({ run, bars, reasons, market, record }: BarsResult) {
  const { trades } = run;
  const times = (column: Float64Array) =>
    Array.from(column, (at) => (Number.isNaN(at) ? null : isoOfUs(bars.openUs[at] ?? 0)));
  const scaled = (column: Float64Array, decimals: number) =>
    Array.from(column, (value) => (Number.isNaN(value) ? null : formatScaled(value, decimals)));
  return {
    openBar: times(trades.openBar),
    closeBar: times(trades.closeBar),
    size: scaled(trades.lots, market.sizeDecimals),
    openPrice: scaled(trades.openTicks, market.priceDecimals),
    closePrice: scaled(trades.closeTicks, market.priceDecimals),
    pnl: Array.from(trades.pnl, (amount) => formatScaled(amount, record.collateralDecimals)),
    reason: Array.from(trades.reason, (place) => reasons[place] ?? null),
  };
}
