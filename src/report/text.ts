/** @module The report of a run as text for a terminal: groups of lines, a name and what there is to say. */
import { labeledText } from '../core/index.ts';
import type { FillsDocument, ReportDocument, RoleDocument } from './report-document.ts';
import { robustnessLines } from './robustness-section.ts';
import {
  about,
  bps,
  counted,
  grouped,
  lengthText,
  NOTHING,
  outcomeWords,
  percent,
  plain,
  shortHash,
  signed,
  whereOf,
} from './words.ts';

/** How many warnings the text shows. */
const WARNINGS_SHOWN_MAX = 10;

type Line = readonly [name: string, text: string];

/** The report as lines. */
export function textOf(report: ReportDocument): string {
  const lines: readonly Line[] = [
    ...runLines(report),
    ...pnlLines(report),
    ...returnLines(report),
    ...detailLines(report),
    ...robustnessLines(report.robustness),
    ...outcomeLines(report),
    ...orderLines(report),
    ...courseLines(report),
    ...fillLines(report.fills),
    ...report.inventory.map(
      (one): Line => [
        'inventory',
        `${one.symbol}: final ${one.final}, from ${one.maxShort} to ${one.maxLong}, mean absolute ${about(one.meanAbsolute)}, flat ${percent(one.flatFraction, 1)} of the time`,
      ],
    ),
    ...report.quoting.map(
      (one): Line => [
        'quoting',
        `${one.strategy} in ${one.symbol}: two-sided ${percent(one.twoSidedUptime, 1)} of the time, bid ${percent(one.bidUptime, 1)}, ask ${percent(one.askUptime, 1)}`,
      ],
    ),
    ...strategyLines(report),
    ...qualityLines(report),
    ...parameterLines(report),
    ...logLines(report),
  ];
  return lines.map(([name, text]) => labeledText(name, text, 14)).join('\n');
}

/** Of each tape that was imported. */
function qualityLines({ run }: ReportDocument): readonly Line[] {
  return run.tapes.flatMap(({ quality }) => quality.map((line): Line => ['data', line]));
}

function runLines({ run }: ReportDocument): readonly Line[] {
  return [
    ['run', `${run.mode} ${run.runId}, ${run.from} to ${run.to} (${lengthText(run.durationMs)})`],
    ['code', `${shortHash(run.codeHash)}, configuration ${shortHash(run.configHash)}, seed ${run.seed}`],
    ...run.tapes.map(({ name, hash }): Line => ['tape', `${name} ${shortHash(hash)}`]),
    ...run.assumptions.map((text): Line => ['assumption', text]),
  ];
}

function pnlLines({ pnl, run }: ReportDocument): readonly Line[] {
  return [
    [
      'PnL',
      `${signed(pnl.total)} = realized ${signed(pnl.realized)} + unrealized ${signed(pnl.unrealized)} + funding ${signed(pnl.funding)} - fees ${grouped(pnl.fees)}`,
    ],
    ...bandLines(pnl, run.assumptions.length > 0),
    [
      'equity',
      `${grouped(pnl.equityStart)} to ${grouped(pnl.equityEnd)} at mark prices, transfers ${signed(pnl.transfers)}, residual against the ledger ${pnl.residual}`,
    ],
    [
      'turnover',
      `${grouped(pnl.turnover)}, ${plain(pnl.turnoverRatio)} x equity, return on turnover ${bps(pnl.returnOnTurnoverBps)}`,
    ],
  ];
}

function bandLines(pnl: ReportDocument['pnl'], isModeled: boolean): readonly Line[] {
  const { band } = pnl;
  if (band !== null)
    return [['band', `${signed(band.low)} to ${signed(band.high)} around the PnL: ${band.basis}`]];
  return isModeled
    ? [['band', 'none: the fill and latency models of this run were not calibrated against own orders']]
    : [];
}

function returnLines({ returns }: ReportDocument): readonly Line[] {
  const period = lengthText(returns.periodMs);
  return [
    [
      'returns',
      `total ${percent(returns.total, 4)}, annualized ${percentAbout(returns.annualizedReturn)}, volatility ${percentAbout(returns.annualizedVolatility)}, Sharpe ${about(returns.sharpe)}, Sortino ${about(returns.sortino)}, Calmar ${about(returns.calmar)}, Omega ${about(returns.omega)}, exposure ${percent(returns.exposure, 1)}`,
    ],
    [
      '',
      returns.annualReason === null
        ? `from ${counted(returns.count, 'return')} of ${period}, ${about(returns.periodsPerYear)} of them a year, risk-free rate 0`
        : `no annual figures: ${returns.annualReason}`,
    ],
    [
      'drawdown',
      `${percent(returns.maxDrawdown, 4)} (${grouped(returns.maxDrawdownAmount)})${returns.maxDrawdownAt === null ? '' : ` at ${returns.maxDrawdownAt}`}, sampled every ${lengthText(returns.samplePeriodMs)}`,
    ],
  ];
}

/** The deepest drawdown, the market's own return, and round trips. */
function detailLines({ bootstrap, benchmark, roundTrips, drawdowns }: ReportDocument): readonly Line[] {
  const [trips] = roundTrips.rows;
  const [deepest] = drawdowns;
  return [
    ...(deepest === undefined
      ? []
      : [
          [
            '',
            `began ${deepest.begin}, ${deepest.recovery === null ? 'not recovered' : `recovered ${deepest.recovery}`}, ${lengthText(deepest.lengthMs)} long`,
          ] as const,
        ]),
    ...(bootstrap === null
      ? []
      : [
          [
            'bootstrap',
            `PnL from ${signed(bootstrap.p5)} (p5) to ${signed(bootstrap.p95)} (p95) over ${grouped(String(bootstrap.resamples))} resampled runs, ${percent(bootstrap.lossProbability, 1)} of them lost`,
          ] as const,
        ]),
    ...benchmark
      .filter(({ total }) => total !== null)
      .map(
        (one): Line => [
          'market',
          `${one.symbol} itself ${percent(one.total, 4)}, beta ${plain(one.beta, 4)}, correlation ${plain(one.correlation, 4)}`,
        ],
      ),
    ...(trips === undefined || trips.count === 0
      ? []
      : [
          [
            'round trips',
            `${grouped(String(trips.count))} (${roundTrips.method}), net ${signed(trips.net)}, win rate ${percent(trips.winRate, 1)}, profit factor ${plain(trips.profitFactor)}, average win ${trips.averageWin ?? NOTHING}, average loss ${trips.averageLoss ?? NOTHING}, held for ${lengthText(Math.round(trips.meanHoldingMs ?? 0))}`,
          ] as const,
        ]),
  ];
}

/** Annualized statistics of a short run are huge: their digits mean nothing. */
export function percentAbout(value: number | null): string {
  if (value === null || Math.abs(value) < 1_000) return percent(value);
  return `${(value * 100).toExponential(2)} %`;
}

function orderLines({ orders }: ReportDocument): readonly Line[] {
  const { intents, denied, writes, ordersPlaced, ordersFilled, ordersCanceled, ordersRejected } = orders;
  return [
    [
      'orders',
      `${grouped(String(ordersPlaced))} placed, ${grouped(String(ordersFilled))} fully filled, ${grouped(String(ordersCanceled))} canceled, ${grouped(String(ordersRejected))} rejected; ${percent(orders.fillRatio)} had a fill; for each fill ${plain(orders.orderToTradeRatio)} placed, ${plain(orders.cancelToTradeRatio)} canceled`,
    ],
    ...(orders.ordersBetweenLevels === undefined
      ? []
      : [
          [
            '',
            `${grouped(String(orders.ordersBetweenLevels))} came to rest between the prices that the book shows, each in the queue of the level that contains it`,
          ] as const,
        ]),
    [
      'intents',
      `${counted(intents, 'intent')}, ${grouped(String(denied))} orders denied by risk, ${counted(writes, 'write')}`,
    ],
  ];
}

/** How each strategy ended that did not simply run to the end. */
function outcomeLines({ outcomes }: ReportDocument): readonly Line[] {
  return outcomes
    .filter(({ state, unheard }) => state !== 'completed' || unheard.length > 0)
    .map(({ strategy, state, reason, error, endedAt, unheard }) => {
      const at = error === null ? endedAt : error.at;
      const when = at === null ? '' : ` at ${at}`;
      const name = error === null ? '' : ` (${error.name})`;
      const said = reason === '' ? unheard.join('; ') : reason;
      return ['outcome', `${strategy}: ${outcomeWords(state)}${name}${when}: ${said}`];
    });
}

/** What happened by code, reason and control. */
function courseLines({ course }: ReportDocument): readonly Line[] {
  return [
    ...course.denials.map(
      (row): Line => ['denied', `${counted(row.count, 'time')} ${row.code}${whereOf(row)}`],
    ),
    ...course.rejections.map(
      (row): Line => ['rejected', `${counted(row.count, 'time')} ${row.code}${whereOf(row)}`],
    ),
    ...course.halts.map(
      (row): Line => [
        'halted',
        `${row.code}${whereOf(row)}: ${counted(row.count, 'time')}, ${lengthText(row.seconds * 1_000)}`,
      ],
    ),
    ...course.noQuotes.map(
      (row): Line => ['no quotes', `${lengthText(row.seconds * 1_000)}${whereOf(row)}: ${row.code}`],
    ),
  ];
}

/** The parameters of the strategies; the whole configuration is in the document and on the page. */
function parameterLines({ run }: ReportDocument): readonly Line[] {
  return Object.entries(run.parameters)
    .filter(([name]) => name.startsWith('strategies.') && name.includes('.parameters.'))
    .map(([name, value]) => [
      'parameter',
      `${name.replace(/^strategies\./, '').replace('.parameters.', '.')} = ${value}`,
    ]);
}

/** The first warnings. */
function logLines({ log }: ReportDocument): readonly Line[] {
  const shown = log.warnings.slice(0, WARNINGS_SHOWN_MAX);
  const more = log.warnings.length - shown.length;
  return [
    ...shown.map(
      (line): Line => [
        line.level === 'warn' ? 'warning' : 'error',
        `${line.at} ${line.strategy}: ${line.text}`,
      ],
    ),
    ...(more > 0 ? [['', `and ${grouped(String(more))} more: --logs shows all lines`] as const] : []),
    ...(log.dropped > 0
      ? [
          [
            '',
            `${grouped(String(log.dropped))} lines came after the first ${grouped(String(log.kept))}, which are kept`,
          ] as const,
        ]
      : []),
  ];
}

function fillLines(fills: FillsDocument): readonly Line[] {
  const { queue } = fills;
  return [
    ...(['maker', 'taker'] as const).flatMap((role) => roleLines(role, fills[role])),
    ...(queue === null
      ? []
      : [
          [
            'queue',
            `${about(queue.queueAheadAtEntryLots)} lots ahead of an order at entry, ${about(queue.queueAheadAtFillLots)} at the fill (mean of ${counted(queue.fills, 'fill')} as maker)`,
          ] as const,
        ]),
  ];
}

function roleLines(name: 'maker' | 'taker', role: RoleDocument): readonly Line[] {
  if (role.fills === 0) return [[name, 'no fills']];
  const unknown = role.fillsWithoutFee > 0 ? `, ${counted(role.fillsWithoutFee, 'fee')} not known` : '';
  return [
    [
      name,
      `${counted(role.fills, 'fill')}, turnover ${grouped(role.turnover)}, fees ${grouped(role.fees)} (${bps(role.feesBps)}${unknown}), spread captured ${signed(role.spreadCapture)} (${bps(role.spreadCaptureBps)})`,
    ],
    ['  markout', role.markouts.map((at) => `${lengthText(at.horizonMs)} ${bps(at.bps)}`).join(', ')],
    [
      '  mid markout',
      role.markouts.map((at) => `${lengthText(at.horizonMs)} ${bps(at.midMarkoutBps)}`).join(', '),
    ],
  ];
}

function strategyLines({ byStrategy }: ReportDocument): readonly Line[] {
  return byStrategy.map((row) => [
    'strategy',
    `${row.strategy} in ${row.symbol}: ${signed(row.total)} (realized ${signed(row.realized)}, unrealized ${signed(row.unrealized)}, funding ${signed(row.funding)}, fees ${grouped(row.fees)}), turnover ${grouped(row.turnover)} (${bps(row.returnOnTurnoverBps)}), final position ${row.finalPosition}`,
  ]);
}
