/** @module The exchange of paper and backtests, from configuration and tape: rules, names, latencies of files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Config, parseConfig } from '../../../../src/config/index.ts';
import {
  collateralDecimalsOf,
  fillModelSettingsOf,
  latencyOf,
  localMarketsOf,
  localTermsOf,
} from '../../../../src/research/backtest/paper-settings.ts';
import type { TapeMarket } from '../../../../src/tape/format/index.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-latency-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

function configOf(paper: string): Config {
  return parseConfig(
    `
environment: { name: sim }
markets: [{ symbol: BTC-USD, leverage: 5 }]
strategies: [{ name: a, module: ./a.ts, markets: [BTC-USD] }]
risk: { capital: 1000 }
paper:
${paper}
`,
    'c.yaml',
  ).config;
}

function tapeMarket(symbol: string, changes: Partial<TapeMarket> = {}): TapeMarket {
  return { symbol, priceDecimals: 2, sizeDecimals: 3, tickStep: 1, lotStep: 1, depth: 'levels', ...changes };
}

describe('localMarketsOf', () => {
  const tape = { name: 'tape', markets: [tapeMarket('ETHUSDT'), tapeMarket('BTCUSDT', { tickStep: 10 })] };

  test('finds a market under its name on the tape, at its place, with the rules of the configuration', () => {
    const config = configOf(
      '  markets: [{ symbol: BTC-USD, tapeSymbol: BTCUSDT, maxLeverage: 50, minNotional: 5 }]',
    );
    const markets = localMarketsOf(config, tape, 6);
    expect(markets.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTC-USD']);
    // The leverage of the section markets is below what the exchange would give.
    expect(markets[1]).toMatchObject({
      ...{ signingMarketId: 1, tickStep: 10, quantumsPerTickLot: 10n },
      ...{ initialMarginPpm: 200_000, minNotional: 5_000_000n },
    });
  });

  test('error: a market that the tape does not hold', () => {
    expect(() => localMarketsOf(configOf('  makerFeeBps: 0'), tape, 6)).toThrow(
      'expected market BTC-USD on tape tape, got ETHUSDT, BTCUSDT',
    );
  });

  test('makes money as fine as the finest market needs', () => {
    expect(collateralDecimalsOf([tapeMarket('A')])).toBe(6);
    expect(collateralDecimalsOf([tapeMarket('A', { priceDecimals: 5 })])).toBe(8);
  });
});

describe('terms', () => {
  test('take the capital as cash where none is named, and fees as they are', () => {
    const config = configOf(
      '  makerFeeBps: -0.2\n  feeTiers: [{ minVolume30d: 1000, makerFeeBps: 0, takerFeeBps: 3 }]',
    );
    expect(localTermsOf(config, 6)).toMatchObject({
      collateral: 1_000_000_000n,
      fees: { makerPpm: -20, takerPpm: 500 },
      feeTiers: [{ volumeMin: 1_000_000_000n, makerPpm: 0, takerPpm: 300 }],
    });
    expect(fillModelSettingsOf(config)).toEqual({ name: 'queue-power', exponent: 3 });
    expect(fillModelSettingsOf(configOf('  fillModel: trade-through'))).toEqual({ name: 'trade-through' });
  });
});

describe('latencyOf', () => {
  function fileOf(text: string) {
    const path = join(FOLDER, 'latency.csv');
    writeFileSync(path, text);
    return latencyOf({ kind: 'file', path });
  }

  test('reads measured values, and values with their times', () => {
    expect(fileOf('# us\n700\n900\n\n1200\n')).toEqual({ kind: 'sampled', us: [700, 900, 1200] });
    expect(fileOf('10,700\n20,900\n')).toEqual({
      ...{ kind: 'recorded', atUs: Float64Array.of(10, 20) },
      us: Float64Array.of(700, 900),
    });
  });

  test.each([
    ['', /at least one value/],
    ['1.5\n', /in line 1, got "1.5"/],
    ['5\n6,7\n', /in line 2/],
    ['1,2,3\n', /in line 1/],
    ['20,1\n10,1\n', /times that rise/],
  ])('error: %j', (text, message) => {
    expect(() => fileOf(text)).toThrow(message);
  });

  test('error: a file that is not there', () => {
    expect(() => latencyOf({ kind: 'file', path: join(FOLDER, 'none.csv') })).toThrow('a readable file');
  });
});
