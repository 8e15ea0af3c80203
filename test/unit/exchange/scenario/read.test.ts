import { describe, expect, test } from 'vitest';
import { BotError } from '../../../../src/core/index.ts';
import { loadScenario, parseScenario } from '../../../../src/exchange/scenario/read.ts';
import { checkScenario } from '../../../../src/exchange/scenario/run-scenario.ts';
import { loadCrypto } from '../../../../src/wire/crypto/index.ts';

function findings(text: string): string[] {
  try {
    parseScenario(text, 's.yaml');
    return [];
  } catch (thrown) {
    if (thrown instanceof BotError) return thrown.message.split('\n').slice(1);
    throw thrown;
  }
}

describe('parseScenario', () => {
  test('reads markets, settings, participants and events, every decimal exact', () => {
    const scenario = parseScenario(
      `name: own
seed: 9
start: 2026-01-05T00:00:00Z
settings: { blockInterval: 50ms, replicas: [0ms, 2s], takerFeeBps: 3.5, makerFeeBps: -0.2 }
quirks: { A4: full }
markets:
  - { symbol: DOGE-USD, priceDecimals: 5, sizeDecimals: 0, indexPrice: 0.12345, minNotional: 1.5 }
accounts:
  - { name: a, balance: 12.5 }
participants: { takersPerSecond: 2, makers: 1, markets: [DOGE-USD] }
events:
  - { at: 30s, every: 5s, repeat: 3, action: price, symbol: DOGE-USD, price: 0.2 }
`,
      'own.yaml',
    );
    expect(scenario).toMatchObject({
      name: 'own',
      seed: 9,
      startMs: Date.UTC(2026, 0, 5),
      settings: {
        blockMs: 50,
        replicas: [0, 2_000],
        takerFeePpm: 350,
        makerFeePpm: -20,
        quirks: { A4: 'full' },
      },
      accounts: [{ name: 'a', balance: '12.5', apiWallets: 2 }],
      participants: { markets: [0], noise: { perSecond: 2 } },
      events: [
        {
          atMs: 30_000,
          everyMs: 5_000,
          repeat: 3,
          name: 'price',
          input: { price: '0.2' },
          place: 'own.yaml:12:5',
        },
      ],
    });
    expect(scenario.markets?.[0]).toMatchObject({
      indexTicks: 12_345,
      market: { symbol: 'DOGE-USD', quantumsPerTickLot: 10n, minNotional: 1_500_000n },
    });
  });

  test('reads builder dexes, fee tiers and the insurance fund, and names what is wrong with them', () => {
    const deployer = `0x${'Dd'.repeat(20)}`;
    const { settings } = parseScenario(
      `settings: { insuranceFund: 12.5, liquidationFeeBps: 1, maxBuilderFeeBps: 0.5 }
dexes:
  - { id: eth, deployer: "${deployer}", symbols: [ETH-USD], feeScalePpm: 500000, deployerFeeBps: 0.4 }
feeTiers:
  - { volume: 1000000, takerFeeBps: 4, makerFeeBps: -0.1 }
  - { volume: 5000000, takerFeeBps: 3.5, makerFeeBps: -0.2 }
`,
      's.yaml',
    );
    expect(settings).toMatchObject({
      insuranceFund: 12_500_000n,
      liquidationFeePpm: 100,
      builderFeeMaxPpm: 50,
      dexes: [
        {
          id: 'eth',
          name: 'eth',
          deployer: deployer.toLowerCase(),
          feeScalePpm: 500_000,
          deployerFeePpm: 40,
        },
      ],
      feeTiers: [{ tier: 1 }, { tier: 2, volume: 5_000_000_000_000n, makerFeePpm: -20 }],
    });
    expect(
      findings(`settings: { insuranceFund: 0.0000001 }
dexes:
  - { id: a, deployer: "${deployer}", symbols: [ETH-USD, X] }
  - { id: a, deployer: "${deployer}", symbols: [ETH-USD] }
feeTiers:
  - { volume: 2, takerFeeBps: 4, makerFeeBps: 0 }
  - { volume: 2, takerFeeBps: 3.5, makerFeeBps: 0 }
`),
    ).toEqual([
      's.yaml:1:28: settings.insuranceFund: expected at most 6 decimals, got "0.0000001"',
      's.yaml:3:89: dexes[0].symbols[1]: expected one of BTC-USD, ETH-USD, got "X"',
      's.yaml:4:11: dexes[1].id: expected an id of its own, got a again',
      's.yaml:4:80: dexes[1].symbols[0]: expected each market in one dex, got ETH-USD again',
      's.yaml:7:15: feeTiers[1].volume: expected more than the tier before, got "2"',
    ]);
  });

  test('an empty file is a scenario in which nothing happens', () => {
    expect(parseScenario('', 'x.yaml')).toMatchObject({ name: 'x', events: [], accounts: undefined });
  });

  test('names file, line and column of everything that is wrong, and what was expected', () => {
    expect(
      findings(`seed: -1
sede: 3
quirks: { A4: sometimes, A99: x }
markets:
  - { symbol: X, priceDecimals: 4, sizeDecimals: 3, indexPrice: 1 }
  - { symbol: Y, priceDecimals: 1, sizeDecimals: 3, indexPrice: 0.05 }
accounts:
  - { name: a }
  - { name: a, balance: 1e6 }
participants: { kind: crowd }
events:
  - { at: 30, action: price }
  - { at: 30s, action: prise }
  - { at: 30s, action: price, symbol: Y, prise: 1 }
  - { at: 1s, action: clear-faults, repeat: 2 }
  - state
`),
    ).toEqual([
      's.yaml:2:1: sede: expected one of name, description, seed, start, settings, quirks, markets, dexes, feeTiers, accounts, participants, events, got "sede"',
      's.yaml:1:7: seed: expected an integer from 0 to 4294967295, got "-1"',
    ]);
  });

  test('a fee is exact: a fraction of a basis point that is no whole ppm is an error with its place', () => {
    expect(
      findings(`settings: { takerFeeBps: 0.005, makerFeeBps: -0.5 }
dexes:
  - { id: a, deployer: "0x${'dd'.repeat(20)}", symbols: [ETH-USD], deployerFeeBps: 1001 }
feeTiers:
  - { volume: 2, takerFeeBps: 4, makerFeeBps: 0.255 }
`),
    ).toEqual([
      's.yaml:1:26: settings.takerFeeBps: expected basis points from 0 to 1000, with at most 2 decimals, got "0.005"',
      's.yaml:3:106: dexes[0].deployerFeeBps: expected basis points from 0 to 1000, with at most 2 decimals, got "1001"',
      's.yaml:5:47: feeTiers[0].makerFeeBps: expected basis points from -1000 to 1000, with at most 2 decimals, got "0.255"',
    ]);
  });

  test('goes on to the sections when the top is right', () => {
    expect(
      findings(`quirks: { A4: sometimes, A99: x }
markets:
  - { symbol: X, priceDecimals: 4, sizeDecimals: 3, indexPrice: 1 }
  - { symbol: Y, priceDecimals: 1, sizeDecimals: 3, indexPrice: 0.05 }
accounts:
  - { name: a }
  - { name: a, balance: 1e6 }
  - { name: a }
participants: { kind: crowd }
events:
  - { at: 30, action: price }
  - { at: 30s, action: prise }
  - { at: 30s, action: price, symbol: Y, prise: 1 }
  - { at: 1s, action: clear-faults, repeat: 2 }
  - state
start: yesterday
`),
    ).toEqual([
      's.yaml:9:23: participants.kind: expected one of synthetic, none, got "crowd"',
      's.yaml:1:15: quirks.A4: expected one of delta, full, got "sometimes"',
      's.yaml:1:26: quirks.A99: expected A1 to A20, got "A99"',
      's.yaml:3:50: markets[0].sizeDecimals: expected at most 6 together with priceDecimals, got "3"'.replace(
        '"3"',
        '3',
      ),
      's.yaml:4:65: markets[1].indexPrice: expected a price above zero with at most 1 decimals, got "0.05"',
      's.yaml:16:8: start: expected an instant like 2026-01-05T00:00:00Z, got "yesterday"',
      's.yaml:7:25: accounts[1].balance: expected decimal text like "12.5", not negative, got "1e6"',
      's.yaml:8:13: accounts[2].name: expected a name of its own, got a again',
      's.yaml:11:11: events[0].at: expected a duration from 0ms to 24h, got "30"',
      expect.stringMatching(/^s\.yaml:12:24: events\[1\]\.action: expected .*, got "prise"$/),
      's.yaml:13:42: events[2].prise: expected one of symbol, price, got "prise"',
      's.yaml:13:5: events[2].price: expected decimal text like "12.5", not negative, got nothing',
      's.yaml:14:37: events[3].repeat: expected every beside it, got nothing',
      's.yaml:15:5: events[4]: expected a section with at and action, got "state"',
    ]);
  });

  test.each([
    ['a: [', 'expected well-formed YAML'],
    ['a: 1\na: 2', 'expected well-formed YAML'],
    ['a: *b', 'expected'],
    ['- 1', 'expected names with values, got a list of 1'],
    ['x'.repeat(1_000_001), 'at most 1000000 characters'],
  ])('%.20s is refused with a place', (text, expected) => {
    expect(findings(text)[0]).toMatch(/^s\.yaml:\d+:\d+: /);
    expect(findings(text)[0]).toContain(expected);
  });

  test('a file that is not there is named', () => {
    expect(() => loadScenario('/nowhere/x.yaml')).toThrow('expected a readable scenario at /nowhere/x.yaml');
  });
});

describe('checkScenario', () => {
  test('finds what only the exchange knows, with its place', async () => {
    const scenario = parseScenario(
      `accounts: [{ name: a }]
events:
  - { at: 2s, action: fund, account: b, amount: 5 }
  - { at: 1s, action: price, symbol: NONE, price: 5 }
  - { at: 3s, action: account, name: c }
  - { at: 4s, action: fund, account: c, amount: 5.1234567 }
`,
      's.yaml',
    );
    const thrown: unknown = await checkScenario(scenario, await loadCrypto()).catch(
      (error: unknown) => error,
    );
    expect((thrown as BotError).message.split('\n').slice(1)).toEqual([
      's.yaml:4:5: symbol: expected one of BTC-USD, ETH-USD, got "NONE"',
      's.yaml:3:5: account: expected a wallet address, or the name of an account made here (a), got "b"',
      's.yaml:6:5: amount: expected an amount with at most 6 decimals, got "5.1234567"',
    ]);
  });
});
