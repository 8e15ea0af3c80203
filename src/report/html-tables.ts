/** @module The sections of a report's page that need no script: cards and tables. */
import { escaped, table, words } from './html-parts.ts';
import type { FillsDocument, ReportDocument } from './report-document.ts';
import { percentAbout } from './text.ts';
import { about, bps, counted, grouped, lengthText, outcomeWords, percent, plain, signed } from './words.ts';

/** How many warnings the page shows. */
const WARNINGS_SHOWN_MAX = 100;

/** The main statistics. */
export function cards({ pnl, returns, orders, fills }: ReportDocument): string {
  const isLoss = pnl.total.startsWith('-');
  const isClean = /^-?[0.]+$/.test(pnl.residual);
  const all: readonly (readonly [name: string, text: string, tone?: string])[] = [
    ['PnL', signed(pnl.total), isLoss ? 'bad' : 'good'],
    ['return of the run', percent(returns.total, 4)],
    ['max drawdown', percent(returns.maxDrawdown, 4)],
    [`Sharpe (annualized)${returns.annualReason === null ? '' : ': too few returns'}`, about(returns.sharpe)],
    ['turnover', grouped(pnl.turnover.replace(/\..*$/, ''))],
    ['return on turnover', bps(pnl.returnOnTurnoverBps)],
    [
      'fills as maker, as taker',
      `${grouped(String(fills.maker.fills))}, ${grouped(String(fills.taker.fills))}`,
    ],
    ['orders with a fill', percent(orders.fillRatio)],
    ['spread captured as maker', bps(fills.maker.spreadCaptureBps)],
    ['residual against the ledger', pnl.residual, isClean ? 'good' : 'bad'],
  ];
  const one = ([name, text, tone = '']: (typeof all)[number]) =>
    `<div class="card"><b class="${tone}">${escaped(text)}</b><span>${escaped(name)}</span></div>`;
  return `<div class="cards">\n${all.map(one).join('\n')}\n</div>`;
}

/** The parts of the PnL, and the residual that shows that nothing is missing. */
export function pnlSection({ pnl, run }: ReportDocument): string {
  const { band } = pnl;
  const modeled =
    run.assumptions.length === 0
      ? ''
      : '<p class="soft">No band around the PnL: the fill and latency models of this run were not calibrated against own orders.</p>';
  const bandText =
    band === null
      ? modeled
      : `<p>Band around the PnL: ${escaped(signed(band.low))} to ${escaped(signed(band.high))} (${escaped(band.basis)}).</p>`;
  return `<h2 id="pnl-parts">PnL</h2>
${bandText}
${words([
  ['realized', signed(pnl.realized)],
  ['+ unrealized', signed(pnl.unrealized)],
  ['+ funding', signed(pnl.funding)],
  ['− fees', grouped(pnl.fees)],
  ['= PnL', signed(pnl.total)],
  ['transfers', signed(pnl.transfers)],
  ['equity', `${grouped(pnl.equityStart)} → ${grouped(pnl.equityEnd)}, positions at mark prices`],
  ['residual', `${pnl.residual}: change of equity by the ledger, less transfers, less PnL by fills`],
  ['inventory PnL', `${signed(pnl.inventoryPnl)}: realized and unrealized PnL without the captured spread`],
  [
    'ledger',
    Object.entries(pnl.ledger)
      .map(([kind, amount]) => `${kind} ${signed(amount)}`)
      .join(', ') || 'no entries',
  ],
  ...(pnl.ledgerEntries === null
    ? []
    : [
        [
          'ledger entries',
          `${grouped(String(pnl.ledgerEntries.count))}, from ${pnl.ledgerEntries.first} to ${pnl.ledgerEntries.last}`,
        ] as const,
      ]),
])}`;
}

/** PnL of each strategy in each market. */
export function strategySection({ byStrategy }: ReportDocument): string {
  const head = [
    ...['strategy', 'market', 'PnL', 'realized', 'unrealized', 'funding', 'fees', 'turnover'],
    ...['return on turnover', 'final position'],
  ];
  const rows = byStrategy.map((row) => [
    ...[row.strategy, row.symbol, signed(row.total), signed(row.realized), signed(row.unrealized)],
    ...[signed(row.funding), grouped(row.fees), grouped(row.turnover), bps(row.returnOnTurnoverBps)],
    row.finalPosition,
  ]);
  return `<h2 id="strategies">By strategy and market</h2>\n${rows.length === 0 ? '<p class="soft">Nothing was traded.</p>' : table(head, rows)}`;
}

/** Fills of all markets and of each, with their later prices. */
export function fillSection({ fills, byMarket }: ReportDocument): string {
  const all = [fills, ...(byMarket.length > 1 ? byMarket : [])].filter(
    ({ maker, taker }) => maker.fills + taker.fills > 0,
  );
  if (all.length === 0) return '<h2 id="fills">Fills</h2>\n<p class="soft">There were no fills.</p>';
  const only = byMarket.length === 1 ? byMarket[0]?.symbol : undefined;
  const nameOf = (one: FillsDocument) => one.symbol ?? only ?? 'all markets';
  const each = all.flatMap((one) =>
    (['maker', 'taker'] as const)
      .filter((role) => one[role].fills > 0)
      .map((role) => ({ name: nameOf(one), role, of: one[role] })),
  );
  const costs = each.map(({ name, role, of }) => [
    ...[name, role, grouped(String(of.fills)), grouped(of.turnover), grouped(of.fees), bps(of.feesBps)],
    ...[signed(of.spreadCapture), bps(of.spreadCaptureBps), grouped(String(of.fillsWithoutMid))],
  ]);
  const horizons = fills.maker.markouts.map(({ horizonMs }) => lengthText(horizonMs));
  const later = each.flatMap(({ name, role, of }) => [
    [name, `${role}, from price`, ...of.markouts.map((at) => plain(at.bps, 3))],
    [name, `${role}, mid markout`, ...of.markouts.map((at) => plain(at.midMarkoutBps, 3))],
    [name, 'fills', ...of.markouts.map((at) => grouped(String(at.fills)))],
  ]);
  const queues = all.flatMap((one) =>
    one.queue === null
      ? []
      : [
          `${nameOf(one)}: ${about(one.queue.queueAheadAtEntryLots)} lots were ahead of an order at entry, ${about(one.queue.queueAheadAtFillLots)} at the fill (mean of ${counted(one.queue.fills, 'fill')} as maker).`,
        ],
  );
  const costHead = [
    ...['market', 'role', 'fills', 'turnover', 'fees', 'of turnover', 'spread captured', 'of turnover'],
    'mid unknown',
  ];
  return `<h2 id="fills">Fills</h2>
${table(costHead, costs)}
${queues.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
<h3>Later prices (markouts), in basis points: above 0 the price moved in favor of the fill</h3>
<div id="markouts" class="chart"></div>
${table(['market', 'measured from', ...horizons], later)}`;
}

/** Orders, quoting, inventory and returns. */
export function otherSections({ orders, quoting, inventory, returns }: ReportDocument): string {
  const whole = (count: number) => grouped(String(count));
  return `<h2 id="quoting">Quoting and inventory</h2>
${table(
  ['strategy', 'market', 'two-sided', 'bid', 'ask'],
  quoting.map((one) => [
    ...[
      one.strategy,
      one.symbol,
      percent(one.twoSidedUptime, 1),
      percent(one.bidUptime, 1),
      percent(one.askUptime, 1),
    ],
  ]),
)}
${table(
  ['market', 'final', 'max long', 'max short', 'mean absolute', 'flat'],
  inventory.map((one) => [
    ...[one.symbol, one.final, one.maxLong, one.maxShort, about(one.meanAbsolute)],
    percent(one.flatFraction, 1),
  ]),
  1,
)}
<h2>Orders</h2>
${words([
  ['intents', `${whole(orders.intents)}, ${whole(orders.denied)} orders denied by risk`],
  ['writes', whole(orders.writes)],
  ['orders placed', `${whole(orders.ordersPlaced)}, ${whole(orders.ordersRejected)} rejected`],
  [
    'ended',
    `${whole(orders.ordersFilled)} fully filled, ${whole(orders.ordersCanceled)} canceled or expired`,
  ],
  ...(orders.ordersBetweenLevels === undefined
    ? []
    : [['between the prices that the book shows', whole(orders.ordersBetweenLevels)] as const]),
  [
    'to trades',
    `${plain(orders.orderToTradeRatio)} orders placed and ${plain(orders.cancelToTradeRatio)} canceled for each fill`,
  ],
  ['with a fill', `${whole(orders.ordersWithFill)}, ${percent(orders.fillRatio)} of those that were placed`],
])}
<h2>Returns</h2>
${words([
  ['annualized return', percentAbout(returns.annualizedReturn)],
  ['annualized volatility', percentAbout(returns.annualizedVolatility)],
  ['Sharpe', about(returns.sharpe)],
  ['Sortino', about(returns.sortino)],
  ['Calmar', about(returns.calmar)],
  ['Omega', about(returns.omega)],
  ['exposure', percent(returns.exposure, 1)],
  [
    'drawdown',
    `${percent(returns.maxDrawdown, 4)}, ${grouped(returns.maxDrawdownAmount)} of the collateral${returns.maxDrawdownAt === null ? '' : ` at ${returns.maxDrawdownAt}`}`,
  ],
  [
    'convention',
    `${counted(returns.count, 'return')} of ${lengthText(returns.periodMs)}, ${about(returns.periodsPerYear)} of them a year of 365 days; drawdown sampled every ${lengthText(returns.samplePeriodMs)}; risk-free rate 0. ${returns.annualReason === null ? 'Annual figures extrapolate the returns of the run; they are no forecast.' : `No annual figures: ${returns.annualReason}.`}`,
  ],
])}`;
}

/** How strategies ended, and what was denied, rejected and held. */
export function courseSection({ outcomes, course, log }: ReportDocument): string {
  const ended = outcomes.map(({ strategy, state, reason, error, endedAt, unheard }) => [
    ...[strategy, outcomeWords(state), error?.at ?? endedAt ?? '', error?.name ?? ''],
    [reason, ...unheard.filter((text) => !reason.includes(text))].filter((text) => text !== '').join('; '),
  ]);
  const rows = (
    [
      ['denied', course.denials],
      ['rejected', course.rejections],
      ['halted', course.halts],
      ['no quotes', course.noQuotes],
    ] as const
  ).flatMap(([what, all]) =>
    all.map((row) => [
      ...[
        what,
        row.code,
        row.strategy ?? '',
        [row.symbol, row.side].filter(Boolean).join(' '),
        grouped(String(row.count)),
      ],
      row.seconds === 0 ? '' : lengthText(row.seconds * 1_000),
    ]),
  );
  const warned = log.warnings
    .slice(0, WARNINGS_SHOWN_MAX)
    .map(({ at, strategy, level, text }) => [at, strategy, level, text]);
  return `<h2>Outcome, denials and halts</h2>
${table(['strategy', 'outcome', 'at', 'error', 'reason'], ended, 5)}
${rows.length === 0 ? '<p class="soft">Nothing was denied, rejected or held, and quotes were always there.</p>' : table(['what', 'code or reason', 'strategy', 'market', 'times', 'for'], rows, 4)}
${warned.length === 0 ? '' : `<h2>Warnings</h2>\n${table(['time', 'strategy', 'level', 'line'], warned, 4)}`}`;
}

/** The configuration as it ran. */
export function parameterSection({ run }: ReportDocument): string {
  const rows = Object.entries(run.parameters);
  return rows.length === 0
    ? ''
    : `<details><summary>Configuration as it ran</summary>\n${words(rows)}</details>`;
}

/** What ran, on what, and what was assumed. */
export function runSection({ run }: ReportDocument): string {
  return `<h2 id="run">Run</h2>
${words([
  ['mode', run.mode],
  ['time', `${run.from} to ${run.to} (${lengthText(run.durationMs)}), UTC`],
  ['strategies', run.strategies.join(', ')],
  ['markets', run.markets.join(', ')],
  ['seed', String(run.seed)],
  ['configuration', run.configHash],
  ['code', run.codeHash],
  ...run.tapes.flatMap(({ name, hash, quality }) => [
    ['tape', `${name}: ${hash}`] as const,
    ...quality.map((line) => ['data quality', line] as const),
  ]),
  ...run.assumptions.map((text) => ['assumption', text] as const),
])}`;
}
