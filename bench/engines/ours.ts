/**
 * @module
 * The market and the rule through ballast: the whole runtime with risk gate, differ and record. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import type { StrategyContext, StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { lots, ppm, quantums, type Ticks } from '../../src/domain/index.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { benchMarkets, runOver } from '../goals/backtest/whole-runtime.ts';
import { commonRows } from './market.ts';

/** As many as of hftbacktest. The compiler goes on to work for a dozen of them. */
const RUNS = 25;
const US_PER_MS = 1_000;

interface Rule {
  readonly periodMs: number;
  readonly sizeLots: number;
  readonly positionLotsMax: number;
  readonly latencyMs: number;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  readonly queueExponent: number;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

/** Each period: one bid at the best bid and one ask at the best ask, while the position allows. */
function follower(context: StrategyContext, rule: Rule): StrategyHandlers {
  const [symbol] = context.symbols;
  const level = (priceTicks: Ticks) => [{ priceTicks, sizeLots: lots(rule.sizeLots) }];
  return {
    onStart: () => context.startInterval('round', rule.periodMs),
    onTimer: () => {
      if (symbol === undefined) return;
      const view = context.market(symbol);
      const { bestBidTicks: bid, bestAskTicks: ask, inventoryLots } = view;
      if (bid === undefined || ask === undefined) return;
      const canBuy = inventoryLots + rule.sizeLots <= rule.positionLotsMax;
      const canSell = inventoryLots - rule.sizeLots >= -rule.positionLotsMax;
      context.quote(symbol, { bids: canBuy ? level(bid) : [], asks: canSell ? level(ask) : [] });
    },
  };
}

const rule = JSON.parse(readFileSync(new URL('./rule.json', import.meta.url), 'utf8')) as Rule;
const rows = commonRows(openTape(process.argv[2] ?? ''));
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
for (let run = 0; run < RUNS; run++) {
  const began = performance.now();
  last = runOver(source, (context) => follower(context, rule), {
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
    fillTimesMs: record.fills.map(({ atMs }) => atMs),
  })}\n`,
);
