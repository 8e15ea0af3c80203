import { describe, expect, test } from 'vitest';
import { amountOf, liveNeeds, parseConfig, yamlWith } from '../../../src/config/index.ts';
import { BotError } from '../../../src/core/index.ts';

const GOOD = `environment:
  name: sim
markets:
  - symbol: BTC-USD
    leverage: 5
strategies:
  - name: ladder
    module: ../strategies/two-sided-ladder/index.ts
    markets: [BTC-USD]
    parameters:
      size: 0.10
risk:
  capital: 10000
`;

/** The findings of a text, one line each. */
function findingsOf(text: string): string[] {
  try {
    parseConfig(text, '/etc/ballast/bot.yaml');
  } catch (error) {
    if (error instanceof BotError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('parseConfig', () => {
  test('keeps decimals digit for digit and fills in defaults (obligation O6)', () => {
    const { config } = parseConfig(GOOD, '/etc/ballast/bot.yaml');
    expect(config.strategies[0]?.parameters['size']).toBe('0.10');
    expect(config.risk.capital.toFixed()).toBe('10000');
    expect(config.deadMansSwitch).toEqual({ heartbeat: 5000, timeout: 20_000, guardian: true });
    expect(config.risk.maxWritesPerSecond).toBe(10);
    expect(config.strategies[0]?.module).toBe('/etc/strategies/two-sided-ladder/index.ts');
  });

  test('is frozen', () => {
    const { config } = parseConfig(GOOD, '/etc/ballast/bot.yaml');
    expect(Object.isFrozen(config.strategies[0])).toBe(true);
  });

  test('never turns an unquoted address into a number', () => {
    const address = '0x00000000000000000000000000000000000000AA';
    const { config } = parseConfig(`${GOOD}account:\n  address: ${address}\n`, '/etc/ballast/bot.yaml');
    expect(config.account.address).toBe(address.toLowerCase());
  });

  const withAddress = (address: string) => `${GOOD}account:\n  address: '${address}'\n`;

  test.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  ])('takes an address in its checksum or in one case: %s (EIP-55)', (address) => {
    const { config } = parseConfig(withAddress(address), '/etc/ballast/bot.yaml');
    expect(config.account.address).toBe(address.toLowerCase());
  });

  test.each([
    ['a letter in the wrong case', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a digit that was mistyped', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe1'],
  ])('error: an address with %s is refused by name (EIP-55)', (_what, address) => {
    expect(findingsOf(withAddress(address))).toEqual([
      `bot.yaml:15:12: account.address: expected an address whose capital letters fit its digits (EIP-55), or of one case: copy it again from the wallet, got "${address}"`,
    ]);
  });

  test('reports every error with file, line, column, key, expected and found', () => {
    const text = GOOD.replace('leverage: 5', 'leverage: five')
      .replace('capital: 10000', 'capital: 1e4\n  capitol: 3')
      .replace('markets: [BTC-USD]', 'markets: []');
    expect(findingsOf(text)).toEqual([
      'bot.yaml:5:15: markets[0].leverage: expected an integer from 1 to 100, got "five"',
      'bot.yaml:9:14: strategies[0].markets: expected at least one market, got a list of 0',
      'bot.yaml:13:12: risk.capital: expected a decimal like 1000 or 0.25, got "1e4"',
      'bot.yaml:14:3: risk.capitol: expected a known key, such as capital (see docs/reference/config.md), got "capitol"',
    ]);
  });

  test('names a missing section at the file', () => {
    expect(findingsOf('environment:\n  name: sim\n')).toEqual([
      'bot.yaml:1:1: markets: expected a list, got nothing',
      'bot.yaml:1:1: strategies: expected a list, got nothing',
      'bot.yaml:1:1: risk: expected a section with keys, got nothing',
    ]);
  });

  test('refuses a key that stands twice and broken YAML, with their places', () => {
    expect(findingsOf(`${GOOD}risk:\n  capital: 5\n`)[0]).toContain('bot.yaml:14:1');
    expect(findingsOf('environment: [')[0]).toContain('well-formed YAML');
  });

  test('refuses an alias bomb', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`;
    expect(() => parseConfig(bomb, '/etc/ballast/bot.yaml')).toThrow();
  });

  test('needs a base URL outside of the embedded exchange; for orders an address and a trading wallet, too', () => {
    const keys = (lines: readonly string[]) => lines.map((line) => line.split(':')[3]?.trim());
    expect(keys(findingsOf(GOOD.replace('name: sim', 'name: test')))).toEqual(['environment.baseUrl']);
    const gateway = GOOD.replace('name: sim', 'name: test\n  baseUrl: https://gateway.test');
    expect(liveNeeds(parseConfig(GOOD, '/etc/ballast/bot.yaml'))).toEqual([]);
    expect(liveNeeds(parseConfig(gateway, '/etc/ballast/bot.yaml')).map(({ key }) => key)).toEqual([
      'account.address',
      'wallets',
    ]);
  });

  test('refuses a strategy on a market that is not declared', () => {
    expect(findingsOf(GOOD.replace('markets: [BTC-USD]', 'markets: [DOGE-USD]'))[0]).toContain(
      'one of BTC-USD',
    );
  });

  test('reports what is wrong between sections together with what is wrong in others', () => {
    const text = GOOD.replace('markets: [BTC-USD]', 'markets: [ETH-USD]').replace('10000', '-1');
    expect(
      findingsOf(`${text}deadMansSwitch: { heartbeat: 20s, timeout: 60s }\nlog: { levle: info }\n`),
    ).toEqual([
      expect.stringContaining('risk.capital: expected a decimal like'),
      expect.stringContaining('deadMansSwitch.heartbeat: expected a duration from 1s to 10s'),
      expect.stringContaining('log.levle: expected a known key'),
      expect.stringContaining('strategies[0].markets[0]: expected one of BTC-USD'),
    ]);
  });

  test('refuses a switch that one lost heartbeat would fire', () => {
    expect(findingsOf(`${GOOD}deadMansSwitch:\n  heartbeat: 5s\n  timeout: 9s\n`)[0]).toContain(
      'at least three heartbeats',
    );
  });

  test('an unknown key is named with the nearest key of its section, if one is like it', () => {
    const text = GOOD.replace('capital: 10000', 'capital: 10000\n  orderNotionalMaxOfCapital: 10%');
    expect(findingsOf(`${text}switch: {}\nlog: { zzz: info }\n`)).toEqual([
      expect.stringContaining(
        'risk.orderNotionalMaxOfCapital: expected a known key, such as maxOrderNotional (see',
      ),
      expect.stringContaining('log.zzz: expected a known key (see'),
      expect.stringContaining('switch: expected a known key, such as deadMansSwitch (see'),
    ]);
  });

  const withOrderLimit = (limit: string) => GOOD.replace('10000', `10000\n  maxOrderNotional: ${limit}`);

  test.each([
    ['10%', '1000'],
    ['2.5%', '250'],
    ['0%', '0'],
    ['100%', '10000'],
    ['5000', '5000'],
    ['1.5', '1.5'],
  ])('a limit of capital is a percentage or an amount: %s of 10000 is %s', (limit, amount) => {
    const { risk } = parseConfig(withOrderLimit(limit), '/etc/ballast/bot.yaml').config;
    expect(amountOf(risk.maxOrderNotional, risk.capital).toFixed()).toBe(amount);
  });

  test.each([
    ['0.10', 'write 10% or an amount'],
    ['1', 'write 100% or an amount'],
    ['101%', 'a percentage of the capital like 10%, at most 100%, or an amount like 5000'],
    ['-5%', 'a percentage of the capital like 10%, at most 100%, or an amount like 5000'],
    ['10 %', 'a percentage of the capital like 10%, at most 100%, or an amount like 5000'],
    ["'%'", 'a percentage of the capital like 10%, at most 100%, or an amount like 5000'],
    ['1%%', 'a percentage of the capital like 10%, at most 100%, or an amount like 5000'],
  ])('error: a limit of capital of %s', (limit, expected) => {
    const found = findingsOf(withOrderLimit(limit));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`risk.maxOrderNotional: expected a percentage`);
    expect(found[0]).toContain(expected);
  });

  const withRisk = (line: string) => GOOD.replace('10000', `10000\n  ${line}`);

  test.each([
    ['priceCollar: 0.11', 'a decimal from 0 to 0.1'],
    ['minMarginCoverage: 1.1', 'a decimal from 1.2 to 100'],
    [
      'maxPositionNotional: 301%',
      'a percentage of the capital like 10%, at most 300%, or an amount like 5000',
    ],
    ['maxPositionNotional: 30001', 'at most 300% of the capital, which is 30000'],
    ['maxWritesPerSecond: 101', 'an integer from 1 to 100'],
    ['minSwitchTimeLeft: 999ms', 'a duration from 1s to 2m'],
    ['maxMarketDataAge: 11s', 'a duration from 1ms to 10s'],
    ['minGrantTimeLeft: 1m', 'a duration from 2m to 87600h'],
  ])('error: a limit beyond its bound is named by its key and its line: %s', (line, expected) => {
    const [key = '', value = ''] = line.split(': ');
    const column = 3 + key.length + 2;
    expect(findingsOf(withRisk(line))).toEqual([
      expect.stringMatching(
        new RegExp(`^bot\\.yaml:14:${column}: risk\\.${key}: expected .*, got "?${value}"?$`),
      ),
    ]);
    expect(findingsOf(withRisk(line))[0]).toContain(expected);
  });

  test('takes a limit at its bound, as percentage and as amount', () => {
    expect(findingsOf(withRisk('maxPositionNotional: 300%'))).toEqual([]);
    expect(findingsOf(withRisk('maxPositionNotional: 30000'))).toEqual([]);
  });

  test('a key that another key makes meaningless is an error, not ignored', () => {
    const text = `${GOOD}feeds:
  - { name: rate, kind: http, url: 'https://rate.example', idleTimeout: 5s }
  - { name: mood, kind: ws, url: 'wss://mood.example', pollInterval: 5s }
  - { name: desk, kind: file, file: desk.jsonl, url: 'wss://mood.example', pollInterval: 5s }
paper: { fillModel: fifo, queueExponent: 2, feedLatency: 5ms, feedClockOffset: 1ms }
sweep:
  trials: 10
  parameters: { ladder.levels: { values: [1, 2] } }
`;
    expect(findingsOf(text)).toEqual([
      expect.stringMatching(
        /^bot\.yaml:17:\d+: feeds\[2\]\.url: expected nothing, since kind file does not use it \(kind http or ws does\), got "wss:/,
      ),
      expect.stringMatching(/^bot\.yaml:16:\d+: feeds\[1\]\.pollInterval: .*kind ws does not.*, got "5s"$/),
      expect.stringMatching(/^bot\.yaml:15:\d+: feeds\[0\]\.idleTimeout: .*kind http does not/),
      expect.stringMatching(/^bot\.yaml:18:\d+: paper\.queueExponent: .*fillModel fifo does not/),
      expect.stringMatching(/^bot\.yaml:18:\d+: paper\.feedClockOffset: .*feedLatency constant does not/),
      expect.stringMatching(/^bot\.yaml:20:\d+: sweep\.trials: .*method grid does not.*random or nsga2 does/),
    ]);
  });

  test('a default that another key makes meaningless is no error', () => {
    expect(findingsOf(`${GOOD}paper: { fillModel: fifo, feedLatency: 5ms }\n`)).toEqual([]);
  });

  test('refuses prototype keys', () => {
    expect(findingsOf(`${GOOD}__proto__:\n  polluted: yes\n`).length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a text for another folder has every path as seen from there', () => {
  const text = `${GOOD}paper: { feedLatency: waits/feed.csv, entryLatency: 5ms }
feeds: [{ name: news, kind: file, file: ./news.jsonl }]
log: { file: /var/log/bot.log }
journal: { folder: state/journal }
record: { enabled: true, folder: ../tapes }
`;
  const source = parseConfig(text, '/etc/ballast/bot.yaml');
  const moved = yamlWith(
    source,
    { 'ladder.size': '0.2' },
    { folder: '/home/runs/swept', tape: '/home/tapes/day' },
  );
  const { config } = parseConfig(moved, '/home/runs/swept/best-1.yaml');
  expect({ ...config, file: source.config.file }).toEqual({
    ...source.config,
    tape: '/home/tapes/day',
    strategies: [{ ...source.config.strategies[0], parameters: { size: '0.2' } }],
  });
  expect(moved).toContain('feedLatency: ../../../etc/ballast/waits/feed.csv');
  expect(moved).toContain('file: /var/log/bot.log');
});
