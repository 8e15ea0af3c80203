/** @module The result of a run as text for people: what was done, what it cost, what is proven. */
import { heldText, isProven, type RunReport } from '../../bot/live/index.ts';
import { labeledText } from '../../core/index.ts';

/** The report as lines. */
export function describeReport(report: RunReport): string {
  const seconds = (report.durationMs / 1000).toFixed(1);
  const position = Object.entries(report.position)
    .map(([symbol, size]) => `${symbol} ${size}`)
    .join(', ');
  const held = heldText(report);
  const lines: readonly (readonly [string, string])[] = [
    [
      'run',
      `${report.mode} on ${report.environment} (${report.market} market), ${seconds} s, ended by ${report.stopReason}`,
    ],
    [
      'writes',
      `${report.ordersPlaced} orders placed, ${report.ordersCanceled} canceled, ${report.replaces} replaces`,
    ],
    [
      'fills',
      `${report.fills} (${report.buyFills} buy, ${report.sellFills} sell, ${report.makerFills} as maker), volume ${report.volume}`,
    ],
    ['PnL', `${report.pnl}, fees ${report.feesPaid}, funding ${report.fundingPaid}, position ${position}`],
    ...(report.band === undefined
      ? []
      : [
          ['band', `${report.band.low} to ${report.band.high} around the PnL: ${report.band.basis}`] as const,
        ]),
    ['deadman', `armed ${report.switch.armed} times, fired ${report.switch.fired} times`],
    [
      'exchange',
      `${report.openOrders} open orders (${report.openOrdersProof}), ${report.unresolved} unresolved writes, ledger residual ${report.ledgerResidual}`,
    ],
    ...Object.entries(report.strategies).map(
      ([name, strategy]) =>
        [
          'strategy',
          `${name}: ${strategy.fills} fills, PnL ${strategy.pnl}, ${strategy.state}${strategy.reason === undefined ? '' : `: ${strategy.reason}`}`,
        ] as const,
    ),
    ...(report.recording === undefined ? [] : [['recording', countersText(report.recording)] as const]),
    ...(report.notRecorded === undefined ? [] : [['not recorded', report.notRecorded] as const]),
    [
      'proof',
      isProven(report)
        ? 'proven: no open orders; bot and exchange agree on every fill, position and amount'
        : 'NOT PROVEN',
    ],
    ...(report.mode === 'paper' || held === undefined
      ? []
      : [['position', `held: ${held}. Nobody manages it now: \`ballast run\` takes it up again`] as const]),
    ...report.differences.slice(0, 20).map((difference) => ['differs', difference] as const),
  ];
  return lines.map(([name, text]) => labeledText(name, text, 10)).join('\n');
}

function countersText(counters: Readonly<Record<string, number>>): string {
  return Object.entries(counters)
    .filter(([name, count]) => count !== 0 && name !== 'recordedAtMs')
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
