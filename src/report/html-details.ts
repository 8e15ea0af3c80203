/** @module The sections of a report's page that look closer: profit by hour and day, drawdowns, round trips, distributions. */
import type { DistributionDocument, DistributionName } from './distributions.ts';
import { bars, escaped, folded, table } from './html-parts.ts';
import type { PeriodDocument } from './pnl-split.ts';
import type { ReportDocument } from './report-document.ts';
import { about, clockText, counted, grouped, lengthText, NOTHING, percent, plain, signed } from './words.ts';

/** How many hours, the last of the run, the page shows. */
const HOURS_SHOWN_MAX = 240;

/** Profit by day and hour. */
export function periodSection({ periods }: ReportDocument): string {
  const { byDay, byHour } = periods;
  const shown = byHour.slice(-HOURS_SHOWN_MAX);
  const hours = periodTable('hour from', shown);
  const summary = `By hour (${counted(byHour.length, 'hour')}${shown.length < byHour.length ? `, the last ${shown.length} of them` : ''})`;
  return `<h2 id="time">PnL over time</h2>
${periodTable('day from', byDay)}
${byHour.length === 0 ? '' : folded(summary, hours)}`;
}

function periodTable(name: string, rows: readonly PeriodDocument[]): string {
  const head = [name, 'PnL', 'spread', 'inventory', 'funding', 'fees', 'return', 'fills', 'turnover'];
  return table(
    head,
    rows.map((row) => [
      ...[clockText(row.from), signed(row.total), signed(row.spread), signed(row.inventory)],
      ...[signed(row.funding), grouped(row.fees), percent(row.return, 4), grouped(String(row.fills))],
      grouped(row.turnover),
    ]),
    1,
  );
}

/** The deepest drawdowns, rolling statistics, and markets beside the run. */
export function riskSection({ drawdowns, rolling, benchmark, returns, bootstrap }: ReportDocument): string {
  const falls = drawdowns.map(({ begin, trough, recovery, depth, lengthMs }, at) => [
    ...[String(at + 1), clockText(begin), clockText(trough)],
    ...[recovery === null ? 'not yet' : clockText(recovery), percent(depth, 4), lengthText(lengthMs)],
  ]);
  const roll =
    rolling === null
      ? `<p class="soft">No rolling statistics: ${escaped(returns.annualReason ?? 'too few returns')}.</p>`
      : `<h3>Rolling over ${counted(rolling.window, 'return')} of ${escaped(lengthText(returns.periodMs))}</h3>\n<div id="rolling"></div>`;
  const run = ['this run', percent(returns.total, 4), percent(returns.maxDrawdown, 4), '', ''];
  const markets = benchmark.map((one) => [
    ...[one.symbol, percent(one.total, 4), percent(one.maxDrawdown, 4), plain(one.beta, 4)],
    plain(one.correlation, 4),
  ]);
  const bands =
    bootstrap === null
      ? ''
      : `<p>PnL over ${grouped(String(bootstrap.resamples))} resampled runs (${bootstrap.method}, blocks of ${counted(bootstrap.blockLength, 'period')}): 5 % ${signed(bootstrap.p5)}, median ${signed(bootstrap.median)}, 95 % ${signed(bootstrap.p95)}; ${percent(bootstrap.lossProbability, 1)} of them lost.</p>`;
  return `<h2 id="drawdowns">Drawdowns and benchmark</h2>
${bands}
${falls.length === 0 ? '<p class="soft">Equity never fell below its highest.</p>' : table(['', 'began', 'trough', 'recovered', 'depth', 'length'], falls, 4)}
${roll}
<h3>The markets themselves, from their first mid to the last</h3>
${table(['', 'return', 'max drawdown', 'beta', 'correlation'], [run, ...markets], 1)}`;
}

/** Round trips. */
export function tripSection({ roundTrips }: ReportDocument): string {
  const [all] = roundTrips.rows;
  if (all === undefined || all.count === 0)
    return '<h2 id="trips">Round trips</h2>\n<p class="soft">Nothing was closed.</p>';
  const known = (amount: string | null) => (amount === null ? NOTHING : signed(amount));
  const long = (ms: number | null) => (ms === null ? NOTHING : lengthText(Math.round(ms)));
  const head = [
    ...['market', 'closing orders', 'net', 'win rate', 'profit factor', 'payoff ratio', 'average win'],
    ...['average loss', 'expectancy', 'best', 'worst', 'mean holding', 'median'],
  ];
  const rows = roundTrips.rows.map((row) => [
    ...[row.symbol ?? 'all markets', grouped(String(row.count)), signed(row.net), percent(row.winRate, 1)],
    ...[plain(row.profitFactor), plain(row.payoffRatio), known(row.averageWin), known(row.averageLoss)],
    ...[known(row.expectancy), known(row.best), known(row.worst), long(row.meanHoldingMs)],
    long(row.medianHoldingMs),
  ]);
  return `<h2 id="trips">Round trips</h2>
<p class="soft">Each closing order against the oldest open fills of its strategy in the market (${roundTrips.method}), fees of both sides taken off.</p>
${table(head, rows, 1)}`;
}

const TITLES: Readonly<Record<DistributionName, string>> = {
  returns: 'Returns',
  writeLatency: 'Write latency',
  timeToFill: 'Time to fill',
  fillSize: 'Fill size',
  quotedSpread: 'Quoted spread',
  queueAheadAtEntry: 'Queue ahead at entry',
  inventory: 'Inventory',
};

/** Histograms. */
export function distributionSection({ distributions, returns }: ReportDocument): string {
  const all = distributions.map((one) => {
    const text = (value: number | null) => (value === null ? NOTHING : valueText(one, value));
    const title = `${TITLES[one.name]}${one.symbol === null ? '' : ` in ${one.symbol}`}${one.name === 'returns' ? ` of ${lengthText(returns.periodMs)}` : ''}`;
    const counts = one.weight === 'ms' ? 'by time' : `n = ${grouped(String(one.count))}`;
    return `<figure>
<figcaption>${escaped(title)} <span class="soft">${escaped(counts)}</span></figcaption>
${bars(one.bins, text)}
<div class="ends soft"><span>${escaped(text(one.bins[0]?.from ?? null))}</span><span>${escaped(text(one.bins.at(-1)?.to ?? null))}</span></div>
<p class="soft">mean ${escaped(text(one.mean))}; 5 % ${escaped(text(one.p5))}, median ${escaped(text(one.median))}, 95 % ${escaped(text(one.p95))}</p>
</figure>`;
  });
  return `<h2 id="distributions">Distributions</h2>\n<div class="figures">\n${all.join('\n')}\n</div>`;
}

function valueText({ unit }: DistributionDocument, value: number): string {
  switch (unit) {
    case 'ms':
      return lengthText(Math.round(value));
    case 'bps':
      return `${plain(value)} bps`;
    case 'fraction':
      return `${plain(value * 10_000, 3)} bps`;
    case 'lots':
      return `${about(value)} lots`;
    case 'size':
      return String(Number(value.toPrecision(6)));
  }
}

/** The fills one by one: filled by the script of the page. */
export function fillListSection({ fills }: ReportDocument, listed: number): string {
  const count = fills.maker.fills + fills.taker.fills;
  if (count === 0) return '';
  const note =
    listed < count
      ? `<p class="soft">The first ${grouped(String(listed))} of ${grouped(String(count))} fills; all of them are in fills.csv.gz of the run's folder.</p>`
      : '';
  return `<section class="screen"><h2 id="fill-list">Fills one by one</h2>
${note}<p class="soft">A row moves the charts to its fill. <button type="button" id="fills-csv">Download CSV</button></p>
<div class="scroll tall"><table id="fill-rows"></table></div>
<p><button type="button" id="fills-more" hidden>More rows</button></p></section>`;
}
