/** docs/guides/write-a-strategy.md says what is: its code runs, its tables are complete, its configuration loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import slicer from '../../docs/guides/examples/buy-in-slices.ts';
import exiter from '../../docs/guides/examples/buy-with-exits.ts';
import first from '../../docs/guides/examples/first-strategy.ts';
import stopper from '../../docs/guides/examples/sell-below.ts';
import seller from '../../docs/guides/examples/slice-seller.ts';
import { HANDLER_NAMES } from '../../src/bot/strategy/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../support/scripted-context.ts';
import { aFill, aWorkingOrder, BTC } from '../support/trading-builders.ts';
import { ROOT } from '../tidy/source.ts';

const FOLDER = join(ROOT, 'docs', 'guides');
const page = readFileSync(join(FOLDER, 'write-a-strategy.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');

function aMarket(): ScriptedMarket {
  const market = new ScriptedMarket();
  market.bids = [[999_000, 500]];
  market.asks = [[1_001_000, 500]];
  return market;
}

describe('write-a-strategy.md', () => {
  test('shows code of its examples, word for word', () => {
    const examples = readdirSync(join(FOLDER, 'examples')).map((name) =>
      readFileSync(join(FOLDER, 'examples', name), 'utf8'),
    );
    expect(blocks('ts').length).toBeGreaterThanOrEqual(3);
    for (const block of blocks('ts')) expect(examples.some((example) => example.includes(block))).toBe(true);
  });

  test('names every handler', () => {
    const named = [...page.matchAll(/^\| `(on[A-Z]\w+)\(/gm)].map((match) => match[1]);
    expect([...named].sort()).toEqual([...HANDLER_NAMES].sort());
  });

  test.each(['MarketView', 'StrategyContext', 'QuoteOptions'])('names every member of %s', (name) => {
    const source = ['context.ts', 'intents.ts']
      .map((file) => readFileSync(join(ROOT, 'src', 'bot', 'strategy', file), 'utf8'))
      .join('\n');
    const body = source.split(`export interface ${name} {`)[1]?.split('\n}')[0] ?? '';
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map((match) => match[1] ?? '');
    expect(members.length).toBeGreaterThanOrEqual(3);
    // Said in words: the view's own symbol and market.
    const silent = members.filter((member) => !['symbol', 'market'].includes(member));
    expect(silent.filter((member) => !new RegExp(`\\b${member}\\b`).test(page))).toEqual([]);
  });

  test('starts the first strategy with a configuration that loads and fits', () => {
    const [text = ''] = blocks('yaml');
    const { config } = parseConfig(text, join(FOLDER, 'examples', 'first.yaml'));
    expect(config.strategies[0]?.module).toBe(join(FOLDER, 'examples', 'first-strategy.ts'));
    expect(first.check(config.strategies[0]?.parameters)).toMatchObject({ isValid: true });
  });
});

describe('first-strategy.ts', () => {
  test('has about twenty lines', () => {
    const text = readFileSync(join(FOLDER, 'examples', 'first-strategy.ts'), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(23);
  });

  test('quotes around the middle of others, and nothing while a side is empty', () => {
    const market = aMarket();
    const run = new ScriptedRun(first, { size: '0.010' }, { markets: [market] });
    run.tellBook(market);
    expect(run.last).toMatchObject({
      bids: [{ priceTicks: 999_700, sizeLots: 10 }],
      asks: [{ priceTicks: 1_000_300, sizeLots: 10 }],
    });
    market.asks = [];
    run.tellBook(market);
    expect(run.pulls).toEqual([{ reason: 'one side of the book is empty', symbol: BTC }]);
  });
});

describe('slice-seller.ts', () => {
  const parameters = { total: '0.025', slice: '0.010', period: '1s' };

  test('sells slice by slice and stops when all is sold', () => {
    const run = new ScriptedRun(seller, parameters, { markets: [aMarket()] });
    run.handlers.onStart?.();
    for (let second = 0; second < 3; second++) {
      run.clock.advance(1_000);
      const placed = run.placed.at(-1);
      expect(placed).toMatchObject({ side: 'sell', priceTicks: 1_001_000, timeInForce: 'postOnly' });
      const sizeLots = placed !== undefined && 'sizeLots' in placed ? placed.sizeLots : 0;
      run.handlers.onFill?.(aFill({ side: 'sell', sizeLots }), run.market(BTC));
    }
    run.clock.advance(1_000);
    expect(run.placed.map((order) => 'sizeLots' in order && order.sizeLots)).toEqual([10, 10, 5]);
    expect(run.stopReason).toBe('all is sold');
    expect(run.handlers.onSave?.()).toEqual({ soldLots: 25 });
  });

  test('cancels what rests before it places the next', () => {
    const market = aMarket();
    const run = new ScriptedRun(seller, parameters, { markets: [market] });
    run.handlers.onStart?.();
    market.orders = [aWorkingOrder('7', { side: 'sell', priceTicks: ticks(1_001_000), sizeLots: lots(10) })];
    run.clock.advance(1_000);
    expect(run.canceled).toEqual(['7']);
    expect(run.placed).toEqual([]);
  });

  test('goes on where an earlier run ended', () => {
    const run = new ScriptedRun(seller, parameters, { markets: [aMarket()] });
    run.handlers.onLoad?.({ soldLots: 22 });
    run.handlers.onStart?.();
    run.clock.advance(1_000);
    expect(run.placed).toMatchObject([{ sizeLots: 3 }]);
  });
});

describe('sell-below.ts', () => {
  test('leaves a stop at the exchange when it starts', () => {
    const run = new ScriptedRun(
      stopper,
      { size: '0.010', stop: '9900.0', worst: '9850.0' },
      { markets: [aMarket()] },
    );
    run.handlers.onStart?.();
    expect(run.conditionals).toMatchObject([
      { order: { side: 'sell', timeInForce: 'ioc', reduceOnly: true }, trigger: { when: 'atOrBelow' } },
    ]);
  });
});

describe('buy-in-slices.ts', () => {
  test('asks once for an order that the exchange works over time', () => {
    const market = aMarket();
    const run = new ScriptedRun(slicer, { size: '0.3' }, { markets: [market] });
    run.tellBook(market);
    run.tellBook(market);
    expect(run.twaps).toMatchObject([{ symbol: market.symbol, side: 'buy', slices: 30 }]);
  });
});

describe('buy-with-exits.ts', () => {
  test('asks for exits of the position once it is filled', () => {
    const market = aMarket();
    const run = new ScriptedRun(exiter, { size: '0.3' }, { markets: [market] });
    run.tellBook(market);
    expect(run.placed).toMatchObject([{ side: 'buy', timeInForce: 'ioc', priceTicks: 1_001_000 }]);
    run.handlers.onFill?.(aFill({ side: 'buy', priceTicks: ticks(1_001_000) }), run.market(market.symbol));
    expect(run.exits).toEqual([
      {
        ...{ symbol: market.symbol, side: 'sell' },
        takeProfit: { triggerTicks: 1_006_004, priceTicks: 1_006_004 },
        stopLoss: { triggerTicks: 995_995, priceTicks: 990_990 },
      },
    ]);
  });
});
