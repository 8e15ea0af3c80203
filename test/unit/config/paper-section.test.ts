/** @module The section `paper`: latencies, fees, and what must hold between its parts. */
import { describe, expect, test } from 'vitest';
import { type Config, parseConfig } from '../../../src/config/index.ts';

const BASE = `
environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: a, module: ./a.ts, markets: [BTC-USD] }]
risk: { capital: 1000 }
`;

function paperOf(section: string): Config['paper'] {
  return parseConfig(`${BASE}\npaper:\n${section}\n`, '/here/c.yaml').config.paper;
}

describe('the section paper', () => {
  test('has defaults for everything', () => {
    const { paper } = parseConfig(BASE, 'c.yaml').config;
    expect(paper).toMatchObject({
      fillModel: 'queue-power',
      feedLatency: { kind: 'in-data' },
      entryLatency: { kind: 'constant', us: 5_000 },
      makerFeeBps: 200,
      takerFeeBps: 500,
    });
  });

  test('takes latencies down to a microsecond, and files beside the configuration', () => {
    const paper = paperOf('  entryLatency: 700us\n  responseLatency: 2s\n  feedLatency: lat.csv');
    expect(paper.entryLatency).toEqual({ kind: 'constant', us: 700 });
    expect(paper.responseLatency).toEqual({ kind: 'constant', us: 2_000_000 });
    expect(paper.feedLatency).toEqual({ kind: 'file', path: '/here/lat.csv' });
  });

  test('takes rebates as negative fees, exactly', () => {
    expect(paperOf('  makerFeeBps: -0.25').makerFeeBps).toBe(-25);
  });

  test.each([
    ['  makerFeeBps: 0.001', /at most two decimals/],
    ['  entryLatency: in-data', /a duration or a file/],
    ['  markets: [{ symbol: ETH-USD }]', /one of BTC-USD/],
    ['  markets: [{ symbol: BTC-USD }, { symbol: BTC-USD }]', /each market once/],
    ['  fillModel: touch', /trade-through/],
    [
      '  feeTiers: [{ minVolume30d: 5, makerFeeBps: 0, takerFeeBps: 0 }, { minVolume30d: 5, makerFeeBps: 0, takerFeeBps: 0 }]',
      /more than 5/,
    ],
  ])('error: %s', (section, message) => {
    expect(() => paperOf(section)).toThrow(message);
  });
});
