/**
 * @module
 * The section `paper`: the exchange that paper runs and backtests trade against. Nothing of it concerns a real one.
 */
import { z } from 'zod';
import { choice, decimal, decimalUpTo, duration, feeRate, integer, latency, symbol } from './scalars.ts';

const tier = z
  .strictObject({
    volume: decimal.describe(
      'Notional traded within the last 30 days of UTC from which the tier holds, in the collateral token.',
    ),
    makerFee: feeRate.describe('As `makerFee`.'),
    takerFee: feeRate.describe('As `takerFee`.'),
  })
  .describe('Fees from a volume on.');

const paperMarket = z
  .strictObject({
    symbol: symbol.describe('The market as the section `markets` names it.'),
    tape: symbol.optional().describe('Its name on the tape. Left out: the same.'),
    maxLeverage: integer(1, 1000).prefault('20').describe('Initial margin is 1/maxLeverage.'),
    maintenance: decimalUpTo('1')
      .prefault('0.6')
      .describe('Maintenance margin, as a fraction of the initial margin.'),
    minNotional: decimal.prefault('10').describe('Smallest notional of an order, in the collateral token.'),
  })
  .describe('The rules of one market. Price and size steps are those of the tape.');

/** See the module. */
export const paperSection = z
  .strictObject({
    collateral: decimal
      .optional()
      .describe('Cash at the beginning, in the collateral token. Left out: the capital of the section risk.'),
    fillModel: choice('trade-through', 'queue-risk-averse', 'queue-power', 'queue-log', 'fifo')
      .prefault('queue-power')
      .describe(
        'What fills a resting order: docs/concepts/fill-models.md. fifo needs a tape order by order.',
      ),
    queueExponent: decimalUpTo('10').prefault('3').describe('Of queue-power: n of f(x) = x^n.'),
    feedLatency: latency
      .prefault('in-data')
      .describe(
        'From the exchange to us, for market data: a duration (`5ms`, `700us`), `in-data` (as recorded), or a file with measured values: one number of microseconds a line, or `time,latency` in microseconds.',
      ),
    feedShift: duration
      .prefault('0ms')
      .describe("Of `in-data`: added to the recorder's times, where its clock ran behind the exchange's."),
    entryLatency: latency
      .prefault('5ms')
      .describe('From us to the exchange: a duration or a file, as `feedLatency`.'),
    responseLatency: latency
      .prefault('5ms')
      .describe(
        'From the exchange to us, for answers and own fills: a duration or a file, as `feedLatency`.',
      ),
    makerFee: feeRate
      .prefault('0.0002')
      .describe('Fee of a maker as a fraction of the notional, in steps of 0.000001; negative: a rebate.'),
    takerFee: feeRate.prefault('0.0005').describe('Fee of a taker, as `makerFee`.'),
    feeTiers: z.array(tier).default([]).describe('Fees by volume, lowest first. Empty: none.'),
    fundingHours: integer(1, 24)
      .prefault('1')
      .describe('Hours between settlements of funding, where the tape names rates but no settlements.'),
    samplePeriod: duration.prefault('1s').describe('Time between two samples of equity and inventory.'),
    markets: z
      .array(paperMarket)
      .default([])
      .describe('Rules of markets that differ from the defaults, and names on the tape.'),
  })
  .describe('The exchange that paper runs and backtests trade against.');
