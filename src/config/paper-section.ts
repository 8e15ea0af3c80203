/**
 * @module
 * The section `paper`: the exchange that paper runs and backtests trade against. Nothing of it concerns a real one.
 */
import { z } from 'zod';
import { choice, decimal, decimalUpTo, durationFrom, feeBps, integer, latency, symbol } from './scalars.ts';

const HOUR_MS = 3_600_000;
const FUNDING_INTERVAL = 'full hours from 1h to 24h';

const tier = z
  .strictObject({
    minVolume30d: decimal.describe(
      'Notional traded within the last 30 days of UTC from which the tier applies, in the collateral token.',
    ),
    makerFeeBps: feeBps.describe('As `paper.makerFeeBps`.'),
    takerFeeBps: feeBps.describe('As `paper.takerFeeBps`.'),
  })
  .describe('Fees from a volume on.');

const paperMarket = z
  .strictObject({
    symbol: symbol.describe('The market as the section `markets` names it.'),
    tapeSymbol: symbol.optional().describe('Its name on the tape. Left out: the same.'),
    maxLeverage: integer(1, 1000).prefault('20').describe('Initial margin is 1/maxLeverage.'),
    maintenanceMarginFraction: decimalUpTo('1')
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
    feedClockOffset: durationFrom('0ms', '24h')
      .prefault('0ms')
      .describe(
        "Of `in-data`: added to the recorder's times, where its clock was late by the exchange's clock.",
      ),
    entryLatency: latency
      .prefault('5ms')
      .describe('From us to the exchange: a duration or a file, as `feedLatency`.'),
    responseLatency: latency
      .prefault('5ms')
      .describe(
        'From the exchange to us, for answers and own fills: a duration or a file, as `feedLatency`.',
      ),
    makerFeeBps: feeBps
      .prefault('2')
      .describe('Fee of a maker in basis points of the notional, in steps of 0.01; negative: a rebate.'),
    takerFeeBps: feeBps.prefault('5').describe('Fee of a taker, as `makerFeeBps`.'),
    feeTiers: z.array(tier).default([]).describe('Fees by volume, lowest first. Empty: none.'),
    fundingInterval: durationFrom('1h', '24h')
      .refine((ms) => ms % HOUR_MS === 0, { error: FUNDING_INTERVAL })
      .meta({ title: FUNDING_INTERVAL })
      .prefault('1h')
      .describe('Time between settlements of funding, where the tape has rates but no settlements.'),
    sampleInterval: durationFrom('10ms')
      .prefault('1s')
      .describe('Time between two samples of equity and inventory.'),
    markets: z
      .array(paperMarket)
      .default([])
      .describe('Rules of markets that differ from the defaults, and names on the tape.'),
  })
  .describe('The exchange that paper runs and backtests trade against.');
