/** The shipped configurations on the background flow of the exchange in the box: a real venue on a virtual clock. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { amountOf, loadConfig } from '../../../src/config/index.ts';
import { createSyntheticParticipants } from '../../../src/exchange/flow/synthetic-participants.ts';
import stoikov from '../../../strategies/avellaneda-stoikov/index.ts';
import ladder from '../../../strategies/two-sided-ladder/index.ts';
import { TestFlowHost } from '../../support/flow-host.ts';
import { greatestWithin, runOnFlow } from '../../support/strategy-on-flow.ts';
import { ROOT } from '../../tidy/source.ts';

const SEEDS = [7, 1, 2, 3];
const RUN_MS = 20_000;

const cases = ['demo', 'avellaneda-stoikov', 'two-strategies'].flatMap((name) => {
  const { strategies, risk } = loadConfig(join(ROOT, 'configs', `${name}.yaml`)).config;
  return strategies.map(({ name: strategy, module, parameters, markets: [symbol = ''] }) => ({
    title: `${name}: ${strategy}`,
    definition: module.includes('ladder') ? ladder : stoikov,
    parameters,
    symbol,
    risk,
  }));
});

describe.each(cases)('$title', ({ definition, parameters, symbol, risk }) => {
  test.each(SEEDS)('is filled on both sides within 20 s and never takes (seed %i)', (seed) => {
    const host = new TestFlowHost({ seed });
    host.attach(createSyntheticParticipants());
    const { run, result, market } = runOnFlow(host, definition, { parameters, symbol });
    host.run(RUN_MS);
    expect(result.fills.buy).toBeGreaterThanOrEqual(10);
    expect(result.fills.sell).toBeGreaterThanOrEqual(10);
    expect(result.takerFills).toBe(0);
    expect(result.replaces).toBeGreaterThanOrEqual(20);
    // Far from what the controls halt for (denials.md P11, M1, M5).
    expect(result.writes).toBeLessThanOrEqual(0.8 * risk.maxWritesPerSecond * (RUN_MS / 1_000));
    for (const side of ['buy', 'sell'] as const) {
      const onSide = result.marks.filter((mark) => mark.side === side);
      expect(greatestWithin(onSide, 10_000)).toBeLessThanOrEqual(0.5 * risk.maxSameSideFillsPer10s);
    }
    const traded = greatestWithin(result.marks, 10_000, (mark) => mark.notional);
    expect(traded).toBeLessThanOrEqual(0.5 * amountOf(risk.maxTurnoverPer10s, risk.capital).toNumber());
    expect(greatestWithin(result.rejected, 10_000)).toBeLessThanOrEqual(2);
    const levels = Number(parameters['levels'] ?? 1);
    expect(result.openOrdersPerSideMax).toBeLessThanOrEqual(levels);
    // An order that is filled while its replacement is on its way counts twice: one side's orders at most.
    const sideLots = levels * market.lotsOf(String(parameters['size']));
    const maxLots = market.lotsOf(String(parameters['maxInventory']));
    expect(result.maxInventoryLots).toBeLessThanOrEqual(maxLots + sideLots);
    expect(run.pulls).toEqual([]);
  });
});
