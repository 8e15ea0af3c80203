/**
 * @module
 * `ours.ts <tape> <runs>`: the market and the rule through ballast in one process, the whole runtime with risk checks, order
 * diff and record, so many times. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { ppm, quantums } from '../../src/domain/index.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { benchMarkets, runOver } from '../goals/backtest/whole-runtime.ts';
import { followTouch } from './follow-touch.ts';
import { wholeBatch } from './market.ts';
import type { Rule } from './study.ts';

const US_PER_MS = 1_000;

const rule = JSON.parse(readFileSync(new URL('./rule.json', import.meta.url), 'utf8')) as Rule;
const rows = wholeBatch(openTape(process.argv[2] ?? ''));
const [base] = benchMarkets(1);
const { priceDecimals, sizeDecimals } = rule;
const markets =
  base === undefined ? [] : [{ ...base, priceDecimals, sizeDecimals, quantumsPerTickLot: 100n }];
const source = {
  ...{ name: 'market', hash: '', rows: rows.rows, markets },
  fromUs: rows.exchangeUs[0] ?? 0,
  toUs: rows.exchangeUs[rows.rows - 1] ?? 0,
  *batches() {
    yield rows;
  },
};
const us = rule.latencyMs * US_PER_MS;
const constant = { kind: 'constant', us } as const;
const seconds: number[] = [];
let last: ReturnType<typeof runOver> | undefined;
for (let run = 0; run < Number(process.argv[3]); run++) {
  const began = performance.now();
  last = runOver(source, (context) => followTouch(context, rule), {
    feed: constant,
    latency: { entry: constant, response: constant },
    fillModel: { name: 'queue-power', exponent: rule.queueExponent },
    venue: {
      fees: { makerPpm: ppm(rule.makerFeePpm), takerPpm: ppm(rule.takerFeePpm) },
      collateral: quantums(10n ** 15n),
    },
  });
  seconds.push((performance.now() - began) / 1_000);
}
if (last === undefined) throw new Error('expected a run');
const { record } = last;
process.stdout.write(
  `${JSON.stringify({
    engine: 'ballast',
    rows: rows.rows,
    seconds,
    orders: record.counts.ordersPlaced,
    fills: record.fills.length,
    volumeLots: record.fills.reduce((sum, { sizeLots }) => sum + sizeLots, 0),
    positionLots: record.byStrategy[0]?.finalLots ?? 0,
  })}\n`,
);
